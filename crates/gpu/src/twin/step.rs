use crownhead_rules::{Bitboard, Color, Direction, PieceKind};

use crownhead_index::product::Group;

use super::buffers::Buffers;
use crate::kernel::Params;

impl Buffers {
    /// The new wins or losses of one word by one quiet move inside its component.
    pub(super) fn new_bits(&self, params: &Params, word: u32, side: usize, loss: bool) -> u32 {
        let at = side * params.side_words as usize + word as usize;
        let from = if loss { &self.wins } else { &self.losses };
        let within = word % params.component_words;
        let opponent = (1 - side) * params.side_words as usize + (word - within) as usize;
        let [black, white] = [within / params.inner_words, within % params.inner_words];
        let steps = if side == 0 { params.steps[1] + black } else { params.steps[3] + white };
        let mut reached = if loss { !0 } else { 0 };
        for step in self.tables[steps as usize]..self.tables[steps as usize + 1] {
            let to = self.tables[step as usize];
            let [black, white] = if side == 0 { [to, white] } else { [black, to] };
            let successor = from[opponent + (black * params.inner_words + white) as usize];
            if loss { reached &= successor } else { reached |= successor }
        }
        let fast = Group::ALL[params.fast as usize];
        if fast.color() as usize == side {
            let own = Bitboard(from[opponent + within as usize]);
            for direction in directions(fast) {
                let targets = fast.squares();
                let movers = direction.origins(targets);
                let reach = direction.origins(own & targets);
                if loss { reached &= (reach | !movers).0 } else { reached |= reach.0 }
            }
        }
        let candidates = if loss {
            self.lossable[at] & !self.losses[at] & !self.wins[at]
        } else {
            self.quiet[at] & !self.wins[at]
        };
        reached & candidates
    }

    /// Adds the new bits of a word; whether there are any.
    pub(super) fn advance(&mut self, params: &Params, word: u32, side: usize, loss: bool) -> bool {
        let found = self.new_bits(params, word, side, loss);
        let at = side * params.side_words as usize + word as usize;
        if loss {
            self.losses[at] |= found
        } else {
            self.wins[at] |= found
        }
        found != 0
    }
}

fn directions(fast: Group) -> Vec<Direction> {
    match (fast.kind(), fast.color()) {
        (PieceKind::King, _) => Direction::ALL.to_vec(),
        (PieceKind::Man, color @ (Color::Black | Color::White)) => {
            Direction::forward(color).to_vec()
        }
    }
}
