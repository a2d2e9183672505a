//! The chains against a minimax that shares nothing with the crate but the board's text.

use std::collections::{HashMap, HashSet};

use crownhead_tictactoe::{
    Board, Boards, Cell, Chain, Fault, Gate, INPUTS, MODIFIED, Op, PERFECT, PLAIN, Score, Status,
    Value, Values, Word, best_moves, choose, moves_of, play,
};

/// A board as nine characters, as a person would keep it.
type Text = [u8; 9];

const START: Text = *b".........";

const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_line(text: &Text, mark: u8) -> bool {
    ROWS.iter().any(|row| row.iter().all(|&cell| text[cell] == mark))
}

fn count(text: &Text, mark: u8) -> usize {
    text.iter().filter(|&&cell| cell == mark).count()
}

fn mover(text: &Text) -> u8 {
    if count(text, b'x') == count(text, b'o') { b'x' } else { b'o' }
}

fn is_over(text: &Text) -> bool {
    has_line(text, b'x') || has_line(text, b'o') || count(text, b'.') == 0
}

/// The boards after each move, with the cells played.
fn successors(text: &Text) -> Vec<(usize, Text)> {
    if is_over(text) {
        return Vec::new();
    }
    let empty = (0..9).filter(|&cell| text[cell] == b'.');
    let play = |cell| {
        let mut next = *text;
        next[cell] = mover(text);
        (cell, next)
    };
    empty.map(play).collect()
}

/// Every board that a game leads to.
fn reachable() -> HashSet<Text> {
    let mut seen = HashSet::new();
    let mut todo = vec![START];
    while let Some(text) = todo.pop() {
        if seen.insert(text) {
            todo.extend(successors(&text).into_iter().map(|(_, next)| next));
        }
    }
    seen
}

/// Value (1, 0, -1) for the player to move, and plies to the end.
type Worth = (i32, i32);

/// How much a player likes a worth: a win soon, a loss late.
fn liking((value, plies): Worth) -> i32 {
    value * (100 - plies)
}

fn minimax(text: &Text, known: &mut HashMap<Text, Worth>) -> Worth {
    if let Some(&worth) = known.get(text) {
        return worth;
    }
    let choices: Vec<Worth> = successors(text)
        .iter()
        .map(|(_, next)| minimax(next, known))
        .map(|(value, plies)| (-value, plies + 1))
        .collect();
    let end = if has_line(text, b'x') || has_line(text, b'o') { -1 } else { 0 };
    let worth = choices.into_iter().max_by_key(|&worth| liking(worth)).unwrap_or((end, 0));
    known.insert(*text, worth);
    worth
}

/// The best cells of every board where a move is due.
fn best_cells() -> HashMap<Text, u16> {
    let mut known = HashMap::new();
    let due = reachable().into_iter().filter(|text| !is_over(text));
    let best = |text: Text| {
        let worth = minimax(&text, &mut known);
        let mut cells = 0;
        for (cell, next) in successors(&text) {
            let (value, plies) = minimax(&next, &mut known);
            cells |= u16::from(liking((-value, plies + 1)) == liking(worth)) << cell;
        }
        (text, cells)
    };
    due.map(best).collect()
}

fn board(text: &Text) -> Board {
    std::str::from_utf8(text).expect("ASCII").parse().expect("a game leads here")
}

fn text(board: Board) -> Text {
    board.to_string().as_bytes().try_into().expect("nine characters")
}

/// The boards where a move is due on which the outputs are not exactly one best move.
fn wrong<W: Word>(
    best: &HashMap<Text, u16>,
    moves: impl Fn(&Boards<W>) -> [W; 9],
) -> HashSet<Text> {
    let texts: Vec<&Text> = best.keys().collect();
    let mut wrong = HashSet::new();
    for chunk in texts.chunks(W::BOARDS as usize) {
        let mut boards = Boards::EMPTY;
        for (place, text) in (0..).zip(chunk) {
            boards.put(place, board(text));
        }
        let moves = moves(&boards);
        for (place, &&text) in (0..).zip(chunk) {
            let cells = moves_of(&moves, place);
            if cells.count_ones() != 1 || cells & !best[&text] != 0 {
                wrong.insert(text);
            }
        }
    }
    wrong
}

fn wrong_on_every_word(best: &HashMap<Text, u16>) -> [usize; 6] {
    [
        wrong::<u8>(best, play).len(),
        wrong::<u16>(best, play).len(),
        wrong::<u32>(best, play).len(),
        wrong::<u64>(best, play).len(),
        wrong::<u128>(best, play).len(),
        wrong::<usize>(best, play).len(),
    ]
}

