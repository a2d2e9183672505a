use core::convert::Infallible;
use core::ops::ControlFlow;

use crownhead_index::{Material, PerfectIndex};
use crownhead_rules::{Bitboard, Color, Move, PieceKind, Position, Value};
use rayon::prelude::*;

use super::solved::{Parts, Solved};
use crate::{Control, Entry, Metric, SolveError, Stage};

/// Memory for each position while a material is solved, beyond its entry, in bytes: a node, what
/// conversions decide, places on the agenda. With man moves among the conversions, these decide
/// nearly everything, and the values are kept besides.
pub(super) const fn bytes_a_position(metric: Metric) -> u64 {
    match metric {
        Metric::Dtc => 32,
        Metric::Wld | Metric::Dtw => 16,
    }
}

/// Positions that are looked at between two questions whether to stop.
const STRIDE: usize = 1 << 14;

/// Solves a material from its parts.
pub(super) fn solve(
    material: Material,
    metric: Metric,
    parts: &Parts,
    control: &Control<'_>,
) -> Result<Solved, SolveError> {
    let mut conversions = Conversions { parts, plies: metric == Metric::Dtw, men: None };
    let mut solved = Retrograde::run(material, &conversions, control)?;
    if metric == Metric::Dtc {
        // Now that the values are known, man moves end a line as captures do.
        conversions.men = Some(&solved);
        solved = Retrograde::run(material, &conversions, &control.without_progress())?;
    }
    if metric == Metric::Wld {
        // What the search has counted is no distance that a table of values would hold.
        for &side in solved.index().sides() {
            for entry in solved.side_mut(side) {
                *entry = match entry.value() {
                    Value::Win => Entry::win(0),
                    Value::Draw => Entry::DRAW,
                    Value::Loss => Entry::loss(0),
                };
            }
        }
    }
    Ok(solved)
}

/// The moves that leave what is being solved, and what they are worth.
struct Conversions<'a> {
    parts: &'a Parts,
    /// Whether distances go on counting after a conversion; otherwise it is their end.
    plies: bool,
    /// For distances to conversion: the values of the material itself, as man moves leave too.
    men: Option<&'a Solved>,
}

impl Conversions<'_> {
    /// What the opponent finds after a move that leaves; `None` for a move that stays.
    fn after(&self, position: &Position, m: &Move) -> Option<Entry> {
        let after = position.after(m);
        if m.is_capture() || m.crowns() {
            return Some(self.parts.entry(&after));
        }
        match (m.kind(), self.men) {
            (PieceKind::Man, Some(solved)) => Some(solved.entry(&after)),
            _ => None,
        }
    }

    /// The distance of a position one ply before this conversion.
    fn plies_before(&self, entry: Entry) -> u16 {
        if self.plies { entry.plies() + 1 } else { 1 }
    }

    /// Whether a step that stays on the same material stays inside.
    fn is_inside(&self, m: &Move) -> bool {
        !m.crowns() && (m.kind() == PieceKind::King || self.men.is_none())
    }
}

/// What is known of an undecided position.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The largest distance that a losing conversion gives, in plies.
    slowest: u16,
    /// Moves inside that are not yet known to lose.
    open: u8,
    /// Whether some conversion does not lose.
    escapes: bool,
}

/// Positions in the order in which they will be decided: by distance in plies.
#[derive(Default)]
struct Agenda {
    wins: Vec<Vec<u32>>,
    losses: Vec<Vec<u32>>,
}

impl Agenda {
    fn add(buckets: &mut Vec<Vec<u32>>, plies: u16, id: u32) {
        let plies = usize::from(plies);
        if buckets.len() <= plies {
            buckets.resize_with(plies + 1, Vec::new);
        }
        buckets[plies].push(id);
    }

    fn take(buckets: &mut [Vec<u32>], plies: u16) -> Vec<u32> {
        buckets.get_mut(usize::from(plies)).map(core::mem::take).unwrap_or_default()
    }

    fn is_done(&self, plies: u16) -> bool {
        let end = usize::from(plies);
        self.wins.len() <= end && self.losses.len() <= end
    }
}

/// The search of one material. A position's id is its rank, after all ranks of Black to move if
/// White is to move.
struct Retrograde<'a> {
    conversions: &'a Conversions<'a>,
    control: &'a Control<'a>,
    solved: Solved,
    nodes: Vec<Node>,
    agenda: Agenda,
}

impl<'a> Retrograde<'a> {
    fn run(
        material: Material,
        conversions: &'a Conversions<'a>,
        control: &'a Control<'a>,
    ) -> Result<Solved, SolveError> {
        let solved = Solved::new(material)?;
        let mut search =
            Self { conversions, control, solved, nodes: Vec::new(), agenda: Agenda::default() };
        search.look_forward()?;
        search.work_backwards()?;
        Ok(search.solved)
    }

