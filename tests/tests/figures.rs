//! The pictures in the documentation show what is so.

use std::fs;

use anyhow::Result;
use crownhead_rules::{Position, Prober, Value};
use crownhead_table::embedded;
use crownhead_tests::root;

/// The bits that docs/word.svg shows are the values of those positions.
#[test]
fn the_word_in_the_picture_is_real() -> Result<()> {
    let table = embedded::table();
    let [mut valid, mut win, mut loss] = [0_u32; 3];
    for square in (1..=32).filter(|square| ![6, 19, 31].contains(square)) {
        let position: Position = format!("B:WK19,K31:B6,K{square}").parse()?;
        let bit = 1 << (square - 1);
        valid |= bit;
        match table.probe(&position).expect("four pieces").value {
            Value::Win => win |= bit,
            Value::Loss => loss |= bit,
            Value::Draw => {}
        }
    }
    let source = fs::read_to_string(root().join("xtask/src/figures.rs"))?;
    for bits in [valid, win, loss] {
        let shown = format!("0x{:04x}_{:04x}", bits >> 16, bits & 0xffff);
        assert!(source.contains(&shown), "the picture of a word lacks {shown}");
    }
    assert!(win != 0 && loss != 0 && valid & !(win | loss) != 0, "a picture of nothing");
    Ok(())
}
