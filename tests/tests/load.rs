//! Probing under load: many threads over one memory map and one image, and tables that are replaced
//! while they are read. `cargo test -p crownhead-tests --test load -- --nocapture` prints speeds.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crownhead_index::{Material, PerfectIndex, materials_to};
use crownhead_rules::{Color, Position, Prober, Value};
use crownhead_solver::{Cpu, Metric, Options, Pipeline, Plan};
use crownhead_table::compact::CompactTable;
use crownhead_table::{Check, Tables, embedded, table_path};

fn build(directory: &Path) {
    let pipeline = Pipeline {
        backend: &Cpu::new(Metric::Wld),
        plan: &Plan::to_pieces(4),
        options: Options { directory: Some(directory), write: true, ..Options::default() },
        stop: &AtomicBool::new(false),
        observer: &|_| {},
    };
    pipeline.run().unwrap();
}

/// Numbers without a pattern, the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33
    }
}

/// So many positions of every material to 4 pieces, captures included.
fn positions(each: usize) -> Vec<Position> {
    let mut numbers = Numbers(1);
    let mut all = Vec::new();
    for material in materials_to(4) {
        let index = PerfectIndex::<u64>::new(material).unwrap();
        for n in 0..each {
            let side = if n % 2 == 0 { Color::Black } else { Color::White };
            // Of a colour-symmetric material only Black to move is numbered: the mirror is the same.
            let side = if material == material.mirror() { Color::Black } else { side };
            all.push(index.unrank(numbers.next() % index.len(), side).unwrap());
        }
    }
    all
}

/// Lets so many threads probe everything, each from another place on; how many answers were wrong,
/// and how many a second there were.
fn hammer(
    threads: usize,
    positions: &[Position],
    right: &[Value],
    probe: &(impl Fn(&Position) -> Value + Sync),
) -> (u64, f64) {
    let wrong = AtomicU64::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let wrong = &wrong;
            scope.spawn(move || {
                let from = positions.len() * thread / threads;
                for at in (from..positions.len()).chain(0..from) {
                    let differs = probe(&positions[at]) != right[at];
                    wrong.fetch_add(u64::from(differs), Ordering::Relaxed);
                }
            });
        }
    });
    let probes = (threads * positions.len()) as f64;
    (wrong.into_inner(), probes / start.elapsed().as_secs_f64())
}

#[test]
fn threads_share_one_map_and_one_image() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path());
    let tables = Tables::open(directory.path(), Metric::Wld, Check::Everything);
    let image = CompactTable::open(embedded::IMAGE_4).unwrap();
    let positions = positions(1_500);
    let from_tables = |position: &Position| tables.probe(position).unwrap().value;
    let from_image = |position: &Position| image.value(position).unwrap();
    let mut right: Vec<Value> = positions.iter().map(from_tables).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    eprintln!("{} positions, {cores} cores", positions.len());
    let (mut one_table, mut one_image) = (0.0, 0.0);
    for threads in [1, 2, 4, 16] {
        let (wrong, table_speed) = hammer(threads, &positions, &right, &from_tables);
        assert_eq!(wrong, 0, "plain tables on {threads} threads");
        let (wrong, image_speed) = hammer(threads, &positions, &right, &from_image);
        assert_eq!(wrong, 0, "the image on {threads} threads");
        if threads == 1 {
            (one_table, one_image) = (table_speed, image_speed);
        }
        eprintln!(
            "{threads:>2} threads: tables {:>9.0} probes a second ({:.2} times one thread), image \
             {:>9.0} ({:.2})",
            table_speed,
            table_speed / one_table,
            image_speed,
            image_speed / one_image
        );
    }
    // The control: one wrong answer is seen.
    let last = right.len() - 1;
    right[last] = if right[last] == Value::Draw { Value::Win } else { Value::Draw };
    assert_eq!(hammer(2, &positions, &right, &from_tables).0, 2);
}

/// Puts these bytes in a file's place, as builds do.
fn replace(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("tmp");
    fs::write(&new, bytes).unwrap();
    fs::rename(&new, path).unwrap();
}

#[test]
fn a_table_replaced_by_rename_does_no_harm_to_its_readers() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path());
    let material: Material = "KKvKK".parse().unwrap();
    let path = table_path(directory.path(), material, Metric::Wld);
    let whole = fs::read(&path).unwrap();
    let open = || Tables::open(directory.path(), Metric::Wld, Check::Everything);
    let of_material = |position: &Position| Material::of(position).canonical() == material;
    let positions: Vec<Position> = positions(2_000).into_iter().filter(of_material).collect();
    assert_eq!(positions.len(), 2_000);
    let tables = open();
    let probe = |position: &Position| tables.probe(position).unwrap().value;
    let right: Vec<Value> = positions.iter().map(probe).collect();

    // One reader has opened the table before, the other opens it again and again.
    let (done, replaced) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                replace(&path, &whole);
                replaced.fetch_add(1, Ordering::Relaxed);
            }
        });
        while replaced.load(Ordering::Relaxed) < 100 {
            assert_eq!(hammer(1, &positions, &right, &probe).0, 0, "the old reader");
            let fresh = open();
            let probe = |position: &Position| fresh.probe(position).unwrap().value;
            assert_eq!(hammer(1, &positions[..50], &right, &probe).0, 0, "a new reader");
        }
        done.store(true, Ordering::Relaxed);
    });

    // Replaced by what is no table, or by nothing: the old reader goes on, new ones say what is wrong.
    for bytes in [&b"not a table"[..], &whole[..whole.len() - 1], &[]] {
        replace(&path, bytes);
        assert_eq!(hammer(2, &positions, &right, &probe).0, 0);
        assert!(open().probe(&positions[0]).is_err());
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(hammer(2, &positions, &right, &probe).0, 0);

    // The control: written into instead of replaced, the map changes under its reader.
    replace(&path, &whole);
    let victim = open();
    let probe = |position: &Position| victim.probe(position).unwrap().value;
    assert_eq!(hammer(1, &positions, &right, &probe).0, 0);
    let mut file = fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(256)).unwrap();
    file.write_all(&vec![0b0101_0101; whole.len() - 256]).unwrap();
    let wrong = positions.iter().zip(&right).filter(|(position, right)| {
        victim.probe(position).map(|outcome| outcome.value).ok() != Some(**right)
    });
    assert!(wrong.count() > 100, "a table written in place is seen to change");
}
