//! Runs a program on its input file and compares what it says with the golden file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::boards::Board;
use super::build::{apart_dir, output_dir, workspace};
use super::{elf, emulator};

/// What a run may take; on a busy machine it takes seconds.
const LIMIT: Duration = Duration::from_secs(240);

/// What a program measured of itself, from its lines `# name value`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Measured {
    /// The deepest stack, in bytes.
    pub(crate) stack: Option<u64>,
    /// The deepest stack of a probe, in bytes.
    pub(crate) probe_stack: Option<u64>,
    pub(crate) instructions_mean: Option<u64>,
    /// Of positions with 5 pieces alone.
    pub(crate) instructions_mean_5: Option<u64>,
    pub(crate) instructions_worst: Option<u64>,
}

/// A run against the golden file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Checked {
    pub(crate) measured: Measured,
    /// What was wrong, in words.
    pub(crate) faults: Vec<String>,
}

/// Runs the program; `bless` makes its output the golden file.
pub(crate) fn check(board: &Board, program: &str, bless: bool) -> Result<Checked> {
    compare(board, &output_dir(board)?.join(format!("{program}.elf")), None, program, bless)
}

/// The same with an image apart from the program: with that of other than 5 pieces, `endgame`'s
/// files are `endgame-6.in` and `endgame-6.out`, and so on.
pub(crate) fn check_apart(
    board: &Board,
    program: &str,
    image: &Path,
    bless: bool,
) -> Result<Checked> {
    let elf = apart_dir(board)?.join(format!("{program}.elf"));
    // The number of pieces stands in byte 11 of the header.
    let name = match elf::read(image)?.get(11) {
        Some(5) | None => program.to_owned(),
        Some(pieces) => format!("{program}-{pieces}"),
    };
    compare(board, &elf, Some(image), &name, bless)
}

fn compare(
    board: &Board,
    elf: &Path,
    image: Option<&Path>,
    program: &str,
    bless: bool,
) -> Result<Checked> {
    let input = text(program, "in")?;
    let run = emulator::run_with(board, elf, image, &input, LIMIT)?;
    let (said, measured) = split(&run.output);
    let mut faults = Vec::new();
    match run.status {
        Some(0) => {}
        Some(status) => {
            faults.push(format!("ended with status {status}:\n{}{}", run.output, run.remarks));
        }
        None => faults.push(format!("not done after {} s:\n{}", LIMIT.as_secs(), run.output)),
    }
    if bless && faults.is_empty() {
        std::fs::write(file(program, "out"), &said)?;
    } else if let Some(difference) = difference(&text(program, "out")?, &said) {
        faults.push(difference);
    }
    Ok(Checked { measured, faults })
}

fn file(program: &str, ending: &str) -> PathBuf {
    workspace().join("src/bin").join(format!("{program}.{ending}"))
}

fn text(program: &str, ending: &str) -> Result<String> {
    let path = file(program, ending);
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Output for the golden file, and measurements, which differ between boards and compilers.
fn split(output: &str) -> (String, Measured) {
    let mut said = String::new();
    let mut measured = Measured::default();
    for line in output.lines() {
        let Some(rest) = line.strip_prefix("# ") else {
            said.push_str(line);
            said.push('\n');
            continue;
        };
        let Some((name, value)) = rest.split_once(' ') else { continue };
        let value = value.parse().ok();
        match name {
            "stack" => measured.stack = value,
            "probe_stack" => measured.probe_stack = value,
            "instructions_mean" => measured.instructions_mean = value,
            "instructions_mean_5" => measured.instructions_mean_5 = value,
            "instructions_worst" => measured.instructions_worst = value,
            _ => {}
        }
    }
    (said, measured)
}

/// The first line that differs.
fn difference(want: &str, got: &str) -> Option<String> {
    if want == got {
        return None;
    }
    let (mut want, mut got) = (want.lines(), got.lines());
    for number in 1.. {
        let (w, g) = (want.next(), got.next());
        if w != g || w.is_none() {
            let show = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            return Some(format!("line {number}: want {:?}, got {:?}", show(w), show(g)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_taken_out_of_the_output() {
        let output =
            "win: 11-15\n# stack 1200\n# instructions_mean 7\n# instructions_mean_5 9\ndraw\n";
        let (said, measured) = split(output);
        assert_eq!(measured.instructions_mean_5, Some(9));
        assert_eq!(said, "win: 11-15\ndraw\n");
        assert_eq!((measured.stack, measured.instructions_mean), (Some(1200), Some(7)));
        assert_eq!(measured.instructions_worst, None);
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert!(
            difference("a\nb\n", "a\nc\n").unwrap().starts_with("line 2: want \"b\", got \"c\"")
        );
        assert!(difference("a\n", "a\nb\n").unwrap().contains("(the end)"));
        assert!(difference("a\nb\n", "a\n").is_some());
    }
}
