//! The edge list: what is read, and what is refused in which line.

mod common;

use common::Random;
use crownhead_graph::formats::{EdgeListFault, Names, parse_edge_list};
use crownhead_graph::{Player, Value, retrograde};
use proptest::prelude::*;

#[test]
fn plain_numbers() {
    let file = parse_edge_list(b"0 1\n1 2\n3 4\n4 3\n4 2\n5 6\n6 5\n").unwrap();
    assert_eq!(file.names, Names::Numbers);
    assert_eq!(file.graph.vertices(), 7);
    assert_eq!(retrograde(&file.graph).value(1), Value::Win);
}

#[test]
fn numbers_with_gaps_keep_their_spelling_and_order() {
    let file = parse_edge_list(b"70 3\n9 70 # back\n\nlabel 3 draw").unwrap();
    assert_eq!(file.names, Names::Sparse(vec![3, 9, 70]));
    assert_eq!(file.graph.moves(2), [0]);
    assert_eq!(file.graph.label(0), Some(Value::Draw));
    assert_eq!(file.names.vertex("70", 3), Some(2));
    assert_eq!(file.names.vertex("070", 3), None);
    assert_eq!(file.names.name(1), "9");
}

#[test]
fn any_names() {
    let text = "# chase\n a\tβ \r\nlabel label win\nowner a first\nlabel β\n4000000000 007\n7 7";
    let file = parse_edge_list(text.as_bytes()).unwrap();
    let words = ["a", "β", "label", "4000000000", "007", "7"];
    assert_eq!(file.names, Names::Words(words.map(String::from).to_vec()));
    assert_eq!(file.graph.label(2), Some(Value::Win));
    assert_eq!(file.graph.rows().row(2), [1]);
    assert_eq!(file.graph.rows().row(5), [5]);
    assert_eq!(file.owners[0], Some(Player::Attacker));
    assert_eq!(file.owners[1], None);
}

#[test]
fn nothing_is_a_graph() {
    for text in ["", "\n", "# nothing", "  \n\t\r\n"] {
        let file = parse_edge_list(text.as_bytes()).unwrap();
        assert_eq!(file.graph.vertices(), 0, "{text:?}");
    }
}

#[test]
fn errors_name_the_line() {
    let cases: [(&[u8], usize, EdgeListFault, &str); 8] = [
        (b"0 1\n1\n", 2, EdgeListFault::Words(1), "line 2: 1 word, expected"),
        (b"0 1\n\n1 2 3 4 5", 3, EdgeListFault::Words(5), "line 3: 5 words"),
        (b"a b\nmark a win", 2, EdgeListFault::Keyword("mark".into()), "`label` or `owner`"),
        (b"label a won", 1, EdgeListFault::Label("won".into()), "`win`, `draw` or `loss`"),
        (b"#\nowner a attacker", 2, EdgeListFault::Owner("attacker".into()), "`first` or"),
        (b"0 1\nlabel 1 win\n\nlabel 1 loss", 4, EdgeListFault::OtherLabel("1".into()), "another"),
        (b"owner x first\nowner x second", 2, EdgeListFault::OtherOwner("x".into()), "`x` has"),
        (b"0 1\n\xff \xfe\n", 2, EdgeListFault::Encoding, "line 2: not UTF-8"),
    ];
    for (text, line, fault, message) in cases {
        let error = parse_edge_list(text).unwrap_err();
        assert_eq!((error.line, &error.fault), (line, &fault));
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// The fast path, the checked path and the path for words read the same edges.
#[test]
fn three_spellings_of_a_graph() {
    let mut random = Random(11);
    for _ in 0..200 {
        let edges: Vec<_> =
            (0..=random.below(40)).map(|_| (random.below(30), random.below(30))).collect();
        let text = |between: &str, before: &str| -> String {
            edges.iter().map(|(u, v)| format!("{before}{u}{between}{before}{v}\n")).collect()
        };
        let fast = parse_edge_list(text(" ", "").as_bytes()).unwrap();
        let slow = parse_edge_list(text("  ", "").as_bytes()).unwrap();
        assert_eq!(fast, slow);
        let words = parse_edge_list(text(" ", "v").as_bytes()).unwrap();
        assert_eq!(fast.graph.vertices(), words.graph.vertices());
        let spelled = |graph: &crownhead_graph::formats::NamedGraph<'_>| {
            let mut edges: Vec<_> = graph
                .graph
                .rows()
                .iter()
                .map(|(u, v)| [u, v].map(|v| graph.names.name(v).trim_matches('v').to_string()))
                .collect();
            edges.sort();
            edges
        };
        assert_eq!(spelled(&fast), spelled(&words));
    }
}

proptest! {
    #[test]
    fn never_panics(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_edge_list(&text);
    }

    #[test]
    fn never_panics_on_almost_right_text(text in "([0-9a#]{0,3}[ \n]|label |owner |win\n|first\n){0,40}") {
        let _ = parse_edge_list(text.as_bytes());
    }
}
