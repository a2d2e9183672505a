//! Graphs through files: what is written is read back, and what is wrong is refused.

mod common;
#[path = "common/parity.rs"]
mod parity;

use common::{Random, VALUES, random_graph, random_turn_graph};
use crownhead_graph::formats::{
    BinaryError, NamedGraph, Names, PgsolverFault, is_binary, parse_edge_list, parse_pgsolver,
    read_binary, write_binary, write_dot, write_pgsolver, write_svg, write_tree_dot,
};
use crownhead_graph::{GameGraph, Player, Value, WinningTree, retrograde};
use proptest::prelude::*;

fn random_file(random: &mut Random) -> NamedGraph<'static> {
    let graph = random_graph(random, 30);
    let n = graph.vertices() as u32;
    let names = match random.below(3) {
        0 => Names::Numbers,
        1 => Names::Sparse((0..n).map(|v| v * 3 + 1).collect()),
        _ => Names::Words((0..n).map(|v| format!("ä{}", v * v)).collect()),
    };
    let owner = |random: &mut Random| random.chance(90).then(|| *random.pick(&Player::BOTH));
    let owners = if random.chance(50) { vec![] } else { (0..n).map(|_| owner(random)).collect() };
    NamedGraph { graph, names, owners }
}

fn binary(file: &NamedGraph<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(()) = write_binary(file, |part| {
        bytes.extend_from_slice(part);
        Ok::<_, std::convert::Infallible>(())
    });
    bytes
}

#[test]
fn binary_there_and_back() {
    let mut random = Random(81);
    for _ in 0..500 {
        let file = random_file(&mut random);
        let bytes = binary(&file);
        assert!(is_binary(&bytes));
        assert_eq!(read_binary(&bytes).unwrap(), file);
        // At a place that is not a multiple of four, too, where the rows must be copied.
        for shift in 1..4 {
            let mut shifted = vec![0; shift];
            shifted.extend_from_slice(&bytes);
            assert_eq!(read_binary(&shifted[shift..]).unwrap(), file);
        }
    }
}

