use core::ops::ControlFlow;

use crate::{Bitboard, Direction, Move, PieceKind, Position};

/// # Un-moves
impl Position {
    /// Shows every step that can have led here, until `visit` breaks.
    ///
    /// The position before it is [`before`](Position::before) with no captured kings. Only legal
    /// steps are shown: none that was made when a capture was due. A step that
    /// [crowned](Move::crowns) a man is among them; captures are not, as any pieces whatever can
    /// have been captured.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use crownhead_rules::{Bitboard, Position};
    ///
    /// let position: Position = "W:WK32:BK29".parse()?;
    /// let _: ControlFlow<()> = position.visit_unmoves(|m| {
    ///     let before = position.before(&m, Bitboard::EMPTY);
    ///     assert_eq!(m.from().number(), 25);
    ///     assert_eq!(before.after(&m), position);
    ///     ControlFlow::Continue(())
    /// });
    /// # Ok::<(), crownhead_rules::FenError>(())
    /// ```
    pub fn visit_unmoves<B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mover = self.side_to_move.other();
        let vacant = self.vacant();
        let mut visit_if_legal = |m: Move| {
            if self.before(&m, Bitboard::EMPTY).has_capture(mover) {
                ControlFlow::Continue(())
            } else {
                visit(m)
            }
        };
        let men = self.men(mover);
        let kings = self.kings(mover);
        for direction in Direction::forward(mover) {
            let moved = direction.step(vacant);
            for to in (men & moved).singles() {
                let from = direction.opposite().step(to);
                visit_if_legal(Move::step(from, to, PieceKind::Man, false))?;
            }
            for to in (kings & moved & Bitboard::crown_row(mover)).singles() {
                let from = direction.opposite().step(to);
                visit_if_legal(Move::step(from, to, PieceKind::Man, true))?;
            }
        }
        for direction in Direction::ALL {
            for to in (kings & direction.step(vacant)).singles() {
                let from = direction.opposite().step(to);
                visit_if_legal(Move::step(from, to, PieceKind::King, false))?;
            }
        }
        ControlFlow::Continue(())
    }
}
