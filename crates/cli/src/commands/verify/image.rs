//! `crownhead verify --image`: checks a compact image.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use crownhead_index::{Material, materials_to};
use crownhead_pack::{Decoded, Watch};

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
        Err(Failure::Error(Status::BadInput, error)) => {
            out.human(format_args!("{error:#}"))?;
            return Ok(Status::Negative);
        }
        Err(other) => return Err(other),
    };
    if let Some(list) = &args.against {
        compare_sum(&read_sums(list).map_err(Failure::bad_input)?, path)
            .map_err(|error| Failure::Error(Status::Negative, error))?;
    }
    let decoded = if args.quick { None } else { Some(image.decode()?) };
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
