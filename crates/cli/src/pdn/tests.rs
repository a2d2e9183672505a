use std::io::{self, Read};

use crownhead_rules::Position;

use super::error::PdnError;
use super::{Game, GameScore, Reader, write};

fn read(text: &[u8]) -> Vec<Result<Game, PdnError>> {
    Reader::new(text).collect()
}

fn games(text: &str) -> Vec<Game> {
    read(text.as_bytes()).into_iter().map(|game| game.expect("a right game")).collect()
}

fn error(text: &str) -> String {
    let found = read(text.as_bytes()).into_iter().find_map(Result::err);
    found.expect("something is wrong").to_string()
}

fn moves(game: &Game) -> Vec<String> {
    game.main.plies.iter().map(|ply| ply.played.to_string()).collect()
}

fn written(game: &Game) -> String {
    let mut text = Vec::new();
    write(game, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

const EVERYTHING: &str = r#"[Event "A \"great\" match \\ 1"]
[Black "Tinsley"]
[White "Chinook"]
[GameType "21"]
[Result "1/2-1/2"]

{Before the first move.} 1. 11-15! {Old Faithful} 23-19 $14 (23-18 {Cross} 2. 8-11 (12-16 $2)
2... 27-23) 2. 8-11 22-17 3. 11-16?? 1/2-1/2
"#;

#[test]
fn a_game_comes_with_all_that_was_written() {
    let [game] = games(EVERYTHING).try_into().unwrap();
    assert_eq!(game.tags[0].1, "A \"great\" match \\ 1");
    assert_eq!(game.score, GameScore::Drawn);
    assert_eq!(moves(&game), ["11-15", "23-19", "8-11", "22-17", "11-16"]);
    assert_eq!(game.main.comments, ["Before the first move."]);
    let [first, second, .., last] = game.main.plies.as_slice() else { panic!() };
    assert_eq!((&first.marks, &first.comments), (&vec![1], &vec!["Old Faithful".to_owned()]));
    assert_eq!(last.marks, [4]);
    assert_eq!(second.marks, [14]);
    let [cross] = second.variations.as_slice() else { panic!() };
    assert_eq!(cross.plies.len(), 3);
    assert_eq!(cross.plies[1].variations[0].plies[0].played.to_string(), "12-16");
}

#[test]
fn what_other_programs_write_is_read() {
    let marked = games("1. 11-15(!) 23-19 (?) 2. 8-11 {x} (?!) (9-13) *").remove(0);
    let marks: Vec<&[u16]> = marked.main.plies.iter().map(|ply| ply.marks.as_slice()).collect();
    assert_eq!(marks, [&[1], &[2], &[6]]);
    let variations = marked.main.plies.iter().map(|ply| ply.variations.len());
    assert_eq!(variations.collect::<Vec<_>>(), [0, 0, 1], "a mark in brackets is no variation");
    assert_eq!(moves(&games("1. 11-15 22-18 2. 15:22 25:18 *")[0])[2..], ["15x22", "25x18"]);
    assert_eq!(games("[SetUp \"0\"]\n[FEN \"\"]\n1. 11-15")[0].start, Position::START);
    assert_eq!(games("\u{feff}[Event \"x\"]\r\n\r\n1. 11-15\r\n")[0].tags[0].1, "x");
    // Only in front of everything, and only whole.
    assert!(error("1. 11-15 \u{feff} *").starts_with("line 1, column 10: "));
    assert!(read(b"\xef\xbb 1. 11-15").iter().any(Result::is_err));
}

#[test]
fn what_is_written_is_read_again() {
    let ballots = "1. 9-13 21-17 2. 5-9 *\n\n1. 11-16 24-20 2. 16-19 *";
    let ending = "[SetUp \"1\"]\n[FEN \"W:W21,K9:B1,K30.\"]\n\n1. 9-14 {x} 30-26 2. 21-17 0-1";
    for text in [EVERYTHING, ballots, ending] {
        let first = games(text);
        let again: String = first.iter().map(written).collect();
        assert_eq!(games(&again), first, "{again}");
        let third: String = games(&again).iter().map(written).collect();
        assert_eq!(third, again);
    }
    assert_eq!(games(ballots).len(), 2);
    let text = written(&games(ending)[0]);
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"W:WK9,21:B1,K30\"]"), "{text}");
    assert!(text.contains("1... 9-14 {x} 2. 30-26 21-17 0-1"), "{text}");
}