#[test]
fn the_game_is_the_known_one() {
    let all = reachable();
    let won = all.iter().filter(|text| has_line(text, b'x') || has_line(text, b'o')).count();
    let due = all.iter().filter(|text| !is_over(text)).count();
    assert_eq!((all.len(), won, all.len() - won - due, due), (5_478, 942, 16, 4_520));
    assert_eq!(Board::all().map(text).collect::<HashSet<_>>(), all);
    assert_eq!(Board::all_due().count(), due);
    for board in Board::all() {
        let over = is_over(&text(board));
        assert_eq!(board.status() == Status::Due, !over, "{board}");
        assert_eq!(Board::from_code(board.code()), Ok(board));
    }
}

#[test]
fn the_strategy_is_right_in_every_position_on_every_word() {
    assert_eq!(wrong_on_every_word(&best_cells()), [0; 6]);
}

#[test]
fn the_chains_as_data_are_right_too() {
    let best = best_cells();
    assert!(wrong::<u32>(&best, |boards| PERFECT.play(boards)).is_empty());
    assert!(wrong::<u32>(&best, |boards| MODIFIED.play(boards)).is_empty());
}

/// The negative control: with almost any operation of the chain changed, some move is wrong.
#[test]
fn a_changed_chain_is_found_out() {
    let best = best_cells();
    for index in 0..PERFECT.gates.len() {
        let mut changed = PERFECT.clone();
        let gate = &mut changed.gates[index];
        gate.op = if gate.op == Op::Nor { Op::Or } else { Op::Nor };
        assert!(!wrong::<u128>(&best, |boards| changed.play(boards)).is_empty(), "gate {index}");
    }
}

/// Code and data are the same chain: they agree on all 2^18 inputs, possible boards or not.
#[test]
fn the_straight_line_program_is_the_chain() {
    for high in 0..1_u32 << 12 {
        let mut boards = Boards::<u64> { mine: [0; 9], theirs: [0; 9] };
        for input in 0..18 {
            // The low six inputs run through the 64 places of a word.
            let word = if input < 6 {
                (0..64).map(|place| (place >> input & 1) << place).sum()
            } else {
                0_u64.wrapping_sub(u64::from(high >> (input - 6) & 1))
            };
            if input < 9 {
                boards.mine[input] = word;
            } else {
                boards.theirs[input - 9] = word;
            }
        }
        assert_eq!(play(&boards), PERFECT.play(&boards), "inputs {high:#b} above the low six");
    }
}

#[test]
fn the_plain_rule_is_wrong_in_exactly_these_fifty() {
    let wrong = wrong::<u32>(&best_cells(), |boards| PLAIN.play(boards));
    // One of each class of symmetric boards; a dot is empty, m is mine, t is theirs.
    let classes = [
        ("m.t......", 8),
        ("m.......t", 4),
        (".m....t..", 8),
        ("m....tt..", 8),
        ("t...m...t", 2),
        ("mt...t...", 8),
        ("mtt......", 8),
        ("m....t.t.", 4),
    ];
    let mut expected = HashSet::new();
    for (class, size) in classes {
        let (mine, theirs) = if class.matches('m').count() == class.matches('t').count() {
            ("x", "o")
        } else {
            ("o", "x")
        };
        let board = class.replace('m', mine).replace('t', theirs);
        let images = images(board.as_bytes().try_into().expect("nine characters"));
        assert_eq!(images.len(), size, "{class}");
        expected.extend(images);
    }
    assert_eq!(wrong, expected);
    let marks = |number: usize| wrong.iter().filter(|text| count(text, b'.') == 9 - number).count();
    assert_eq!((wrong.len(), marks(2), marks(3)), (50, 20, 30));
    assert!(wrong.contains(b"x...o...x"), "the opponent in opposite corners, we in the centre");
}

/// The board seen from every side, and in a mirror.
fn images(text: Text) -> HashSet<Text> {
    let turn = |text: Text| [6, 3, 0, 7, 4, 1, 8, 5, 2].map(|cell: usize| text[cell]);
    let mirror = |text: Text| [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|cell: usize| text[cell]);
    let mut images = HashSet::new();
    let mut image = text;
    for _ in 0..4 {
        images.extend([image, mirror(image)]);
        image = turn(image);
    }
    images
}

/// Nobody beats the strategy, whoever starts, and it punishes what can be punished.
#[test]
fn the_strategy_never_loses_a_game() {
    for first in [true, false] {
        let mut todo = vec![(Board::EMPTY, first)];
        let mut ends = [0; 3];
        while let Some((board, ours)) = todo.pop() {
            match board.status() {
                // Who is to move when the game is won has lost it.
                Status::Won(_) => ends[if ours { 2 } else { 0 }] += 1,
                Status::Full => ends[1] += 1,
                Status::Due if ours => {
                    let cell = choose(board).expect("a move is due");
                    todo.push((board.after(cell).expect("legal"), false));
                }
                Status::Due => {
                    todo.extend(
                        board.moves().map(|cell| (board.after(cell).expect("legal"), true)),
                    );
                }
            }
        }
        let [won, drawn, lost] = ends;
        assert!(won > 0 && drawn > 0 && lost == 0, "{ends:?}");
    }
}

