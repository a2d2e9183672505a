//! Several threads that search one position.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::vec::Vec;

use crownhead_rules::Prober;

use crate::{Engine, Features, Game, Limits, Report, TranspositionTable};

/// Engines that search the same position side by side and share what they find in the
/// transposition table.
///
/// The first does just what it would do alone, only faster for what the others have left there;
/// limits are its own. With one thread all is as with an [`Engine`].
#[derive(Debug)]
pub struct Team<'a, P> {
    engines: Vec<Engine<'a, P>>,
}

impl<'a, P: Prober + Sync> Team<'a, P> {
    /// This many threads, at least one.
    pub fn new(table: TranspositionTable<'a>, tables: &'a P, threads: usize) -> Self {
        let engines = (0..threads.max(1)).map(|_| Engine::new(table, tables)).collect();
        Self { engines }
    }

    /// Switches parts of the search on or off in all threads.
    pub fn set_features(&mut self, features: Features) {
        self.engines.iter_mut().for_each(|engine| engine.features = features);
    }

    /// The tables.
    pub fn tables(&self) -> &'a P {
        self.engines[0].tables()
    }

    /// Searches as [`Engine::search`] does; `nodes` and `table_hits` of the result, not of what is
    /// shown on the way, are those of all threads together.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits<'_>,
        show: impl FnMut(&Report),
    ) -> Report {
        let done = AtomicBool::new(false);
        let [leader, helpers @ ..] = self.engines.as_mut_slice() else {
            return Report::default();
        };
        std::thread::scope(|scope| {
            let running: Vec<_> = helpers
                .iter_mut()
                .enumerate()
                .map(|(i, engine)| {
                    let done = &done;
                    scope.spawn(move || {
                        let stop = || done.load(Relaxed);
                        // Half of them a ply ahead, so that not all do the same work.
                        let first = 1 + (i as u8 + 1) % 2;
                        engine.search_from(first, game, &Limits::until(&stop), |_| {})
                    })
                })
                .collect();
            let mut report = leader.search(game, limits, show);
            done.store(true, Relaxed);
            for helper in running {
                let found = helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                report.nodes += found.nodes;
                report.table_hits += found.table_hits;
            }
            report
        })
    }
}
