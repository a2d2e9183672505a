//! `crownhead doctor`: what is here, and the command that adds what is not.

use std::process::Command;

use crownhead_table::{Check, Metric, Tables};
use serde::Serialize;

use super::{TablesArg, invoked_as};
use crate::output::Output;
use crate::status::{CommandResult, Status};
use crate::{system, text};

/// Arguments of `doctor`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    tables: TablesArg,
}

#[derive(Serialize)]
struct Item {
    item: String,
    ok: bool,
    detail: String,
}

impl Item {
    fn new(item: impl Into<String>, ok: bool, detail: impl Into<String>) -> Self {
        Self { item: item.into(), ok, detail: detail.into() }
    }
}

/// The targets for which the firmware is built.
const TARGETS: [&str; 4] = [
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabihf",
    "riscv32imac-unknown-none-elf",
];

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let mut items = vec![processor(), memory(), disk(args)];
    items.extend(Metric::ALL.map(|metric| tables(args, metric)));
    items.extend(gpu());
    items.extend(targets());
    items.push(emulator("qemu-system-arm"));
    items.push(emulator("qemu-system-riscv32"));
    for item in &items {
        out.json(item)?;
        let mark = if item.ok { "ok" } else { "--" };
        out.human(format_args!("{mark}  {:<30} {}", item.item, item.detail))?;
    }
    Ok(Status::Done)
}

fn processor() -> Item {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let vectors = vector_instructions();
    Item::new("processor", true, format!("{threads} threads, {vectors}"))
}

#[cfg(target_arch = "x86_64")]
fn vector_instructions() -> &'static str {
    if std::arch::is_x86_feature_detected!("avx512f") {
        "AVX-512"
    } else if std::arch::is_x86_feature_detected!("avx2") {
        "AVX2"
    } else {
        "SSE2"
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_instructions() -> &'static str {
    std::env::consts::ARCH
}

fn memory() -> Item {
    match system::available_memory() {
        Some(bytes) => Item::new("memory", true, format!("{} free", text::bytes(bytes))),
        None => Item::new("memory", true, "unknown here; give solve a --memory"),
    }
}

fn disk(args: &Args) -> Item {
    let directory = args.tables.tables.display();
    match system::free_space(&args.tables.tables) {
        Some(bytes) => {
            Item::new("disk", true, format!("{} free for {directory}", text::bytes(bytes)))
        }
        None => Item::new("disk", true, format!("free space for {directory} is unknown here")),
    }
}

fn tables(args: &Args, metric: Metric) -> Item {
    let tables = Tables::open(&args.tables.tables, metric, Check::Header);
    let count = tables.materials(8).count();
    let name = format!("{metric} tables");
    if count == 0 {
        let how = format!("none; {} solve --metric {metric} builds them", invoked_as());
        return Item::new(name, false, how);
    }
    let complete = crownhead_rules::Prober::max_pieces(&tables);
    Item::new(name, true, format!("{count}, complete to {complete} pieces"))
}

fn gpu() -> Vec<Item> {
    match crate::gpu::adapters() {
        Ok(found) => found.into_iter().map(|adapter| Item::new("gpu", true, adapter)).collect(),
        Err(failure) => vec![Item::new("gpu", false, failure.to_string().replace('\n', "; "))],
    }
}

fn targets() -> Vec<Item> {
    let installed = output_of("rustup", &["target", "list", "--installed"]);
    let item = |target: &str| match &installed {
        Some(list) if list.lines().any(|line| line.trim() == target) => {
            Item::new(target, true, "installed")
        }
        Some(_) => Item::new(target, false, format!("missing; {} setup firmware", invoked_as())),
        None => Item::new(target, false, "unknown: rustup is not here"),
    };
    TARGETS.into_iter().map(item).collect()
}

fn emulator(program: &str) -> Item {
    match output_of(program, &["--version"]).as_deref().and_then(|text| text.lines().next()) {
        Some(version) => Item::new(program, true, version),
        None => Item::new(program, false, format!("missing; {} setup firmware", invoked_as())),
    }
}

/// What a program prints, if it is here and ends well.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
