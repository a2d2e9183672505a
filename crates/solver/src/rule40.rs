//! What the 40-move rule makes of a value.

use crownhead_index::Material;
use crownhead_rules::Value;

/// The most pieces for which it is known where the rule matters.
pub const RULE40_PIECES: u32 = 6;

/// The materials to [`RULE40_PIECES`] pieces in which the rule makes a draw of some win or loss.
///
/// Only KKKvKKM has a phase that is too long, of 82 plies; the others lead there. Found by a build
/// under the rule ([`Cpu::with_move_limit`](crate::Cpu::with_move_limit)); the counts are in
/// `benches/record/rule40-6.tsv`.
pub const RULE40_MATTERS: [&str; 3] = ["KKKvKKM", "KKKvKMM", "KKKvMMM"];

/// The verdict under the 40-move rule, counted from zero: `win`, `draw` or `loss` where the rule
/// cannot matter.
///
/// `None` for a win or loss in a material in which the rule does matter, or of too many pieces:
/// that takes a build [under the rule](crate::Cpu::with_move_limit).
///
/// ```
/// use crownhead_rules::Value;
/// use crownhead_solver::rule40;
/// assert_eq!(rule40("KKvK".parse().unwrap(), Value::Win), Some("win"));
/// assert_eq!(rule40("KKKvKKM".parse().unwrap(), Value::Win), None);
/// ```
pub fn rule40(material: Material, value: Value) -> Option<&'static str> {
    let name = material.canonical().to_string();
    let matters = material.pieces() > RULE40_PIECES || RULE40_MATTERS.contains(&name.as_str());
    (value == Value::Draw || !matters).then(|| value.name())
}