#[test]
fn a_written_comment_cannot_end_early() {
    let mut game = Game::new(Position::START);
    game.main.comments = vec!["a } b".to_owned(), String::new(), "word ".repeat(60)];
    let [again] = games(&written(&game)).try_into().unwrap();
    assert_eq!(again.main.comments[..2], ["a ) b", ""]);
    assert_eq!(again.main.comments[2], "word ".repeat(60).trim());
    assert!(written(&game).lines().all(|line| line.len() <= 80));
}

/// Faults reported in public for other programs: `tests/data/pdn_reports.jsonl`.
#[test]
fn the_reported_faults_are_not_here() {
    let data = include_str!("../../tests/data/pdn_reports.jsonl");
    let mut seen = Vec::new();
    for line in data.lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = report["id"].as_u64().unwrap();
        reported(id, report["input"].as_str().unwrap());
        seen.push(id);
    }
    assert_eq!(seen, [3, 19, 21, 23, 25, 26]);
}

fn reported(id: u64, input: &str) {
    match id {
        3 => {
            let game = |text: &str| games(&format!("{input}\n\n1. {text} *")).remove(0);
            assert_eq!(moves(&game("10x19x26")), ["10x19x26"]);
            assert_eq!(moves(&game("10x17x26")), ["10x17x26"]);
            let message = error(&format!("{input}\n\n1. 10x26 *"));
            assert!(message.contains("10x17x26, 10x19x26"), "{message}");
            assert!(message.starts_with("line 3, column 4: "), "{message}");
        }
        19 => {
            let game = games(&format!("[Setup \"1\"]\n[FEN \"{input}\"]\n1... 10-7")).remove(0);
            let text = written(&game);
            assert!(text.contains("[SetUp \"1\"]") && text.contains("[FEN \"W:W"), "{text}");
            assert_eq!(games(&text)[0], game);
        }
        21 => {
            assert_eq!(games("1. 11-15 1-0")[0].score, GameScore::BlackWon);
            assert_eq!(games("1. 11-15 23-19 0-1")[0].score, GameScore::WhiteWon);
            assert_eq!(GameScore::won_by(crownhead_rules::Color::Black).to_string(), "1-0");
            let other = error("[GameType \"20,W,10,0\"]\n1. 32-28");
            assert!(
                other.contains("GameType 20") && other.starts_with("line 1, column 12"),
                "{other}"
            );
        }
        23 => {
            let text = "[Event \"a\"]\n1. 11-15 23-19 1-0\n[Event \"b\"]\n1. 11-15 23-19";
            let found = games(text);
            assert_eq!((found.len(), found[1].main.plies.len()), (2, 2));
        }
        25 => {
            let long = "a".repeat(100_000);
            let game = games(&format!("[Event \"{long}\"]\n1. 11-15 {{{long}}} *")).remove(0);
            assert_eq!(game.main.plies[0].comments, [long.as_str()]);
            assert!(error(&format!("1. 11-15 {{{long}")).contains("ends inside a comment"));
        }
        26 => {
            let ending = "[FEN \"W:WK1,28:B10\"]\n1... 1-6* 1-1";
            let game = games(ending).remove(0);
            assert_eq!((moves(&game), game.score), (vec!["1-6".to_owned()], GameScore::Drawn));
            assert_eq!(game.main.plies[0].marks, [7]);
            let game = games("1. 11-15* 22-18 15x22 *").remove(0);
            assert_eq!((game.main.plies.len(), game.score), (3, GameScore::Open));
            let message = error("1. 1-18");
            assert!(message.contains("1-18 is not legal"), "{message}");
        }
        other => panic!("no test for report {other}"),
    }
}

#[test]
fn errors_name_line_and_column() {
    for (text, place, reason) in [
        ("1. 11-15\n   23-20", "line 2, column 4: ", "legal moves: "),
        ("1.11y15", "line 1, column 5: ", "'11y15': expected '-' or 'x'"),
        ("[Event \"x\"\n1. 11-15", "line 2, column 1: ", "] at the end of the tag"),
        ("[Event x]", "line 1, column 8: ", "before the tag's value"),
        ("[Event \"x", "line 1, column 1: ", "ends inside a tag"),
        ("[FEN \"W:W1\"]", "line 1, column 7: ", "FEN: "),
        ("1. 11-15 (11-16", "line 1, column 10: ", "ends inside a variation"),
        ("é 1. 11-15 )", "line 1, column 1: ", "expected a square"),
        ("1. 11-15 )", "line 1, column 10: ", "( before it"),
        ("( 11-15 )", "line 1, column 1: ", "a move before its variation"),
        ("1. 11-15 $x", "line 1, column 10: ", "number up to 65535"),
        ("1. 11-15 }", "line 1, column 10: ", "a move, tag or comment"),
    ] {
        let message = error(text);
        assert!(message.starts_with(place), "{text:?}: {message}");
        assert!(message.contains(reason), "{text:?}: {message}");
    }
}

