//! wip
use crownhead_tictactoe::*;
#[test]
fn t() {
    println!("{} {}", PLAIN.gates.len(), MODIFIED.gates.len());
    println!("{:?} {:?}", PLAIN.fault(), MODIFIED.fault());
    let (mut wp, mut wm) = (0, 0);
    for b in Board::all_due() {
        let best = best_moves(b);
        let mut p = Boards::<u8>::EMPTY;
        p.put(0, b);
        let m = moves_of(&PLAIN.play(&p), 0);
        assert_eq!(m.count_ones(), 1);
        if m & best == 0 { wp += 1 }
        let m = moves_of(&MODIFIED.play(&p), 0);
        assert_eq!(m.count_ones(), 1);
        if m & best == 0 { wm += 1 }
    }
    println!("{wp} {wm}");
}
