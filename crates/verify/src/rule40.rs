use crownhead_index::Material;
use crownhead_table::{Metric, Tables};

use crate::Fault;

/// The longest phases, in plies, that end before the side to move may claim a draw by the 40-move
/// rule: for the side that wins and for the one that loses.
const LONGEST: (u16, u16) = (81, 80);

/// Checks where the 40-move rule is said to make a draw of some win or loss (`matters`), by the
/// distances to conversion: tables of another metric pass.
///
/// Where no phase is too long, here or in any material that a conversion leads to, every verdict
/// by the rule is the value: the best line converts in time to a position of which the same holds.
/// The distances themselves must have been [verified](crate::verify_table). Where a conversion
/// leads to a material in which the rule matters, distances without the rule cannot tell.
///
/// # Errors
///
/// [`Fault::Rule40`] when what is said contradicts the distances, [`Fault::Table`] when the table
/// cannot be read.
pub fn verify_rule40(
    tables: &Tables,
    material: Material,
    matters: &dyn Fn(Material) -> bool,
) -> Result<(), Fault> {
    if tables.metric() != Metric::Dtc {
        return Ok(());
    }
    let material = material.canonical();
    let header = tables.table(material)?.header();
    let wins = header.sides.iter().filter_map(|side| side.longest_win).map(|l| l.plies).max();
    let losses = header.sides.iter().filter_map(|side| side.longest_loss).map(|l| l.plies).max();
    let too_long = wins > Some(LONGEST.0) || losses > Some(LONGEST.1);
    let leads_there = material.parts().any(matters);
    match matters(material) {
        said @ false if too_long => Err(Fault::Rule40 { said }),
        said @ true if !too_long && !leads_there => Err(Fault::Rule40 { said }),
        _ => Ok(()),
    }
}
