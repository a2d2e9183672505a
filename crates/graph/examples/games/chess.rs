//! Chess endings of a king and one piece against a king, with the rules from the crate cozy-chess.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};
use crownhead_graph::{Explored, Game, GameGraph, Player, Value};

/// White has a king and perhaps one more piece, Black a king. White is the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ending {
    pub(crate) white_king: Square,
    pub(crate) piece: Option<(Piece, Square)>,
    pub(crate) black_king: Square,
    pub(crate) turn: Player,
}

impl Ending {
    /// The board, if the position is legal.
    pub(crate) fn board(&self) -> Option<Board> {
        let mut builder = BoardBuilder::empty();
        let mut put = |square: Square, piece, color| {
            let place = builder.square_mut(square);
            let free = place.is_none();
            *place = Some((piece, color));
            free
        };
        let free = put(self.white_king, Piece::King, Color::White)
            & put(self.black_king, Piece::King, Color::Black)
            & self.piece.is_none_or(|(piece, square)| put(square, piece, Color::White));
        // cozy-chess takes kings side by side for legal.
        let apart = !get_king_moves(self.white_king).has(self.black_king);
        builder.side_to_move =
            if self.turn == Player::Attacker { Color::White } else { Color::Black };
        if free && apart { builder.build().ok() } else { None }
    }

    fn of(board: &Board) -> Self {
        let mut piece = None;
        for kind in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            for square in board.colored_pieces(Color::White, kind) {
                piece = Some((kind, square));
            }
        }
        let turn =
            if board.side_to_move() == Color::White { Player::Attacker } else { Player::Defender };
        let (white_king, black_king) = (board.king(Color::White), board.king(Color::Black));
        Self { white_king, piece, black_king, turn }
    }
}

pub(crate) struct Chess;

impl Game for Chess {
    type State = Ending;

    /// Mate and stalemate; and bare kings, or a king and a minor piece, which can mate nobody.
    fn terminal(&self, ending: &Ending) -> Option<Value> {
        if matches!(ending.piece, None | Some((Piece::Knight | Piece::Bishop, _))) {
            return Some(Value::Draw);
        }
        let board = ending.board().expect("moves lead to legal positions");
        if board.generate_moves(|_| true) {
            return None;
        }
        Some(if board.checkers().is_empty() { Value::Draw } else { Value::Loss })
    }

    fn successors(&self, ending: &Ending, visit: &mut dyn FnMut(Ending)) {
        let board = ending.board().expect("moves lead to legal positions");
        board.generate_moves(|moves| {
            for one in moves {
                let mut next = board.clone();
                next.play_unchecked(one);
                visit(Ending::of(&next));
            }
            false
        });
    }

    fn turn(&self, ending: &Ending) -> Player {
        ending.turn
    }
}

/// All legal positions in which White's piece is `piece`.
pub(crate) fn positions(piece: Piece) -> impl Iterator<Item = Ending> {
    let squares = || Rank::ALL.into_iter().flat_map(|r| File::ALL.map(|f| Square::new(f, r)));
    let pawn_stands = |square: &Square| !matches!(square.rank(), Rank::First | Rank::Eighth);
    squares()
        .flat_map(move |white_king| {
            squares().flat_map(move |black_king| {
                squares()
                    .filter(move |square| piece != Piece::Pawn || pawn_stands(square))
                    .flat_map(move |square| {
                        Player::BOTH.map(|turn| Ending {
                            white_king,
                            piece: Some((piece, square)),
                            black_king,
                            turn,
                        })
                    })
            })
        })
        .filter(|ending| ending.board().is_some())
}

/// The graph of all positions with a queen, a rook or a pawn, and what each vertex is.
pub(crate) fn graph() -> (GameGraph<'static>, Vec<Ending>) {
    let mut explored = Explored::new(Chess);
    for piece in [Piece::Queen, Piece::Rook, Piece::Pawn] {
        for ending in positions(piece) {
            explored.vertex(ending);
        }
    }
    explored.into_graph().expect("some millions of moves")
}
