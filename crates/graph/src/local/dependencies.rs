use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::Decision;
use crate::{Arena, Ending, Player};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not asked for.
    New,
    /// Asked for, and not known to be won.
    Open,
    /// The player wins here.
    Won,
}

#[derive(Clone, Copy)]
struct Node {
    state: State,
    /// Where the opponent moves: the successor that is waited for.
    next: u32,
    /// Once won, an upper bound of the depth; before, that of the successors seen so far.
    bound: u32,
    /// The first of those that wait for this vertex.
    waiting: u32,
}

const NEW: Node = Node { state: State::New, next: 0, bound: 0, waiting: NONE };

/// A vertex that waits, and the next one that waits for the same vertex.
struct Link {
    vertex: u32,
    next: u32,
}

/// The search whether a player wins.
///
/// Where the player moves, the vertex waits for all its successors; where the opponent does, for
/// one after the other. Each successor is waited for at most once by each vertex, so the work is
/// linear in the vertices and edges touched.
pub(super) struct Dependencies<'a, A> {
    arena: &'a mut A,
    player: Player,
    nodes: Vec<Node>,
    links: Vec<Link>,
    /// Asked for and not yet expanded, in the order of asking.
    queue: VecDeque<u32>,
    /// Won, with those that wait not yet told.
    news: Vec<u32>,
}

impl<'a, A: Arena> Dependencies<'a, A> {
    pub(super) fn new(arena: &'a mut A, player: Player) -> Self {
        let (nodes, links) = (Vec::new(), Vec::new());
        Self { arena, player, nodes, links, queue: VecDeque::new(), news: Vec::new() }
    }

    pub(super) fn decide(&mut self, root: u32) -> Decision {
        self.grow();
        self.ask(root);
        while let Some(v) = self.queue.pop_front() {
            self.expand(v);
            while let Some(won) = self.news.pop() {
                self.tell(won);
            }
            let root = self.nodes[root as usize];
            if root.state == State::Won {
                return Decision::Wins { bound: root.bound };
            }
        }
        Decision::DoesNotWin
    }

    /// The vertices that were asked for and are not won, in rising order. After
    /// [`Decision::DoesNotWin`] the player wins at none of them.
    pub(super) fn undecided(&self) -> Vec<u32> {
        (0_u32..)
            .zip(&self.nodes)
            .filter(|(_, node)| node.state == State::Open)
            .map(|(v, _)| v)
            .collect()
    }

    fn grow(&mut self) {
        self.nodes.resize(self.arena.known(), NEW);
    }

    fn is_won(&self, v: u32) -> bool {
        self.nodes[v as usize].state == State::Won
    }

    fn ask(&mut self, v: u32) {
        let node = &mut self.nodes[v as usize];
        if node.state == State::New {
            node.state = State::Open;
            self.queue.push_back(v);
        }
    }

    fn wait(&mut self, v: u32, target: u32) {
        let node = &mut self.nodes[target as usize];
        self.links.push(Link { vertex: v, next: node.waiting });
        node.waiting = self.links.len() as u32 - 1;
        self.ask(target);
    }

    fn win(&mut self, v: u32, bound: u32) {
        let node = &mut self.nodes[v as usize];
        (node.state, node.bound) = (State::Won, bound);
        self.news.push(v);
    }

    fn expand(&mut self, v: u32) {
        let degree = self.arena.expand(v);
        self.grow();
        if degree == 0 {
            if self.arena.ending(v) == Some(Ending::Won(self.player)) {
                self.win(v, 0);
            }
        } else if self.arena.turn(v) == self.player {
            let won = (0..degree)
                .map(|i| self.arena.successor(v, i))
                .filter(|&w| self.is_won(w))
                .map(|w| self.nodes[w as usize].bound)
                .min();
            match won {
                Some(bound) => self.win(v, bound + 1),
                None => (0..degree).for_each(|i| self.wait(v, self.arena.successor(v, i))),
            }
        } else {
            self.wait_for_next(v, degree);
        }
    }

    /// Waits for the first successor that is not won; without one, `v` is won.
    fn wait_for_next(&mut self, v: u32, degree: u32) {
        loop {
            let node = self.nodes[v as usize];
            if node.next == degree {
                return self.win(v, node.bound);
            }
            let w = self.arena.successor(v, node.next);
            if !self.is_won(w) {
                return self.wait(v, w);
            }
            let bound = self.nodes[w as usize].bound + 1;
            let node = &mut self.nodes[v as usize];
            node.bound = node.bound.max(bound);
            node.next += 1;
        }
    }

    /// Tells those that wait for `won`.
    fn tell(&mut self, won: u32) {
        let bound = self.nodes[won as usize].bound + 1;
        let mut link = core::mem::replace(&mut self.nodes[won as usize].waiting, NONE);
        while link != NONE {
            let Link { vertex, next } = self.links[link as usize];
            link = next;
            if self.is_won(vertex) {
                continue;
            }
            if self.arena.turn(vertex) == self.player {
                self.win(vertex, bound);
            } else {
                let degree = self.arena.degree(vertex);
                self.wait_for_next(vertex, degree);
            }
        }
    }
}
