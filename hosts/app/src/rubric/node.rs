//! TOML and JSON as one tree, with places where the format gives them.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::RubricFileError;
use crate::Position;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) at: Option<Position>,
}

/// A value of either format; numbers as they are written.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Number(String),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
    Other(&'static str),
}

impl Value {
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Number(_) => "a number",
            Self::Bool(_) => "a truth value",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

/// Reads a file's text, as JSON when its name ends so and as TOML otherwise.
pub(super) fn parse(path: &Path, text: &str) -> Result<Node, RubricFileError> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return serde_json::from_str(text).map_err(|error| {
            let position = Position { line: error.line(), column: error.column() };
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            RubricFileError::new(path, Some(position), "", format!("it is not JSON: {message}"))
        });
    }
    let table = DeTable::parse(text).map_err(|error| {
        let position = error.span().map(|span| Position::of(text, span.start));
        RubricFileError::new(path, position, "", format!("it is not TOML: {}", error.message()))
    })?;
    Ok(Node { value: of_table(text, table.get_ref()), at: None })
}

fn of_table(text: &str, table: &DeTable<'_>) -> Value {
    Value::Table(table.iter().map(|(key, value)| (key.get_ref().to_string(), of_toml(text, value))).collect())
}

fn of_toml(text: &str, value: &Spanned<DeValue<'_>>) -> Node {
    let at = Some(Position::of(text, value.span().start));
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) if integer.radix() == 10 => Value::Number(integer.as_str().to_owned()),
        DeValue::Integer(_) => Value::Other("a number that is not decimal"),
        DeValue::Float(float) => Value::Number(float.as_str().to_owned()),
        DeValue::Boolean(truth) => Value::Bool(*truth),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::List(items.iter().map(|item| of_toml(text, item)).collect()),
        DeValue::Table(table) => of_table(text, table),
    };
    Node { value, at }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(|value| Self { value, at: None })
    }
}

/// Collects what JSON has, keys that are there twice included.
struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Other("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut table: Vec<(String, Node)> = Vec::new();
        while let Some((key, value)) = members.next_entry::<String, Node>()? {
            if table.iter().any(|(known, _)| *known == key) {
                return Err(serde::de::Error::custom(format!("the key {key:?} is there twice")));
            }
            table.push((key, value));
        }
        Ok(Value::Table(table))
    }
}
