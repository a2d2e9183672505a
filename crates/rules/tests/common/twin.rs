//! A move generator as one would write it first: a board of rows and columns, and captured
//! pieces that stay where they are until the capture ends. It shares nothing with the library
//! but the numbering of the squares.

use crownhead_rules::{Color, PieceKind, Position, Square};

/// Ways to get it wrong, as negative controls: a comparison that does not notice is worthless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Steps down right from the right edge come out at the left edge, two rows further down, as
    /// a shift does without its edge mask.
    MissingEdgeMask,
    /// Up left shifts by 4 from every row, as if all rows had the same parity.
    OneParity,
    /// A man stays a man on the last row.
    ForgottenPromotion,
    /// A man that is crowned by a jump goes on jumping.
    CrowningDoesNotEnd,
    /// A capture ends after its first jump.
    StopsEarly,
    /// The origin counts as occupied while the piece jumps.
    NotLifted,
    /// A piece can be jumped twice.
    JumpsTwice,
    /// Captures are optional.
    CaptureNotForced,
}

/// Every fault.
pub(crate) const FAULTS: [Fault; 8] = [
    Fault::MissingEdgeMask,
    Fault::OneParity,
    Fault::ForgottenPromotion,
    Fault::CrowningDoesNotEnd,
    Fault::StopsEarly,
    Fault::NotLifted,
    Fault::JumpsTwice,
    Fault::CaptureNotForced,
];

type Piece = (Color, PieceKind);

/// A move with all that can be compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TwinMove {
    /// Square numbers in order.
    pub(crate) path: Vec<u32>,
    /// Square numbers, ascending.
    pub(crate) captured: Vec<u32>,
    /// FEN of the position that results.
    pub(crate) result: String,
}

/// All routes, sorted.
pub(crate) fn routes(position: &Position, fault: Option<Fault>) -> Vec<TwinMove> {
    let twin = Twin::new(position, fault);
    let mut moves = Vec::new();
    for (at, _) in twin.own_pieces() {
        twin.captures(&mut vec![at], &mut Vec::new(), &mut moves);
    }
    if moves.is_empty() || fault == Some(Fault::CaptureNotForced) {
        for (at, piece) in twin.own_pieces() {
            twin.steps(at, piece, &mut moves);
        }
    }
    moves.sort();
    moves
}

/// The library's routes in the same form.
pub(crate) fn routes_of_library(position: &Position) -> Vec<TwinMove> {
    let mut moves: Vec<_> = super::routes(position)
        .iter()
        .map(|m| TwinMove {
            path: m.path().map(Square::number).collect(),
            captured: m.captured().into_iter().map(Square::number).collect(),
            result: position.after(m).to_string(),
        })
        .collect();
    moves.sort();
    moves
}

struct Twin {
    board: [Option<Piece>; 32],
    side: Color,
    fault: Option<Fault>,
}

type Diagonal = (i32, i32);

