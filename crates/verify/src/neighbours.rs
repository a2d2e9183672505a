use crownhead_index::Material;
use crownhead_rules::{Outcome, Position, Value};
use crownhead_table::{
    MappedFile, PlainTable, ProbeError, TableError, TableErrorKind, Tables, table_path,
};

use crate::Fault;

/// A table and those that its moves lead to, at hand without a search in the directory.
pub(super) struct Neighbours<'a> {
    tables: &'a Tables,
    table: &'a PlainTable<MappedFile>,
    material: Material,
    /// By canonical material: a few.
    parts: Vec<(Material, &'a PlainTable<MappedFile>)>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        table: &'a PlainTable<MappedFile>,
    ) -> Result<Self, TableError> {
        let material = table.header().material;
        let part = |part| Ok((part, tables.table(part)?));
        let parts = material.parts().map(part).collect::<Result<_, TableError>>()?;
        Ok(Self { tables, table, material, parts })
    }

    pub(super) const fn table(&self) -> &'a PlainTable<MappedFile> {
        self.table
    }

    pub(super) fn has_plies(&self) -> bool {
        self.tables.metric().has_plies()
    }

    /// What the tables say of a position that a move of this material leads to.
    #[inline]
    pub(super) fn outcome(&self, position: &Position) -> Result<Outcome, Fault> {
        let material = Material::of(position);
        let table = if material == self.material || material == self.material.mirror() {
            self.table
        } else if position.side(position.side_to_move).is_empty() {
            // The last piece was captured.
            let plies = self.has_plies().then_some(0);
            return Ok(Outcome { value: Value::Loss, plies });
        } else {
            let canonical = material.canonical();
            match self.parts.iter().find(|(part, _)| *part == canonical) {
                Some((_, table)) => table,
                None => return Err(Fault::PartMissing(canonical)),
            }
        };
        table.probe(position).map_err(|error| self.damaged(table, error))
    }

    #[cold]
    pub(super) fn damaged(
        &self,
        table: &PlainTable<MappedFile>,
        error: ProbeError<crownhead_table::PastEnd>,
    ) -> Fault {
        let material = table.header().material;
        let path = table_path(self.tables.directory(), material, self.tables.metric());
        Fault::Table(TableError { path, kind: TableErrorKind::Probe(error) })
    }
}
