//! CPU against GPU: the same materials on both in one run, results compared.
//!
//! Each case is timed once, being long; `-- --pieces 4` leaves the longest ones out. Prints a
//! table, and writes it and a chart of the ratio by piece count to `target/gpu-bench.md` and
//! `target/gpu-bench.svg`. On a software adapter it says that it proves nothing about speed;
//! without any it runs the CPU's half.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use crownhead_gpu::{Checks, Choice, Gpu, GpuBackend, Settings};
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
    let cpu = Cpu::new(Metric::Wld);
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
            [format!("{gpu:.3}"), three_digits(million(gpu)), three_digits(row.cpu / gpu)]
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
fn chart(rows: &[Row], adapter: &str, note: &str) -> String {
    let ratios: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| row.gpu.map(|gpu| (row.case.as_str(), row.cpu / gpu)))
        .collect();
    let most = ratios.iter().map(|&(_, ratio)| ratio).fold(f64::MIN_POSITIVE, f64::max);
    let height = 80 + 30 * ratios.len();
    let adapter = adapter.replace('&', "&amp;").replace('<', "&lt;");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"640\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"10\" y=\"24\">Time of the CPU backend / time on {adapter}</text>\n\
         <text x=\"10\" y=\"{}\" font-size=\"12\">{note}</text>\n",
        height - 12
    );
    for (i, (case, ratio)) in ratios.iter().enumerate() {
        let (y, width) = (45 + 30 * i, 360.0 * ratio / most);
        writeln!(
            svg,
            "<text x=\"10\" y=\"{}\">{case}</text>\
             <rect x=\"170\" y=\"{y}\" width=\"{width:.0}\" height=\"20\" fill=\"#47a\"/>\
             <text x=\"{:.0}\" y=\"{}\">{}</text>",
            y + 15,
            178.0 + width,
            y + 15,
            three_digits(*ratio)
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

/// A number with about three digits that count.
fn three_digits(number: f64) -> String {
    let decimals = (2 - number.log10().floor() as i32).clamp(0, 4) as usize;
    format!("{number:.decimals$}")
}

/// Every kernel alone, each dispatch timed by itself: as built by default, and with wgpu's bounds
/// and loop checks, which must change no result.
fn kernels(gpu: &Arc<Gpu>, pieces: u32) -> String {
    let (plan, _) = exactly(pieces);
    let timed = |checks| {
        let settings = Settings { profile: true, checks, ..Settings::default() };
        let backend = GpuBackend::new(gpu.clone(), settings).unwrap();
        let (_, summaries) = solve(&backend, &plan, 0);
        (backend.log(), summaries)
    };
    let ((plain, found), (checked, right)) = (timed(Checks::None), timed(Checks::All));
    assert_eq!(found, right, "checks change the counts");
    let mut text = format!("\nEach kernel alone, to {pieces} pieces, by the clock of the ");
    text += if gpu.has_timestamps() { "device:\n\n" } else { "host:\n\n" };
    text += "| kernel | words | s | million bits of words a second | s with wgpu's checks |\n\
             |---|---|---|---|---|\n";
    for (kernel, ran) in &plain.kernels {
        let seconds = ran.time.as_secs_f64();
        let speed = 32.0 * ran.words as f64 / seconds.max(1e-9) / 1e6;
        let checked = checked.kernels.get(kernel).map_or(0.0, |ran| ran.time.as_secs_f64());
        writeln!(
            text,
            "| {} | {} | {seconds:.3} | {speed:.1} | {checked:.3} |",
            kernel.name(),
            ran.words
        )
        .unwrap();
    }
    text
}

/// The number of pieces after `--pieces`, or 5.
fn pieces_wanted() -> u32 {
    let mut arguments = std::env::args();
    let number = arguments.by_ref().skip_while(|argument| argument != "--pieces").nth(1);
    number.map_or(5, |number| number.parse().expect("--pieces N"))
}

/// What the reader of a software adapter's numbers must know.
const SOFTWARE: &str = "A software adapter: this proves nothing about the speed of a GPU.";

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
    let software = gpu.as_ref().is_some_and(|gpu| gpu.summary().is_software());
    if software {
        eprintln!("{adapter}\n{SOFTWARE}");
    }
    let most = if timed { pieces_wanted() } else { 3 };
    let mut rows = Vec::new();
    for pieces in 2..=most {
        let (plan, from) = exactly(pieces);
        rows.push(row(gpu.as_ref(), &format!("{pieces} pieces"), &plan, from));
    }
    if most >= 5 {
        let large: Material = "KKKvKKK".parse().unwrap();
        let plan = Plan::with_parts(&[large]);
        let plan: Vec<_> = plan.steps().iter().map(|step| step.material).collect();
        rows.push(row(gpu.as_ref(), "KKKvKKK alone", &plan, plan.len() - 1));
    }
    let mut text = format!("# {adapter}\n\n{}", table(&rows));
    if software {
        writeln!(text, "\n{SOFTWARE}").unwrap();
    }
    if let Some(gpu) = &gpu {
        text += &kernels(gpu, most.min(4));
    }
    eprintln!("{text}");
    if timed {
        let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../target");
        std::fs::create_dir_all(target).unwrap();
        std::fs::write(format!("{target}/gpu-bench.md"), &text).unwrap();
        let chart = chart(&rows, &adapter, if software { SOFTWARE } else { "" });
        std::fs::write(format!("{target}/gpu-bench.svg"), chart).unwrap();
        eprintln!("written to target/gpu-bench.md and target/gpu-bench.svg");
    }
}
