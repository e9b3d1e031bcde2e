//! What an answer has to look like, for providers that hold a model to it.

use genai::adapter::AdapterKind;
use serde_json::{Map, Value, json};
use trueup_rubric::Rubric;
use trueup_rubric::request::reply_schema;

/// A JSON Schema under a name.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    pub(crate) name: &'static str,
    schema: Value,
}

/// The schema of a judge's answer.
pub(crate) fn of_judge(rubric: &Rubric, criteria: &[&str]) -> Schema {
    let text = reply_schema(rubric);
    let mut schema: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| unreachable!("the schema of a reply is always JSON: {error}"));
    if !criteria.is_empty() {
        let result = json!({"type": "string", "enum": ["pass", "fail", "undetermined"]});
        let results: Map<String, Value> =
            criteria.iter().map(|id| ((*id).to_owned(), result.clone())).collect();
        schema["properties"]["criteria"] = json!({
            "type": "object", "properties": results, "required": criteria, "additionalProperties": false
        });
        if let Some(required) = schema["required"].as_array_mut() {
            required.push("criteria".into());
        }
    }
    Schema { name: "verdict", schema }
}

/// The schema of a reviser's answer. Everything is required, because that is how strict providers want it; what does not
/// belong to a result is null.
pub(crate) fn of_reviser() -> Schema {
    let part = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
        "required": ["name", "text"],
        "additionalProperties": false
    });
    let texts = json!({"type": ["array", "null"], "items": {"type": "string"}});
    let schema = json!({
        "type": "object",
        "properties": {
            "result": {"type": "string", "enum": ["changed", "nothing", "slice", "dispute", "blocked"]},
            "note": {"type": "string"},
            "parts": {"type": ["array", "null"], "items": part},
            "split": texts,
            "landed": {"type": ["string", "null"]},
            "class": {"type": ["string", "null"]}
        },
        "required": ["result", "note", "parts", "split", "landed", "class"],
        "additionalProperties": false
    });
    Schema { name: "revision", schema }
}

/// The schema as a provider takes it: Anthropic refuses ranges of numbers. The reader holds to them all the same.
pub(crate) fn for_provider(schema: &Schema, kind: AdapterKind) -> Value {
    let mut schema = schema.schema.clone();
    if kind == AdapterKind::Anthropic {
        without_ranges(&mut schema, false);
    }
    schema
}

/// Takes `minimum` and `maximum` out of every schema; a property of that name stays.
fn without_ranges(schema: &mut Value, is_properties: bool) {
    match schema {
        Value::Object(members) => {
            if !is_properties {
                members.remove("minimum");
                members.remove("maximum");
            }
            for (name, member) in members {
                without_ranges(member, !is_properties && name == "properties");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_ranges(item, false)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use trueup_rubric::Axis;
    use trueup_score::{Better, Points, Scale};

    use super::*;

    #[test]
    fn ranges_go_where_they_are_refused_and_a_property_of_that_name_stays() {
        let scale =
            Scale::new(Points::from_micros(1_000_000), Points::from_micros(5_000_000), Better::Higher);
        let rubric = Rubric::new([Axis::new("minimum", scale.unwrap())]).unwrap();
        let schema = of_judge(&rubric, &["links-work"]);
        let openai = for_provider(&schema, AdapterKind::OpenAI);
        let score = "/properties/rubric/properties/minimum/properties/score";
        assert_eq!(openai.pointer(score).unwrap()["minimum"], 1);
        let anthropic = for_provider(&schema, AdapterKind::Anthropic);
        assert_eq!(anthropic.pointer(score).unwrap(), &json!({"type": ["number", "null"]}));
        assert_eq!(anthropic["properties"]["criteria"]["required"], json!(["links-work"]));
        assert!(anthropic["required"].as_array().unwrap().contains(&json!("criteria")));
    }
}
