//! The arguments of `cargo xtask firmware`.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use super::boards::{BOARDS, Board, PROGRAMS};

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Build and print sizes.
    Build,
    /// That, and run against the golden files.
    Run,
    /// Run one program at the terminal.
    Console,
    /// Lint, and prove the core crates fit for boards.
    Check,
}

/// The arguments, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) boards: Vec<&'static Board>,
    pub(crate) programs: Vec<&'static str>,
    /// An image to lie apart from the program.
    pub(crate) image: Option<PathBuf>,
    pub(crate) bless: bool,
    pub(crate) json: bool,
}

impl Options {
    /// Reads the arguments; `None` asks for help.
    pub(crate) fn parse(args: &[String]) -> Result<Option<Self>> {
        let (mut boards, mut programs, mut modes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bless, mut json, mut image) = (false, false, None);
        let mut args = args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            match arg {
                "--board" => boards.push(board(args.next())?),
                "--program" => programs.push(program(args.next())?),
                "--run" => modes.push(Mode::Run),
                "--console" => modes.push(Mode::Console),
                "--check" => modes.push(Mode::Check),
                "--image" => image = Some(args.next().map(PathBuf::from)),
                "--bless" => bless = true,
                "--json" => json = true,
                "-h" | "--help" => return Ok(None),
                other => bail!("firmware does not know {other}; see firmware --help"),
            }
        }
        modes.dedup();
        ensure!(modes.len() <= 1, "one of --run, --console and --check at a time");
        let mode = match modes.first() {
            Some(mode) => *mode,
            None if bless => Mode::Run,
            None => Mode::Build,
        };
        ensure!(!bless || mode == Mode::Run, "--bless goes with --run");
        let image = match image {
            Some(None) => bail!("--image takes a file"),
            Some(image) => image,
            None => None,
        };
        if image.is_some() {
            ensure!(mode != Mode::Check, "--image goes with programs");
            if boards.is_empty() {
                boards.extend(BOARDS.iter().filter(|board| board.image_flash.is_some()));
            }
            if let Some(board) = boards.iter().find(|board| board.image_flash.is_none()) {
                bail!("{} has no other flash for an image apart from the program", board.name);
            }
            if programs.is_empty() && mode != Mode::Console {
                programs.push("endgame");
            }
        }
        if mode != Mode::Console {
            if boards.is_empty() {
                boards.extend(&BOARDS);
            }
            if programs.is_empty() {
                programs.extend(PROGRAMS);
            }
        }
        Ok(Some(Self { mode, boards, programs, image, bless, json }))
    }

    /// The one board and program of a console: the first of each, where none is named.
    pub(crate) fn only(&self) -> Result<(&'static Board, &'static str)> {
        ensure!(
            self.boards.len() <= 1 && self.programs.len() <= 1,
            "--console joins one program on one board"
        );
        let board = self.boards.first().copied().unwrap_or(&BOARDS[0]);
        let program = self.programs.first().copied().unwrap_or(PROGRAMS[0]);
        ensure!(board.runs(), "{} has no emulator", board.name);
        Ok((board, program))
    }
}

fn board(name: Option<&str>) -> Result<&'static Board> {
    match BOARDS.iter().find(|board| Some(board.name) == name) {
        Some(board) => Ok(board),
        None => bail!("--board takes one of {}", BOARDS.map(|board| board.name).join(", ")),
    }
}

fn program(name: Option<&str>) -> Result<&'static str> {
    match PROGRAMS.into_iter().find(|program| Some(*program) == name) {
        Some(program) => Ok(program),
        None => bail!("--program takes one of {}", PROGRAMS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args)
    }

    #[test]
    fn nothing_named_means_everything() {
        let options = parse("--run --json").unwrap().unwrap();
        assert_eq!((options.mode, options.json), (Mode::Run, true));
        assert_eq!((options.boards.len(), options.programs.len()), (BOARDS.len(), 3));
        assert!(parse("--help").unwrap().is_none());
    }

    #[test]
    fn a_console_is_one_program_on_one_board_that_runs() {
        let only = |line| parse(line).unwrap().unwrap().only();
        assert_eq!(only("--console").unwrap().1, "endgame");
        let line = "--board riscv32-virt --program player --console";
        assert_eq!(only(line).unwrap().0.name, "riscv32-virt");
        assert!(only("--console --board rp2040").is_err());
        assert!(only("--console --board microbit --board riscv32-virt").is_err());
    }

    #[test]
    fn an_image_apart_goes_where_there_is_flash_for_it() {
        let options = parse("--run --image a.img").unwrap().unwrap();
        assert_eq!(options.boards.iter().map(|b| b.name).collect::<Vec<_>>(), ["riscv32-virt"]);
        assert_eq!(options.programs, ["endgame"]);
        for line in ["--image", "--image a.img --board microbit", "--image a.img --check"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn unknown_and_contradictory_arguments_are_refused() {
        for line in ["--board", "--board arduino", "--program chess", "--fast", "--run --check"] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse("--bless --console").is_err());
        assert_eq!(parse("--bless").unwrap().unwrap().mode, Mode::Run);
    }
}
