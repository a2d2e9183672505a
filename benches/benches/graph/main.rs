//! Retrograde analysis of graphs: against a plain C++ program in the same run, memory at the peak,
//! reading text, and edges per second from 10^5 to 10^7 edges (10^8 with `CROWNHEAD_BENCH_LARGE=1`,
//! which takes 2 GB).
#![allow(clippy::print_stdout)] // printing is what it is for

mod memory;

use std::error::Error;
use std::fmt::Write;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use crownhead_graph::formats::{NamedGraph, Names, parse_edge_list, read_binary, write_binary};
use crownhead_graph::{
    GameGraph, Rows, Solution, acyclic, retrograde, retrograde_parallel, retrograde_with,
};
use memory::Counting;

#[global_allocator]
static MEMORY: Counting = Counting::new();

const SEED: u64 = 20_260_101;

fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random targets; every twentieth vertex is a sink. The same graph as in `reference.cpp`.
fn random_edges(vertices: u32, edges: u32) -> impl Iterator<Item = (u32, u32)> + Clone {
    let movers = vertices / 20 * 19;
    (0..edges).map(move |e| {
        let i = e % movers;
        let random = mix(SEED + u64::from(e)) >> 32;
        (i + i / 19 + 1, ((random * u64::from(vertices)) >> 32) as u32)
    })
}

fn random_graph(vertices: u32, edges: u32) -> GameGraph<'static> {
    GameGraph::from_edges(vertices as usize, random_edges(vertices, edges)).expect("a graph")
}

/// Processor seconds of this thread where Linux tells them, so that other programs do not count;
/// else seconds since the first call.
fn thread_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The shortest of `rounds` processor times in seconds, and the last result.
fn shortest<T>(rounds: u32, work: impl FnMut() -> T) -> (f64, T) {
    shortest_by(thread_seconds, rounds, work)
}

/// The same by the clock on the wall, for work on several threads.
fn shortest_wall<T>(rounds: u32, work: impl FnMut() -> T) -> (f64, T) {
    let start = Instant::now();
    shortest_by(|| start.elapsed().as_secs_f64(), rounds, work)
}

fn shortest_by<T>(clock: impl Fn() -> f64, rounds: u32, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = clock();
        let result = work();
        (clock() - start, result)
    };
    let mut best = timed();
    for _ in 1..rounds {
        let (seconds, result) = timed();
        best = (best.0.min(seconds), result);
    }
    best
}

