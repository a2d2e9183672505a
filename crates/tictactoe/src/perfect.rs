//! The shortest chain found. Written by `cargo xtask tictactoe-optimise --write`; do not edit.

use crate::straight_line::straight_line;

straight_line! {
    /// The chain that always plays right, as data.
    ///
    /// It plays in the spirit of [`MODIFIED`](crate::MODIFIED), from which a search has derived it: the
    /// search may choose any best move in each of the 4,520 positions where a move is due, and any
    /// output at all for the other 257,624 inputs.
    chain PERFECT;
    /// The move for the player to move on every board of the words: exactly one of y1 to y9 is set
    /// for each board where a move is due.
    ///
    /// It keeps the value, wins as fast as possible and loses as slowly as possible. This is
    /// [`PERFECT`] as code. On other boards (finished ones, empty places) the outputs mean nothing.
    ///
    /// ```
    /// use crownhead_tictactoe::{Boards, moves_of, play};
    ///
    /// let mut boards = Boards::<u32>::EMPTY;
    /// boards.put(0, "xx.oo....".parse()?);
    /// boards.put(31, "xx.o.....".parse()?);
    /// let moves = play(&boards);
    /// assert_eq!(moves_of(&moves, 0), 1 << 2); // x completes the row
    /// assert_eq!(moves_of(&moves, 31), 1 << 2); // o blocks it
    /// # Ok::<(), crownhead_tictactoe::BoardError>(())
    /// ```
    play play;
    mine x1 x2 x3 x4 x5 x6 x7 x8 x9;
    theirs o1 o2 o3 o4 o5 o6 o7 o8 o9;
    g1 = Nor(x1, o1);
    g2 = Nor(x3, x9);
    g3 = Nor(x7, o7);
    g4 = And(g1, g3);
    g5 = Xor(o4, o7);
    g6 = Xor(o1, g5);
    g7 = Nor(g4, g6);
    g8 = Or(x4, o4);
    g9 = Xor(g1, g8);
    g10 = Or(g6, g9);
    g11 = Xor(g3, g10);
    g12 = AndNot(g7, g11);
    g13 = Nor(x6, g12);
    g14 = AndNot(g2, g13);
    g15 = Xor(o3, o6);
    g16 = Xor(o9, g15);
    g17 = Or(x3, o3);
    g18 = Or(x9, o9);
    g19 = And(g17, g18);
    g20 = Nor(x6, o6);
    g21 = Xor(g19, g20);
    g22 = Or(g16, g21);
    g23 = Nor(g14, g22);
    g24 = Or(o1, o9);
    g25 = Nor(x5, g24);
    g26 = Xor(x1, x9);
    g27 = Nor(o5, g26);
    g28 = Or(g25, g27);
    g29 = Xor(o1, o2);
    g30 = Xor(o3, g29);
    g31 = Nor(g17, g30);
    g32 = Or(g1, g31);
    g33 = Or(x2, o2);
    g34 = Xor(g32, g33);
    g35 = Nor(g30, g34);
    g36 = Xor(o7, o9);
    g37 = Xor(o8, g36);
    g38 = Xor(g3, g18);
    g39 = Nor(g37, g38);
    g40 = Or(x8, o8);
    g41 = Xor(g39, g40);
    g42 = Xor(g3, g41);
    g43 = Nor(g37, g42);
    g44 = AndNot(g43, g12);
    g45 = Nor(g40, g44);
    g46 = Or(g41, g45);
    g47 = AndNot(g46, x2);
    g48 = Or(x1, x3);
    g49 = Nor(g47, g48);
    g50 = AndNot(g35, g49);
    g51 = AndNot(g48, g33);
    g52 = Nor(g7, g51);
    g53 = Xor(x3, x7);
    g54 = Or(g26, g53);
    g55 = Xor(o2, o8);
    g56 = Xor(o5, g55);
    g57 = Or(g54, g56);
    g58 = Nor(g23, g50);
    g59 = AndNot(g58, g12);
    g60 = And(g46, g59);
    g61 = And(g10, g60);
    g62 = Nor(x4, g61);
    g63 = Xor(o5, o6);
    g64 = Xor(o4, g63);
    g65 = Or(g62, g64);
    g66 = Or(g57, g65);
    g67 = Or(g40, g50);
    g68 = Xor(g33, g67);
    g69 = AndNot(g68, g56);
    g70 = AndNot(g66, g69);
    g71 = Xor(g8, g20);
    g72 = Nor(g64, g71);
    g73 = AndNot(g70, g72);
    g74 = AndNot(g73, g54);
    g75 = And(g8, g74);
    g76 = AndNot(g67, g68);
    g77 = Nor(g75, g76);
    g78 = Or(g35, g44);
    g79 = Xor(g61, g78);
    g80 = And(g22, g79);
    g81 = And(g60, g66);
    g82 = Or(x5, g81);
    g83 = AndNot(g82, g73);
    g84 = Nor(g80, g83);
    g85 = And(g25, g84);
    g86 = And(g53, g85);
    g87 = Nor(x5, o5);
    g88 = Xor(g86, g87);
    g89 = AndNot(g88, g74);
    g90 = Nor(g77, g89);
    g91 = Xor(g22, g44);
    g92 = And(g85, g91);
    g93 = Xor(g90, g92);
    g94 = AndNot(g52, g93);
    g95 = AndNot(g46, g94);
    g96 = AndNot(g61, g32);
    g97 = AndNot(g95, g96);
    g98 = Or(g50, g97);
    g99 = Or(g65, g72);
    g100 = Nor(g20, g99);
    g101 = Or(x8, g60);
    g102 = Or(g84, g93);
    g103 = Nor(g98, g102);
    g104 = Or(g2, g63);
    g105 = Nor(g19, g104);
    g106 = Nor(g39, g105);
    g107 = And(g103, g106);
    g108 = AndNot(g76, g55);
    g109 = Nor(g107, g108);
    g110 = AndNot(g101, g109);
    g111 = Nor(g100, g110);
    g112 = Or(g2, g54);
    g113 = And(g111, g112);
    g114 = AndNot(g87, g113);
    g115 = Or(g83, g114);
    g116 = AndNot(g58, g115);
    g117 = And(g3, g116);
    g118 = Xor(g17, g117);
    g119 = Or(g89, g118);
    g120 = AndNot(g85, x2);
    g121 = Nor(g91, g120);
    g122 = AndNot(g119, g121);
    g123 = AndNot(g60, g122);
    g124 = Nor(g115, g123);
    g125 = And(g98, g124);
    g126 = AndNot(g28, g125);
    g127 = Nor(g23, g126);
    g128 = And(g1, g127);
    g129 = AndNot(g124, g127);
    g130 = AndNot(g28, g129);
    g131 = Nor(g18, g130);
    g132 = Or(g128, g131);
    g133 = AndNot(g61, g44);
    g134 = AndNot(g58, g133);
    g135 = Or(g115, g132);
    g136 = Nor(g134, g135);
    g137 = AndNot(g136, g17);
    g138 = Or(g132, g137);
    g139 = Or(g114, g138);
    g140 = AndNot(g117, g138);
    g141 = Or(g139, g140);
    g142 = And(g72, g82);
    g143 = Or(g102, g142);
    g144 = Nor(g141, g143);
    g145 = And(g67, g144);
    g146 = Nor(g141, g144);
    g147 = AndNot(g146, g129);
    g148 = AndNot(g147, g8);
    g149 = AndNot(g146, g148);
    g150 = AndNot(g144, g67);
    => g128 g145 g137 g148 g114 g149 g140 g150 g131;
}
