//! From text to a reply.

use std::borrow::Cow;
use std::collections::BTreeMap;

use trueup_findings::{Evidence, EvidenceKind};
use trueup_score::{Points, Truth};

use super::fault::{Fault, FaultKind};
use super::json::{Object, Value};
use super::number;
use super::scan::{Candidate, candidates};
use super::values::{AxisReply, ConditionReply, Flag, Observation, Reply};
use crate::axis::normalised;
use crate::{Axis, Reading, Rubric};

/// The key that an answer has.
pub(crate) const KEY: &str = "rubric";

/// How replies are read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bytes that are read at most; longer is a fault. One mebibyte by default: a reply is a page or two, and more is a
    /// runaway generation.
    pub max_bytes: usize,
    /// Whether a plain decimal in quotes is a score. Off by default: what was asked for is a number.
    pub text_scores: bool,
    /// What the member `"echo"` of the answer must say, so that nothing quoted from elsewhere is taken for the answer.
    pub echo: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_bytes: 1 << 20, text_scores: false, echo: None }
    }
}

/// Reads what a judge wrote.
///
/// The answer is the only JSON object in the text that has the key `"rubric"`:
///
/// ```json
/// {"rubric": {"hierarchy": {"score": 4, "anchor": 4, "rationale": "…", "evidence": [{"kind": "file", "locator": "a.css:3"}]}},
///  "conditions": {"links-work": {"result": "pass", "evidence": []}}, "overall": 4, "summary": "…", "suggestions": ["…"]}
/// ```
///
/// One fence and prose around it are read over; so are a comma before a closing bracket, comments, and raw line breaks in
/// strings, each with a flag. Nothing else is mended. What an axis says that is no score is [`Reading::Invalid`], what it
/// does not say, or `null`, is [`Reading::Missing`]; neither is ever a number. The judge's own result decides nothing.
///
/// # Errors
/// When the text holds no answer, more than one, or one that breaks off, scores what was not asked, or scores on another
/// scale. A fault is not a low score.
pub fn read_reply(text: &str, rubric: &Rubric, options: &ReadOptions) -> Result<Reply, Fault> {
    let found = answers(text, options)?;
    let mut read: Option<Reply> = None;
    for candidate in &found {
        let reply = read_answer(text, candidate, rubric, options)?;
        read = Some(match read {
            None => reply,
            Some(first) if same(&first, &reply) => with_flags(first, &reply.flags, Flag::Repeated),
            Some(_) => return Err(Fault::new(FaultKind::Ambiguous)),
        });
    }
    read.ok_or_else(|| Fault::new(FaultKind::Empty))
}

/// Reads what a judge wrote where there is no rubric: every score that it gives, letter for letter.
///
/// Nothing is held against anything, so nothing is decided.
///
/// # Errors
/// As [`read_reply`], but for what only a rubric can say.
pub fn observe(text: &str, options: &ReadOptions) -> Result<Vec<Observation>, Fault> {
    let mut found = answers(text, options)?;
    if found.iter().any(|other| found.first().is_some_and(|first| first.object != other.object)) {
        return Err(Fault::new(FaultKind::Ambiguous));
    }
    let Some(candidate) = found.pop() else { return Err(Fault::new(FaultKind::Empty)) };
    no_duplicates(&candidate.object)?;
    let axes = axes_of(&candidate.object)?;
    let observation = |(name, value): &(Cow<'_, str>, Value<'_>)| {
        let (score, rationale) = match value {
            Value::Object(object) => (object.get("score"), text_of(object, "rationale")),
            bare => (Some(bare), String::new()),
        };
        let written = match score {
            Some(Value::Number(text) | Value::NotFinite(text)) => Some((*text).to_owned()),
            Some(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        Observation { axis: name.to_string(), written, rationale }
    };
    Ok(axes.members.iter().map(observation).collect())
}

fn answers<'t>(text: &'t str, options: &ReadOptions) -> Result<Vec<Candidate<'t>>, Fault> {
    if text.len() > options.max_bytes {
        let (bytes, at_most) = (text.len(), options.max_bytes);
        return Err(Fault::new(FaultKind::TooLong { bytes, at_most }));
    }
    if text.trim().is_empty() {
        return Err(Fault::new(FaultKind::Empty));
    }
    let mut found = candidates(text, KEY)?;
    if let Some(echo) = &options.echo {
        let echoes =
            |object: &Object<'_>| matches!(object.get("echo"), Some(Value::Text(said)) if said == echo);
        found.retain(|candidate| echoes(&candidate.object));
        if found.is_empty() {
            let beginning = text.trim_start().chars().take(80).collect();
            return Err(Fault::new(FaultKind::NoAnswer { key: format!("echo: {echo}"), beginning }));
        }
    }
    Ok(found)
}

