//! One text for a chain, two uses: data to walk and code to run.

/// Declares a chain from its text: a static [`Chain`](crate::Chain) and a function that is the same
/// chain as a straight-line program, which the compiler keeps in registers.
///
/// The names are counted by an enum, whose variants are the signals in order.
macro_rules! straight_line {
    (
        $(#[$chain_doc:meta])* chain $chain:ident;
        $(#[$play_doc:meta])* play $play:ident;
        mine $($x:ident)*;
        theirs $($o:ident)*;
        $($gate:ident = $op:ident($a:ident, $b:ident);)*
        => $($y:ident)*;
    ) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Signal { $($x,)* $($o,)* $($gate,)* }

        $(#[$chain_doc])*
        pub static $chain: $crate::Chain<{ [$(Signal::$gate as u16),*].len() }> = $crate::Chain {
            gates: [$($crate::Gate {
                op: $crate::Op::$op,
                a: Signal::$a as u16,
                b: Signal::$b as u16,
            }),*],
            outputs: [$(Signal::$y as u16),*],
        };

        $(#[$play_doc])*
        #[must_use]
        #[allow(unused_variables)]
        pub fn $play<W: $crate::Word>(boards: &$crate::Boards<W>) -> [W; 9] {
            let [$($x),*] = boards.mine;
            let [$($o),*] = boards.theirs;
            $(let $gate = $crate::Op::$op.apply($a, $b);)*
            [$($y),*]
        }
    };
}

pub(crate) use straight_line;