fn sum_of_plies(solution: &Solution) -> u64 {
    (0..solution.vertices() as u32).filter_map(|v| solution.plies(v)).map(u64::from).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench -- --test` only wants to see that it runs.
    let test = std::env::args().any(|argument| argument == "--test");
    let scale = if test { 100 } else { 1 };
    against_cpp(1_000_000 / scale, 3_900_000 / scale, if test { 1 } else { 15 })?;
    peak(1_000_000 / scale, 3_900_000 / scale);
    reading(1_000_000 / scale, 3_900_000 / scale)?;
    forced_line(10_000_000 / scale);
    for edges in [100_000, 1_000_000, 10_000_000] {
        edges_per_second(edges / scale);
    }
    if std::env::var_os("CROWNHEAD_BENCH_LARGE").is_some() {
        large_binary(100_000_000)?;
    }
    Ok(())
}

fn against_cpp(vertices: u32, edges: u32, rounds: u32) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("reference");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/graph/reference.cpp");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let flags = ["-O3", "-march=native", "-std=c++17", "-o"];
    let compiled = Command::new(compiler).args(flags).arg(&program).arg(source).status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("no C++ compiler here: nothing to measure against");
        return Ok(());
    }
    let graph = random_graph(vertices, edges);
    // In turn, so that whatever else the machine does falls on both.
    let (mut ours, mut theirs) = ([f64::MAX; 2], [f64::MAX; 2]);
    for _ in 0..rounds.div_ceil(3) {
        let output = Command::new(&program)
            .args([u64::from(vertices), u64::from(edges), SEED, 3].map(|n| n.to_string()))
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        let times = [fields[0].parse::<f64>()?, fields[1].parse::<f64>()?];
        let (reverse, reversed) = shortest(3, || graph.rows().reversed());
        let (solve, solution) = shortest(3, || retrograde_with(&graph, &reversed));
        for (best, time) in ours.iter_mut().zip([reverse, solve]) {
            *best = best.min(time);
        }
        for (best, time) in theirs.iter_mut().zip(times) {
            *best = best.min(time);
        }
        let counts = solution.counts();
        let found = [counts.wins, counts.draws, counts.losses, sum_of_plies(&solution)];
        let expected: Vec<u64> =
            fields[2..].iter().map(|field| field.parse()).collect::<Result<_, _>>()?;
        assert_eq!(found[..], expected, "both programs solve the same graph alike");
    }
    println!("{vertices} vertices, {edges} edges, 5% sinks; seconds");
    println!("             here     C++    ratio");
    for (what, i) in [("reversing", 0), ("solving", 1)] {
        println!("{what:10} {:7.4} {:7.4} {:8.2}", ours[i], theirs[i], ours[i] / theirs[i]);
    }
    let (ours, theirs): (f64, f64) = (ours.iter().sum(), theirs.iter().sum());
    println!("{:10} {ours:7.4} {theirs:7.4} {:8.2}", "together", ours / theirs);
    for threads in [1, 2, 4] {
        let (seconds, solution) =
            shortest_wall(5.min(rounds), || retrograde_parallel(&graph, threads));
        assert_eq!(solution, retrograde(&graph));
        println!("both with {threads} threads: {seconds:.4} by the clock");
    }
    println!();
    Ok(())
}

/// Bytes held at the most while the graph is built from an iterator, reversed and solved.
fn peak(vertices: u32, edges: u32) {
    let before = MEMORY.start();
    let graph = random_graph(vertices, edges);
    let solution = retrograde(&graph);
    let peak = MEMORY.peak() - before;
    let allowed = 16 * edges as usize + 12 * vertices as usize;
    println!("peak {peak} bytes, of {allowed} allowed (16 an edge, 12 a vertex)");
    assert!(peak <= allowed && solution.vertices() == vertices as usize);
}

fn reading(vertices: u32, edges: u32) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for (from, to) in random_edges(vertices, edges) {
        writeln!(text, "{from} {to}")?;
    }
    let report = |what: &str, text: &str, rounds| -> Result<(), Box<dyn Error>> {
        let before = MEMORY.start();
        let (seconds, file) = shortest(rounds, || parse_edge_list(text.as_bytes()));
        let peak = MEMORY.peak() - before;
        let file = file?;
        assert_eq!(file.graph.rows().edges(), edges as usize);
        let speed = text.len() as f64 / 1e6 / seconds;
        println!("{what}: {} MB at {speed:.0} MB/s, peak {peak} bytes", text.len() / 1_000_000);
        Ok(())
    };
    report("edge list of numbers", &text, 5)?;
    let words: String = text.lines().flat_map(|line| [line, "x\n"]).collect();
    report("edge list of words", &words, 1)
}

fn forced_line(vertices: u32) {
    let before = MEMORY.start();
    let line = GameGraph::from_edges(vertices as usize, (1..vertices).map(|v| (v, v - 1)));
    let line = line.expect("a graph");
    let (seconds, solution) = shortest(1, || retrograde(&line));
    assert_eq!(solution.plies(vertices - 1), Some(vertices - 1));
    let peak = MEMORY.peak() - before;
    println!("forced line of {vertices} vertices: {seconds:.3} s, peak {peak} bytes");
    let (seconds, topological) = shortest(1, || acyclic(&line).expect("no cycle"));
    assert_eq!(topological, solution);
    println!("  in topological order: {seconds:.3} s");
}

fn edges_per_second(edges: u32) {
    let graph = random_graph(edges / 4 + 20, edges);
    let (seconds, one) = shortest_wall(3, || retrograde(&graph));
    let (parallel, two) = shortest_wall(3, || retrograde_parallel(&graph, 2));
    assert_eq!(one, two);
    let speed = |seconds: f64| f64::from(edges) / seconds / 1e6;
    println!(
        "{edges} edges: {:.1} M edges/s, with two threads {:.1}",
        speed(seconds),
        speed(parallel)
    );
}

/// Written to a file, read back and solved where it lies.
fn large_binary(edges: u32) -> Result<(), Box<dyn Error>> {
    let rows = Rows::from_edges(edges as usize / 4, random_edges(edges / 4, edges))?;
    let file = NamedGraph { graph: GameGraph::new(rows), names: Names::Numbers, owners: vec![] };
    let path = tempfile::NamedTempFile::new()?;
    let mut stream = std::io::BufWriter::new(path.reopen()?);
    write_binary(&file, |bytes| std::io::Write::write_all(&mut stream, bytes))?;
    drop((file, stream.into_inner()?));
    let before = MEMORY.start();
    let bytes = std::fs::read(path.path())?;
    let (reading, file) = shortest(1, || read_binary(&bytes));
    let graph = file?.graph;
    let (solving, solution) = shortest(1, || retrograde(&graph));
    let peak = MEMORY.peak() - before;
    println!(
        "binary graph of {edges} edges: checked in {reading:.2} s, solved in {solving:.2} s, \
         {:.1} M edges/s, peak {peak} bytes, {:?}",
        f64::from(edges) / solving / 1e6,
        solution.counts()
    );
    Ok(())
}