impl Twin {
    fn new(position: &Position, fault: Option<Fault>) -> Self {
        let mut board = [None; 32];
        for square in Square::all() {
            board[square.index() as usize] =
                position.piece_at(square).map(|piece| (piece.color, piece.kind));
        }
        Self { board, side: position.side_to_move, fault }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn own_pieces(&self) -> impl Iterator<Item = (usize, Piece)> {
        (0..32)
            .filter_map(|at| self.board[at].map(|piece| (at, piece)))
            .filter(|(_, p)| p.0 == self.side)
    }

    fn neighbour(&self, at: usize, (down, right): Diagonal) -> Option<usize> {
        let (row, column) = (at as i32 / 4, at as i32 % 4 * 2 + (at as i32 / 4 + 1) % 2);
        if self.has(Fault::MissingEdgeMask) && column == 7 && (down, right) == (1, 1) {
            return Some(at + 5).filter(|&to| to < 32);
        }
        if self.has(Fault::OneParity) && (down, right) == (-1, -1) {
            return at.checked_sub(4);
        }
        let (row, column) = (row + down, column + right);
        let on_board = (0..8).contains(&row) && (0..8).contains(&column);
        on_board.then(|| (row * 4 + column / 2) as usize)
    }

    fn diagonals((color, kind): Piece) -> impl Iterator<Item = Diagonal> {
        let forward = if color == Color::Black { 1 } else { -1 };
        [(1, -1), (1, 1), (-1, -1), (-1, 1)]
            .into_iter()
            .filter(move |&(down, _)| kind == PieceKind::King || down == forward)
    }

    fn crowned_at(&self, (color, kind): Piece, at: usize) -> bool {
        let last_row = if color == Color::Black { 7 } else { 0 };
        kind == PieceKind::Man && at / 4 == last_row
    }

    fn steps(&self, at: usize, piece: Piece, moves: &mut Vec<TwinMove>) {
        for diagonal in Self::diagonals(piece) {
            if let Some(to) = self.neighbour(at, diagonal).filter(|&to| self.board[to].is_none()) {
                moves.push(self.done(&[at, to], &[]));
            }
        }
    }

    /// Adds all ways to complete the capture that has touched the squares of `path`.
    fn captures(
        &self,
        path: &mut Vec<usize>,
        captured: &mut Vec<usize>,
        moves: &mut Vec<TwinMove>,
    ) {
        let (from, at) = (path[0], path[path.len() - 1]);
        let piece = self.board[from].expect("a piece starts the path");
        let crowned = self.crowned_at(piece, at);
        let stopped = crowned && !self.has(Fault::CrowningDoesNotEnd)
            || self.has(Fault::StopsEarly) && !captured.is_empty()
            || captured.len() > 12;
        let jumper = if crowned { (piece.0, PieceKind::King) } else { piece };
        let mut ended = true;
        for diagonal in Self::diagonals(jumper).filter(|_| !stopped) {
            let Some(over) = self.neighbour(at, diagonal) else { continue };
            let Some(to) = self.neighbour(over, diagonal) else { continue };
            let enemy = self.board[over].is_some_and(|(color, _)| color != self.side);
            let fresh = !captured.contains(&over) || self.has(Fault::JumpsTwice);
            let free = self.board[to].is_none() || to == from && !self.has(Fault::NotLifted);
            if enemy && fresh && free {
                ended = false;
                path.push(to);
                captured.push(over);
                self.captures(path, captured, moves);
                path.pop();
                captured.pop();
            }
        }
        if ended && !captured.is_empty() {
            moves.push(self.done(path, captured));
        }
    }

    fn done(&self, path: &[usize], captured: &[usize]) -> TwinMove {
        let (from, to) = (path[0], path[path.len() - 1]);
        let mut board = self.board;
        let mut piece = board[from].take().expect("a piece starts the path");
        for &at in captured {
            board[at] = None;
        }
        if self.crowned_at(piece, to) && !self.has(Fault::ForgottenPromotion) {
            piece.1 = PieceKind::King;
        }
        board[to] = Some(piece);
        let number = |at: &usize| *at as u32 + 1;
        let mut captured: Vec<u32> = captured.iter().map(number).collect();
        captured.sort_unstable();
        TwinMove { path: path.iter().map(number).collect(), captured, result: self.fen(&board) }
    }

    /// With the opponent to move.
    fn fen(&self, board: &[Option<Piece>; 32]) -> String {
        let list = |side: Color| {
            let squares: Vec<String> = (0..32)
                .filter_map(|at| {
                    board[at].filter(|piece| piece.0 == side).map(|piece| (at, piece.1))
                })
                .map(|(at, kind)| {
                    format!("{}{}", if kind == PieceKind::King { "K" } else { "" }, at + 1)
                })
                .collect();
            squares.join(",")
        };
        let turn = if self.side == Color::Black { 'W' } else { 'B' };
        format!("{turn}:W{}:B{}", list(Color::White), list(Color::Black))
    }
}