/// Whether two replies say the same; what was noticed in reading them makes no difference.
fn same(a: &Reply, b: &Reply) -> bool {
    let plain = |reply: &Reply| {
        let mut reply = reply.clone();
        reply.flags.clear();
        for axis in &mut reply.axes {
            axis.flags.clear();
            axis.written = None;
        }
        reply
    };
    plain(a) == plain(b)
}

fn with_flags(mut reply: Reply, flags: &[Flag], flag: Flag) -> Reply {
    reply.flags.extend(flags);
    reply.flags.push(flag);
    reply.flags.sort_unstable();
    reply.flags.dedup();
    reply
}

fn read_answer(
    text: &str,
    candidate: &Candidate<'_>,
    rubric: &Rubric,
    options: &ReadOptions,
) -> Result<Reply, Fault> {
    let object = &candidate.object;
    no_duplicates(object)?;
    let mut flags = around(text, candidate);
    let repairs = candidate.repairs;
    let noticed = [
        (repairs.trailing_comma, Flag::TrailingComma),
        (repairs.comment, Flag::Comment),
        (repairs.raw_break, Flag::RawLineBreak),
    ];
    flags.extend(noticed.iter().filter(|(noticed, _)| *noticed).map(|(_, flag)| *flag));
    let said = by_axis(axes_of(object)?, rubric)?;
    let axes: Result<Vec<AxisReply>, Fault> = rubric
        .axes()
        .iter()
        .map(|axis| read_axis(axis, said.get(&normalised(axis.name())).copied(), options))
        .collect();
    let claim = claim(object);
    if claim.is_some() {
        flags.push(Flag::ClaimIgnored);
    }
    let overall = ["overall", "score"].iter().find_map(|key| match object.get(key) {
        Some(Value::Number(text)) => number::points(text),
        _ => None,
    });
    if overall.is_some() && !rubric.takes_reported() {
        flags.push(Flag::OverallIgnored);
    }
    let suggestions = match object.get("suggestions") {
        Some(Value::List(items)) => items
            .iter()
            .filter_map(|item| if let Value::Text(text) = item { Some(text.to_string()) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    let reply = Reply {
        axes: axes?,
        conditions: read_conditions(object, rubric)?,
        overall,
        claim,
        summary: text_of(object, "summary"),
        suggestions,
        flags: Vec::new(),
    };
    flags.sort_unstable();
    flags.dedup();
    Ok(Reply { flags, ..reply })
}

/// What stands around the answer: a fence, prose.
fn around(text: &str, candidate: &Candidate<'_>) -> Vec<Flag> {
    let (before, after) = (text[..candidate.from].trim(), text[candidate.to..].trim());
    let opens = before.rfind("```").filter(|at| !before[*at..].trim_start_matches('`').contains('\n'));
    let mut flags = Vec::new();
    if opens.is_some() {
        flags.push(Flag::Fenced);
    }
    let prose_before = opens.map_or(before, |at| &before[..at]);
    let prose_after = if opens.is_some() { after.strip_prefix("```").unwrap_or(after) } else { after };
    if !(prose_before.trim().is_empty() && prose_after.trim().is_empty()) {
        flags.push(Flag::Prose);
    }
    flags
}

fn axes_of<'v, 't>(object: &'v Object<'t>) -> Result<&'v Object<'t>, Fault> {
    match object.get(KEY) {
        Some(Value::Object(axes)) => Ok(axes),
        _ => Err(Fault::new(FaultKind::Shape {
            path: KEY.to_owned(),
            expected: "an object with one member per axis",
        })),
    }
}

/// Refuses keys that are there twice with different values, wherever they stand.
fn no_duplicates(object: &Object<'_>) -> Result<(), Fault> {
    let mut seen: BTreeMap<&str, &Value<'_>> = BTreeMap::new();
    for (key, value) in &object.members {
        if seen.insert(key, value).is_some_and(|before| before != value) {
            return Err(Fault::new(FaultKind::DuplicateKey { key: key.to_string() }));
        }
        no_duplicates_in(value)?;
    }
    Ok(())
}

fn no_duplicates_in(value: &Value<'_>) -> Result<(), Fault> {
    match value {
        Value::Object(object) => no_duplicates(object),
        Value::List(items) => items.iter().try_for_each(no_duplicates_in),
        _ => Ok(()),
    }
}

/// An axis as it is written, and what is said of it.
type Said<'v, 't> = (&'v str, &'v Value<'t>);

/// What is said, by the axes' normalised names.
fn by_axis<'v, 't>(axes: &'v Object<'t>, rubric: &Rubric) -> Result<BTreeMap<String, Said<'v, 't>>, Fault> {
    let mut said: BTreeMap<String, Said<'v, 't>> = BTreeMap::new();
    for (name, value) in &axes.members {
        // What is accepted stands letter for letter in the reply, so a name that is spelt in escapes is no axis.
        let key = if matches!(name, Cow::Borrowed(_)) { normalised(name) } else { String::new() };
        if rubric.axes().iter().all(|axis| normalised(axis.name()) != key) {
            return Err(Fault::new(FaultKind::OutsideContract {
                what: "axis",
                name: name.to_string(),
                known: rubric.axes().iter().map(|axis| axis.name().to_owned()).collect(),
            }));
        }
        if said.insert(key, (name, value)).is_some_and(|(_, before)| before != value) {
            return Err(Fault::new(FaultKind::DuplicateKey { key: name.to_string() }));
        }
    }
    Ok(said)
}

fn read_axis(axis: &Axis, said: Option<Said<'_, '_>>, options: &ReadOptions) -> Result<AxisReply, Fault> {
    let mut reply = AxisReply {
        axis: axis.name().to_owned(),
        reading: Reading::Missing,
        written: None,
        anchor: None,
        rationale: String::new(),
        evidence: Vec::new(),
        flags: Vec::new(),
    };
    let Some((name, value)) = said else { return Ok(reply) };
    if name != axis.name() {
        reply.flags.push(Flag::Renamed);
    }
    let score = match value {
        Value::Object(object) => {
            reply.rationale = text_of(object, "rationale");
            reply.evidence = evidence_of(object);
            reply.anchor = match object.get("anchor") {
                Some(Value::Number(text)) => number::points(text),
                Some(Value::Text(text)) => labelled(axis, text).or_else(|| text.trim().parse().ok()),
                _ => None,
            };
            object.get("score").unwrap_or(&Value::Null)
        }
        Value::Null => &Value::Null,
        bare => {
            reply.flags.push(Flag::BareScore);
            bare
        }
    };
    read_score(axis, score, options, &mut reply)?;
    if reply.reading.score().is_some() && reply.rationale.trim().is_empty() {
        reply.flags.push(Flag::NoRationale);
    }
    Ok(reply)
}

fn read_score(
    axis: &Axis,
    score: &Value<'_>,
    options: &ReadOptions,
    reply: &mut AxisReply,
) -> Result<(), Fault> {
    let invalid = |why: &str| Reading::Invalid { why: why.to_owned() };
    let written = match score {
        Value::Null => return Ok(()),
        Value::Bool(_) => {
            reply.reading = invalid("a truth value is no score");
            return Ok(());
        }
        Value::NotFinite(text) => {
            reply.reading = invalid(&format!("{text} is no score"));
            return Ok(());
        }
        Value::List(_) | Value::Object(_) => {
            reply.reading = invalid("a list or an object is no score");
            return Ok(());
        }
        Value::Text(text) if not_applicable(text) => {
            reply.flags.push(Flag::NotApplicable);
            return Ok(());
        }
        Value::Text(Cow::Owned(text)) => {
            reply.reading = invalid(&format!("{text:?} is spelt in escapes, and no score"));
            return Ok(());
        }
        Value::Text(text) => {
            if let Some(points) = labelled(axis, text) {
                reply.reading = Reading::Scored(points);
                reply.written = Some(text.to_string());
                return Ok(());
            }
            let plain = text.trim();
            if !options.text_scores || plain.parse::<Points>().is_err() {
                reply.reading = invalid(&format!("{text:?} is neither a number nor a label of the scale"));
                return Ok(());
            }
            reply.flags.push(Flag::TextScore);
            plain
        }
        Value::Number(text) => text,
    };
    let scale = axis.scale();
    let Some(points) = number::points(written) else {
        // Whether it is only too precise, or off every scale, is told by its size.
        let size = written.parse::<f64>().unwrap_or(f64::INFINITY);
        let ends =
            (as_float(scale.min()) - as_float(axis.slack()), as_float(scale.max()) + as_float(axis.slack()));
        if size.is_finite() && !(ends.0..=ends.1).contains(&size) {
            return Err(confusion(axis, written));
        }
        reply.reading = invalid(&format!("{written} is not exact to six decimals"));
        return Ok(());
    };
    reply.reading = if axis.allows(points) {
        Reading::Scored(points)
    } else if (scale.min()..=scale.max()).contains(&points) {
        invalid(&format!("{points} lies between two scores of the scale"))
    } else {
        let end = if points < scale.min() { scale.min() } else { scale.max() };
        let beyond = points.saturating_sub(end).max(end.saturating_sub(points));
        if beyond > axis.slack() {
            return Err(confusion(axis, written));
        }
        reply.flags.push(Flag::Clamped);
        Reading::Clamped { raw: points, to: end }
    };
    if reply.reading.score().is_some() {
        reply.written = Some(written.to_owned());
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "only tells a score that is too precise from one that is far off"
)]
fn as_float(points: Points) -> f64 {
    points.micros() as f64 / 1e6
}

fn confusion(axis: &Axis, written: &str) -> Fault {
    Fault::new(FaultKind::ScaleConfusion {
        axis: axis.name().to_owned(),
        score: written.to_owned(),
        min: axis.scale().min().to_string(),
        max: axis.scale().max().to_string(),
    })
}

/// The score of the anchor with exactly this label. Nothing near it counts: `CI` is not `C`.
fn labelled(axis: &Axis, text: &str) -> Option<Points> {
    axis.anchors().iter().find(|anchor| anchor.label() == Some(text)).map(crate::Anchor::score)
}

fn not_applicable(text: &str) -> bool {
    matches!(normalised(text).as_str(), "n/a" | "na" | "not applicable")
}

fn text_of(object: &Object<'_>, key: &str) -> String {
    match object.get(key) {
        Some(Value::Text(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// What the member `evidence` points to. A bare text is a note, which nothing can verify.
fn evidence_of(object: &Object<'_>) -> Vec<Evidence> {
    let items = match object.get("evidence") {
        Some(Value::List(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => return Vec::new(),
    };
    let read = |item: &Value<'_>| match item {
        Value::Text(text) if !text.trim().is_empty() => {
            Some(Evidence::new(EvidenceKind::Note, text.to_string()))
        }
        Value::Object(object) => {
            let kind = EvidenceKind::from_name(&text_of(object, "kind")).unwrap_or(EvidenceKind::Note);
            let locator = text_of(object, "locator");
            let evidence = Evidence::new(kind, locator.clone());
            let evidence = match object.get("quote") {
                Some(Value::Text(quote)) => evidence.with_quote(quote.to_string()),
                _ => evidence,
            };
            (!locator.trim().is_empty()).then_some(evidence)
        }
        _ => None,
    };
    items.iter().filter_map(read).collect()
}

fn read_conditions(object: &Object<'_>, rubric: &Rubric) -> Result<Vec<ConditionReply>, Fault> {
    let said = match object.get("conditions") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Object(said)) => said,
        Some(_) => {
            return Err(Fault::new(FaultKind::Shape {
                path: "conditions".to_owned(),
                expected: "an object with one member per condition",
            }));
        }
    };
    let unknown = said.members.iter().find(|(id, _)| rubric.condition(id).is_none());
    if let Some((id, _)) = unknown {
        return Err(Fault::new(FaultKind::OutsideContract {
            what: "condition",
            name: id.to_string(),
            known: rubric.conditions().iter().map(|condition| condition.id().to_owned()).collect(),
        }));
    }
    let read = |condition: &crate::Condition| {
        let value = said.get(condition.id())?;
        let (result, evidence) = match value {
            Value::Object(object) => (object.get("result").unwrap_or(&Value::Null), evidence_of(object)),
            bare => (bare, Vec::new()),
        };
        let truth = match result {
            Value::Bool(holds) => Truth::from(*holds),
            Value::Text(text) => text.trim().to_ascii_lowercase().parse().unwrap_or(Truth::Undetermined),
            _ => Truth::Undetermined,
        };
        Some(ConditionReply { id: condition.id().to_owned(), truth, evidence })
    };
    Ok(rubric.conditions().iter().filter_map(read).collect())
}

/// What the judge itself calls the result.
fn claim(object: &Object<'_>) -> Option<bool> {
    let of = |key: &str| match object.get(key)? {
        Value::Bool(passes) => Some(*passes),
        Value::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "pass" | "passed" | "passes" | "true" => Some(true),
            "fail" | "failed" | "fails" | "false" => Some(false),
            _ => None,
        },
        _ => None,
    };
    ["pass", "passed", "passes", "verdict", "result", "status"]
        .iter()
        .find_map(|key| of(key))
        .or_else(|| ["needsRevision", "needs_revision"].iter().find_map(|key| of(key)).map(|needs| !needs))
}
