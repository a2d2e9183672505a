//! Programs for the most likely tasks lie in `src/bin`; README.md lists them.
