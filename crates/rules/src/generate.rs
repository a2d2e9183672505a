use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::moves::Route;
use crate::{Bitboard, Color, Direction, Move, MoveList, PieceKind, Position, TooManyMoves};

/// The side to move as a type, so that each side's shifts are constants in its own copy.
trait Side {
    const COLOR: Color;
    const FORWARD: [Direction; 2];
}

struct BlackToMove;
struct WhiteToMove;

impl Side for BlackToMove {
    const COLOR: Color = Color::Black;
    const FORWARD: [Direction; 2] = Direction::forward(Color::Black);
}

impl Side for WhiteToMove {
    const COLOR: Color = Color::White;
    const FORWARD: [Direction; 2] = Direction::forward(Color::White);
}

/// The pieces of `movers` that can jump in this direction.
#[inline(always)]
const fn jumpers_towards(
    direction: Direction,
    movers: Bitboard,
    enemies: Bitboard,
    vacant: Bitboard,
) -> Bitboard {
    let takeable = Bitboard(direction.origins(vacant).0 & enemies.0);
    Bitboard(direction.origins(takeable).0 & movers.0)
}

/// # Moves
///
/// Capturing is mandatory, though not capturing most; a capture goes on as long as it can, and
/// ends where a man is crowned. The capturing piece leaves its square at once, the captured ones
/// leave theirs at the end, and none is jumped twice. (Landing squares and jumped squares lie on
/// rows of different parity, so it makes no difference when the captured pieces leave.)
///
/// There are two ways of counting: *routes*, where captures of one piece that differ only in
/// the order of their jumps count each (the convention of published perft counts, of
/// [`visit_moves`](Position::visit_moves) and of the `moves` command), and *distinct moves*, one
/// for each position that results ([`visit_distinct_moves`](Position::visit_distinct_moves)).
impl Position {
    /// The pieces of a side that can capture, whoever is to move.
    #[inline]
    pub const fn jumpers(&self, color: Color) -> Bitboard {
        let (enemies, vacant) = (self.side(color.other()), self.vacant());
        let [a, b] = Direction::forward(color);
        let all = self.side(color);
        let mut set =
            jumpers_towards(a, all, enemies, vacant).0 | jumpers_towards(b, all, enemies, vacant).0;
        let kings = self.kings(color);
        if !kings.is_empty() {
            let [a, b] = Direction::forward(color.other());
            set |= jumpers_towards(a, kings, enemies, vacant).0
                | jumpers_towards(b, kings, enemies, vacant).0;
        }
        Bitboard(set)
    }

    /// Whether a side could capture if it were to move.
    #[inline]
    pub const fn has_capture(&self, color: Color) -> bool {
        !self.jumpers(color).is_empty()
    }

    /// The pieces of a side that can make a step, whoever is to move and captures aside.
    #[inline]
    pub const fn steppers(&self, color: Color) -> Bitboard {
        let vacant = self.vacant();
        let [a, b] = Direction::forward(color);
        let mut set = (a.origins(vacant).0 | b.origins(vacant).0) & self.side(color).0;
        let kings = self.kings(color);
        if !kings.is_empty() {
            let [a, b] = Direction::forward(color.other());
            set |= (a.origins(vacant).0 | b.origins(vacant).0) & kings.0;
        }
        Bitboard(set)
    }

    /// Whether the side to move has a legal move; without one it has lost.
    #[inline]
    pub const fn has_move(&self) -> bool {
        !self.steppers(self.side_to_move).is_empty() || self.has_capture(self.side_to_move)
    }

    /// The side that has won: the opponent of a side to move that has no legal move, be it blocked
    /// or without pieces. `None` while the game goes on.
    #[inline]
    pub const fn winner(&self) -> Option<Color> {
        if self.has_move() { None } else { Some(self.side_to_move.other()) }
    }

