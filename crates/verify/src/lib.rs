//! Checks finished tables through the public reader, with none of the code that builds them.
//!
//! Every stored number is compared with what follows from the numbers of the positions after each
//! move. For distances this is a proof: a win names a move to a loss that is one ply nearer to
//! its end, and so on down to an end that the rules give. For values alone it is not quite one:
//! wins that rest on each other in a circle would pass. So a set of values is proved by building
//! the distances, or by comparing two independent builds.
//!
//! ```
//! use std::path::Path;
//! use crownhead_table::{Check, Metric, Tables};
//! use crownhead_verify::{Fault, verify_table};
//!
//! let tables = Tables::open("no-such-directory", Metric::Wld, Check::Everything);
//! let fault = verify_table(&tables, "KvK".parse().unwrap(), &|_| {}).unwrap_err();
//! assert!(matches!(fault, Fault::Table(_)) && fault.to_string().contains("no such table"));
//! ```

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod counted;
mod expected;
mod fault;
mod manifest;
mod neighbours;
mod rule40;
mod share;
mod slab;

use crownhead_index::Material;
use crownhead_rules::Color;
use crownhead_table::{Check, TableErrorKind, Tables, open_table};
use rayon::prelude::*;

use self::counted::Counted;
pub use self::fault::Fault;
pub use self::manifest::Listed;
use self::neighbours::Neighbours;
pub use self::rule40::verify_rule40;
pub use self::share::Share;
use self::slab::Slab;

/// Checks a table's header and checksums; returns the number of positions that they cover.
///
/// # Errors
///
/// [`Fault::Table`] with what is wrong.
pub fn verify_checksums(tables: &Tables, material: Material) -> Result<u64, Fault> {
    let table = open_table(tables.directory(), material, tables.metric(), Check::Everything)?;
    Ok(table.header().positions * table.header().stored_sides().len() as u64)
}

/// Checks a table's checksums, every number in it against those of the positions that follow,
/// and the header's counts; returns the number of positions.
///
/// Runs on the threads of the current rayon pool. Calls `advance` with numbers of positions done.
///
/// # Errors
///
/// The first [`Fault`] in the order of the table.
pub fn verify_table(
    tables: &Tables,
    material: Material,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Fault> {
    verify_share(tables, material, Share::ALL, advance)
}

/// The same for a share of the positions: checksums and counts are checked of all, only the
/// chosen ones are compared with the positions that follow; returns how many those were.
///
/// # Errors
///
/// As for [`verify_table`].
pub fn verify_share(
    tables: &Tables,
    material: Material,
    share: Share,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Fault> {
    let table = tables.table(material)?;
    verify_checksums(tables, material)?;
    for part in material.canonical().parts() {
        tables.table(part).map_err(|error| match error.kind {
            TableErrorKind::Missing => Fault::PartMissing(part),
            _ => Fault::Table(error),
        })?;
    }
    let neighbours = Neighbours::new(tables, table)?;
    let mut compared = 0;
    for &side in table.header().stored_sides() {
        compared += verify_side(&neighbours, side, share, advance)?;
    }
    Ok(compared)
}

fn verify_side(
    neighbours: &Neighbours<'_>,
    side: Color,
    share: Share,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Fault> {
    let header = neighbours.table().header();
    let slabs: Vec<_> = Slab::all(side, header.positions)
        .into_par_iter()
        .map(|slab| {
            let mut counted = Counted::default();
            let result = slab.verify(neighbours, share, &mut counted);
            advance(slab.len());
            (counted, result)
        })
        .collect();
    let (mut counted, mut compared) = (Counted::default(), 0);
    for (part, result) in slabs {
        compared += result?;
        counted.append(&part);
    }
    let summary = &header.sides[side as usize];
    if counted.is(summary) { Ok(compared) } else { Err(Fault::Counts(side)) }
}
