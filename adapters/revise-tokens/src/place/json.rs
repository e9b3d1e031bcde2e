//! Values in JSON documents.

use std::ops::Range;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The value that `pointer` names, without its quotes when it is a string; nothing when it is not there.
pub(crate) fn find(text: &str, pointer: &str) -> Result<Vec<Range<usize>>, String> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(format!("{pointer:?} is not a JSON pointer: expected one such as /color/brand"));
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    let Some(root) = &parsed.value else { return Ok(Vec::new()) };
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    let mut value = Some(root);
    for step in steps {
        value = value.and_then(|value| child(value, &step));
    }
    Ok(value.map(|value| inner(text, value)).into_iter().collect())
}

fn child<'v, 't>(value: &'v Value<'t>, step: &str) -> Option<&'v Value<'t>> {
    match value {
        Value::Object(object) => object.properties.iter().find(|p| p.name.as_str() == step).map(|p| &p.value),
        Value::Array(array) => array.elements.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

fn inner(text: &str, value: &Value<'_>) -> Range<usize> {
    let range = value.range();
    let (start, end) = (range.start, range.end);
    // A token's value never needs an escape, so what stands between the quotes is the value.
    let quoted = matches!(value, Value::StringLit(_)) && text[start..end].len() >= 2;
    if quoted { start + 1..end - 1 } else { start..end }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r##"{ "color": { "brand": "#2563eb", "a/b": [1, 2.5] } }"##;

    fn value(pointer: &str) -> Option<&'static str> {
        find(JSON, pointer).unwrap().into_iter().next().map(|span| &JSON[span])
    }

    #[test]
    fn pointers_name_values() {
        assert_eq!(value("/color/brand"), Some("#2563eb"));
        assert_eq!(value("/color/a~1b/1"), Some("2.5"));
        assert_eq!(value("/color/missing"), None);
        assert_eq!(value("/color/brand/deeper"), None);
    }

    #[test]
    fn what_is_no_pointer_or_no_json_is_refused() {
        assert!(find(JSON, "color/brand").is_err());
        assert!(find("{ \"a\": ", "/a").is_err());
    }
}
