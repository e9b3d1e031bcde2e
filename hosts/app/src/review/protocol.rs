//! The protocol checker, as far as it needs no judgement: fields, references, cycles, file conflicts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use trueup_findings::{Finding, Location, Severity};

/// What a consumer needs of an artifact. Paths name members by dots and every item of a list by `[]`: `stories[].id`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Protocol {
    /// What must be there, on every item.
    #[serde(default)]
    required: Vec<String>,
    /// What must name something that is there.
    #[serde(default)]
    reference: Vec<Reference>,
    /// Items that run side by side, and must not change one file.
    #[serde(default)]
    disjoint: Vec<Disjoint>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    /// The list of items.
    items: String,
    /// The name of an item, within it.
    id: String,
    /// What it names, within it.
    refers: String,
    /// Whether names must not lead back to where they began.
    #[serde(default)]
    acyclic: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Disjoint {
    /// The list of items.
    items: String,
    /// The name of an item, within it.
    id: String,
    /// The files that it changes, within it.
    files: String,
}

/// A value and the path that led to it.
type Found<'v> = (String, Option<&'v Value>);

/// Everything at a path; `None` where an item lacks it.
fn at<'v>(value: &'v Value, path: &str) -> Vec<Found<'v>> {
    let mut found: Vec<Found<'v>> = vec![(String::new(), Some(value))];
    for part in path.split('.') {
        let (name, every) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        let mut next = Vec::new();
        for (path, value) in found {
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let member = if name.is_empty() { value } else { value.and_then(|value| value.get(name)) };
            match (every, member) {
                (true, Some(Value::Array(items))) => {
                    next.extend(
                        items.iter().enumerate().map(|(i, item)| (format!("{path}[{i}]"), Some(item))),
                    );
                }
                (true, Some(Value::Null) | None) => next.push((path, None)),
                (true, Some(_)) => next.push((format!("{path}[]"), None)),
                (false, Some(Value::Null)) => next.push((path, None)),
                (false, member) => next.push((path, member)),
            }
        }
        found = next;
    }
    found
}

fn texts(value: &Value, path: &str) -> Vec<String> {
    at(value, path)
        .into_iter()
        .filter_map(|(_, value)| match value? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
        .collect()
}

/// Everything in which the artifact does not fit.
pub(super) fn check(artifact: &Value, protocol: &Protocol) -> Vec<Finding> {
    let mut list = Vec::new();
    let mut add = |title: String, item: String, cause: &str, fix: String, severity: Severity| {
        let id = format!("P{}", list.len() + 1);
        list.push(Finding::new(id, title, severity).at(Location::item(item)).caused_by(cause).with_fix(fix));
    };
    for path in &protocol.required {
        for (place, value) in at(artifact, path) {
            if value.is_none() {
                add(
                    format!("{place} is missing"),
                    place.clone(),
                    "a required field is missing",
                    format!("add {place}"),
                    Severity::Blocking,
                );
            }
        }
    }
    for reference in &protocol.reference {
        let mut edges: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, item) in at(artifact, &reference.items) {
            let Some(item) = item else { continue };
            for id in texts(item, &reference.id) {
                if edges.insert(id.clone(), texts(item, &reference.refers)).is_some() {
                    let fix = "give each item a name of its own".to_owned();
                    add(
                        format!("two items are named {id}"),
                        id,
                        "a name is there twice",
                        fix,
                        Severity::Blocking,
                    );
                }
            }
        }
        for (id, names) in &edges {
            for name in names.iter().filter(|name| !edges.contains_key(*name)) {
                add(
                    format!("{id} refers to {name}, which is not there"),
                    format!("{id} → {name}"),
                    "a reference leads nowhere",
                    format!("add {name}, or take the reference out of {id}"),
                    Severity::Blocking,
                );
            }
        }
        if reference.acyclic
            && let Some(around) = cycle(&edges)
        {
            let title = format!("references go in a circle: {}", around.join(" → "));
            let fix = "take one of the references out".to_owned();
            add(title, around.join(" → "), "a cycle", fix, Severity::Blocking);
        }
    }
    for disjoint in &protocol.disjoint {
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (_, item) in at(artifact, &disjoint.items) {
            let Some(item) = item else { continue };
            let id = texts(item, &disjoint.id).join(" ");
            for file in texts(item, &disjoint.files) {
                users.entry(file).or_default().insert(id.clone());
            }
        }
        for (file, ids) in users.into_iter().filter(|(_, ids)| ids.len() > 1) {
            let ids: Vec<String> = ids.into_iter().collect();
            add(
                format!("{file} is changed by {}", ids.join(" and ")),
                file.clone(),
                "items that run side by side change one file",
                "let one wait for the other, or move what they share".to_owned(),
                Severity::Important,
            );
        }
    }
    list
}

/// One cycle, where there is one, from its smallest name. Walks without recursion, so that depth is no limit.
fn cycle(edges: &BTreeMap<String, Vec<String>>) -> Option<Vec<String>> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in edges.keys() {
        let mut path: Vec<(&str, usize)> = vec![(start, 0)];
        let mut on_path: BTreeSet<&str> = [start.as_str()].into();
        while let Some((node, next)) = path.last_mut() {
            let following = edges.get(*node).and_then(|names| names.get(*next));
            *next += 1;
            match following {
                None => {
                    done.insert(node);
                    on_path.remove(*node);
                    path.pop();
                }
                Some(name) if on_path.contains(name.as_str()) => {
                    let from = path.iter().position(|(node, _)| node == name).unwrap_or(0);
                    let mut around: Vec<String> =
                        path[from..].iter().map(|(node, _)| (*node).to_owned()).collect();
                    around.push(name.clone());
                    return Some(around);
                }
                Some(name) if !done.contains(name.as_str()) && edges.contains_key(name) => {
                    on_path.insert(name);
                    path.push((name, 0));
                }
                Some(_) => {}
            }
        }
    }
    None
}