/// Every flipped bit and every cut is noticed.
#[test]
fn binary_damage_is_noticed() {
    let mut random = Random(82);
    for _ in 0..10 {
        let bytes = binary(&random_file(&mut random));
        for i in 0..bytes.len() {
            assert!(read_binary(&bytes[..i]).is_err(), "cut at {i}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << bit;
                assert!(read_binary(&damaged).is_err(), "bit {bit} of byte {i}");
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(read_binary(&longer).is_err());
    }
    let mut other = binary(&random_file(&mut random));
    other[8] = 2;
    assert_eq!(read_binary(&other), Err(BinaryError::Version { found: 2 }));
}

/// With a right checksum, so that what lies behind it is reached.
#[test]
fn binary_nonsense_with_a_checksum_does_not_panic() {
    let mut random = Random(83);
    let mut read = 0;
    for _ in 0..200 {
        let bytes = binary(&random_file(&mut random));
        for _ in 0..50 {
            let mut nonsense = bytes.clone();
            let at = 12 + random.below(bytes.len() as u32 - 12) as usize;
            nonsense[at] = random.next() as u8;
            let mut crc = crc32fast::Hasher::new();
            crc.update(&nonsense[..28]);
            crc.update(&nonsense[32..]);
            nonsense[28..32].copy_from_slice(&crc.finalize().to_le_bytes());
            if let Ok(file) = read_binary(&nonsense) {
                let _ = retrograde(&file.graph);
                read += 1;
            }
        }
    }
    assert!(read > 0);
}

#[test]
fn pgsolver_there_and_back() {
    let mut random = Random(84);
    for _ in 0..500 {
        let file = random_file(&mut random);
        let mut text = String::new();
        write_pgsolver(&file.graph, &file.names, &mut text).unwrap();
        let back = parse_pgsolver(&text).unwrap();
        // A stuck rule and the moves of labelled vertices are not in the file; the game is.
        assert_eq!(retrograde(&back.graph), retrograde(&file.graph), "{text}");
        if matches!(file.names, Names::Words(_)) {
            assert_eq!(back.names, file.names);
        }
    }
}

/// By a solver of parity games: v is a win if player 0 wins 2v, a loss if it wins 2v+1.
#[test]
fn pgsolver_means_the_same() {
    let mut random = Random(85);
    let mut counts = [0; 3];
    for _ in 0..400 {
        let graph = random_graph(&mut random, 12);
        let mut text = String::new();
        write_pgsolver(&graph, &Names::Numbers, &mut text).unwrap();
        let won_by_0 = parity::won_by_0(&text);
        let solution = retrograde(&graph);
        for v in 0..graph.vertices() {
            let value = match (won_by_0[2 * v], won_by_0[2 * v + 1]) {
                (true, false) => Value::Win,
                (false, true) => Value::Loss,
                (false, false) => Value::Draw,
                (true, true) => panic!("{v} of {text}"),
            };
            assert_eq!(value, solution.value(v as u32), "{v} of {text}");
            counts[value as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

#[test]
fn pgsolver_as_the_format_says() {
    let graph = GameGraph::from_edges(3, [(0, 1), (0, 0), (1, 0)].into_iter()).unwrap();
    let mut text = String::new();
    write_pgsolver(&graph, &Names::Numbers, &mut text).unwrap();
    let expected = "parity 5;\n0 1 0 3,1;\n1 1 1 2,0;\n2 1 0 1;\n3 1 1 0;\n4 1 0 4;\n5 2 1 5;\n";
    assert_eq!(text, expected);
}

#[test]
fn pgsolver_errors_name_the_line() {
    let cases = [
        ("parity 1", 1, "`;`"),
        ("parity x;", 1, "the highest vertex"),
        ("0 1 0 1;\n1 1 1;", 2, "the number of a successor"),
        ("0 1 0 1;\n1 1 1 0 oops;", 2, "`oops` found"),
        ("0 1 0 1 \"a;\n1 1 1 0;", 1, "closing quotation mark"),
        ("0 1 0 1;\n\n0 1 0 1;", 3, "vertex 0 is there already"),
        ("0 1 0 1;", 1, "vertex 1 is not in the file"),
        ("0 1 0 5;\n1 1 1 4;", 1, "vertex 5 is not in the file"),
        ("0 1 1 1;\n1 1 1 0;", 1, "player 0 at even vertices"),
        ("0 1 0 1;\n1 1 0 0;", 2, "player 1 at odd vertices"),
        ("0 2 0 0;\n1 2 1 1;", 1, "priorities 1 and 1"),
        ("0 3 0 1;\n1 1 1 0;", 1, "priority 1 where there are moves"),
        ("0 1 0 1;\n1 1 1 1;", 2, "mirrored"),
        ("4000000000 1 0 1;", 1, "is not in the file"),
        ("0 -1 0 1;", 1, "a priority"),
    ];
    for (text, line, message) in cases {
        let error = parse_pgsolver(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
    let error = parse_pgsolver("0 1 0 1;\n1 1 1 1;").unwrap_err();
    assert!(matches!(error.fault, PgsolverFault::NotDoubled { vertex: 1, .. }));
}

#[test]
fn dot_shows_values_and_depths() {
    let file = parse_edge_list("a \"b\"\na c\nc c\n".as_bytes()).unwrap();
    let mut dot = String::new();
    write_dot(&file.graph, &file.names, Some(&retrograde(&file.graph)), &mut dot).unwrap();
    assert!(dot.contains("0 [label=\"a\\nwin 1\""), "{dot}");
    assert!(dot.contains("1 [label=\"\\\"b\\\"\\nloss 0\""), "{dot}");
    assert!(dot.contains("2 [label=\"c\\ndraw\""), "{dot}");
    assert!(dot.contains("0 -> 1 [style=bold];"), "{dot}");
    assert!(dot.contains("0 -> 2;"), "{dot}");
}

#[test]
fn trees_are_exported() {
    let mut random = Random(86);
    loop {
        let graph = random_turn_graph(&mut random, 12);
        let solution = retrograde(&graph.to_game().unwrap());
        let tree = WinningTree::from_solution(&graph, &solution, Player::Attacker, 0);
        let Some(tree) = tree.filter(|tree| tree.height() > 2) else { continue };
        let mut dot = String::new();
        write_tree_dot(&tree, &Names::Numbers, &mut dot).unwrap();
        let edges = tree.nodes().iter().map(|node| node.children.len()).sum();
        assert_eq!(dot.matches(" -> ").count(), edges);
        break;
    }
}

#[test]
fn svg_has_every_vertex_and_move() {
    let mut random = Random(87);
    for _ in 0..50 {
        let graph = random_graph(&mut random, 20);
        let mut svg = String::new();
        write_svg(&graph, &Names::Numbers, &retrograde(&graph), &mut svg).unwrap();
        assert_eq!(svg.matches("<circle").count(), graph.vertices());
        let moves: usize = (0..graph.vertices() as u32).map(|v| graph.moves(v).len()).sum();
        assert_eq!(svg.matches("marker-end").count(), moves);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}

#[test]
fn stuck_rules_survive() {
    for stuck in VALUES {
        let graph = GameGraph::from_edges(2, [(0, 1)].into_iter()).unwrap().with_stuck(stuck);
        let file = NamedGraph { graph, names: Names::Numbers, owners: vec![] };
        assert_eq!(read_binary(&binary(&file)).unwrap().graph.stuck(), stuck);
    }
}

proptest! {
    #[test]
    fn pgsolver_never_panics(text in "(parity |[0-3] [12] [01] [0-3](,[0-3])?;\n|[0-9\"; ,\n]){0,12}") {
        let _ = parse_pgsolver(&text);
    }

    #[test]
    fn binary_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let _ = read_binary(&bytes);
        let with_magic = [&b"CRWNGRPH\x01\0\0\0"[..], &bytes].concat();
        let _ = read_binary(&with_magic);
    }
}