    /// Shows every legal move (route) to `visit` until it breaks; returns what it broke with.
    ///
    /// The order is the same each time, and otherwise nothing to rely on.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use crownhead_rules::Position;
    ///
    /// let mut count = 0;
    /// let end: ControlFlow<()> = Position::START.visit_moves(|_| {
    ///     count += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((count, end), (7, ControlFlow::Continue(())));
    /// ```
    #[inline]
    pub fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.side_to_move {
            Color::Black => self.visit_moves_of::<BlackToMove, B>(visit),
            Color::White => self.visit_moves_of::<WhiteToMove, B>(visit),
        }
    }

    #[inline(always)]
    fn visit_moves_of<S: Side, B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let jumpers = self.jumpers(S::COLOR);
        if jumpers.is_empty() {
            self.visit_steps::<S, B>(&mut visit)
        } else {
            self.visit_captures::<S, B>(jumpers, &mut visit)
        }
    }

    #[inline(always)]
    fn visit_steps<S: Side, B>(
        &self,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let vacant = self.vacant();
        let men = self.men(S::COLOR);
        for direction in S::FORWARD {
            for from in (men & direction.origins(vacant)).singles() {
                let to = direction.step(from);
                let crowns = !(to & Bitboard::crown_row(S::COLOR)).is_empty();
                visit(Move::step(from, to, PieceKind::Man, crowns))?;
            }
        }
        let kings = self.kings(S::COLOR);
        if !kings.is_empty() {
            for direction in Direction::ALL {
                for from in (kings & direction.origins(vacant)).singles() {
                    visit(Move::step(from, direction.step(from), PieceKind::King, false))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn visit_captures<S: Side, B>(
        &self,
        jumpers: Bitboard,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let kings = self.kings(S::COLOR);
        for from in (jumpers - kings).singles() {
            self.captures_from::<S, false>(from).go_on(from, Route::START, visit)?;
        }
        for from in (jumpers & kings).singles() {
            self.captures_from::<S, true>(from).go_on(from, Route::START, visit)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn captures_from<S: Side, const KING: bool>(&self, from: Bitboard) -> Captures<S, KING> {
        Captures {
            from,
            enemies: self.side(S::COLOR.other()),
            // The piece has left its square while it jumps, and may come back to it.
            vacant: self.vacant() | from,
            side: core::marker::PhantomData,
        }
    }

    /// Shows one move for each position that can result, until `visit` breaks.
    ///
    /// Of several routes with the [same result](Move::same_result) it shows the first that
    /// [`visit_moves`](Position::visit_moves) would.
    pub fn visit_distinct_moves<B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves(
            |m| {
                if self.is_first_route(&m) { visit(m) } else { ControlFlow::Continue(()) }
            },
        )
    }

    /// Whether no earlier route has the same result.
    fn is_first_route(&self, m: &Move) -> bool {
        // Two ways over the same pieces make a circle, which takes four jumps, and a king.
        if m.jumps() < 4 || m.kind() == PieceKind::Man {
            return true;
        }
        let mut stop_at_first = |other: Move| {
            if other.same_result(m) {
                ControlFlow::Break(other == *m)
            } else {
                ControlFlow::Continue(())
            }
        };
        let from = Bitboard::of(m.from());
        let found = match self.side_to_move {
            Color::Black => self.captures_from::<BlackToMove, true>(from).go_on(
                from,
                Route::START,
                &mut stop_at_first,
            ),
            Color::White => self.captures_from::<WhiteToMove, true>(from).go_on(
                from,
                Route::START,
                &mut stop_at_first,
            ),
        };
        found != ControlFlow::Break(false)
    }

    /// All legal moves (routes) in a list.
    ///
    /// # Errors
    ///
    /// [`TooManyMoves`] when there are more than [`MOVE_CAPACITY`](crate::MOVE_CAPACITY), which
    /// takes more than 12 pieces on a side.
    pub fn moves(&self) -> Result<MoveList, TooManyMoves> {
        let mut list = MoveList::new();
        match self.visit_moves(|m| push(&mut list, m)) {
            ControlFlow::Continue(()) => Ok(list),
            ControlFlow::Break(error) => Err(error),
        }
    }

    /// One legal move for each position that can result, in a list.
    ///
    /// # Errors
    ///
    /// [`TooManyMoves`] as for [`moves`](Position::moves).
    pub fn distinct_moves(&self) -> Result<MoveList, TooManyMoves> {
        let mut list = MoveList::new();
        match self.visit_distinct_moves(|m| push(&mut list, m)) {
            ControlFlow::Continue(()) => Ok(list),
            ControlFlow::Break(error) => Err(error),
        }
    }

    /// The number of legal moves (routes), without making a list.
    #[inline]
    pub fn count_moves(&self) -> u32 {
        let color = self.side_to_move;
        if self.has_capture(color) {
            let mut count = 0;
            let _: ControlFlow<Infallible> = self.visit_moves(|_| {
                count += 1;
                ControlFlow::Continue(())
            });
            return count;
        }
        let vacant = self.vacant();
        let [a, b] = Direction::forward(color);
        let all = self.side(color);
        let mut count = (all & a.origins(vacant)).len() + (all & b.origins(vacant)).len();
        let kings = self.kings(color);
        if !kings.is_empty() {
            let [a, b] = Direction::forward(color.other());
            count += (kings & a.origins(vacant)).len() + (kings & b.origins(vacant)).len();
        }
        count
    }
}

fn push(list: &mut MoveList, m: Move) -> ControlFlow<TooManyMoves> {
    match list.push(m) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(TooManyMoves),
    }
}

/// What stays the same while one piece captures.
struct Captures<S, const KING: bool> {
    from: Bitboard,
    enemies: Bitboard,
    vacant: Bitboard,
    side: core::marker::PhantomData<S>,
}

impl<S: Side, const KING: bool> Captures<S, KING> {
    const KIND: PieceKind = if KING { PieceKind::King } else { PieceKind::Man };

    /// Shows each way to complete a capture that has come to `at`, a set of one square.
    ///
    /// Recursion ends after [`Move::MAX_JUMPS`] jumps, as each takes a piece that is on a line
    /// between two of the 8 squares where this piece can land; a man makes 3 at most.
    fn go_on<B>(
        &self,
        at: Bitboard,
        route: Route,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut ended = true;
        let [a, b] = S::FORWARD;
        self.jump(a, at, route, &mut ended, visit)?;
        self.jump(b, at, route, &mut ended, visit)?;
        if KING {
            self.jump(a.opposite(), at, route, &mut ended, visit)?;
            self.jump(b.opposite(), at, route, &mut ended, visit)?;
        }
        if ended {
            visit(Move::capture(route, self.from, at, Self::KIND, false))?;
        }
        ControlFlow::Continue(())
    }

    /// Jumps in one direction, if that can be, and goes on from there.
    #[inline(always)]
    fn jump<B>(
        &self,
        direction: Direction,
        at: Bitboard,
        route: Route,
        ended: &mut bool,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let over = direction.step(at) & (self.enemies - route.captured);
        let to = direction.step(over) & self.vacant;
        if to.is_empty() {
            return ControlFlow::Continue(());
        }
        *ended = false;
        let route = route.then(direction, over);
        if !KING && !(to & Bitboard::crown_row(S::COLOR)).is_empty() {
            return visit(Move::capture(route, self.from, to, PieceKind::Man, true));
        }
        self.go_on(to, route, visit)
    }
}
