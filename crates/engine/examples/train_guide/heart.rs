//! What the player knows by heart: distances where games by the guess would go in circles.

use std::collections::BTreeMap;

use crownhead_engine::guide::{self, Network, PLY};
use crownhead_index::Material;
use crownhead_rules::Color;

use crate::Lesson;
use crate::distances::Distances;
use crate::game::{drawn, not_won, play};
use crate::phase::Phase;

/// Games that begin nearer to the conversion are won by search.
const LEAST: u8 = 6;
/// How many moves before its end tell why a game was not won.
const LAST: usize = 24;
/// The most that a game adds.
const MOST: usize = 8;

/// Plays from all positions of a material, adds to what is known by heart until all are won, and
/// writes that to the file that the guide has it from; then the same with other defences, as many as
/// are asked for, every second of which gives plies away.
pub(crate) fn learn_by_heart(file: &str, material: Material, defences: u64) {
    let phase = Phase::new(&Distances::new(), material);
    let lesson = Lesson::of(material);
    let network = Network::new(lesson.bytes(), lesson.inputs).expect("whole weights");
    let mut guesses = phase.guesses(&network);
    let starts = phase.won_in(LEAST);
    // By the bits of the key.
    let lessons = std::fs::read(file).unwrap_or_default();
    let lessons = lessons.as_chunks().0.iter().map(|lesson| u32::from_le_bytes(*lesson));
    let mut known: BTreeMap<u32, u32> = lessons.map(|lesson| (lesson >> 7, lesson)).collect();
    for seed in 0..defences {
        let slack = [0, 1, 0, 4][seed as usize % 4];
        loop {
            let (failed, _) = not_won(&phase, &guesses, &starts, slack, seed);
            println!("defence {seed}: {} of {} not won", failed.len(), starts.len());
            if failed.is_empty() {
                break;
            }
            for start in &failed {
                for _ in 0..MOST {
                    let game = play(&phase, &guesses, *start, slack, &mut drawn(*start, seed));
                    if game.plies.is_some() {
                        break;
                    }
                    let last = game.chosen.iter().rev().take(LAST);
                    let short = |rank: &&u32| {
                        let plies = phase.lost[**rank as usize].expect("lost");
                        i32::from(plies) * PLY - guesses[**rank as usize]
                    };
                    let Some(rank) = last.max_by_key(short).copied() else { break };
                    let plies = u32::from(phase.lost[rank as usize].expect("lost"));
                    let key = guide::key(&phase.position(rank, Color::White));
                    known.insert(key >> 7, key & !0x7f | plies);
                    for (seen, guess) in phase.seen.iter().zip(&mut guesses) {
                        if *seen == rank {
                            *guess = plies as i32 * PLY;
                        }
                    }
                }
            }
            let bytes: Vec<u8> = known.values().flat_map(|lesson| lesson.to_le_bytes()).collect();
            println!("{} known by heart", known.len());
            std::fs::write(file, bytes).expect("the file can be written");
        }
    }
}
