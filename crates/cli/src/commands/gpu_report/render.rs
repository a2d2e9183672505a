//! The report as JSON and as Markdown.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::measure::{Report, Solve};
use crate::status::Failure;

/// Writes `gpu-report.json` and `gpu-report.md` into a directory.
pub(super) fn write(report: &Report, directory: &Path) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(report).map_err(Failure::bad_input)?;
    let files = [("gpu-report.json", json + "\n"), ("gpu-report.md", markdown(report))];
    let write_all = || -> anyhow::Result<()> {
        fs::create_dir_all(directory)?;
        for (name, text) in files {
            fs::write(directory.join(name), text)?;
        }
        Ok(())
    };
    write_all()
        .with_context(|| format!("cannot write to {}", directory.display()))
        .map_err(Failure::bad_input)
}

/// The report for people.
pub(super) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_markdown(report, &mut text);
    text
}

fn write_markdown(report: &Report, text: &mut String) -> std::fmt::Result {
    let adapter = &report.adapter;
    writeln!(text, "# {}\n", adapter.name)?;
    writeln!(text, "{} adapter, {}, driver {}.", adapter.kind, adapter.backend, adapter.driver)?;
    if adapter.kind == "software" {
        writeln!(text, "It computes on the processor: nothing here says how fast a GPU is.")?;
    }
    writeln!(
        text,
        "\nCanaries {}; pipelines ready in {:.2} s.",
        report.canaries, report.pipelines_seconds
    )?;
    let check = &report.crosscheck;
    let verdict = match &check.first_difference {
        None if check.compared < check.materials => {
            format!("the first {} equal bit for bit, then the time was over", check.compared)
        }
        None => "all equal bit for bit".to_owned(),
        Some(material) => format!("{material} differs"),
    };
    writeln!(
        text,
        "Compared with the processor to {} pieces ({} materials, {:.1} s): {verdict}.",
        check.pieces, check.materials, check.seconds
    )?;
    let bandwidth = report.copy_bytes_per_second / 1e9;
    writeln!(text, "A copy kernel moves {bandwidth:.1} GB/s, read and written together.\n")?;
    writeln!(
        text,
        "| pieces | positions | GPU, s | million a second | CPU ({} threads), s | ratio | to device, MB | back, MB | least share of bandwidth |",
        report.cpu_threads
    )?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|")?;
    for solve in &report.solves {
        write_row(solve, text)?;
    }
    writeln!(text, "\n{}; {:.0} s in all.", report.ended, report.seconds)?;
    for solve in report.solves.iter().filter(|solve| !solve.kernels.is_empty()) {
        write_kernels(solve, text)?;
    }
    Ok(())
}

fn write_row(solve: &Solve, text: &mut String) -> std::fmt::Result {
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"));
    writeln!(
        text,
        "| {} | {} | {:.3} | {:.1} | {} | {} | {:.1} | {:.1} | {} |",
        solve.pieces,
        solve.positions,
        solve.gpu_seconds,
        solve.gpu_positions_per_second / 1e6,
        or_dash(solve.cpu_seconds),
        or_dash(solve.ratio),
        solve.bytes_to_device as f64 / 1e6,
        solve.bytes_from_device as f64 / 1e6,
        solve
            .least_share_of_bandwidth
            .map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share)),
    )
}

fn write_kernels(solve: &Solve, text: &mut String) -> std::fmt::Result {
    writeln!(text, "\nTo {} pieces, each dispatch timed alone:\n", solve.pieces)?;
    writeln!(text, "| kernel | dispatches | words | s | million words a second |")?;
    writeln!(text, "|---|---|---|---|---|")?;
    for kernel in &solve.kernels {
        writeln!(
            text,
            "| {} | {} | {} | {:.3} | {:.3} |",
            kernel.name,
            kernel.dispatches,
            kernel.words,
            kernel.seconds,
            kernel.words as f64 / kernel.seconds.max(1e-9) / 1e6
        )?;
    }
    Ok(())
}
