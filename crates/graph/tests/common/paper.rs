//! The procedures as printed in the paper, recursive, line for line.

use crownhead_graph::{Ending, Player, TurnGraph};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Nil,
    White,
    Gray,
    Black,
}

pub(crate) const INFINITE: u32 = u32::MAX;

/// The attributes of the vertices during and after the procedure.
pub(crate) struct Paper<'g> {
    pub(crate) graph: &'g TurnGraph<'g>,
    pub(crate) g: Player,
    pub(crate) color: Vec<Colour>,
    pub(crate) win: Vec<Option<bool>>,
    pub(crate) d: Vec<u32>,
    pub(crate) visits: u64,
    /// Each call's vertex, the gray vertices before it, and the win after it.
    pub(crate) calls: Vec<(u32, Vec<u32>, Option<bool>)>,
}

fn after(d: u32) -> u32 {
    d.saturating_add(1)
}

impl<'g> Paper<'g> {
    pub(crate) fn new(graph: &'g TurnGraph<'g>, g: Player) -> Self {
        let n = graph.vertices();
        let (color, win) = (vec![Colour::Nil; n], vec![None; n]);
        Self { graph, g, color, win, d: vec![INFINITE; n], visits: 0, calls: Vec::new() }
    }

    fn base(&mut self, v: usize, ending: Ending) {
        let won = ending == Ending::Won(self.g);
        self.win[v] = Some(won);
        self.d[v] = if won { 0 } else { INFINITE };
    }

    fn start(&mut self, v: usize, mine: bool) {
        self.win[v] = Some(!mine);
        self.d[v] = if mine { INFINITE } else { 0 };
    }

    fn finish(&mut self, v: usize) {
        self.color[v] = if self.win[v].is_none() { Colour::White } else { Colour::Black };
    }

    /// Section 3.
    pub(crate) fn plain(&mut self, v: u32) {
        let gray = (0..self.color.len() as u32)
            .filter(|&w| self.color[w as usize] == Colour::Gray)
            .collect();
        let v = v as usize;
        self.visits += 1;
        self.color[v] = Colour::Gray;
        if let Some(ending) = self.graph.sink(v as u32) {
            self.base(v, ending);
        } else {
            let mine = self.graph.owner(v as u32) == self.g;
            self.start(v, mine);
            let adj = self.graph.rows().row(v as u32);
            let (mut end, mut i) = (false, 0);
            while !end && i < adj.len() {
                let w = adj[i] as usize;
                let (win, d) = if self.color[w] == Colour::Gray {
                    (None, INFINITE)
                } else {
                    if self.color[w] != Colour::Black {
                        self.plain(w as u32);
                    }
                    (self.win[w], after(self.d[w]))
                };
                self.take(v, mine, win, d, &mut end);
                i += 1;
            }
        }
        self.finish(v);
        self.calls.push((v as u32, gray, self.win[v]));
    }

    /// Section 4.1 as printed, or with the second loop corrected to look at black vertices too.
    pub(crate) fn ordered(&mut self, v: u32, corrected: bool) {
        let v = v as usize;
        self.visits += 1;
        self.color[v] = Colour::Gray;
        if let Some(ending) = self.graph.sink(v as u32) {
            self.base(v, ending);
        } else {
            let mine = self.graph.owner(v as u32) == self.g;
            self.start(v, mine);
            let adj = self.graph.rows().row(v as u32);
            let (mut end, mut i) = (false, 0);
            while !end && i < adj.len() {
                let w = adj[i] as usize;
                if self.color[w] == Colour::Black {
                    if self.win[w] != Some(!mine) {
                        self.win[v] = self.win[w];
                        self.d[v] = after(self.d[w]);
                        end = true;
                    } else if !mine && after(self.d[w]) > self.d[v] {
                        self.d[v] = after(self.d[w]);
                    }
                }
                i += 1;
            }
            i = 0;
            while !end && i < adj.len() {
                let w = adj[i] as usize;
                if corrected || self.color[w] != Colour::Black {
                    let (win, d) = if self.color[w] == Colour::Gray {
                        (None, INFINITE)
                    } else {
                        if self.color[w] != Colour::Black {
                            self.ordered(w as u32, corrected);
                        }
                        (self.win[w], after(self.d[w]))
                    };
                    self.take(v, mine, win, d, &mut end);
                }
                i += 1;
            }
        }
        self.finish(v);
    }

    fn take(&mut self, v: usize, mine: bool, win: Option<bool>, d: u32, end: &mut bool) {
        if win != Some(!mine) {
            self.win[v] = win;
            self.d[v] = d;
            if win.is_some() {
                *end = true;
            }
        } else if !mine && d > self.d[v] {
            self.d[v] = d;
        }
    }
}