#[test]
fn there_is_no_move_when_the_game_is_over() {
    for board in Board::all() {
        assert_eq!(choose(board).is_some(), board.status() == Status::Due, "{board}");
        if let Some(cell) = choose(board) {
            assert_ne!(best_moves(board) & cell.bit(), 0, "{board}");
        }
    }
}

#[test]
fn the_two_bits_and_both_searches_agree() {
    let values = Values::new();
    let mut known = HashMap::new();
    for board in Board::all() {
        let (value, plies) = minimax(&text(board), &mut known);
        let value = [Value::Loss, Value::Draw, Value::Win][(value + 1) as usize];
        assert_eq!(values.value(board), value, "{board}");
        let score = Score::minimax(board);
        assert_eq!((score.value, i32::from(score.plies)), (value, plies), "{board}");
    }
}

/// W as it is usually printed: 1 for a completed line of the player to move (which does not occur),
/// 0 for every other end, else 1 if some move leads to 0.
fn two_valued(text: &Text, known: &mut HashMap<Text, bool>) -> bool {
    if let Some(&wins) = known.get(text) {
        return wins;
    }
    let wins = if is_over(text) {
        has_line(text, mover(text))
    } else {
        successors(text).iter().any(|(_, next)| !two_valued(next, known))
    };
    known.insert(*text, wins);
    wins
}

/// The slip: one bit cannot tell a draw from a loss, so a drawn board counts as won.
#[test]
fn the_two_valued_recursion_calls_drawn_boards_won() {
    let (values, mut known) = (Values::new(), HashMap::new());
    // One cell is left, and filling it makes no line.
    let last = *b"xoxxo.oxo";
    assert_eq!(values.value(board(&last)), Value::Draw);
    assert!(two_valued(&last, &mut known));
    // It goes up the tree: since the board has an odd number of cells, the first player "wins".
    assert_eq!(values.value(Board::EMPTY), Value::Draw);
    assert!(two_valued(&START, &mut known));
    // All that differs is draws: every one is called won by x or lost by o.
    for (text, wins) in known {
        match values.value(board(&text)) {
            Value::Draw => assert_eq!(wins, mover(&text) == b'x', "{}", board(&text)),
            value => assert_eq!(wins, value == Value::Win, "{}", board(&text)),
        }
    }
}

#[test]
fn every_cell_has_a_number() {
    assert_eq!(
        Cell::all().map(|cell| cell.number()).collect::<Vec<_>>(),
        (1..=9).collect::<Vec<_>>()
    );
    assert_eq!(Cell::new(10), None);
}

/// Chains are data: no gate is dead, none is there twice, none reads one signal twice.
#[test]
fn the_chains_are_well_formed() {
    assert_eq!((PLAIN.fault(), PLAIN.gates.len()), (None, 367));
    assert_eq!((MODIFIED.fault(), MODIFIED.gates.len()), (None, 446));
    assert_eq!(PERFECT.fault(), None);
    // The shortest chain for this that was known before and tested.
    assert!(PERFECT.gates.len() < 432);
}

/// No two signals of the shortest chain are the same in all positions.
#[test]
fn no_gate_of_the_shortest_chain_computes_what_another_does() {
    let mut columns = vec![Vec::new(); INPUTS + PERFECT.gates.len()];
    for board in Board::all_due() {
        let mut signals: Vec<bool> = (0..9).map(|cell| board.mine() >> cell & 1 != 0).collect();
        signals.extend((0..9).map(|cell| board.theirs() >> cell & 1 != 0));
        for gate in &PERFECT.gates {
            let word = |signal: u16| u8::from(signals[signal as usize]);
            signals.push(gate.op.apply(word(gate.a), word(gate.b)) & 1 != 0);
        }
        for (column, signal) in columns.iter_mut().zip(signals) {
            column.push(signal);
        }
    }
    let distinct: HashSet<&Vec<bool>> = columns.iter().collect();
    assert_eq!(distinct.len(), columns.len());
}

/// The negative controls of the test above it: each fault is found.
#[test]
fn each_fault_of_a_chain_is_found() {
    let gate = |op, a, b| Gate { op, a, b };
    let chain = |gates, last| Chain::<2> { gates, outputs: [last; 9] };
    let (first, second) = (gate(Op::And, 0, 9), gate(Op::Or, 18, 1));
    assert_eq!(chain([first, second], 19).fault(), None);
    assert_eq!(chain([gate(Op::And, 0, 19), second], 19).fault(), Some(Fault::Order(0)));
    assert_eq!(chain([first, gate(Op::Xor, 18, 18)], 19).fault(), Some(Fault::OneOperand(1)));
    assert_eq!(chain([first, gate(Op::And, 9, 0)], 19).fault(), Some(Fault::Twice(1)));
    assert_eq!(chain([first, second], 20).fault(), Some(Fault::Output(0)));
    assert_eq!(chain([first, second], 18).fault(), Some(Fault::Dead(1)));
}
