//! How long to think.

use std::time::Duration;

use super::text::arguments;

/// The `level` that the client has set.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Level {
    pub(super) depth: u8,
    pub(super) nodes: u64,
    move_time: Option<Duration>,
    /// For all moves left, or for this many.
    time: Option<Duration>,
    moves: Option<u32>,
    increment: Duration,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            depth: u8::MAX,
            nodes: u64::MAX,
            move_time: Some(Duration::from_secs(1)),
            time: None,
            moves: None,
            increment: Duration::ZERO,
        }
    }
}

impl Level {
    /// Reads `depth=`, `nodes=`, `move-time=`, `time=`, `moves=`, `inc=` and `infinite`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut level = Self { move_time: None, ..Self::default() };
        for (name, value) in arguments(text) {
            let wrong = || format!("level {name}={value} is no number that makes sense");
            let number = || value.parse::<u64>().map_err(|_| wrong());
            // A clock below zero has run out.
            let seconds = || {
                let seconds = value.parse::<f64>().map_err(|_| wrong())?;
                Duration::try_from_secs_f64(seconds.max(0.0)).map_err(|_| wrong())
            };
            match name.as_str() {
                "depth" => level.depth = number()?.clamp(1, 255) as u8,
                "nodes" => level.nodes = number()?.max(1),
                "move-time" => level.move_time = Some(seconds()?),
                "time" => level.time = Some(seconds()?),
                "moves" => level.moves = Some(number()?.clamp(1, 1000) as u32),
                "inc" => level.increment = seconds()?,
                _ => {}
            }
        }
        Ok(level)
    }

    /// The time for the next move, if time is what ends it.
    pub(super) fn time_for_a_move(&self) -> Option<Duration> {
        if let Some(time) = self.move_time {
            return Some(time);
        }
        let time = self.time?;
        let share = time / self.moves.map_or(30, |moves| moves + 1) + self.increment.mul_f64(0.8);
        // A tenth of a second may be lost on the way to the client.
        let most = time.mul_f64(0.7).saturating_sub(Duration::from_millis(100));
        Some(share.min(most).max(Duration::from_millis(2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Option<Duration> {
        Level::read(text).unwrap().time_for_a_move()
    }

    #[test]
    fn time_is_shared_out() {
        assert_eq!(time("move-time=0.25"), Some(Duration::from_millis(250)));
        assert_eq!(time("depth=9"), None);
        assert_eq!(time("infinite"), None);
        assert!(time("time=60 inc=1").unwrap() < Duration::from_secs(4));
        assert!(time("moves=1 time=10").unwrap() < Duration::from_secs(7));
        assert_eq!(time("time=-1"), Some(Duration::from_millis(2)));
        assert!(Level::read("time=soon").is_err() && Level::read("nodes=-4").is_err());
        assert!(Level::read("move-time=nan").is_err() || time("move-time=nan").is_some());
    }
}
