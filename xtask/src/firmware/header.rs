//! Compares the C header with the Rust library: every function, number and structure.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// What one side says, by name.
type Interface = BTreeMap<String, String>;

/// Fails with what differs between `include/crownhead.h` and the library's sources.
pub(crate) fn check(capi: &Path) -> Result<()> {
    let header = read(&capi.join("include/crownhead.h"))?;
    let mut sources = String::new();
    let mut files: Vec<_> = std::fs::read_dir(capi.join("src"))?.collect::<Result<_, _>>()?;
    // Tests have functions for C to call, too.
    files.retain(|file| file.file_name() != "tests.rs");
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files {
        sources += &read(&file.path())?;
    }
    let differences = differences(&of_header(&header), &of_sources(&sources));
    if !differences.is_empty() {
        bail!("header and library disagree:\n{}", differences.join("\n"));
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn differences(header: &Interface, library: &Interface) -> Vec<String> {
    let mut found = Vec::new();
    for name in header.keys().chain(library.keys().filter(|name| !header.contains_key(*name))) {
        let (h, l) = (header.get(name), library.get(name));
        if h != l {
            let show = |side: Option<&String>| side.map_or("nothing".to_owned(), String::clone);
            found.push(format!("{name}: header {}, library {}", show(h), show(l)));
        }
    }
    found
}

/// Functions (`name(type, ...) result`), numbers and structures of the header.
fn of_header(text: &str) -> Interface {
    let text = without_comments(text);
    let mut interface = Interface::new();
    for line in text.lines() {
        let mut words = line.strip_prefix("#define ").unwrap_or_default().split_whitespace();
        if let (Some(name), Some(value)) = (words.next(), words.next()) {
            let value = value.trim_matches(['(', ')']);
            if value.parse::<i32>().is_ok() {
                interface.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join(" ");
    for statement in code.split("typedef struct {").skip(1) {
        let Some((members, rest)) = statement.split_once('}') else { continue };
        let name = rest.split(';').next().unwrap_or_default().trim();
        let members = members.split(';').map(tidy).filter(|member| !member.is_empty());
        interface.insert(name.to_owned(), members.collect::<Vec<_>>().join("; "));
    }
    for statement in code.split([';', '}', '{']) {
        let Some((head, arguments)) = statement.split_once('(') else { continue };
        let head = tidy(head);
        let Some((result, name)) = head.rsplit_once(['*', ' ']) else { continue };
        let Some(arguments) = arguments.strip_suffix(')') else { continue };
        if !name.starts_with("crownhead_") || result.starts_with("typedef") {
            continue;
        }
        let result = head.strip_suffix(name).unwrap_or(result).trim().replace("char", "uint8_t");
        let types: Vec<String> = arguments.split(',').map(without_name).collect();
        interface.insert(name.to_owned(), format!("({}) {result}", types.join(", ")));
    }
    interface
}

/// `const uint8_t *image` without `image`.
fn without_name(argument: &str) -> String {
    let argument = tidy(argument);
    let end = argument.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
    // Text is bytes on both sides.
    argument[..=end].trim().replace("char", "uint8_t")
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        out += before;
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same of the library, in the header's words.
fn of_sources(text: &str) -> Interface {
    let text: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut interface = Interface::new();
    for part in text.split("extern \"C\" fn ").skip(1) {
        let Some((name, rest)) = part.split_once('(') else { continue };
        let Some((arguments, rest)) = rest.split_once(')') else { continue };
        if !name.starts_with("crownhead_") {
            continue;
        }
        let types = arguments.split(',').filter_map(|argument| argument.split_once(':'));
        let types: Vec<String> = types.map(|(_, of)| c_type(of)).collect();
        let result = rest.split_once("->").map_or("", |(_, rest)| rest);
        let result = c_type(result.split('{').next().unwrap_or_default());
        interface.insert(name.to_owned(), format!("({}) {result}", types.join(", ")));
    }
    numbers(&text, &mut interface);
    for part in text.split("pub struct C").skip(1) {
        let Some((name, rest)) = part.split_once('{') else { continue };
        let Some((members, _)) = rest.split_once('}') else { continue };
        let members = members.split(",\n").filter_map(|member| {
            let (name, of) = member.trim().trim_start_matches("pub ").split_once(':')?;
            let of = of.trim().trim_end_matches(',');
            Some(match of.strip_prefix('[').and_then(|of| of.strip_suffix(']')?.split_once("; ")) {
                Some((of, "PATH")) => format!("{} {name}[CROWNHEAD_PATH]", c_type(of)),
                Some((of, length)) => format!("{} {name}[{length}]", c_type(of)),
                None => format!("{} {name}", c_type(of)),
            })
        });
        let name = format!("crownhead_{}", name.trim().to_lowercase());
        interface.insert(name, members.collect::<Vec<_>>().join("; "));
    }
    interface
}

/// `Null = 1` of statuses, constants, and values.
fn numbers(text: &str, interface: &mut Interface) {
    let statuses = text.split_once("enum Status {").and_then(|(_, rest)| rest.split_once('}'));
    for line in statuses.map_or("", |(statuses, _)| statuses).lines() {
        if let Some((name, value)) = line.trim().trim_end_matches(',').split_once(" = ") {
            interface.insert(format!("CROWNHEAD_{}", upper(name)), value.to_owned());
        }
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("pub const ")) {
        if let Some((name, value)) = line.trim_end_matches(';').split_once(": usize = ") {
            interface.insert(format!("CROWNHEAD_{name}"), value.to_owned());
        }
    }
    for line in text.lines() {
        if let Some((name, value)) = line.trim().trim_end_matches(',').split_once(" => ")
            && let Some(name) = name.strip_prefix("Value::")
            && value.parse::<i32>().is_ok()
        {
            interface.insert(format!("CROWNHEAD_{}", upper(name)), value.to_owned());
        }
    }
}

/// `BadFen` as `BAD_FEN`.
fn upper(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_uppercase());
    }
    out
}

fn c_type(of: &str) -> String {
    let of = tidy(of);
    if let Some(of) = of.strip_prefix("*mut ") {
        return pointer(&c_type(of));
    }
    if let Some(of) = of.strip_prefix("*const ") {
        return pointer(&format!("const {}", c_type(of)));
    }
    match of.as_str() {
        "usize" => "size_t".to_owned(),
        "c_void" => "void".to_owned(),
        "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &of[1..]),
        "i32" => "int32_t".to_owned(),
        of => match of.strip_prefix('C') {
            Some(name) => format!("crownhead_{}", name.to_lowercase()),
            None => of.to_owned(),
        },
    }
}

fn pointer(of: &str) -> String {
    format!("{of} *")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    fn capi() -> std::path::PathBuf {
        root().join("crates/firmware/capi")
    }

    #[test]
    fn header_and_library_agree() {
        check(&capi()).unwrap();
        let header = of_header(&read(&capi().join("include/crownhead.h")).unwrap());
        let functions = header.values().filter(|value| value.starts_with('(')).count();
        assert!(functions >= 13, "{header:#?}");
    }

    #[test]
    fn every_kind_of_difference_is_found() {
        let header = read(&capi().join("include/crownhead.h")).unwrap();
        let interface = of_header(&header);
        for (from, to) in [
            ("CROWNHEAD_BAD_IMAGE 7", "CROWNHEAD_BAD_IMAGE 8"),
            ("uint32_t lookups", "uint64_t lookups"),
            ("const crownhead_table *table", "crownhead_table *table"),
            ("crownhead_status crownhead_played", "void crownhead_played"),
            ("    uint32_t black_kings;\n", ""),
            ("uint64_t opaque[96]", "uint64_t opaque[95]"),
            ("uint16_t x, uint16_t o, uint8_t *cell", "uint16_t x, uint8_t *cell"),
            ("crownhead_new_player(", "crownhead_make_player("),
            ("#define CROWNHEAD_LOSS (-1)", "#define CROWNHEAD_LOSS (-2)"),
        ] {
            let changed = header.replace(from, to);
            assert_ne!(changed, header, "{from}");
            assert_ne!(differences(&of_header(&changed), &interface), [""; 0], "{from}");
        }
    }
}
