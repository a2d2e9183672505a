//! What a crate for boards must not refer to, with reasons.

/// A kind of helper that the compiler or a library would link in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ban {
    /// What it is, in words.
    pub(crate) what: &'static str,
    /// Why boards must do without.
    pub(crate) why: &'static str,
    /// Whole names, or beginnings of names where they end in `*`.
    symbols: &'static [&'static str],
}

/// Heap allocation; only the graph crate may use it.
pub(crate) const ALLOCATOR: Ban = Ban {
    what: "an allocator",
    why: "boards with 16 KiB of RAM have no heap",
    symbols: &[
        "*__rust_alloc*",
        "*__rust_dealloc*",
        "*__rust_realloc*",
        "malloc",
        "free",
        "realloc",
    ],
};

/// Everything else that no core crate may use.
pub(crate) const ALWAYS: [Ban; 3] = [
    Ban {
        what: "a floating-point helper",
        why: "Cortex-M0 and RV32IMC have no floating-point unit; each helper costs kilobytes, \
              and results must not depend on rounding",
        symbols: &[
            "__aeabi_f*",
            "__aeabi_d*",
            "__aeabi_i2f",
            "__aeabi_i2d",
            "__aeabi_ui2f",
            "__aeabi_ui2d",
            "__aeabi_l2f",
            "__aeabi_l2d",
            "__aeabi_ul2f",
            "__aeabi_ul2d",
            "__aeabi_cf*",
            "__aeabi_cd*",
            "__addsf3",
            "__adddf3",
            "__subsf3",
            "__subdf3",
            "__mulsf3",
            "__muldf3",
            "__divsf3",
            "__divdf3",
            "__fix*",
            "__float*",
            "__extendsfdf2",
            "__truncdfsf2",
            "__gesf2",
            "__gedf2",
            "__ltsf2",
            "__ltdf2",
            "__eqsf2",
            "__eqdf2",
        ],
    },
    Ban {
        what: "a 64-bit division helper",
        why: "it takes a thousand cycles on Cortex-M0; indices fit 32 bits",
        symbols: &[
            "__aeabi_uldivmod",
            "__aeabi_ldivmod",
            "__udivdi3",
            "__umoddi3",
            "__divdi3",
            "__moddi3",
            "__udivmoddi4",
            "__divmoddi4",
            "__udivti3",
            "__umodti3",
        ],
    },
    Ban {
        what: "a compare-exchange",
        why: "Cortex-M0 has no such instruction and no library to emulate it",
        symbols: &["__atomic_*", "__sync_*"],
    },
];

impl Ban {
    /// Whether this symbol is meant.
    pub(crate) fn covers(&self, symbol: &str) -> bool {
        self.symbols.iter().any(|pattern| {
            let inner = pattern.trim_matches('*');
            match (pattern.starts_with('*'), pattern.ends_with('*')) {
                (true, _) => symbol.contains(inner),
                (false, true) => symbol.starts_with(inner),
                (false, false) => symbol == inner,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bans_cover_what_they_name_and_nothing_else() {
        let [float, division, exchange] = ALWAYS;
        assert!(float.covers("__aeabi_fmul") && float.covers("__muldf3"));
        assert!(division.covers("__aeabi_uldivmod") && division.covers("__udivdi3"));
        assert!(exchange.covers("__atomic_compare_exchange_4"));
        assert!(ALLOCATOR.covers("_RNvCsabc_7___rustc12___rust_alloc"));
        for harmless in ["memcpy", "__aeabi_memcpy4", "__aeabi_uidiv", "__aeabi_lmul", "freeze"] {
            assert!(!ALWAYS.iter().any(|ban| ban.covers(harmless)), "{harmless}");
            assert!(!ALLOCATOR.covers(harmless), "{harmless}");
        }
    }
}