#[test]
fn after_an_error_the_next_game_is_read() {
    let text = "[Event \"1\"]\n\n1. 11-14 *\n\n[Event \"2\"]\n[Site \"s\"]\n\n1. 11-15 *\n";
    let found = read(text.as_bytes());
    assert_eq!(found.len(), 2);
    assert!(found[0].is_err());
    assert_eq!(found[1].as_ref().unwrap().tags.len(), 2);
}

#[test]
fn variations_nest_to_a_limit_only() {
    let deep = |depth: usize| {
        let mut text = "1. 11-15 ".to_owned();
        text.push_str(&"(11-15 ".repeat(depth));
        text.push_str(&")".repeat(depth));
        text
    };
    assert_eq!(games(&deep(100)).len(), 1);
    assert!(error(&deep(101)).contains("variations in each other"));
    assert!(error(&deep(100_000)).contains("variations in each other"));
}

#[test]
fn no_bytes_make_it_panic() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let pieces: [&[u8]; 22] = [
        b"[",
        b"]",
        b"\"",
        b"(",
        b")",
        b"{",
        b"}",
        b";",
        b"$",
        b"%",
        b"\n",
        b" ",
        b"1.",
        b"11-15",
        b"23-19",
        b"*",
        b"1-0",
        b"FEN",
        b"W:W21:B1",
        b"\xff",
        b"\0",
        b"\xc3\xa9",
    ];
    for _ in 0..20_000 {
        let text: Vec<u8> =
            (0..random() % 30).flat_map(|_| pieces[random() % pieces.len()].to_vec()).collect();
        for game in read(&text).into_iter().flatten() {
            games(&written(&game));
        }
    }
    // Right files in which pieces have been cut, doubled and overwritten.
    let ending = "[Setup \"1\"]\n[FEN \"W:W21,K9:B1,K30.\"]\n\n1. 9-14 {x} (9-13) 30-26 0-1";
    for _ in 0..5_000 {
        let mut text = [EVERYTHING, ending].map(str::as_bytes).concat();
        for _ in 0..=random() % 4 {
            let from = random() % text.len();
            let piece = from..text.len().min(from + 1 + random() % 20);
            match random() % 3 {
                0 => drop(text.drain(piece)),
                1 => text.extend_from_within(piece),
                _ => text[piece].fill(random() as u8),
            }
        }
        for game in read(&text).into_iter().flatten() {
            games(&written(&game));
        }
    }
    // One byte of a right file changed at a time.
    let right = EVERYTHING.as_bytes();
    for at in 0..right.len() {
        for byte in [0, b'"', b'}', b')', b'[', b'9', 0xff] {
            let mut text = right.to_vec();
            text[at] = byte;
            read(&text);
        }
    }
}

/// The same game again and again, without ever being in memory as a whole.
struct Endless {
    left: u64,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = EVERYTHING.as_bytes();
        let length = buffer.len().min(self.left as usize).min(text.len() - self.at);
        buffer[..length].copy_from_slice(&text[self.at..self.at + length]);
        self.at = (self.at + length) % text.len();
        self.left -= length as u64;
        Ok(length)
    }
}

fn count_games(size: u64) {
    let copies = size / EVERYTHING.len() as u64;
    let source = Endless { left: copies * EVERYTHING.len() as u64, at: 0 };
    let read = Reader::new(source).filter(|game| game.as_ref().unwrap().main.plies.len() == 5);
    assert_eq!(read.count() as u64, copies);
}

#[test]
fn a_large_file_streams() {
    count_games(5 << 20);
}

/// The most memory that this process has had, in KiB, where the system tells.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
#[ignore = "long: run with cargo xtask test --long"]
fn a_hundred_megabytes_take_no_more_memory_than_one() {
    count_games(1 << 20);
    let before = most_memory();
    count_games(100 << 20);
    if let Some((before, after)) = before.zip(most_memory()) {
        assert!(after < before + 4096, "{before} KiB, then {after} KiB");
    }
}
