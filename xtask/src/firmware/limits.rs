//! What each program may take of each board: the table in the firmware's README, which a run holds.

use anyhow::{Context, Result};

use super::build::workspace;
use super::report::Row;

/// One line of the table, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Limits {
    board: String,
    program: String,
    flash: u64,
    ram: u64,
    /// None where no emulator measures it.
    stack: Option<u64>,
}

/// What the README says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table(Vec<Limits>);

impl Table {
    /// Reads the table.
    ///
    /// # Errors
    ///
    /// If it is not there, or a line of it is not understood.
    pub(crate) fn read() -> Result<Self> {
        let path = workspace().join("README.md");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(readme: &str) -> Result<Self> {
        let (_, rest) = readme.split_once("\n## Memory\n").context("README.md: no ## Memory")?;
        let section = rest.split("\n## ").next().unwrap_or(rest);
        let lines = section.lines().filter(|line| line.starts_with("| `"));
        let rows = lines.map(|line| {
            Limits::parse(line).with_context(|| format!("README.md: not a line of limits: {line}"))
        });
        Ok(Self(rows.collect::<Result<_>>()?))
    }

    /// What of this row is over the table.
    pub(crate) fn over(&self, row: &Row) -> Vec<String> {
        let is_its =
            |limits: &&Limits| (&*limits.board, &*limits.program) == (row.board.name, row.program);
        let Some(limits) = self.0.iter().find(is_its) else {
            return vec!["the README has no memory limits for it".to_owned()];
        };
        let stack = row.measured.stack;
        let mut faults = Vec::new();
        for (what, value, limit) in [
            ("flash", Some(row.sizes.flash), Some(limits.flash)),
            ("RAM", Some(row.sizes.ram), Some(limits.ram)),
            ("stack", stack, limits.stack),
        ] {
            if let Some(value) = value.filter(|value| limit.is_none_or(|limit| *value > limit)) {
                let limit = limit.map_or("nothing".to_owned(), |limit| limit.to_string());
                faults.push(format!("{value} bytes of {what}; the README says at most {limit}"));
            }
        }
        faults
    }
}

impl Limits {
    fn parse(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [board, program, flash, ram, stack] = *cells else { return None };
        let name = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        let number = |cell: &str| cell.replace(',', "").parse::<u64>().ok();
        let stack = if stack.is_empty() { None } else { Some(number(stack)?) };
        Some(Self {
            board: name(board)?,
            program: name(program)?,
            flash: number(flash)?,
            ram: number(ram)?,
            stack,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::boards::{BOARDS, PROGRAMS};
    use super::super::elf::Sizes;
    use super::super::golden::Measured;
    use super::*;

    #[test]
    fn the_readme_has_limits_that_fit_for_every_program_on_every_board() {
        let Table(rows) = Table::read().unwrap();
        assert_eq!(rows.len(), BOARDS.len() * PROGRAMS.len());
        for board in &BOARDS {
            for program in PROGRAMS {
                let its = |row: &&Limits| row.board == board.name && row.program == program;
                let row = rows.iter().find(its).unwrap();
                assert_eq!(row.stack.is_some(), board.runs(), "{row:?}");
                assert!(row.flash <= board.flash, "{row:?}");
                assert!(row.ram + row.stack.unwrap_or(0) <= board.ram, "{row:?}");
            }
        }
    }

    #[test]
    fn what_is_over_its_limit_is_named() {
        let readme = "\n## Memory\n\n| `microbit` | `endgame` | 1,000 | 20 | 300 |\n\n## Next\n";
        let table = Table::parse(readme).unwrap();
        let mut row = Row::built(&BOARDS[0], "endgame", Sizes { flash: 1000, code: 500, ram: 20 });
        row.measured = Measured { stack: Some(300), ..Measured::default() };
        assert!(table.over(&row).is_empty());
        row.sizes = Sizes { flash: 1001, code: 500, ram: 21 };
        row.measured.stack = Some(301);
        let over = table.over(&row);
        assert_eq!(over.len(), 3, "{over:?}");
        assert_eq!(over[0], "1001 bytes of flash; the README says at most 1000");
        row.program = "player";
        assert_eq!(table.over(&row).len(), 1);
        assert!(Table::parse("\n## Memory\n| `microbit` | `endgame` | much |\n").is_err());
        assert!(Table::parse("no table").is_err());
    }
}
