//! The share of positions with one piece more than the tables that `analyse --prove` proves.

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

    /// The FEN and the material, side to move first, of a position in which five pieces stand,
    /// each position as likely as any other.
    fn five_pieces(&mut self) -> (String, String) {
        loop {
            let mut board = [None; 32];
            let mut left = 5;
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

/// Won positions with five pieces, above tables to four. `CROWNHEAD_POSITIONS` says how many, and
/// `CROWNHEAD_SECONDS` how long for each, where the machine has other work too.
#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn won_positions_with_a_piece_more_are_proved_within_a_second() {
    let set = |name, value| std::env::var(name).unwrap_or(value);
    let count: usize = set("CROWNHEAD_POSITIONS", "1000".into()).parse().expect("a number");
    let seconds = set("CROWNHEAD_SECONDS", "1".into());
    let directories = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let [four, five] = directories.each_ref().map(tempfile::TempDir::path);
    crownhead(&["solve", "--pieces", "4", "--metric", "wld"], four, "");
    crownhead(&["solve", "--pieces", "5", "--metric", "wld"], five, "");
    let mut random = Random(88);
    let candidates: Vec<_> = (0..4 * count).map(|_| random.five_pieces()).collect();
    let input = candidates.iter().fold(String::new(), |all, (fen, _)| all + fen + "\n");
    let values = crownhead(&["probe"], five, &input);
    let won = candidates.iter().zip(&values).filter(|(_, record)| record["value"] == "win");
    let mut sums: BTreeMap<&str, [u32; 4]> = BTreeMap::new();
    let mut all = [0; 4];
    for ((fen, material), _) in won.take(count) {
        let records = crownhead(&["analyse", fen, "--prove", "--time", &seconds], four, "");
        let proof = records.last().expect("a proof");
        let how = match (proof["proved"].as_str(), proof["method"].as_str()) {
            (Some("win"), Some("search")) => 0,
            (Some("win"), Some("retrograde")) => 1,
            (Some("win"), _) => 2,
            (None, _) if proof["most"] == "win" => 3,
            _ => panic!("{fen}: a wrong proof: {proof}"),
        };
        if how == 3 {
            eprintln!("not proved: {fen}");
        }
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
