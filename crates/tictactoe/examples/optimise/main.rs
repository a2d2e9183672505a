//! Searches for a shorter chain that always plays right; `cargo xtask tictactoe-optimise` runs it.

// This program's results go to standard output.
#![allow(clippy::print_stdout)]

mod network;
mod options;
mod problem;
mod random;
mod search;
mod text;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use crownhead_tictactoe::PERFECT;

use network::Network;
use options::Options;
use problem::Problem;
use random::Random;
use search::Search;

/// Gates that the walk may be longer than the shortest chain of its round.
const SLACK: usize = 6;

/// Chance in 65,536, at the start, to take a step that makes the chain longer; it falls to 0 in each round.
const HEAT: u64 = 9_000;

/// Steps between two looks at the clock.
const LOOK: u64 = 100;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        println!("{}", options::HELP);
        return ExitCode::SUCCESS;
    }
    match Options::parse(args.into_iter()) {
        Ok(options) => run(&options),
        Err(message) => {
            eprintln!("error: {message}\n\n{}", options::HELP);
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> ExitCode {
    let problem = Problem::new();
    let start = options.from.network();
    let shortest = walk(&problem, start, options);
    if let Some(fault) = shortest.fault() {
        eprintln!("error: the result is not right: {fault}");
        return ExitCode::from(1);
    }
    let (length, committed) = (shortest.gates.len(), PERFECT.gates.len());
    println!("{length} gates, right in all 4,520 positions; the crate has {committed}");
    if options.write && length < committed {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/perfect.rs");
        if let Err(error) = std::fs::write(&path, text::source(&shortest)) {
            eprintln!("error: cannot write {}: {error}", path.display());
            return ExitCode::from(2);
        }
        println!("written to crates/tictactoe/src/perfect.rs");
    } else if options.write {
        println!("not shorter: nothing written");
    }
    ExitCode::SUCCESS
}

/// The shortest chain met in rounds of a random walk, which end after the steps or the seconds.
///
/// Each round starts from the shortest chain so far. Every second one first has its nine moves
/// asked for in a new order: the walk itself hardly ever finds another order, and most of the few
/// gates that this costs are gone again soon.
fn walk(problem: &Problem, start: Network, options: &Options) -> Network {
    let mut clock = Clock::start(options.seconds);
    let mut random = Random::new(options.seed);
    let mut shortest = start;
    for round in 0..options.rounds {
        let mut network = shortest.clone();
        if round % 2 == 1 {
            network = network.reordered(&mut random);
        }
        let mut search = Search::new(problem, network, random.next());
        let steps = options.steps / options.rounds;
        for step in 0..steps {
            search.heat = HEAT * (steps - step) / steps;
            search.limit = search.limit.min(search.network.gates.len() + SLACK);
            search.step();
            if search.network.gates.len() < shortest.gates.len() {
                shortest.clone_from(&search.network);
            }
            if step % LOOK == 0 && clock.is_over(round, step, &search.network, &shortest) {
                return shortest;
            }
        }
        // Another chain of the same length is as good a start, and may lead elsewhere.
        if search.network.gates.len() <= shortest.gates.len() {
            shortest = search.network;
        }
    }
    shortest
}

/// Ends the search in time and tells how it goes.
struct Clock {
    start: Instant,
    most_seconds: u64,
    told: u64,
}

impl Clock {
    fn start(most_seconds: u64) -> Self {
        Self { start: Instant::now(), most_seconds, told: 0 }
    }

    fn is_over(&mut self, round: u64, step: u64, now: &Network, shortest: &Network) -> bool {
        let seconds = self.start.elapsed().as_secs();
        if seconds >= self.most_seconds {
            println!("stopped by the clock: on another machine it may end elsewhere");
            return true;
        }
        if seconds >= self.told + 10 {
            self.told = seconds;
            let (now, shortest) = (now.gates.len(), shortest.gates.len());
            println!("{seconds} s, round {round}, step {step}: {now} gates, shortest {shortest}");
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use crownhead_tictactoe::{MODIFIED, PLAIN};

    use super::*;

    fn short_walk(seed: u64) -> Network {
        let options =
            Options::parse(["--steps", "300", "--rounds", "2"].into_iter().map(str::to_owned));
        let options = Options { seed, ..options.expect("the options are right") };
        walk(&Problem::new(), options.from.network(), &options)
    }

    #[test]
    fn a_walk_makes_the_chain_shorter_and_keeps_it_right() {
        let network = short_walk(1);
        assert!(network.gates.len() < MODIFIED.gates.len());
        assert_eq!(network.fault(), None);
    }

    #[test]
    fn steps_and_seed_decide_the_result() {
        assert_eq!(short_walk(1), short_walk(1));
        assert_ne!(short_walk(1), short_walk(2));
    }

    /// The negative control: both checks see that the plain rule is not right.
    #[test]
    fn a_wrong_chain_is_found_out() {
        let plain = Network::new(PLAIN.gates.to_vec(), PLAIN.outputs);
        assert!(plain.fault().is_some());
        assert_eq!(Search::new(&Problem::new(), plain, 1).wrong(), 50);
    }

    /// The text written is the text that is there.
    #[test]
    fn the_committed_chain_is_as_the_search_writes_it() {
        let network = Network { gates: PERFECT.gates.to_vec(), outputs: PERFECT.outputs };
        assert_eq!(text::source(&network), include_str!("../../src/perfect.rs"));
    }

    #[test]
    fn wrong_options_say_what_is_accepted() {
        for (args, reason) in [
            (&["--steps"][..], "lacks its value"),
            (&["--steps", "many"], "a whole number"),
            (&["--from", "memory"], "rule or perfect"),
            (&["--fast", "1"], "is no option"),
        ] {
            let error = Options::parse(args.iter().map(|&arg| arg.to_owned())).err();
            assert!(error.is_some_and(|error| error.contains(reason)), "{args:?}");
        }
    }
}
