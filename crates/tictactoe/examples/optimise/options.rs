//! The options of the search.

use crownhead_tictactoe::{MODIFIED, PERFECT};

use crate::network::Network;

pub(crate) const HELP: &str = "\
Searches for a shorter Boolean chain that always plays tic-tac-toe right.

  --from rule|perfect  start from the rule written out as gates, or from the chain in the crate
                       (default: rule)
  --steps N            length of the walk (default: 1000000)
  --rounds N           number of rounds that it consists of (default: 5); the same steps, rounds
                       and seed give the same chain on every machine
  --seconds N          stop the walk after this time even so (default: 1800)
  --seed N             number that the random choices start from (default: 1)
  --write              put the result into the crate if it is shorter than the chain there";

/// Where the walk starts.
#[derive(Clone, Copy)]
pub(crate) enum From {
    Rule,
    Perfect,
}

impl From {
    pub(crate) fn network(self) -> Network {
        match self {
            Self::Rule => Network::new(MODIFIED.gates.to_vec(), MODIFIED.outputs),
            Self::Perfect => Network::new(PERFECT.gates.to_vec(), PERFECT.outputs),
        }
    }
}

pub(crate) struct Options {
    pub(crate) from: From,
    pub(crate) steps: u64,
    pub(crate) rounds: u64,
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
    pub(crate) write: bool,
}

impl Options {
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            from: From::Rule,
            steps: 1_000_000,
            rounds: 5,
            seconds: 1_800,
            seed: 1,
            write: false,
        };
        while let Some(name) = args.next() {
            if name == "--write" {
                options.write = true;
                continue;
            }
            let value =
                args.next().ok_or_else(|| format!("{name} is unknown or lacks its value"))?;
            let number =
                || value.parse().map_err(|_| format!("{name} takes a whole number, not {value:?}"));
            match name.as_str() {
                "--from" => {
                    options.from = match value.as_str() {
                        "rule" => From::Rule,
                        "perfect" => From::Perfect,
                        _ => return Err(format!("--from takes rule or perfect, not {value:?}")),
                    }
                }
                "--steps" => options.steps = number()?,
                "--rounds" => options.rounds = number()?,
                "--seconds" => options.seconds = number()?,
                "--seed" => options.seed = number()?,
                _ => return Err(format!("{name} is no option")),
            }
        }
        Ok(options)
    }
}
