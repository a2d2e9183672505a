//! A solver of parity games (Zielonka's recursion), to see what an exported file means.

use std::collections::BTreeSet;

struct Parity {
    priority: Vec<u32>,
    owner: Vec<usize>,
    targets: Vec<Vec<usize>>,
}

type Set = BTreeSet<usize>;

/// For each vertex of a PGSolver file, whether player 0 wins there: the highest priority that
/// occurs infinitely often is even.
pub(crate) fn won_by_0(text: &str) -> Vec<bool> {
    let mut game = Parity { priority: vec![], owner: vec![], targets: vec![] };
    for line in text.lines().skip(1) {
        let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
        assert_eq!(words[0].parse(), Ok(game.owner.len()));
        game.priority.push(words[1].parse().unwrap());
        game.owner.push(words[2].parse().unwrap());
        game.targets.push(words[3].split(',').map(|w| w.parse().unwrap()).collect());
    }
    let [even, _] = game.solve(&(0..game.owner.len()).collect());
    (0..game.owner.len()).map(|v| even.contains(&v)).collect()
}

impl Parity {
    /// Who wins where, in the game restricted to `within`.
    fn solve(&self, within: &Set) -> [Set; 2] {
        let Some(top) = within.iter().map(|&v| self.priority[v]).max() else {
            return [Set::new(), Set::new()];
        };
        let player = (top % 2) as usize;
        let highest = within.iter().copied().filter(|&v| self.priority[v] == top).collect();
        let attracted = self.attract(within, highest, player);
        let rest = self.solve(&(within - &attracted));
        let mut won = [Set::new(), Set::new()];
        if rest[1 - player].is_empty() {
            won[player] = within.clone();
            return won;
        }
        let opponent = self.attract(within, rest[1 - player].clone(), 1 - player);
        won = self.solve(&(within - &opponent));
        won[1 - player].extend(opponent);
        won
    }

    /// From where `player` can force a visit of `set`.
    fn attract(&self, within: &Set, mut set: Set, player: usize) -> Set {
        loop {
            let more: Vec<usize> = within
                .difference(&set)
                .copied()
                .filter(|&v| {
                    let mut inside = self.targets[v].iter().filter(|w| within.contains(w));
                    if self.owner[v] == player {
                        inside.any(|w| set.contains(w))
                    } else {
                        inside.all(|w| set.contains(w))
                    }
                })
                .collect();
            if more.is_empty() {
                return set;
            }
            set.extend(more);
        }
    }
}
