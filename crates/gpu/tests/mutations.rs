//! Negative controls: kernels that are wrong in one place each must be found out, by the device's
//! own checks or by the comparison with the CPU.

mod common;

use common::{cpu, finish, gpu};
use crownhead_gpu::{GpuBackend, GpuError, Settings, Shaders};
use crownhead_index::materials_to;

struct Mutation {
    what: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const MUTATIONS: [Mutation; 14] = [
    Mutation {
        what: "edge mask",
        file: "shared/board.wgsl",
        from: "const EDGE1 = BLACK_CROWN_ROW | RIGHT_EDGE;",
        to: "const EDGE1 = BLACK_CROWN_ROW;",
    },
    Mutation {
        what: "edge of a shift",
        file: "shared/board.wgsl",
        from: "((squares << 5u) & ODD_ROWS & ~LEFT_EDGE)",
        to: "((squares << 5u) & ODD_ROWS)",
    },
    Mutation {
        what: "OR for AND",
        file: "shared/step.wgsl",
        from: "reached &= wins_at(rest",
        to: "reached |= wins_at(rest",
    },
    Mutation {
        what: "OR for AND in man moves",
        file: "men.wgsl",
        from: "all_reach_win &= entry.x",
        to: "all_reach_win |= entry.x",
    },
    Mutation {
        what: "side flip",
        file: "classify.wgsl",
        from: "if (side == 1u) { sets = turned(sets); }",
        to: "if (side == 0u) { sets = turned(sets); }",
    },
    Mutation {
        what: "orientation of a looked-up slice",
        file: "shared/lookup.wgsl",
        from: "at = slice + 7u;",
        to: "at = slice + 9u;",
    },
    Mutation {
        what: "promotion type",
        file: "classify.wgsl",
        from: "let king = (p.y & origin) != 0u || ((leaf >> 19u) & 1u) != 0u;",
        to: "let king = (p.y & origin) != 0u;",
    },
    Mutation {
        what: "capture undo",
        file: "shared/captures.wgsl",
        from: "s.captured &= ~(1u << neighbour(s.square, s.direction));",
        to: "",
    },
    Mutation {
        what: "inverted word",
        file: "classify.wgsl",
        from: "vec4<u32>(~squares | win,",
        to: "vec4<u32>(~squares | ~win,",
    },
    Mutation {
        what: "canonical mask",
        file: "finish.wgsl",
        from: "((others & (0u - others)) - 1u)",
        to: "others",
    },
    Mutation {
        what: "chunk of an entry",
        file: "shared/arena.wgsl",
        from: "chunk + (word >> CHUNK_BITS) + (low >> CHUNK_BITS)",
        to: "chunk + (word >> CHUNK_BITS)",
    },
    Mutation {
        what: "chunk of a word in scratch",
        file: "shared/scratch_chunks.wgsl",
        from: "return at & ((1u << SCRATCH_BITS) - 1u);",
        to: "return at & ((1u << (SCRATCH_BITS - 1u)) - 1u);",
    },
    Mutation {
        what: "a direction that the audit leaves out",
        file: "audit.wgsl",
        from: "if (stand.direction < 4u) {",
        to: "if (stand.direction < 3u) {",
    },
    Mutation {
        what: "crown row of the audit",
        file: "audit.wgsl",
        from: "select(7u, 0u, side == 1u)",
        to: "select(0u, 7u, side == 1u)",
    },
];

/// How the mutated kernels were found out, if they were, on all materials to 4 pieces.
fn found_out(mutation: &Mutation, settings: Settings) -> Option<String> {
    let shaders = Shaders::default().mutated(mutation.file, mutation.from, mutation.to);
    let backend = match GpuBackend::new(gpu(), Settings { shaders, ..settings }) {
        Ok(backend) => backend,
        Err(GpuError::Validation(why)) => panic!("{}: not a valid shader: {why}", mutation.what),
        Err(error) => panic!("{error}"),
    };
    let right = cpu();
    for material in materials_to(4) {
        match finish(&backend, material) {
            Err(error) => return Some(format!("by the device's checks: {error}")),
            Ok(found) if found != finish(&right, material).unwrap() => {
                return Some(format!("by the counts of {material}"));
            }
            Ok(_) => {}
        }
    }
    None
}

#[test]
fn every_mutation_is_found_out() {
    for mutation in &MUTATIONS {
        // Several chunks, so that addressing matters.
        let settings = Settings { chunk_bits: 14, scratch_bits: 14, ..Settings::default() };
        match found_out(mutation, settings) {
            Some(how) => eprintln!("{}: {how}", mutation.what),
            None => panic!("{}: not found out", mutation.what),
        }
    }
}

/// The audit finds what is consistent within a batch and wrong on the board, without any CPU result
/// to compare with: it shares neither the capture search nor the look-ups of `classify`.
#[test]
fn the_audit_finds_wrong_results() {
    let in_words_only = [
        "OR for AND in man moves",
        "orientation of a looked-up slice",
        "promotion type",
        "capture undo",
    ];
    for mutation in MUTATIONS.iter().filter(|mutation| in_words_only.contains(&mutation.what)) {
        let settings = Settings { audit_every: 1, ..Settings::default() };
        let how = found_out(mutation, settings);
        assert!(how.as_ref().is_some_and(|how| how.contains("contradict")), "{how:?}");
    }
}
