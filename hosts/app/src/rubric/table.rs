//! A table read key by key, so that what nobody asked for is found and named.

use std::cell::RefCell;
use std::path::Path;

use trueup_score::Points;

use super::error::RubricFileError;
use super::node::{Node, Value};
use crate::Position;

/// One table of the file.
#[derive(Debug)]
pub(super) struct Table<'n> {
    file: &'n Path,
    path: String,
    at: Option<Position>,
    members: &'n [(String, Node)],
    asked: RefCell<Vec<&'static str>>,
}

impl<'n> Table<'n> {
    /// The table that the node must be.
    pub(super) fn of(file: &'n Path, path: &str, node: &'n Node) -> Result<Self, RubricFileError> {
        match &node.value {
            Value::Table(members) => {
                Ok(Self { file, path: path.to_owned(), at: node.at, members, asked: RefCell::default() })
            }
            other => Err(RubricFileError::new(
                file,
                node.at,
                path,
                format!("expected a table, found {}", other.kind()),
            )),
        }
    }

    /// The path of a key of this table.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Where a key's value stands; the table itself when it is not there.
    pub(super) fn place(&self, key: &str) -> Option<Position> {
        self.members.iter().find(|(name, _)| name == key).map_or(self.at, |(_, node)| node.at)
    }

    /// An error at a key.
    pub(super) fn bad(&self, key: &str, why: impl Into<String>) -> RubricFileError {
        RubricFileError::new(self.file, self.place(key), &self.path(key), why)
    }

    fn find(&self, key: &'static str) -> Option<&'n Node> {
        self.asked.borrow_mut().push(key);
        self.members.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    fn mismatch(&self, key: &str, node: &Node, expected: &str) -> RubricFileError {
        self.bad(key, format!("expected {expected}, found {}", node.value.kind()))
    }

    pub(super) fn text(&self, key: &'static str) -> Result<Option<String>, RubricFileError> {
        match self.find(key) {
            None => Ok(None),
            Some(Node { value: Value::Text(text), .. }) => Ok(Some(text.clone())),
            Some(other) => Err(self.mismatch(key, other, "a text")),
        }
    }

    pub(super) fn required(&self, key: &'static str, expected: &str) -> Result<String, RubricFileError> {
        self.text(key)?.ok_or_else(|| self.missing(key, expected))
    }

    pub(super) fn missing(&self, key: &str, expected: &str) -> RubricFileError {
        RubricFileError::new(
            self.file,
            self.at,
            &self.path(key),
            format!("it is missing: expected {expected}"),
        )
    }

    pub(super) fn truth(&self, key: &'static str) -> Result<bool, RubricFileError> {
        match self.find(key) {
            None => Ok(false),
            Some(Node { value: Value::Bool(truth), .. }) => Ok(*truth),
            Some(other) => Err(self.mismatch(key, other, "true or false")),
        }
    }

    pub(super) fn points(&self, key: &'static str) -> Result<Option<Points>, RubricFileError> {
        self.find(key).map(|node| self.as_points(key, node)).transpose()
    }

    fn as_points(&self, key: &str, node: &Node) -> Result<Points, RubricFileError> {
        match &node.value {
            Value::Number(text) => text.parse().map_err(|error| self.bad(key, format!("{error}"))),
            _ => Err(self.mismatch(key, node, "a number")),
        }
    }

    pub(super) fn weight(&self, key: &'static str) -> Result<Option<u32>, RubricFileError> {
        match self.find(key) {
            None => Ok(None),
            Some(Node { value: Value::Number(text), .. }) => text.parse().map(Some).map_err(|_| {
                self.bad(key, format!("{text} is no weight: expected a whole number, 0 or above"))
            }),
            Some(other) => Err(self.mismatch(key, other, "a whole number")),
        }
    }

    pub(super) fn texts(&self, key: &'static str) -> Result<Vec<String>, RubricFileError> {
        let Some(node) = self.find(key) else { return Ok(Vec::new()) };
        let Value::List(items) = &node.value else { return Err(self.mismatch(key, node, "a list of texts")) };
        let text = |item: &Node| match &item.value {
            Value::Text(text) => Ok(text.clone()),
            _ => Err(self.mismatch(key, item, "a list of texts")),
        };
        items.iter().map(text).collect()
    }

    pub(super) fn table(&self, key: &'static str) -> Result<Option<Table<'n>>, RubricFileError> {
        self.find(key).map(|node| Table::of(self.file, &self.path(key), node)).transpose()
    }

    pub(super) fn tables(&self, key: &'static str) -> Result<Vec<Table<'n>>, RubricFileError> {
        let Some(node) = self.find(key) else { return Ok(Vec::new()) };
        let Value::List(items) = &node.value else {
            return Err(self.mismatch(key, node, &format!("a list of tables, each under [[{key}]]")));
        };
        let table = |(index, item)| Table::of(self.file, &format!("{}[{index}]", self.path(key)), item);
        items.iter().enumerate().map(table).collect()
    }

    /// Every key with a number: a table of somebody else's names.
    pub(super) fn numbers(&self) -> Result<Vec<(String, Points)>, RubricFileError> {
        let number = |(key, node): &(String, Node)| Ok((key.clone(), self.as_points(key, node)?));
        self.members.iter().map(number).collect()
    }

    /// Refuses the first key that nobody asked for.
    pub(super) fn finish(self) -> Result<(), RubricFileError> {
        let known = self.asked.borrow();
        let Some((key, _)) = self.members.iter().find(|(key, _)| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let nearest = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, key));
        let nearest = nearest.copied().unwrap_or_default();
        let known = known.join(", ");
        Err(self.bad(key, format!("unknown key: did you mean {nearest:?}? known keys: {known}")))
    }
}
