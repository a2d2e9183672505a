//! Makes weights for the endgame player's guide, and judges the player:
//!
//! - `train_guide NETWORK FILE [ROUNDS]`, where the network is `kings`, `men` or `kkm-kk`, goes on
//!   from the weights in the file, or begins anew where there is no file.
//! - `train_guide by-heart FILE MATERIAL [DEFENCES]` finds out, after that, where distances must be
//!   known by heart for all positions of the material to be won.
//! - `train_guide judge [EVERY [MATERIAL]...]` plays from every won position with 4 or 5 pieces, or
//!   from one of so many.
//!
//! The guide guesses how many plies a won position is from its next conversion. Guesses by least
//! squares over all positions are good where most positions are, which is not where games go: a
//! player by such a guess goes in circles. So the guide learns from its own games (imitation by
//! aggregated data; Ross, Gordon and Bagnell, 2011): each round plays against the best defence, and
//! what the player looked at, with its true distance, is most of what is learned from next. The
//! weights of the round in which fewest games were not won are kept.
//!
//! Everything is seeded and sums are taken in a fixed order, so that the same command on the same file
//! gives the same bytes. A round takes some ten seconds of processor time.

#![allow(clippy::print_stdout)]

use crownhead_engine::guide::{INPUTS, KINGS_INPUTS, WINNERS_MEN_INPUTS};
use crownhead_index::Material;

mod distances;
mod game;
mod heart;
mod judge;
mod phase;
mod random;
mod school;
mod trainer;

/// A network, and what it is for.
pub(crate) struct Lesson {
    name: &'static str,
    inputs: usize,
    /// The numbers of the first hidden layer.
    first: usize,
    /// What it is trained for; the winner is named first. Wins of others are short.
    materials: &'static [&'static str],
}

const LESSONS: [Lesson; 3] = [
    Lesson {
        name: "kings",
        inputs: KINGS_INPUTS,
        first: 96,
        materials: &["KKKvKK", "KKvKK", "KKKKvK", "KKKvK"],
    },
    Lesson { name: "kkm-kk", inputs: WINNERS_MEN_INPUTS, first: 64, materials: &["KKMvKK"] },
    Lesson {
        name: "men",
        inputs: INPUTS,
        first: 64,
        materials: &["KKvKM", "KKMvKM", "KKKvKM", "KMMvKK", "KMMvKM", "KMvKM", "KMvKK"],
    },
];

impl Lesson {
    /// The network that the guide asks.
    fn of(material: Material) -> &'static Self {
        let name = match (material.men(), material) {
            (0, _) => "kings",
            _ if material == Material::new(1, 2, 0, 2) => "kkm-kk",
            _ => "men",
        };
        LESSONS.iter().find(|lesson| lesson.name == name).expect("it is there")
    }

    /// The committed weights.
    fn bytes(&self) -> &'static [u8] {
        match self.name {
            "kings" => include_bytes!("../../guide/kings.bin"),
            "kkm-kk" => include_bytes!("../../guide/kkm-kk.bin"),
            _ => include_bytes!("../../guide/men.bin"),
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &String| text.parse().expect("a number");
    match &*arguments {
        [name, rest @ ..] if name == "judge" => {
            judge::judge(rest.first().map_or(1, number), rest.get(1..).unwrap_or_default());
        }
        [name, file, material, rest @ ..] if name == "by-heart" => {
            let material = material.parse().expect("a material");
            heart::learn_by_heart(file, material, rest.first().map_or(1, number) as u64);
        }
        [name, file, rest @ ..] => {
            let lesson = LESSONS.iter().find(|lesson| lesson.name == *name);
            let rounds = rest.first().map_or(40, number);
            school::teach(lesson.expect("kings, men or kkm-kk"), rounds, file);
        }
        _ => panic!("train_guide kings|men|kkm-kk FILE [ROUNDS], or judge [EVERY [MATERIAL]...]"),
    }
}