    /// Looks every position's moves up once: counts those that stay inside, and puts what
    /// conversions decide on the agenda.
    fn look_forward(&mut self) -> Result<(), SolveError> {
        for &side in self.solved.index().sides() {
            let first = self.nodes.len();
            let mut nodes = vec![Node::default(); self.solved.index().len() as usize];
            let (conversions, control, index) =
                (self.conversions, self.control, self.solved.index());
            let looked = nodes
                .par_chunks_mut(STRIDE)
                .enumerate()
                .map(|(chunk, nodes)| {
                    control.check()?;
                    control.reach(Stage::Classify);
                    let start = chunk * STRIDE;
                    let found = look_at(conversions, index, side, start, nodes);
                    control.advance(nodes.len() as u64);
                    Ok(found)
                })
                .collect::<Result<Vec<_>, SolveError>>()?;
            let first = first as u32;
            for (rank, entry) in looked.into_iter().flatten() {
                let buckets = match entry.value() {
                    Value::Win => &mut self.agenda.wins,
                    _ => &mut self.agenda.losses,
                };
                Agenda::add(buckets, entry.plies(), first + rank);
            }
            self.nodes.append(&mut nodes);
        }
        Ok(())
    }

    /// Decides the agenda ply by ply; each decision tells the positions one move before it.
    fn work_backwards(&mut self) -> Result<(), SolveError> {
        let mut plies = 0;
        while !self.agenda.is_done(plies) {
            self.control.reach(Stage::Sweep);
            for (count, id) in Agenda::take(&mut self.agenda.losses, plies).into_iter().enumerate()
            {
                if count % STRIDE == 0 {
                    self.control.check()?;
                }
                let position = self.decide(id, Entry::loss(plies));
                self.each_before(position, |search, id| {
                    Agenda::add(&mut search.agenda.wins, plies + 1, id);
                });
            }
            for (count, id) in Agenda::take(&mut self.agenda.wins, plies).into_iter().enumerate() {
                if count % STRIDE == 0 {
                    self.control.check()?;
                }
                // Found before, by a move that wins sooner.
                if self.is_decided(id) {
                    continue;
                }
                let position = self.decide(id, Entry::win(plies));
                self.each_before(position, |search, id| search.close_one(id, plies + 1));
            }
            plies += 1;
        }
        Ok(())
    }

    /// One more move inside is known to lose, in so many plies.
    fn close_one(&mut self, id: u32, plies: u16) {
        let node = &mut self.nodes[id as usize];
        node.open -= 1;
        // Wins come in order of distance, so this one, the last, is the longest inside.
        if node.open == 0 && !node.escapes {
            let plies = plies.max(node.slowest);
            Agenda::add(&mut self.agenda.losses, plies, id);
        }
    }

    /// The undecided positions that have a move inside to this one.
    fn each_before(&mut self, position: Position, mut tell: impl FnMut(&mut Self, u32)) {
        let _: ControlFlow<Infallible> = position.visit_unmoves(|m| {
            if self.conversions.is_inside(&m) {
                let id = self.id(&position.before(&m, Bitboard::EMPTY));
                if !self.is_decided(id) {
                    tell(self, id);
                }
            }
            ControlFlow::Continue(())
        });
    }

    fn id(&self, position: &Position) -> u32 {
        let index = self.solved.index();
        let (side, rank) = index.locate(position).expect("a step inside keeps the material");
        (rank + if side == Color::White { index.len() } else { 0 }) as u32
    }

    fn side_and_rank(&self, id: u32) -> (Color, usize) {
        match (id as usize).checked_sub(self.solved.index().len() as usize) {
            None => (Color::Black, id as usize),
            Some(rank) => (Color::White, rank),
        }
    }

    fn is_decided(&self, id: u32) -> bool {
        let (side, rank) = self.side_and_rank(id);
        self.solved.side(side)[rank] != Entry::DRAW
    }

    fn decide(&mut self, id: u32, entry: Entry) -> Position {
        let (side, rank) = self.side_and_rank(id);
        self.solved.side_mut(side)[rank] = entry;
        self.solved.position(rank as u64, side)
    }
}

/// Fills the nodes from a rank on; returns the ranks that conversions, or the lack of any move,
/// decide, each with what it is worth unless a move inside wins sooner.
fn look_at(
    conversions: &Conversions<'_>,
    index: &PerfectIndex<u64>,
    side: Color,
    start: usize,
    nodes: &mut [Node],
) -> Vec<(u32, Entry)> {
    let mut found = Vec::new();
    for (rank, node) in (start..).zip(nodes) {
        let position = index.unrank(rank as u64, side).expect("a rank of this material");
        let mut win: Option<u16> = None;
        let _: ControlFlow<Infallible> = position.visit_moves(|m| {
            match conversions.after(&position, &m) {
                None => node.open += 1,
                Some(entry) => {
                    let plies = conversions.plies_before(entry);
                    match entry.value() {
                        Value::Loss => win = Some(win.map_or(plies, |win| win.min(plies))),
                        Value::Draw => node.escapes = true,
                        Value::Win => node.slowest = node.slowest.max(plies),
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(plies) = win {
            node.escapes = true;
            found.push((rank as u32, Entry::win(plies)));
        } else if node.open == 0 && !node.escapes {
            found.push((rank as u32, Entry::loss(node.slowest)));
        }
    }
    found
}
