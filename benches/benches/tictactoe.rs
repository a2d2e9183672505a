//! Tic-tac-toe moves: the chain on words of several widths, a table of all positions, and minimax.
//!
//! Each way answers the same 4,520 boards, as it would take them: the chain has them side by side in
//! words, the table as its index. `pack` is what it costs to bring boards into words.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_tictactoe::{Board, Boards, PERFECT, Word, choose, minimax_move, moves_of, play};

fn due() -> Vec<Board> {
    Board::all_due().collect()
}

/// All boards in words.
fn packed<W: Word>(boards: &[Board]) -> Vec<Boards<W>> {
    let pack = |chunk: &[Board]| {
        let mut words = Boards::EMPTY;
        for (place, &board) in (0..).zip(chunk) {
            words.put(place, board);
        }
        words
    };
    boards.chunks(W::BOARDS as usize).map(pack).collect()
}

/// The chosen cell (0 to 8) of every board by its code; 9 where no move is due.
fn table() -> Vec<u8> {
    let cell =
        |code| Board::from_code(code).ok().and_then(choose).map_or(9, |cell| cell.number() - 1);
    (0..Board::CODES).map(cell).collect()
}

/// The ways agree before they are timed.
fn check(boards: &[Board], table: &[u8]) {
    let words = packed::<u32>(boards);
    for (chunk, words) in boards.chunks(32).zip(&words) {
        let (code, data) = (play(words), PERFECT.play(words));
        assert_eq!(code, data);
        for (place, board) in (0..).zip(chunk) {
            let cell = table[board.code() as usize];
            assert_eq!(moves_of(&code, place), 1 << cell, "{board}");
        }
    }
}

fn word<W: Word>(criterion: &mut Criterion, name: &str, boards: &[Board]) {
    let mut group = criterion.benchmark_group("tictactoe");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let words = packed::<W>(boards);
    group.bench_function(format!("chain {name}"), |bencher| {
        bencher.iter(|| {
            for words in &words {
                black_box(play(black_box(words)));
            }
        });
    });
}

fn bench(criterion: &mut Criterion) {
    let (boards, table) = (due(), table());
    check(&boards, &table);
    word::<u8>(criterion, "u8", &boards);
    word::<u32>(criterion, "u32", &boards);
    word::<u64>(criterion, "u64", &boards);
    word::<u128>(criterion, "u128", &boards);
    let mut group = criterion.benchmark_group("tictactoe");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let words = packed::<u64>(&boards);
    group.bench_function("chain as data u64", |bencher| {
        bencher.iter(|| {
            for words in &words {
                black_box(PERFECT.play(black_box(words)));
            }
        });
    });
    group.bench_function("pack u64", |bencher| bencher.iter(|| packed::<u64>(black_box(&boards))));
    group.bench_function("one board at a time", |bencher| {
        bencher.iter(|| {
            for &board in &boards {
                black_box(choose(black_box(board)));
            }
        });
    });
    let codes: Vec<u16> = boards.iter().map(|board| board.code()).collect();
    group.bench_function("table by code", |bencher| {
        bencher.iter(|| {
            for &code in &codes {
                black_box(table[black_box(code) as usize]);
            }
        });
    });
    group.bench_function("table by board", |bencher| {
        bencher.iter(|| {
            for &board in &boards {
                black_box(table[black_box(board).code() as usize]);
            }
        });
    });
    group.sample_size(10);
    group.bench_function("minimax", |bencher| {
        bencher.iter(|| {
            for &board in &boards {
                black_box(minimax_move(black_box(board)));
            }
        });
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
