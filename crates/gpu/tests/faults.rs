//! Faults are typed errors that leave everything finished as it was.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::{cpu, finish, gpu, on_device};
use crownhead_gpu::{Choice, Gpu, GpuBackend, GpuError, Settings, Shaders};
use crownhead_index::{Material, materials_to};
use crownhead_solver::{Backend, Control, Job, SolveError};

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

#[test]
fn a_missing_part_is_named() {
    let gpu = on_device(Settings::default());
    finish(&gpu, material("KvK")).unwrap();
    let error = finish(&gpu, material("KKvM")).unwrap_err();
    assert!(
        matches!(error, SolveError::NotSolved { part, .. } if part == material("KvM")),
        "{error}"
    );
}

#[test]
fn an_arena_that_is_too_small_is_refused_with_numbers() {
    let cases = [
        (
            22 << 10,
            "KKvK is too large: with its parts it takes 8448 bytes of the arena, which holds",
        ),
        (8 << 10, "KKvK is too large: a component has 496 words, and scratch holds 256"),
    ];
    for (memory, expected) in cases {
        let gpu = on_device(Settings { memory, chunk_bits: 8, ..Settings::default() });
        let names = ["KvK", "KKvK"].map(material);
        let refused = gpu.check(&names).unwrap_err().to_string();
        assert!(refused.starts_with(expected), "before the build: {refused}");
        finish(&gpu, names[0]).unwrap();
        let error = finish(&gpu, names[1]).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(gpu.summary(names[0]).is_ok(), "what was finished is kept");
    }
}

#[test]
fn too_many_pieces_are_refused() {
    let error = finish(&on_device(Settings::default()), material("KKKKKvKKKK")).unwrap_err();
    assert!(matches!(error, SolveError::TooLarge { .. }), "{error}");
}

#[test]
fn a_stopped_build_leaves_the_store_as_it_was() {
    let gpu = on_device(Settings::default());
    let (right, stop) = (cpu(), AtomicBool::new(false));
    for material in materials_to(3) {
        finish(&right, material).unwrap();
        stop.store(true, Ordering::Relaxed);
        let stopped = gpu.build(Job::finish(material), &Control::new(&stop, &|_| {}));
        assert!(matches!(stopped, Err(SolveError::Interrupted)));
        assert!(gpu.summary(material).is_err());
        stop.store(false, Ordering::Relaxed);
        gpu.build(Job::finish(material), &Control::new(&stop, &|_| {})).unwrap();
        assert_eq!(gpu.summary(material).unwrap(), right.summary(material).unwrap());
    }
}

#[test]
fn a_rejected_shader_is_named() {
    let broken = Shaders::default().mutated("men.wgsl", "fn men(", "fn man(");
    let error = GpuBackend::new(gpu(), Settings { shaders: broken, ..Settings::default() });
    assert!(matches!(&error, Err(GpuError::Validation(why)) if why.contains("shader men")));
}

/// No kernel has a stand-in: without any one shader nothing is built.
#[test]
fn every_shader_is_needed() {
    let others = ["canary.wgsl", "copy.wgsl", "graph_commit.wgsl", "graph_decide.wgsl"];
    // Included in special cases: see `shader.rs`.
    let special = ["shared/graph.wgsl", "shared/scratch_chunks.wgsl", "shared/sum.wgsl"];
    for name in Shaders::default().names() {
        if others.contains(&name) || special.contains(&name) {
            continue;
        }
        let shaders = Shaders::default().without(name);
        let error = GpuBackend::new(gpu(), Settings { shaders, ..Settings::default() });
        assert!(matches!(error, Err(GpuError::Validation(_))), "{name} is not missed");
    }
}

#[test]
fn kernels_that_do_nothing_are_noticed() {
    let idle = Shaders::default().mutated("finish.wgsl", "packed = 2u;", "packed = 0u;");
    let gpu = GpuBackend::new(gpu(), Settings { shaders: idle, ..Settings::default() }).unwrap();
    let error = finish(&gpu, material("KvK")).unwrap_err().to_string();
    assert!(error.contains("finished 0 of 64 words"), "{error}");
    let skipped = Shaders::default().mutated("classify.wgsl", "put_wins(at, result.x);", "");
    let gpu = GpuBackend::new(common::gpu(), Settings { shaders: skipped, ..Settings::default() });
    let error = finish(&gpu.unwrap(), material("KvK")).unwrap_err().to_string();
    assert!(error.contains("break the verifier's rules"), "{error}");
}

#[test]
fn unknown_adapters_are_refused_with_a_list() {
    let error = Gpu::open(&Choice::Named("no such adapter".to_owned())).unwrap_err();
    assert!(matches!(error, GpuError::UnknownAdapter { found, .. } if !found.is_empty()));
}
