//! Every shader against naga and against the Rust side, without any device.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Literal, Module, StorageAccess, TypeInner};

use crate::graph::{GraphParams, place};
use crate::kernel::{CLASSIFY_WORDS, Kernel, Params, WORKGROUP, counter};
use crate::shader::{Form, Shaders};

fn parse(name: &str, text: &str) -> Module {
    naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(text)))
}

fn validate(name: &str, text: &str, module: &Module) {
    Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP)
        .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
        .subgroup_operations(naga::valid::SubgroupOperationSet::all())
        .validate(module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(text)));
}

const FORMS: [Form; 4] = [
    Form::PLAIN,
    Form { chunks: 3, ..Form::PLAIN },
    Form { chunks: 3, scratch: 2, subgroups: false },
    Form { chunks: 3, scratch: 3, subgroups: true },
];

fn forms() -> impl Iterator<Item = (Kernel, Form, String, Module)> {
    Kernel::ALL.into_iter().flat_map(move |kernel| {
        FORMS.map(|form| {
            let text = Shaders::default().kernel(kernel, form);
            let module = parse(kernel.name(), &text);
            (kernel, form, text, module)
        })
    })
}

fn kernels() -> impl Iterator<Item = (Kernel, String, Module)> {
    forms().map(|(kernel, _, text, module)| (kernel, text, module))
}

#[test]
fn every_shader_is_valid() {
    for (kernel, text, module) in kernels() {
        validate(kernel.name(), &text, &module);
    }
    for name in ["canary.wgsl", "copy.wgsl", "graph_commit.wgsl", "graph_decide.wgsl"] {
        let text = Shaders::default().compose(name, Form::PLAIN);
        validate(name, &text, &parse(name, &text));
    }
}

#[test]
#[should_panic(expected = "classify")]
fn a_broken_shader_is_found() {
    let broken = Shaders::default().mutated("shared/slices.wgsl", "fn rank(", "fn rnak(");
    parse("classify", &broken.kernel(Kernel::Classify, Form::PLAIN));
}

/// A field of [`Params`] and its bytes from the start.
macro_rules! field {
    ($name:ident) => {
        (stringify!($name), core::mem::offset_of!(Params, $name))
    };
}

#[test]
fn the_parameters_are_laid_out_as_in_rust() {
    let expected = [
        field!(sets),
        field!(steps),
        field!(base),
        field!(first),
        field!(end),
        field!(component_words),
        field!(inner_words),
        field!(components),
        field!(fast),
        field!(side_words),
        field!(black_men_stride),
        field!(white_men_stride),
        field!(moving_sides),
        field!(batch),
        field!(round),
        field!(rounds),
        field!(round_flags),
        field!(group_components),
        field!(sample),
    ];
    for (kernel, _, module) in kernels() {
        let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params"));
        let Some((_, naga::Type { inner: TypeInner::Struct { members, span }, .. })) = found else {
            panic!("{} has no struct Params", kernel.name())
        };
        assert_eq!(*span as usize, size_of::<Params>());
        let found: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_deref().unwrap(), member.offset as usize))
            .collect();
        assert_eq!(found, expected, "{}", kernel.name());
    }
}

