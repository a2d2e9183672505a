//! What was built and measured, as a table or as JSON Lines; and the budgets.

use super::boards::Board;
use super::elf::Sizes;
use super::golden::Measured;

/// One program on one board.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) board: &'static Board,
    pub(crate) program: &'static str,
    pub(crate) sizes: Sizes,
    pub(crate) measured: Measured,
    pub(crate) ran: bool,
    pub(crate) ok: bool,
}

/// Code of rules, index, table reader, FEN and best move on Cortex-M0, in bytes.
const CODE_BUDGET: u64 = 32 * 1024;
/// A probe's stack, in bytes.
const PROBE_STACK_BUDGET: u64 = 4 * 1024;
/// Instructions of a probe on Cortex-M0 on average over random positions, of all and of those with 5
/// pieces alone.
const MEAN_BUDGET: u64 = 200_000;
/// And at worst, of random positions and the hardest known ones; the other processors need fewer.
const WORST_BUDGET: u64 = 64_000_000;

impl Row {
    /// A program that has been built.
    pub(crate) fn built(board: &'static Board, program: &'static str, sizes: Sizes) -> Self {
        Self { board, program, sizes, measured: Measured::default(), ran: false, ok: true }
    }

    fn is_budgeted(&self) -> bool {
        self.program == "endgame" && self.board.target == "thumbv6m-none-eabi"
    }

    fn json(&self) -> String {
        let Self { board, program, sizes, measured, ran, ok } = self;
        let number = |value: Option<u64>| value.map_or("null".to_owned(), |n| n.to_string());
        format!(
            "{{\"board\":\"{}\",\"program\":\"{program}\",\"target\":\"{}\",\"flash\":{},\
             \"flash_free\":{},\"ram\":{},\"stack\":{},\"instructions_mean\":{},\
             \"instructions_mean_5\":{},\"instructions_worst\":{},\"ran\":{ran},\"ok\":{ok}}}",
            board.name,
            board.target,
            sizes.flash,
            board.flash - sizes.flash,
            sizes.ram,
            number(measured.stack),
            number(measured.instructions_mean),
            number(measured.instructions_mean_5),
            number(measured.instructions_worst),
        )
    }
}

/// The budgets that building can break.
pub(crate) fn over_budget(row: &Row) -> Vec<String> {
    let code = row.sizes.code;
    let over = row.is_budgeted() && code > CODE_BUDGET;
    over.then(|| format!("{code} bytes of code; the budget is {CODE_BUDGET}")).into_iter().collect()
}

/// The budgets that running can break.
pub(crate) fn over_run_budget(row: &Row) -> Vec<String> {
    let mut faults = Vec::new();
    let measured = &row.measured;
    let mut at_most = |what: &str, value: Option<u64>, budget: u64| match value {
        Some(value) if value > budget => faults.push(format!("{value} {what}; at most {budget}")),
        Some(_) => {}
        None => faults.push(format!("did not say its {what}")),
    };
    at_most(
        "bytes of RAM with the stack",
        measured.stack.map(|n| n + row.sizes.ram),
        row.board.ram,
    );
    if row.program == "endgame" {
        at_most("bytes of a probe's stack", measured.probe_stack, PROBE_STACK_BUDGET);
        at_most("instructions a probe at worst", measured.instructions_worst, WORST_BUDGET);
    }
    if row.is_budgeted() {
        at_most("instructions a probe on average", measured.instructions_mean, MEAN_BUDGET);
        let mean_5 = measured.instructions_mean_5;
        at_most("instructions a probe on average with 5 pieces", mean_5, MEAN_BUDGET);
    }
    faults
}

/// Prints all rows to standard output.
#[allow(clippy::print_stdout)]
pub(crate) fn print(rows: &[Row], json: bool) {
    if json {
        for row in rows {
            println!("{}", row.json());
        }
        return;
    }
    println!(
        "{:16} {:10} {:30} {:>7} {:>9} {:>6} {:>6} {:>6} {:>11} {:>11} {:>8} {:>11} {:>5}",
        "board",
        "program",
        "target",
        "flash",
        "free",
        "code",
        "RAM",
        "stack",
        "probe stack",
        "instr. mean",
        "5 pieces",
        "instr. worst",
        "ran"
    );
    for row in rows {
        let Row { board, program, sizes, measured, ran, ok } = row;
        let number = |value: Option<u64>| value.map_or("-".to_owned(), |n| n.to_string());
        println!(
            "{:16} {program:10} {:30} {:>7} {:>9} {:>6} {:>6} {:>6} {:>11} {:>11} {:>8} {:>11} {:>5} {}",
            board.name,
            board.target,
            sizes.flash,
            board.flash - sizes.flash,
            sizes.code,
            sizes.ram,
            number(measured.stack),
            number(measured.probe_stack),
            number(measured.instructions_mean),
            number(measured.instructions_mean_5),
            number(measured.instructions_worst),
            if *ran { "yes" } else { "no" },
            if *ok { "ok" } else { "FAILED" },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::boards::BOARDS;
    use super::*;

    #[test]
    fn the_mean_with_5_pieces_alone_is_held_too() {
        let mut row = Row::built(&BOARDS[0], "endgame", Sizes { flash: 1000, code: 500, ram: 0 });
        row.measured = Measured {
            stack: Some(1000),
            probe_stack: Some(1000),
            instructions_mean: Some(MEAN_BUDGET),
            instructions_mean_5: Some(MEAN_BUDGET),
            instructions_worst: Some(WORST_BUDGET),
        };
        assert!(over_run_budget(&row).is_empty());
        row.measured.instructions_mean_5 = Some(MEAN_BUDGET + 1);
        assert_eq!(over_run_budget(&row).len(), 1);
        row.measured.instructions_mean_5 = None;
        assert_eq!(over_run_budget(&row).len(), 1);
    }
}
