//! The Hub protocol, spoken by hand and by a client that others have written.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// An engine without tables that is spoken to line by line.
struct Hub {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Hub {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
            .args(["hub", "--hash", "8", "--tables", "no-such-directory"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("not closed"), "{line}").expect("it listens");
    }

    /// Lines up to one that starts so.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("text");
            assert!(read > 0, "ended before {start}: {lines:?}");
            let done = line.starts_with(start);
            lines.push(line.trim_end().to_owned());
            if done {
                return lines;
            }
        }
    }

    fn answer(&mut self, start: &str) -> String {
        self.until(start).pop().expect("a line")
    }

    /// Closes the input; the program ends by itself with status 0.
    fn close(mut self) {
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

const START: &str = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

#[test]
fn a_session_goes_as_the_protocol_says() {
    let mut hub = Hub::start(&[]);
    hub.say("hub");
    let lines = hub.until("wait");
    assert!(lines[0].starts_with("id name=Crownhead version="), "{lines:?}");
    for name in ["variant", "pydraughts", "never-lose", "threads", "hash"] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("param name={name} "))),
            "{name}"
        );
    }
    hub.say("no-such-command with=arguments");
    hub.say("");
    hub.say("set-param name=somebody-else value=1");
    hub.say("init");
    assert_eq!(hub.answer(""), "ready");
    hub.say("ping");
    assert_eq!(hub.answer(""), "pong");
    hub.say(&format!("pos pos={} moves=\"11-15 23-19\"", START));
    hub.say("level depth=6");
    hub.say("go think");
    let lines = hub.until("done ");
    assert!(lines[lines.len() - 2].starts_with("info depth=6 "), "{lines:?}");
    hub.say("quit");
    hub.close();
}

#[test]
fn what_is_wrong_gets_an_error_and_the_session_goes_on() {
    let mut hub = Hub::start(&[]);
    for (line, reason) in [
        ("pos pos=Bx", "33 letters"),
        ("pos moves=\"11-14\"", "11-14 is not legal"),
        ("pos moves=\"\u{e9}\"", "expected a square"),
        ("set-param name=threads value=0", "from 1 to 128"),
        ("set-param name=pydraughts value=perhaps", "true or false"),
        ("set-param name=variant value=normal", "english"),
        ("set-param pydraughts", "takes name="),
        ("level nodes=many", "no number"),
    ] {
        hub.say(line);
        let answer = hub.answer("error message=\"");
        assert!(answer.contains(reason), "{line}: {answer}");
    }
    hub.say("ping");
    assert_eq!(hub.answer(""), "pong");
    hub.close();
}

#[test]
fn a_finished_game_gets_an_answer() {
    let mut hub = Hub::start(&[]);
    hub.say(&format!("pos pos=W{}", "e".repeat(32)));
    hub.say("go think");
    assert_eq!(hub.answer("done"), "done move=0-0");
    hub.close();
}

#[test]
fn captures_say_what_they_take() {
    let mut hub = Hub::start(&[]);
    // One king takes two men: W:WK2:B6,14.
    hub.say("pos pos=WeWeeebeeeeeeebeeeeeeeeeeeeeeeeee");
    hub.say("level depth=4");
    hub.say("go think");
    assert_eq!(hub.answer("done"), "done move=2x18x6x14");
    // The same board turned, as pydraughts sends it: the move in the same squares.
    hub.say("set-param name=pydraughts value=true");
    hub.say("pos pos=BeeeeeeeeeeeeeeeeeeweeeeeeeweeeBe");
    hub.say("go think");
    assert_eq!(hub.answer("done"), "done move=2x18x6x14");
    hub.close();
}

/// What a client sends without waiting for answers is taken in its order.
#[test]
fn a_script_goes_line_by_line_and_ends() {
    let mut hub = Hub::start(&[]);
    let script = "pos\nlevel depth=5\ngo think\nping\ngo analyze\nlevel depth=6\nstop\ngo think\n\
                  go ponder\nponder-hit\nping";
    hub.say(script);
    // Limits end the searches that have them; the stop ends the analysis and nothing else.
    for depth in [Some(5), None, Some(6), Some(6)] {
        let lines = hub.until("done move=");
        let infos = lines.iter().filter(|line| line.starts_with("info depth=")).count();
        assert!(depth.is_none_or(|depth| infos == depth), "{lines:?}");
    }
    hub.close();
    // At the end of the input, or on the way out, no search goes on.
    for last in ["", "quit\n"] {
        let mut hub = Hub::start(&[]);
        hub.say(&format!("level infinite\ngo think\ngo analyze\ngo ponder\n{last}"));
        for _ in 0..3 {
            if last.is_empty() {
                drop(hub.input.take());
            }
            hub.until("done move=");
        }
        hub.close();
    }
}

#[test]
fn a_search_can_be_stopped_and_pinged() {
    let mut hub = Hub::start(&["--threads", "2"]);
    hub.say("pos");
    hub.say("level infinite");
    hub.say("go analyze");
    hub.until("info ");
    hub.say("ping");
    hub.until("pong");
    let start = Instant::now();
    hub.say("stop");
    hub.until("done move=");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    hub.say("level move-time=0.01");
    hub.say("go ponder");
    hub.until("info ");
    hub.say("ponder-hit");
    hub.until("done move=");
    // The end of the input ends a search that nothing else would end.
    hub.say("go analyze");
    hub.until("info ");
    hub.close();
}

/// Installs pydraughts beside the test's build and returns where; `None` if that cannot be.
fn install(directory: &Path) -> Option<()> {
    let target = directory.to_str()?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let wanted = ["--target", target, "--upgrade", "pydraughts==0.6.7"];
    let status = Command::new("python3").args(install).args(wanted).status().ok()?;
    status.success().then_some(())
}

/// Whole games through the client of pydraughts, every move legal by its rules.
#[test]
fn pydraughts_plays_whole_games() {
    let packages = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pydraughts-0.6.7");
    let there = packages.join("draughts").is_dir();
    if !there && install(&packages).is_none() {
        let reason = "python3 with pip cannot install pydraughts 0.6.7";
        assert!(std::env::var_os("CI").is_none(), "{reason}, and CI must run this test");
        eprintln!("SKIPPED: {reason}");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hub/play_games.py");
    let output = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_crownhead"), "8"])
        .env("PYTHONPATH", &packages)
        .env("PYTHONWARNINGS", "ignore")
        .env("CROWNHEAD_TABLES", "no-such-directory")
        .output()
        .expect("python runs");
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 8, "{text}");
}
