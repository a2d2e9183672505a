//! The manifest against the tables: parsed here once more, so that a fault in its writer shows.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use crownhead_rules::Color;
use crownhead_table::Header;

use crate::Fault;

/// What a manifest says of the tables beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    files: BTreeMap<String, Vec<String>>,
}

impl Listed {
    /// Reads `manifest.tsv`; `None` when there is none.
    ///
    /// # Errors
    ///
    /// [`Fault::Manifest`] when it cannot be read.
    pub fn read(directory: &Path) -> Result<Option<Self>, Fault> {
        let text = match std::fs::read_to_string(directory.join("manifest.tsv")) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Fault::Manifest(format!("cannot be read: {error}"))),
        };
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let (name, rest) = line.split_once('\t').unwrap_or((line, ""));
            files.entry(name.to_owned()).or_default().push(rest.to_owned());
        }
        Ok(Some(Self { files }))
    }

    /// Compares what is listed with a table's header. A table that is not listed passes: a build
    /// may have ended between the two.
    ///
    /// # Errors
    ///
    /// [`Fault::Manifest`] with both lines.
    pub fn compare(&self, header: &Header) -> Result<(), Fault> {
        let name = format!("{}.{}", header.material, header.encoding.metric());
        let Some(listed) = self.files.get(&name) else { return Ok(()) };
        let of_table: Vec<String> = header
            .stored_sides()
            .iter()
            .map(|&side| {
                let counted = &header.sides[side as usize];
                let to_move = if side == Color::Black { "black" } else { "white" };
                let bytes = header.file_bytes().unwrap_or(0);
                let numbers = [bytes, header.positions].map(|number| number.to_string()).join("\t");
                let counts = [counted.wins, counted.losses, counted.draws];
                let counts = counts.map(|count| count.to_string()).join("\t");
                format!("{numbers}\t{to_move}\t{counts}\t{:08x}", counted.crc)
            })
            .collect();
        if *listed == of_table {
            return Ok(());
        }
        Err(Fault::Manifest(format!(
            "says '{}' of {name}, whose header says '{}'",
            listed.join(" / "),
            of_table.join(" / ")
        )))
    }

    /// The listed files that are not in the directory.
    pub fn absent(&self, directory: &Path) -> Vec<&str> {
        let names = self.files.keys().map(String::as_str);
        names.filter(|name| !directory.join(name).is_file()).collect()
    }
}
