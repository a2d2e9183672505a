//! Helpers shared by the test files in `tests/`.
