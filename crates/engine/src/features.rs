/// Which parts of the search are on: all, but for measuring what each is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Features {
    /// Scores from the transposition table cut branches off.
    pub transpositions: bool,
    /// The table's move is searched first.
    pub table_move: bool,
    /// A quiet move that was good enough in a sister position comes early.
    pub killers: bool,
    /// Quiet moves that were good enough often come early.
    pub history: bool,
    /// Later moves are searched with an empty window first.
    pub scout: bool,
    /// Each iteration starts with a small window about the last score.
    pub aspiration: bool,
    /// Late quiet moves are searched less deep first.
    pub reductions: bool,
    /// Captures at the end of the depth are played out.
    pub quiescence: bool,
}

impl Features {
    /// Everything on.
    pub const ALL: Self = Self {
        transpositions: true,
        table_move: true,
        killers: true,
        history: true,
        scout: true,
        aspiration: true,
        reductions: true,
        quiescence: true,
    };

    /// The features' names, as [`switch_off`](Self::switch_off) takes them.
    pub const NAMES: [&'static str; 8] = [
        "transpositions",
        "table-move",
        "killers",
        "history",
        "scout",
        "aspiration",
        "reductions",
        "quiescence",
    ];

    /// Switches the feature of this name off; false if there is none of this name.
    pub fn switch_off(&mut self, name: &str) -> bool {
        let switch = match name {
            "transpositions" => &mut self.transpositions,
            "table-move" => &mut self.table_move,
            "killers" => &mut self.killers,
            "history" => &mut self.history,
            "scout" => &mut self.scout,
            "aspiration" => &mut self.aspiration,
            "reductions" => &mut self.reductions,
            "quiescence" => &mut self.quiescence,
            _ => return false,
        };
        *switch = false;
        true
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_switches_one_feature() {
        for name in Features::NAMES {
            let mut features = Features::ALL;
            assert!(features.switch_off(name), "{name}");
            assert_ne!(features, Features::ALL, "{name}");
        }
        assert!(!Features::ALL.clone().switch_off("nothing"));
    }
}
