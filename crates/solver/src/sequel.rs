use crownhead_index::Material;
use crownhead_index::product::BINOMIAL;
use crownhead_rules::{Color, PieceKind, Position, Value};

use crate::setwise::Reach;
use crate::{Backend, Control, Cpu, Job, Metric, Plan, SolveError};

/// All that can follow from one position, to be solved in memory for its value.
///
/// Men never go back, so what follows from a position is a small part of its materials' tables
/// where they have come far. To 5 pieces that is solved within a second, and for many positions
/// with 6 within some seconds; a proof like any table, where a search might wander for long.
///
/// ```
/// use crownhead_rules::Value;
/// use crownhead_solver::{Control, Sequel};
///
/// let sequel = Sequel::of(&"W:WK4,22,K25:BK1,K32".parse()?);
/// assert!(sequel.positions() < 20_000_000);
/// assert_eq!(sequel.solve(&Control::default())?, Value::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequel {
    position: Position,
    plan: Plan,
}

impl Sequel {
    /// What follows from this position.
    pub fn of(position: &Position) -> Self {
        Self { position: *position, plan: Plan::with_parts(&[Material::of(position)]) }
    }

    /// How many positions that is at most, both sides to move: what the time to solve it goes by.
    pub fn positions(&self) -> u128 {
        let reach = Reach::of(&self.position).squares();
        self.plan.steps().iter().map(|step| placements(&step.material, reach)).sum()
    }

    /// Solves it, on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`SolveError::Interrupted`] when asked to stop, [`SolveError::TooLarge`] where there are
    /// more pieces than any memory holds.
    pub fn solve(&self, control: &Control<'_>) -> Result<Value, SolveError> {
        if !self.position.has_move() {
            return Ok(Value::Loss);
        }
        let cpu = Cpu::new(Metric::Wld).after(&self.position);
        for step in self.plan.steps() {
            cpu.build(Job::finish(step.material), control)?;
        }
        cpu.value(&self.position)
    }
}

/// Placements of a material whose men stand within so many squares, on either side of the board.
fn placements(material: &Material, [black, white]: [u32; 2]) -> u128 {
    let ways = |squares: u32, count: u32| u128::from(BINOMIAL[squares as usize][count as usize]);
    let men = |color| material.count(color, PieceKind::Man);
    let kings = |color| ways(32, material.count(color, PieceKind::King));
    let [own, other] = Color::BOTH.map(men);
    let straight = ways(black, own) * ways(white, other);
    let turned = ways(white, own) * ways(black, other);
    // With one king or none, White's men are everywhere.
    let many_kings = material.pieces() - material.men() > 1;
    let rows = (ways(black, own) + ways(white, own)) * ways(28, other);
    let men = if many_kings || own == 0 { straight + turned } else { rows };
    2 * men * kings(Color::Black) * kings(Color::White)
}

#[cfg(test)]
mod tests {
    use crownhead_index::{PerfectIndex, materials_to};

    use super::*;
    use crate::Reference;

    /// How many positions there are whose value is not the reference's, of every 997th.
    fn wrong(value: impl Fn(&Position) -> Value) -> (usize, usize) {
        let reference = Reference::new(Metric::Wld);
        let (mut compared, mut wrong) = (0, 0);
        for material in materials_to(3) {
            reference.build(Job::finish(material), &Control::default()).unwrap();
            let index = PerfectIndex::<u64>::new(material).unwrap();
            for &side in index.sides() {
                let mut expected = Vec::new();
                let mut take = |entries: &[crate::Entry]| {
                    expected.extend_from_slice(entries);
                    Ok(())
                };
                reference.export(material, side, &mut take).unwrap();
                for rank in (0..index.len()).step_by(997) {
                    let position = index.unrank(rank, side).unwrap();
                    for position in [position, position.mirror()] {
                        compared += 1;
                        wrong += usize::from(value(&position) != expected[rank as usize].value());
                    }
                }
            }
        }
        (compared, wrong)
    }

    fn solved(position: &Position) -> Value {
        Sequel::of(position).solve(&Control::default()).unwrap()
    }

    #[test]
    fn values_are_those_of_the_reference() {
        let (compared, wrong) = wrong(solved);
        assert!(compared > 200, "{compared}");
        assert_eq!(wrong, 0);
    }

    /// The negative control: what can follow with the men a row further on is not enough.
    #[test]
    fn the_comparison_finds_positions_left_out() {
        let (_, wrong) = wrong(|position| {
            let Some(next) = position
                .mirror()
                .moves()
                .unwrap()
                .first()
                .map(|m| position.mirror().after(m).mirror())
            else {
                return Value::Loss;
            };
            let cpu = Cpu::new(Metric::Wld).after(&next);
            for step in Plan::with_parts(&[Material::of(position)]).steps() {
                cpu.build(Job::finish(step.material), &Control::default()).unwrap();
            }
            cpu.value(position).unwrap()
        });
        assert!(wrong > 0);
    }

    #[test]
    fn the_effort_is_small_where_men_have_come_far() {
        let positions = |fen: &str| Sequel::of(&fen.parse().unwrap()).positions();
        assert!(positions("W:W6,K20:B27,K1,K2") * 2 < positions("W:W30,K20:B3,K1,K2"));
        assert!(positions("W:W30,K20:B3,K1,K2") < 145_859_644);
    }
}
