//! `cargo xtask figures`: draws the pictures under docs/, so that they can be changed as text.

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use crate::process::{Status, root};

/// Writes every picture, or with `--check` fails if one differs from what would be written.
pub(crate) fn run(args: &[String]) -> Result<Status> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("figures takes no argument but --check"),
    };
    let dir = root().join("docs");
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let mut stale = false;
    for (name, svg) in
        [("pipeline.svg", pipeline()), ("word.svg", word()), ("tictactoe.svg", tictactoe())]
    {
        let path = dir.join(name);
        if !check {
            std::fs::write(&path, svg)
                .with_context(|| format!("cannot write {}", path.display()))?;
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&svg) {
            eprintln!("docs/{name} is not what `cargo xtask figures` draws");
            stale = true;
        }
    }
    Ok(if stale { Status::Negative } else { Status::Done })
}

/// An SVG under construction; lengths are pixels.
struct Svg {
    body: String,
    width: u32,
    height: u32,
}

impl Svg {
    fn new(width: u32, height: u32) -> Self {
        Self { body: String::new(), width, height }
    }

    fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, class: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" class="{class}"/>"#
        );
    }

    fn circle(&mut self, x: f64, y: f64, r: f64, class: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x}" cy="{y}" r="{r}" class="{class}"/>"#);
    }

    fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="stroke"/>"#
        );
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.body, r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#);
    }

    fn arrow(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="arrow" marker-end="url(#head)"/>"#
        );
    }

    fn finish(self) -> String {
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}">
<style>
text {{ font: 13px sans-serif; fill: #222; }}
.title {{ font-weight: bold; }}
.middle {{ text-anchor: middle; }}
.small {{ font-size: 10px; fill: #666; text-anchor: middle; }}
.paper {{ fill: #fff; }}
.box {{ fill: #eef3f8; stroke: #456; rx: 6px; }}
.light {{ fill: #f3e6cc; }}
.dark {{ fill: #8a6a48; }}
.on {{ fill: #2f6db5; }}
.off {{ fill: #d7dde4; }}
.black {{ fill: #222; }}
.white {{ fill: #fff; stroke: #222; }}
.ghost {{ fill: #fff; fill-opacity: 0.45; stroke: #fff; stroke-dasharray: 3 2; }}
.stroke {{ stroke: #2f6db5; stroke-width: 2; }}
.mark {{ font-size: 20px; text-anchor: middle; }}
.arrow {{ stroke: #456; stroke-width: 1.5; }}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#456"/></marker></defs>
<rect width="{w}" height="{h}" class="paper"/>
{body}</svg>
"##,
            w = self.width,
            h = self.height,
            body = self.body
        )
    }
}

/// How a material becomes a table, and how a probe reads it.
fn pipeline() -> String {
    let mut svg = Svg::new(860, 250);
    let build: [(&str, &[&str]); 6] = [
        ("materials", &["fewer pieces,", "then fewer men", "first"]),
        ("classify", &["captures and", "promotions read", "finished tables"]),
        ("men", &["each man move", "reads a solved", "component"]),
        ("sweep", &["king moves to a", "fixed point, 32", "positions a word"]),
        ("finish", &["win and loss bits", "counted, in", "perfect order"]),
        ("table file", &["written, synced,", "renamed; counts", "and checksums"]),
    ];
    let probe: [(&str, &[&str]); 4] = [
        ("FEN", &["W:W11,6:B3,K25"]),
        ("captures", &["played out first"]),
        ("index", &["material, rank"]),
        ("answer", &["win, 93 plies"]),
    ];
    svg.text(10.0, 22.0, "title", "Building");
    for (i, (name, lines)) in build.iter().enumerate() {
        stage(&mut svg, 10.0 + 142.0 * i as f64, 34.0, i > 0, name, lines);
    }
    svg.text(10.0, 156.0, "title", "Probing");
    for (i, (name, lines)) in probe.iter().enumerate() {
        stage(&mut svg, 10.0 + 142.0 * i as f64, 168.0, i > 0, name, lines);
    }
    // Finished tables are what classify and the prober read.
    svg.arrow(785.0, 124.0, 435.0, 164.0);
    svg.finish()
}

fn stage(svg: &mut Svg, x: f64, y: f64, arrow: bool, name: &str, lines: &[&str]) {
    let height = 34.0 + 17.0 * lines.len() as f64;
    svg.rect(x, y, 118.0, height, "box");
    svg.text(x + 59.0, y + 20.0, "title middle", name);
    for (i, line) in lines.iter().enumerate() {
        svg.text(x + 59.0, y + 40.0 + 17.0 * i as f64, "middle", line);
    }
    if arrow {
        svg.arrow(x - 23.0, y + 28.0, x - 2.0, y + 28.0);
    }
}

/// One word of the product index: the fast piece on every square of the board at once. The bits are
/// those of KKvKM turned round: Black to move, man on 6, white kings on 19 and 31; a test probes them.
fn word() -> String {
    const CELL: f64 = 30.0;
    let mut svg = Svg::new(640, 330);
    svg.text(
        10.0,
        20.0,
        "title",
        "One word: the other pieces stand still, the fast piece is everywhere",
    );
    for row in 0..8u32 {
        for column in 0..8u32 {
            let (x, y) = (10.0 + CELL * f64::from(column), 34.0 + CELL * f64::from(row));
            let dark = (row + column) % 2 == 1;
            svg.rect(x, y, CELL, CELL, if dark { "dark" } else { "light" });
            if !dark {
                continue;
            }
            let class = match row * 4 + column / 2 + 1 {
                6 => "black",
                19 | 31 => "white",
                _ => "ghost",
            };
            svg.circle(x + CELL / 2.0, y + CELL / 2.0, CELL * 0.36, class);
            if class == "white" {
                svg.text(x + CELL / 2.0, y + CELL / 2.0 + 4.0, "middle", "K");
            }
        }
    }
    for (row, name, bits) in [
        (0, "valid: the square is free", 0xbffb_ffdf_u32),
        (1, "win: it stands beside a king that it takes", 0x00c0_c000),
        (2, "loss: Black moves and loses", 0x0008_0808),
    ] {
        let y = 60.0 + 74.0 * f64::from(row);
        svg.text(275.0, y - 8.0, "", name);
        for bit in 0..32u32 {
            let x = 275.0 + 11.0 * f64::from(bit);
            svg.rect(x, y, 10.0, 24.0, if bits >> bit & 1 != 0 { "on" } else { "off" });
            if bit % 4 == 3 || bit == 0 {
                svg.text(x + 5.0, y + 37.0, "small", &(bit + 1).to_string());
            }
        }
    }
    for (y, text) in [
        (284.0, "Bit = square of the fast piece (dashed), a black"),
        (302.0, "king; Black moves. A step of it is a shift; a step"),
        (320.0, "of any other piece is another word."),
    ] {
        svg.text(275.0, y, "", text);
    }
    svg.finish()
}

/// The eight lines of tic-tac-toe, and the steps that make the plain rule always right.
fn tictactoe() -> String {
    const CELL: f64 = 44.0;
    let mut svg = Svg::new(820, 220);
    let centre = |left: f64, cell: u32| {
        let (row, column) = (f64::from((cell - 1) / 3), f64::from((cell - 1) % 3));
        (left + CELL * (column + 0.5), 34.0 + CELL * (row + 0.5))
    };
    let mut board = |left: f64, title: &str, lines: &[[u32; 2]], marks: &str, notes: [&str; 2]| {
        svg.text(left, 20.0, "title", title);
        for cell in 1..=9 {
            let (x, y) = centre(left, cell);
            svg.rect(x - CELL / 2.0, y - CELL / 2.0, CELL, CELL, "box");
        }
        for &[from, to] in lines {
            let ((x1, y1), (x2, y2)) = (centre(left, from), centre(left, to));
            svg.line(x1, y1, x2, y2);
        }
        for (cell, mark) in (1..).zip(marks.chars()).filter(|&(_, mark)| mark != '.') {
            let (x, y) = centre(left, cell);
            svg.circle(x, y, 14.0, "paper");
            svg.text(x, y + 7.0, "mark", &mark.to_string());
        }
        for (place, note) in (0..).zip(notes) {
            svg.text(left, 188.0 + 18.0 * f64::from(place), "", note);
        }
    };
    let all = [[1, 3], [4, 6], [7, 9], [1, 7], [2, 8], [3, 9], [1, 9], [3, 7]];
    board(
        10.0,
        "The eight lines",
        &all,
        "123456789",
        ["centre on four, corner", "on three, edge on two"],
    );
    let attack = ["x to move: 3", "o must answer 2"];
    board(215.0, "attack from a corner", &[[1, 3]], "x.3..oo..", attack);
    let across = ["x to move: 2, 4, 6 or 8;", "a corner would lose"];
    board(420.0, "attack from the centre", &[[2, 8], [4, 6]], "o2.4x6.8o", across);
    let pincer = ["x to move: 1; o must", "answer 3, then 5 forks"];
    board(625.0, "pincer", &[[1, 3], [1, 7]], "1x....o..", pincer);
    svg.finish()
}
