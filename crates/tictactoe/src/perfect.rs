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
    g3 = Xor(o6, o9);
    g4 = Xor(o3, g3);
    g5 = Or(o6, g4);
    g6 = Or(g2, g5);
    g7 = Xor(x7, o7);
    g8 = Or(x4, o4);
    g9 = Or(x7, g8);
    g10 = Xor(g1, g8);
    g11 = And(g9, g10);
    g12 = Xor(g7, g11);
    g13 = Xor(o1, o7);
    g14 = Xor(o4, g13);
    g15 = AndNot(g12, g14);
    g16 = Nor(x6, g15);
    g17 = AndNot(g6, g16);
    g18 = Xor(x3, o3);
    g19 = Nor(x9, o9);
    g20 = AndNot(g18, g19);
    g21 = Nor(x6, o6);
    g22 = Xor(g20, g21);
    g23 = Or(g4, g22);
    g24 = Nor(g17, g23);
    g25 = Xor(o8, o9);
    g26 = Xor(o7, g25);
    g27 = Xor(g7, g19);
    g28 = Nor(g26, g27);
    g29 = Nor(g7, g28);
    g30 = Or(x8, o8);
    g31 = Xor(g19, g30);
    g32 = Nor(g26, g31);
    g33 = Xor(g7, g32);
    g34 = Nor(g29, g33);
    g35 = Nor(x2, g34);
    g36 = Or(x3, g35);
    g37 = Or(x1, g36);
    g38 = Xor(o2, o3);
    g39 = Xor(o1, g38);
    g40 = Or(x2, o2);
    g41 = Xor(g1, g18);
    g42 = Nor(g39, g41);
    g43 = Or(g1, g42);
    g44 = Xor(g40, g43);
    g45 = Nor(g39, g44);
    g46 = And(g37, g45);
    g47 = Or(g24, g46);
    g48 = Or(g15, g47);
    g49 = Or(g34, g48);
    g50 = AndNot(g49, x8);
    g51 = Nor(g28, g50);
    g52 = Nor(g10, g14);
    g53 = Or(g49, g52);
    g54 = AndNot(g53, x4);
    g55 = Xor(o5, o6);
    g56 = Xor(o4, g55);
    g57 = Xor(g8, g21);
    g58 = Nor(g56, g57);
    g59 = Nor(g54, g56);
    g60 = Xor(o2, o8);
    g61 = Xor(o5, g60);
    g62 = Xor(x1, x9);
    g63 = Xor(x3, x7);
    g64 = Or(g62, g63);
    g65 = Nor(g61, g64);
    g66 = And(g59, g65);
    g67 = Or(g58, g66);
    g68 = Or(g30, g46);
    g69 = Xor(g40, g68);
    g70 = AndNot(g69, g61);
    g71 = Nor(g67, g70);
    g72 = AndNot(g71, g64);
    g73 = Or(x5, o5);
    g74 = Or(x5, o1);
    g75 = Nor(o9, g74);
    g76 = Or(g32, g45);
    g77 = Xor(g53, g76);
    g78 = AndNot(g23, g77);
    g79 = Nor(g49, g66);
    g80 = Nor(x5, g79);
    g81 = Nor(g71, g80);
    g82 = Or(g78, g81);
    g83 = AndNot(g75, g82);
    g84 = And(g63, g83);
    g85 = Xor(g73, g84);
    g86 = Or(g72, g85);
    g87 = AndNot(g40, g69);
    g88 = Or(g8, g87);
    g89 = And(g86, g88);
    g90 = Xor(g23, g32);
    g91 = And(g83, g90);
    g92 = Xor(g89, g91);
    g93 = Or(g11, g92);
    g94 = And(g1, g93);
    g95 = Or(g42, g94);
    g96 = Or(g54, g95);
    g97 = And(g51, g96);
    g98 = Nor(g48, g97);
    g99 = Or(g24, g98);
    g100 = Xor(g7, g18);
    g101 = And(g86, g100);
    g102 = AndNot(g83, x2);
    g103 = Nor(g90, g102);
    g104 = Nor(g101, g103);
    g105 = Nor(g49, g104);
    g106 = Or(g2, g64);
    g107 = AndNot(g6, g92);
    g108 = And(g99, g107);
    g109 = And(g82, g108);
    g110 = AndNot(g87, g61);
    g111 = Nor(g109, g110);
    g112 = AndNot(g51, g111);
    g113 = AndNot(g106, g112);
    g114 = AndNot(g59, g21);
    g115 = And(g57, g114);
    g116 = AndNot(g113, g115);
    g117 = Nor(g73, g116);
    g118 = Or(g81, g117);
    g119 = Or(g105, g118);
    g120 = Or(g99, g119);
    g121 = Nor(o5, g62);
    g122 = Or(g75, g121);
    g123 = And(g120, g122);
    g124 = AndNot(g1, g123);
    g125 = Or(g32, g53);
    g126 = AndNot(g125, g47);
    g127 = Or(g81, g126);
    g128 = Nor(g18, g127);
    g129 = Xor(g119, g120);
    g130 = AndNot(g122, g129);
    g131 = AndNot(g19, g130);
    g132 = Or(g124, g131);
    g133 = Or(g117, g132);
    g134 = Or(g128, g133);
    g135 = Nor(g47, g134);
    g136 = Nor(g7, g118);
    g137 = And(g135, g136);
    g138 = Or(g134, g137);
    g139 = And(g58, g119);
    g140 = AndNot(g82, g139);
    g141 = AndNot(g140, g87);
    g142 = Nor(g138, g141);
    g143 = Or(g138, g142);
    g144 = AndNot(g68, g143);
    g145 = AndNot(g128, g133);
    g146 = And(g120, g142);
    g147 = And(g21, g146);
    g148 = AndNot(g142, g147);
    g149 = Nor(g68, g143);
    => g124 g144 g145 g148 g117 g147 g137 g149 g131;
}
