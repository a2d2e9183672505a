use crownhead_rules::Position;

use crate::{Engine, Game, Limits, NoTables, Slot, TranspositionTable};

/// The openings and endings that are searched, each to its depth in plies.
const SUITE: [(&str, u8); 8] = [
    ("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", 13),
    ("W:W22,23,24,25,26,27,28,29,30,31,32,17:B1,2,3,4,5,6,7,8,10,11,12,13", 12),
    ("B:W18,19,24,25,26,27,28,30,31,32:B1,2,3,4,5,6,8,9,12,16", 12),
    ("W:W14,22,25,26,27,30,31,K3:B5,6,8,12,15,16,K29", 12),
    ("B:W11,6:B3,K25", 16),
    ("W:WK19,K23:B12,K28", 16),
    ("W:WK20,K17,K31,K30:B2,1,K13,K23", 11),
    ("B:W20,27,28,32,K10:B3,9,12,K18,K26", 12),
];

/// How many slots [`signature`] takes.
pub const SIGNATURE_SLOTS: usize = 1 << 14;

/// The number of positions that a search of some fixed positions to fixed depths visits: a change
/// of it shows that the search does something else than before.
///
/// `slots` are cleared first; as many as [`SIGNATURE_SLOTS`] give the number that is pinned.
pub fn signature(slots: &[Slot]) -> u64 {
    let table = TranspositionTable::new(slots);
    SUITE.iter().fold(0, |nodes, (fen, depth)| {
        table.clear();
        let mut engine = Engine::new(table, &NoTables);
        // The texts above are legal: a test would fail.
        let position: Position = fen.parse().unwrap_or(Position::START);
        nodes + engine.search(&Game::new(position), &Limits::depth(*depth), |_| {}).nodes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Change this number when the search is changed, and say so in the commit's message.
    const PINNED: u64 = 278091;

    #[test]
    fn the_signature_is_the_pinned_one() {
        assert!(SUITE.iter().all(|(fen, _)| fen.parse::<Position>().is_ok_and(|p| p.is_legal())));
        let slots: std::vec::Vec<Slot> =
            std::iter::repeat_with(Slot::default).take(SIGNATURE_SLOTS).collect();
        assert_eq!(signature(&slots), PINNED);
        assert_eq!(signature(&slots), PINNED, "nothing is left from the first run");
    }
}
