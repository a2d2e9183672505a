//! The solvers that start from one position and visit what it needs.

use crownhead_graph::formats::NamedGraph;
use crownhead_graph::{
    Arena, Colour, Explored, Game, Local, Played, Player, TurnGraph, Verdict, WinTree, wintree,
};
use serde::Serialize;

use super::{Args, in_plies, print_value};
use crate::output::Output;
use crate::status::{CommandResult, Failure, Status};

/// What wintree found at a vertex; null where it is open or infinite.
#[derive(Serialize)]
struct Visited<'a> {
    vertex: &'a str,
    colour: &'static str,
    won: Option<bool>,
    bound: Option<u32>,
}

pub(super) fn wintree_turns(
    args: &Args,
    file: &NamedGraph<'_>,
    mut turns: &TurnGraph<'_>,
    root: u32,
    out: &mut Output,
) -> CommandResult {
    let search = wintree(&mut turns, args.player.into(), root, args.variant.into(), args.budget);
    report(&search, &|v| file.names.name(v).into_owned(), out)
}

/// In a file without owners a vertex may be visited with either player to move, and has a line for
/// each.
pub(super) fn wintree_game(
    args: &Args,
    file: &NamedGraph<'_>,
    root: u32,
    out: &mut Output,
) -> CommandResult {
    let mut explored = Explored::new(Played(&file.graph));
    let start = explored.vertex((root, Player::Attacker));
    let search =
        wintree(&mut explored, args.player.into(), start, args.variant.into(), args.budget);
    report(&search, &|v| file.names.name(explored.state(v).0).into_owned(), out)
}

fn report(search: &WinTree, name: &dyn Fn(u32) -> String, out: &mut Output) -> CommandResult {
    for v in search.visited() {
        let (won, bound) = (search.won(v), search.bound(v));
        let colour = match search.colour(v) {
            Some(Colour::Gray) => "gray",
            Some(Colour::Black) => "black",
            Some(Colour::White) | None => "white",
        };
        let vertex = name(v);
        out.json(&Visited { vertex: &vertex, colour, won, bound })?;
        match (won, bound) {
            (Some(true), Some(bound)) => {
                out.human(format_args!("{vertex}: {colour}, won within {}", in_plies(bound)))?;
            }
            (Some(_), _) => out.human(format_args!("{vertex}: {colour}, not won"))?,
            (None, _) => out.human(format_args!("{vertex}: {colour}, open"))?,
        }
    }
    let (player, root) = (search.player(), name(search.root()));
    let (visits, bytes) = (search.visits(), search.peak_bytes());
    let cost = format!("{visits} visits, {bytes} bytes");
    match search.verdict() {
        Verdict::Wins { bound } => {
            out.human(format_args!(
                "the {player} player wins from {root} within {}; {cost}",
                in_plies(bound)
            ))?;
        }
        Verdict::DoesNotWin => {
            out.human(format_args!("the {player} player does not win from {root}; {cost}"))?;
        }
        Verdict::BudgetSpent => {
            return Err(Failure::Error(
                Status::Negative,
                anyhow::anyhow!(
                    "the budget was spent before it was known whether the {player} \
                    player wins from {root}; {cost}"
                ),
            ));
        }
    }
    Ok(Status::Done)
}

pub(super) fn local_turns(
    file: &NamedGraph<'_>,
    turns: &TurnGraph<'_>,
    root: u32,
    out: &mut Output,
) -> CommandResult {
    local(turns, root, &|&v| file.names.name(v).into_owned(), out)
}

pub(super) fn local_game(file: &NamedGraph<'_>, root: u32, out: &mut Output) -> CommandResult {
    let name = |&(v, _): &(u32, Player)| file.names.name(v).into_owned();
    local(Played(&file.graph), (root, Player::Attacker), &name, out)
}

/// Prints the positions whose value was settled on the way to that of the root.
fn local<G: Game>(
    game: G,
    root: G::State,
    name: &dyn Fn(&G::State) -> String,
    out: &mut Output,
) -> CommandResult {
    let mut local = Local::new(game);
    let root_name = name(&root);
    let (value, plies) = local.value(root);
    let mut settled: Vec<_> = local
        .settled()
        .iter()
        .map(|&(v, value, plies)| (name(local.explored().state(v)), value, plies))
        .collect();
    // With either player to move a vertex has the same value for the side to move: one line.
    let mut seen = std::collections::HashSet::new();
    settled.retain(|(name, ..)| seen.insert(name.clone()));
    for (name, value, plies) in &settled {
        print_value(name, *value, *plies, out)?;
    }
    let met = local.explored().known();
    match plies {
        Some(plies) => out.human(format_args!(
            "{root_name} is a {value} in {}; {met} positions explored",
            in_plies(plies)
        ))?,
        None => out.human(format_args!("{root_name} is a {value}; {met} positions explored"))?,
    }
    Ok(Status::Done)
}
