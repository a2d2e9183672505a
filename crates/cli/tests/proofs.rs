//! The share of won positions above the tables that `analyse --prove` proves: with one piece more,
//! and shots with up to 12 pieces.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// The FEN and the material, side to move first, of a position in which so many pieces stand,
    /// each position as likely as any other.
    fn position(&mut self, pieces: usize) -> (String, String) {
        loop {
            let mut board = [None; 32];
            let mut left = pieces;
            while left > 0 {
                let (square, piece) = (self.below(32), self.below(4));
                if board[square].is_none() {
                    board[square] = Some((piece & 1, piece >> 1));
                    left -= 1;
                }
            }
            let mover = self.below(2);
            let found = |side, kind| {
                (0..32).filter(move |&at| board[at] == Some((side, kind))).collect::<Vec<_>>()
            };
            let crowned =
                found(0, 0).iter().any(|&at| at >= 28) || found(1, 0).iter().any(|&at| at < 4);
            let sides = [0, 1].map(|side| (found(side, 1), found(side, 0)));
            if crowned || sides.iter().any(|(kings, men)| kings.is_empty() && men.is_empty()) {
                continue;
            }
            let list = |(kings, men): &(Vec<usize>, Vec<usize>)| {
                let kings = kings.iter().map(|at| format!("K{}", at + 1));
                kings.chain(men.iter().map(|at| (at + 1).to_string())).collect::<Vec<_>>().join(",")
            };
            let fen = format!("{}:W{}:B{}", ["B", "W"][mover], list(&sides[1]), list(&sides[0]));
            let name = |(kings, men): &(Vec<usize>, Vec<usize>)| {
                "K".repeat(kings.len()) + &"M".repeat(men.len())
            };
            return (fen, format!("{}v{}", name(&sides[mover]), name(&sides[1 - mover])));
        }
    }
}

fn crownhead(args: &[&str], tables: &Path, input: &str) -> Vec<serde_json::Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(args)
        .arg("--json")
        .env("CROWNHEAD_TABLES", tables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Written beside the reading: neither pipe holds all the lines.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().expect("the command ends")
    });
    assert!(output.status.success(), "{args:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// A setting of the environment.
fn set(name: &str, value: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| value.to_owned())
}

/// All positions with 2 to 4 pieces.
const FOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../table/images/4.img");

/// What proves a position: by search 0, by retrograde analysis 1, by proof numbers 2; 3 is nothing.
fn proved(fen: &str, args: &[&str], tables: &Path) -> usize {
    let records = crownhead(&[&["analyse", fen, "--prove"], args].concat(), tables, "");
    let proof = records.last().expect("a proof");
    match (proof["proved"].as_str(), proof["method"].as_str()) {
        (Some("win"), Some("search" | "tables")) => 0,
        (Some("win"), Some("retrograde")) => 1,
        (Some("win"), _) => 2,
        (None, _) if proof["most"] == "win" => {
            eprintln!("not proved: {fen}");
            3
        }
        _ => panic!("{fen}: a wrong proof: {proof}"),
    }
}

/// Tries won positions with so many pieces, and wants nine tenths of them proved.
fn one_piece_more(pieces: usize, count: usize, args: &[&str]) {
    let (seconds, count_text) = (set("CROWNHEAD_SECONDS", "1"), pieces.to_string());
    let directory = tempfile::tempdir().expect("a directory");
    crownhead(&["solve", "--pieces", &count_text, "--metric", "wld"], directory.path(), "");
    let nothing = Path::new("no-such-directory");
    let mut random = Random(88);
    let candidates: Vec<_> = (0..4 * count).map(|_| random.position(pieces)).collect();
    let input = candidates.iter().fold(String::new(), |all, (fen, _)| all + fen + "\n");
    let values = crownhead(&["probe"], directory.path(), &input);
    let won = candidates.iter().zip(&values).filter(|(_, record)| record["value"] == "win");
    let mut sums: BTreeMap<&str, [u32; 4]> = BTreeMap::new();
    let mut all = [0; 4];
    let args = [&["--time", &seconds], args].concat();
    for ((fen, material), _) in won.take(count) {
        let how = proved(fen, &args, nothing);
        sums.entry(material.as_str()).or_default()[how] += 1;
        all[how] += 1;
    }
    let mut table = String::from("material   search  retrograde  proof numbers  not proved\n");
    for (name, [a, b, c, d]) in sums.into_iter().chain([("all", all)]) {
        let _ = writeln!(table, "{name:9} {a:7} {b:11} {c:14} {d:11}");
    }
    eprint!("{table}");
    let tried = all.iter().sum::<u32>();
    assert_eq!(tried as usize, count, "there are enough won positions");
    assert!(all[3] * 10 <= tried, "{} of {tried} not proved", all[3]);
}

/// Won positions with five pieces, above an image to four. `CROWNHEAD_POSITIONS` says how many, and
/// `CROWNHEAD_SECONDS` how long for each, where the machine has other work too.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn won_positions_with_a_piece_more_are_proved_within_a_second() {
    let count = set("CROWNHEAD_POSITIONS", "1000").parse().expect("a number");
    one_piece_more(5, count, &["--image", FOUR]);
}

/// Won positions with six pieces, above what is in the program; settings as above.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn won_positions_with_six_pieces_are_proved_within_a_second() {
    let count = set("CROWNHEAD_POSITIONS", "1000").parse().expect("a number");
    one_piece_more(6, count, &[]);
}

/// Won positions with 7 to 12 pieces in which a sacrifice comes first; the file says from where.
fn shots() -> impl Iterator<Item = &'static str> {
    include_str!("data/shots.txt").lines().filter(|line| !line.starts_with('#'))
}

/// How many shots are proved with these tables within a second, or `CROWNHEAD_SECONDS`.
fn proved_shots(tables: &Path) -> (usize, usize) {
    let seconds = set("CROWNHEAD_SECONDS", "1");
    let found = shots().filter(|fen| proved(fen, &["--time", &seconds], tables) != 3).count();
    (found, shots().count())
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn shots_are_proved_within_a_second() {
    let (found, all) = proved_shots(Path::new("no-such-directory"));
    eprintln!("{found} of {all} shots proved with the image to 5 pieces in the program");
    assert!(found * 4 >= all * 3, "{found} of {all}");
    let directory = tempfile::tempdir().expect("a directory");
    crownhead(&["solve", "--pieces", "6", "--metric", "wld"], directory.path(), "");
    let (found, all) = proved_shots(directory.path());
    eprintln!("{found} of {all} shots proved with tables to 6 pieces");
    assert!(found * 10 >= all * 9, "{found} of {all}");
}

/// Some shots that take few positions, so that time does not matter.
#[test]
fn easy_shots_are_proved() {
    let nothing = Path::new("no-such-directory");
    let args = ["--nodes", "60000", "--time", "100"];
    let found = shots().take(12).filter(|fen| proved(fen, &args, nothing) != 3).count();
    assert!(found >= 6, "{found} of 12");
}
