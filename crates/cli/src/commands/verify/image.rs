//! `crownhead verify --image`: checks a compact image.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use crownhead_index::{Material, materials_to};
use crownhead_pack::{Decoded, Watch};
use crownhead_rules::Color;
use crownhead_table::compact::ImageHeader;

use super::{Args, Tally, compare_sum, read_sums};
use crate::image::{Image, pack_failure};
use crate::output::Output;
use crate::progress;
use crate::status::{CommandResult, Failure, Status};

/// Opening compares all checksums; then, unless `--quick`, every decoded value is compared with
/// those of the positions that follow.
pub(super) fn run(args: &Args, path: &Path, out: &mut Output) -> CommandResult {
    let mut tally = Tally::default();
    let image = match Image::open(path) {
        Ok(image) => image,
        Err(Failure::Error(Status::BadInput, error)) => return Ok(damaged(&error)),
        Err(other) => return Err(other),
    };
    if let Some(list) = &args.against {
        compare_sum(&read_sums(list).map_err(Failure::bad_input)?, path)
            .map_err(|error| Failure::Error(Status::Negative, error))?;
    }
    if !args.quick {
        image.check_memory()?;
    }
    let decoded = match (!args.quick).then(|| image.decode()).transpose() {
        Ok(decoded) => decoded,
        // Its bytes are there, whatever the decoder took them for.
        Err(Failure::Error(_, error)) => return Ok(damaged(&error)),
        Err(other) => return Err(other),
    };
    if let Some(decoded) = &decoded
        && decoded_counts(decoded, &image) != header_counts(image.header())
    {
        eprintln!("error: {}: the header's counts are not those of the values", path.display());
        tally.wrong += 1;
    }
    let materials: Vec<Material> = materials_to(image.header().pieces.into())
        .filter(|material| args.material.is_none_or(|asked| asked.canonical() == *material))
        .collect();
    let positions = materials.iter().filter_map(|material| material.positions::<u64>()).sum();
    let bar = progress::bar(positions, "positions");
    for material in materials {
        let checked = material.positions::<u64>().unwrap_or(0);
        let result = match &decoded {
            Some(decoded) => check(decoded, material, path)?.map(|()| checked),
            None => Ok(checked),
        };
        bar.inc(checked);
        bar.suspend(|| tally.show(out, material, image.header().metric, result))?;
    }
    bar.finish_and_clear();
    tally.end(out)
}

/// Says what is wrong with an image as a whole, which no line of a material could.
fn damaged(error: &anyhow::Error) -> Status {
    eprintln!("error: {error:#}");
    Status::Negative
}

/// Draws, wins and losses, as the header says.
fn header_counts(header: &ImageHeader) -> [u64; 3] {
    [header.draws, header.wins, header.losses]
}

/// Draws, wins and losses of all positions.
fn decoded_counts(decoded: &Decoded, image: &Image) -> [u64; 3] {
    let mut all = [0; 3];
    for material in materials_to(image.header().pieces.into()) {
        for side in Color::BOTH {
            let counts = decoded.counts(material, side);
            all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    all
}

fn check(
    decoded: &Decoded,
    material: Material,
    path: &Path,
) -> Result<anyhow::Result<()>, Failure> {
    let stop = AtomicBool::new(false);
    let watch = Watch::new(&stop, &|_| {});
    let found = decoded.contradiction(material, &watch).map_err(|e| pack_failure(e, path))?;
    Ok(match found {
        None => Ok(()),
        Some(position) => {
            Err(anyhow!("the value of {position} contradicts those of the positions that follow"))
        }
    })
}
