//! Iterative deepening from a game's position.

mod edge;
mod node;
mod roots;

use core::fmt;

use crownhead_rules::{Move, Position, Prober};

use self::node::{Here, MAX_PLY, Stopped, Window};
use self::roots::Roots;
pub(crate) use self::roots::moves_of;
use crate::ordering::Memory;
use crate::zobrist;
use crate::{Features, Game, Limits, Score, TranspositionTable, evaluate};

/// Keys of positions that may come again: of the game and of the line that is searched.
type Path = heapless::Vec<u64, { 80 + MAX_PLY as usize }>;

/// A search that keeps what it learns from move to move.
///
/// Takes about 4 KiB, and up to 1 KiB of stack for each ply; one thread uses it. Threads that
/// search the same position side by side have an engine each and share the transposition table.
/// One engine alone, with the same table contents and limits in depth or nodes, does exactly the
/// same each time.
#[derive(Debug)]
pub struct Engine<'a, P> {
    /// What the search does; all by default.
    pub features: Features,
    table: TranspositionTable<'a>,
    tables: &'a P,
    memory: Memory,
    /// Counts searches, to tell old entries from new.
    age: u8,
    nodes: u64,
    table_hits: u64,
    /// Tables are asked about positions with this many pieces at most.
    table_pieces: u32,
    path: Path,
}

/// A line of play, the next move first.
pub type Line = heapless::Vec<Move, 64>;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The move to play; `None` where there is none, or the search was not allowed to begin.
    pub best: Option<Move>,
    /// For the side to move.
    pub score: Score,
    /// The last iteration that was finished, in plies; 0 if tables alone decided.
    pub depth: u8,
    /// Positions visited.
    pub nodes: u64,
    /// Answers of tables among them.
    pub table_hits: u64,
    /// What is expected, starting with [`best`](Self::best).
    pub line: Line,
}

impl<'a, P: Prober> Engine<'a, P> {
    /// The deepest iteration, in plies.
    pub const MAX_DEPTH: u8 = 64;

    /// An engine with this memory for positions and these tables.
    pub const fn new(table: TranspositionTable<'a>, tables: &'a P) -> Self {
        Self {
            features: Features::ALL,
            table,
            tables,
            memory: Memory::EMPTY,
            age: 0,
            nodes: 0,
            table_hits: 0,
            table_pieces: 0,
            path: Path::new(),
        }
    }

    /// The tables.
    pub const fn tables(&self) -> &'a P {
        self.tables
    }

    /// Searches ever deeper until a limit is met or the result is certain; shows each finished
    /// iteration.
    ///
    /// Where tables with distances reach, they decide. Where tables without reach, only moves
    /// that keep the value are searched. A table that fails is as if it were not there.
    ///
    /// Of a position with more moves than a [`MoveList`](crownhead_rules::MoveList) holds, which
    /// takes more than 12 pieces a side, only the first are looked at.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits<'_>,
        show: impl FnMut(&Report),
    ) -> Report {
        self.search_from(1, game, limits, show)
    }

    /// As [`search`](Self::search), from an iteration on.
    pub(crate) fn search_from(
        &mut self,
        first_depth: u8,
        game: &Game,
        limits: &Limits<'_>,
        mut show: impl FnMut(&Report),
    ) -> Report {
        self.age = self.age.wrapping_add(1);
        (self.nodes, self.table_hits) = (0, 0);
        self.memory.fade();
        self.path = game.earlier().iter().copied().collect();
        let mut roots = Roots::of(game.position());
        let mut report = Report { score: Score::loss_in(0), ..Report::default() };
        if roots.is_empty() {
            return report;
        }
        self.table_pieces = self.tables.max_pieces();
        if let Some(decided) = self.consult_tables(game.position(), &mut roots) {
            show(&decided);
            return decided;
        }
        report.best = Some(roots.first().of);
        // An estimate, in case that not even one move can be looked at.
        report.score = evaluate(game.position());
        for depth in first_depth..=limits.depth.min(Self::MAX_DEPTH) {
            let finished = self.iterate(game, &mut roots, depth, limits);
            let first = roots.first();
            if finished.is_ok() || first.searched == depth {
                report.best = Some(first.of);
                // That the moves looked at so far lose says nothing of the others.
                if finished.is_ok() || !first.score.is_loss() {
                    report.score = first.score;
                }
                report.line = self.line(game.position(), &first.of, depth);
            }
            (report.nodes, report.table_hits) = (self.nodes, self.table_hits);
            if finished.is_err() {
                break;
            }
            report.depth = depth;
            show(&report);
            if report.score.plies().is_some_and(|plies| plies <= u16::from(depth)) {
                break;
            }
        }
        report
    }

    /// One iteration, in windows about the last score that grow until the score is inside.
    fn iterate(
        &mut self,
        game: &Game,
        roots: &mut Roots,
        depth: u8,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let last = roots.first().score;
        let mut margin = 24;
        let mut window = Window::FULL;
        if self.features.aspiration && depth >= 5 {
            window = Window::about(last, margin, margin);
        }
        loop {
            let score = self.search_roots(game, roots, window, depth, limits)?;
            margin *= 4;
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window = Window { alpha: Window::about(score, margin, 0).alpha, beta: window.beta };
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window = Window { alpha: window.alpha, beta: Window::about(score, 0, margin).beta };
            } else {
                return Ok(());
            }
        }
    }

    /// Searches every move of the root; the best comes to the front.
    fn search_roots(
        &mut self,
        game: &Game,
        roots: &mut Roots,
        window: Window,
        depth: u8,
        limits: &Limits<'_>,
    ) -> Result<Score, Stopped> {
        let root = Here::root(game);
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITE;
        for i in 0..roots.len() {
            let m = roots.get(i).of;
            let child = root.after(&m);
            self.path.push(root.key).map_err(|_| Stopped)?;
            let searched = self.search_child(&child, Window { alpha, beta }, depth - 1, i, limits);
            self.path.pop();
            let score = searched?;
            if i == 0 || score > alpha {
                roots.promote(i, score, depth);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn search_child(
        &mut self,
        child: &Here,
        Window { alpha, beta }: Window,
        depth: u8,
        number: usize,
        limits: &Limits<'_>,
    ) -> Result<Score, Stopped> {
        if number > 0 && self.features.scout {
            let empty = Window::empty_above(alpha).turned();
            let score = -self.node(child, empty, depth, 1, limits)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-self.node(child, Window { alpha, beta }.turned(), depth, 1, limits)?)
    }

    /// The line that the transposition table remembers, from a first move on.
    fn line(&self, root: &Position, first: &Move, depth: u8) -> Line {
        let mut line = Line::new();
        let (mut position, mut next) = (*root, Some(*first));
        while let Some(m) = next
            && line.len() < usize::from(depth)
            && line.push(m).is_ok()
        {
            position = position.after(&m);
            let best = self.table.probe(zobrist::key(&position)).and_then(|entry| entry.best);
            let moves = Roots::of(&position);
            next = best.and_then(|number| moves.in_order(number));
        }
        line
    }
}

/// `depth 9, score +0.12, 11-15 23-19`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {}, score {},", self.depth, self.score)?;
        self.line.iter().try_for_each(|m| write!(f, " {m}"))
    }
}