#[test]
fn the_graph_kernels_see_what_rust_writes() {
    for name in ["graph_decide", "graph_commit"] {
        let text = Shaders::default().compose(&format!("{name}.wgsl"), Form::PLAIN);
        let module = parse(name, &text);
        let params = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("GraphParams"));
        let Some((_, naga::Type { inner: TypeInner::Struct { members, .. }, .. })) = params else {
            panic!("{name} has no struct GraphParams")
        };
        let found: Vec<_> =
            members.iter().map(|m| (m.name.as_deref().unwrap(), m.offset as usize)).collect();
        let expected = [
            ("words", core::mem::offset_of!(GraphParams, words)),
            ("round", core::mem::offset_of!(GraphParams, round)),
            ("slot", core::mem::offset_of!(GraphParams, slot)),
        ];
        assert_eq!(found, expected);
        let constants = [
            ("DECIDED", place::DECIDED),
            ("VISITED", place::VISITED),
            ("OPEN", place::OPEN),
            ("WON", place::WON),
            ("LOST", place::LOST),
            ("NEWLY_WON", place::NEWLY_WON),
            ("NEWLY_LOST", place::NEWLY_LOST),
        ];
        for (constant_name, value) in constants {
            let found = constant(&module, constant_name).map(|value| value as usize);
            assert_eq!(found, Some(value), "{constant_name} in {name}");
        }
        assert_eq!(module.entry_points[0].workgroup_size, [WORKGROUP, 1, 1]);
        for (slot, to_candidates, to_changed) in [(0, 2, 3), (5, 12, 13)] {
            assert_eq!(
                (place::candidates(slot), place::changed(slot)),
                (to_candidates, to_changed)
            );
        }
        assert!(text.contains("return 2u + 2u * slot;") && text.contains("return 3u + 2u * slot;"));
    }
}

/// The value of a `const` of type u32, if the module has it.
fn constant(module: &Module, name: &str) -> Option<u32> {
    let (_, constant) =
        module.constants.iter().find(|(_, constant)| constant.name.as_deref() == Some(name))?;
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(Literal::U32(value)) => Some(value),
        ref other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn constants_are_those_of_rust() {
    let expected = [
        ("STALLED", counter::STALLED),
        ("MISSED_READS", counter::MISSED_READS),
        ("OFFENDING", counter::OFFENDING),
        ("AUDIT_OFFENDING", counter::AUDIT_OFFENDING),
        ("AUDITED", counter::AUDITED),
        ("AUDIT_FIRST", counter::AUDIT_FIRST),
        ("ROUNDS", counter::ROUNDS),
        ("FINISHED", counter::FINISHED),
        ("COUNTS", counter::COUNTS),
        ("SLICE_WORDS", crate::tables::SLICE_WORDS),
        ("GROUP_WORDS", CLASSIFY_WORDS as usize),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (kernel, _, module) in kernels() {
        for (name, value) in expected {
            if let Some(found) = constant(&module, name) {
                assert_eq!(found as usize, value, "{name} in {}", kernel.name());
                seen.insert(name);
            }
        }
    }
    assert_eq!(seen.len(), expected.len(), "each is in some shader: {seen:?}");
}

#[test]
fn entry_points_and_workgroup_sizes_are_those_of_rust() {
    for (kernel, _, module) in kernels() {
        let [entry] = &module.entry_points[..] else { panic!("one entry point") };
        assert_eq!(entry.name, kernel.shader());
        assert_eq!(entry.workgroup_size, [WORKGROUP, 1, 1], "{}", kernel.name());
        let overrides: Vec<_> =
            module.overrides.iter().filter_map(|(_, found)| found.name.as_deref()).collect();
        for (name, _) in kernel.constants() {
            assert!(overrides.contains(name), "{name} in {}", kernel.name());
        }
    }
}

#[test]
fn bindings_are_those_of_the_layouts() {
    let general = ["params", "tables", "components", "slices", "counters"];
    let lists = ["wins", "losses", "quiet", "lossable"];
    for (kernel, form, _, module) in forms() {
        for (_, variable) in module.global_variables.iter() {
            let (Some(binding), Some(name)) = (&variable.binding, &variable.name) else { continue };
            let expected = match binding.group {
                0 => general[binding.binding as usize].to_owned(),
                1 if form.scratch == 1 => lists[binding.binding as usize].to_owned(),
                1 => format!("{}{}", lists[binding.binding as usize % 4], binding.binding / 4),
                _ => format!("chunk{}", binding.binding),
            };
            assert_eq!(*name, expected, "{}", kernel.name());
            let writes = match variable.space {
                AddressSpace::Storage { access } => access.contains(StorageAccess::STORE),
                _ => false,
            };
            let may_write = match binding.group {
                0 => name == "counters",
                1 => true,
                _ => kernel.writes_arena(),
            };
            assert_eq!(writes, may_write, "{name} in {}", kernel.name());
        }
    }
}
