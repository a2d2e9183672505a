//! CPU against GPU: the same materials on both in one run, results compared.
//!
//! Each case is timed once, being long. Prints a table, and writes it and a chart of the ratio by
//! piece count to `target/gpu-bench.md` and `target/gpu-bench.svg`. On a software adapter it says
//! that it proves nothing about speed; without any it runs the CPU's half.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use crownhead_gpu::{Choice, Gpu, GpuBackend, Settings};
use crownhead_index::Material;
use crownhead_solver::{Backend, Control, Cpu, Job, Metric, Plan, Summary};

/// Timings of one case.
struct Row {
    case: String,
    positions: u64,
    cpu: f64,
    gpu: Option<f64>,
}

/// Builds materials one after the other; the time of those from `timed_from` on, and their counts.
fn solve(backend: &dyn Backend, plan: &[Material], timed_from: usize) -> (f64, Vec<Summary>) {
    let mut begun = Instant::now();
    let mut summaries = Vec::new();
    for (i, &material) in plan.iter().enumerate() {
        if i == timed_from {
            begun = Instant::now();
        }
        backend.build(Job::finish(material), &Control::default()).unwrap();
        summaries.push(backend.summary(material).unwrap());
    }
    (begun.elapsed().as_secs_f64(), summaries.split_off(timed_from))
}

/// Compares every position of a material that both have solved.
fn assert_equal(gpu: &GpuBackend, cpu: &Cpu, material: Material) {
    for &side in Summary::sides_of(material) {
        let (found, right) = (gpu.snapshot(material, side), cpu.snapshot(material, side));
        assert!(found.unwrap() == right.unwrap(), "{material}: GPU and CPU differ");
    }
}

fn row(gpu: Option<&Arc<Gpu>>, case: &str, plan: &[Material], timed_from: usize) -> Row {
    let cpu = Cpu::new(Metric::Wld).unwrap();
    let (cpu_seconds, right) = solve(&cpu, plan, timed_from);
    let gpu_seconds = gpu.map(|gpu| {
        let gpu = GpuBackend::new(gpu.clone(), Settings::default()).unwrap();
        let (seconds, found) = solve(&gpu, plan, timed_from);
        assert_eq!(found, right, "{case}: GPU and CPU count differently");
        for &material in &plan[timed_from..] {
            assert_equal(&gpu, &cpu, material);
        }
        seconds
    });
    let positions = right.iter().map(Summary::positions).sum();
    Row { case: case.to_owned(), positions, cpu: cpu_seconds, gpu: gpu_seconds }
}

/// All materials in order, and where those with the most pieces begin.
fn exactly(pieces: u32) -> (Vec<Material>, usize) {
    let plan: Vec<_> = Plan::to_pieces(pieces).steps().iter().map(|step| step.material).collect();
    let from = plan.iter().position(|material| material.pieces() == pieces).unwrap();
    (plan, from)
}

fn table(rows: &[Row]) -> String {
    let mut text = "| case | positions | CPU, s | GPU, s | CPU, million a second | GPU | ratio |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for row in rows {
        let million = |seconds: f64| row.positions as f64 / seconds / 1e6;
        let dash = || ["-"; 3].map(str::to_owned);
        let [seconds, speed, ratio] = row.gpu.map_or_else(dash, |gpu| {
            [format!("{gpu:.3}"), format!("{:.1}", million(gpu)), format!("{:.3}", row.cpu / gpu)]
        });
        writeln!(
            text,
            "| {} | {} | {:.3} | {seconds} | {:.1} | {speed} | {ratio} |",
            row.case,
            row.positions,
            row.cpu,
            million(row.cpu)
        )
        .unwrap();
    }
    text
}

/// A bar for each case: CPU time over GPU time.
fn chart(rows: &[Row], adapter: &str) -> String {
    let ratios: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| row.gpu.map(|gpu| (row.case.as_str(), row.cpu / gpu)))
        .collect();
    let most = ratios.iter().map(|&(_, ratio)| ratio).fold(f64::MIN_POSITIVE, f64::max);
    let height = 60 + 30 * ratios.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n\
         <text x=\"10\" y=\"24\">CPU time / GPU time, {adapter}</text>\n"
    );
    for (i, (case, ratio)) in ratios.iter().enumerate() {
        let (y, width) = (45 + 30 * i, 360.0 * ratio / most);
        writeln!(
            svg,
            "<text x=\"10\" y=\"{}\">{case}</text>\
             <rect x=\"170\" y=\"{y}\" width=\"{width:.0}\" height=\"20\" fill=\"#47a\"/>\
             <text x=\"{:.0}\" y=\"{}\">{ratio:.2}</text>",
            y + 15,
            178.0 + width,
            y + 15
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

/// Every kernel alone, each dispatch timed by itself.
fn kernels(gpu: &Arc<Gpu>, pieces: u32) -> String {
    let settings = Settings { profile: true, ..Settings::default() };
    let backend = GpuBackend::new(gpu.clone(), settings).unwrap();
    let (plan, _) = exactly(pieces);
    solve(&backend, &plan, 0);
    let mut text = format!("\nEach kernel alone, to {pieces} pieces:\n\n");
    text += "| kernel | words | s | million positions (bits) a second |\n|---|---|---|---|\n";
    for (kernel, ran) in &backend.log().kernels {
        let seconds = ran.time.as_secs_f64();
        let speed = 32.0 * ran.words as f64 / seconds.max(1e-9) / 1e6;
        writeln!(text, "| {} | {} | {seconds:.3} | {speed:.1} |", kernel.name(), ran.words)
            .unwrap();
    }
    text
}

fn main() {
    // `cargo test --benches` runs each bench once, quickly; `cargo bench` passes `--bench`.
    let timed = std::env::args().any(|arg| arg == "--bench");
    let gpu = match Gpu::open(&Choice::Best) {
        Ok(gpu) => Some(Arc::new(gpu)),
        Err(error) => {
            eprintln!("{error}\nonly the CPU's half is run");
            None
        }
    };
    let adapter = gpu.as_ref().map_or_else(
        || "no adapter".to_owned(),
        |gpu| format!("{} ({})", gpu.summary().name, gpu.summary().kind),
    );
    let most = if timed { 5 } else { 3 };
    let mut rows = Vec::new();
    for pieces in 2..=most {
        let (plan, from) = exactly(pieces);
        rows.push(row(gpu.as_ref(), &format!("{pieces} pieces"), &plan, from));
    }
    if timed {
        let large: Material = "KKKvKKK".parse().unwrap();
        let plan = Plan::with_parts(&[large]);
        let plan: Vec<_> = plan.steps().iter().map(|step| step.material).collect();
        rows.push(row(gpu.as_ref(), "KKKvKKK alone", &plan, plan.len() - 1));
    }
    let mut text = format!("# {adapter}\n\n{}", table(&rows));
    if let Some(gpu) = &gpu {
        if gpu.summary().is_software() {
            text += "\nA software adapter: this proves nothing about the speed of a GPU.\n";
        }
        text += &kernels(gpu, most.min(4));
    }
    eprintln!("{text}");
    if timed {
        let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../target");
        std::fs::create_dir_all(target).unwrap();
        std::fs::write(format!("{target}/gpu-bench.md"), &text).unwrap();
        std::fs::write(format!("{target}/gpu-bench.svg"), chart(&rows, &adapter)).unwrap();
    }
}
