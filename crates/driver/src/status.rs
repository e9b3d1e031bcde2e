//! The status block: the first thing in a summary, on every exit path.

use std::fmt;

use trueup_contract::{Limit, Stop};
use trueup_loop_core::{Engine, Outcome};
use trueup_score::Points;

/// How a run ended, in the fields that every summary begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatusBlock {
    /// How the run ended.
    pub status: Stop,
    /// The run's id.
    pub run_id: String,
    /// What renders.
    pub source: String,
    /// Iterations that were spent.
    pub iterations: u32,
    /// Iterations that may be spent.
    pub iteration_cap: u32,
    /// Where that number came from.
    pub iteration_cap_source: String,
    /// Restarts of the renderer that were spent.
    pub restarts: u32,
    /// The score of every iteration from the baseline on; `None` where it is unknown.
    pub score_history: Vec<Option<Points>>,
    /// What is still open in the best state.
    pub residual_delta_ids: Vec<String>,
    /// Revisions that were taken back because they write a literal where a token belongs.
    pub literal_patches_reverted: u32,
    /// The file of the comparison of the best state.
    pub compare_summary: Option<String>,
    /// The kinds of evidence that were compared.
    pub channels: Vec<String>,
    /// Every stop that held.
    pub stops: Vec<Stop>,
    /// The best state, which the artifact is in.
    pub best_state: Option<String>,
    /// What had to be replaced or overridden, and what went wrong, for people.
    pub notes: Vec<String>,
}

impl StatusBlock {
    /// The block of a run that ended with `outcome`.
    #[must_use]
    pub fn of(engine: &Engine, outcome: &Outcome, run_id: &str, source: &str) -> Self {
        let (limits, budget, best) = (engine.contract().limits(), &outcome.budget, outcome.best.as_ref());
        let residual = best.map(|best| best.residual.clone()).unwrap_or_default();
        let channels = best.map(|best| best.channels.clone()).unwrap_or_default();
        let limits_note =
            |(name, limit): &(&str, &Limit)| Some(format!("limit of {name}: {}", limit.note()?));
        let mut notes: Vec<String> = limits.named().iter().filter_map(limits_note).collect();
        if let Some(best) = best {
            notes.extend(
                best.not_comparable.iter().map(|(label, why)| format!("{label} cannot be compared: {why}")),
            );
        }
        notes.extend(outcome.fault.clone());
        Self {
            status: outcome.status(),
            run_id: run_id.to_owned(),
            source: source.to_owned(),
            iterations: budget.iterations.spent,
            iteration_cap: limits.iterations.value(),
            iteration_cap_source: limits.iterations.source().to_string(),
            restarts: budget.restarts.spent,
            score_history: outcome.score_history.clone(),
            residual_delta_ids: residual.into_iter().map(String::from).collect(),
            literal_patches_reverted: outcome.literal_patches_reverted,
            compare_summary: best.map(|best| format!("diff/{:02}.yaml", best.iteration)),
            channels: channels.iter().map(ToString::to_string).collect(),
            stops: outcome.stops.clone(),
            best_state: best.map(|best| best.state.to_string()),
            notes,
        }
    }
}

/// The text of a value that is not there.
const NONE: &str = "none";
/// The text of a score that is not known.
const UNKNOWN: &str = "unknown";

impl fmt::Display for StatusBlock {
    /// One `field: value` a line; lists in brackets. The text is YAML, and reads back by [`StatusBlock::from_str`].
    ///
    /// [`StatusBlock::from_str`]: std::str::FromStr::from_str
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| text.replace(char::is_control, " ");
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        let scores = |score: &Option<Points>| score.map_or(UNKNOWN.to_owned(), decimal);
        writeln!(f, "status: {}", self.status)?;
        writeln!(f, "run_id: {}", plain(&self.run_id))?;
        writeln!(f, "source: {}", plain(&self.source))?;
        writeln!(f, "iterations: {}", self.iterations)?;
        writeln!(f, "iteration_cap: {}", self.iteration_cap)?;
        writeln!(f, "iteration_cap_source: {}", self.iteration_cap_source)?;
        writeln!(f, "restarts: {}", self.restarts)?;
        writeln!(f, "score_history: {}", list(self.score_history.iter().map(scores).collect()))?;
        writeln!(f, "residual_delta_ids: {}", list(self.residual_delta_ids.clone()))?;
        writeln!(f, "literal_patches_reverted: {}", self.literal_patches_reverted)?;
        writeln!(f, "compare_summary: {}", self.compare_summary.as_deref().unwrap_or(NONE))?;
        writeln!(f, "channels: {}", list(self.channels.clone()))?;
        writeln!(f, "stops: {}", list(self.stops.iter().map(ToString::to_string).collect()))?;
        writeln!(f, "best_state: {}", self.best_state.as_deref().unwrap_or(NONE))
    }
}

/// The exact decimal with at least one digit after the point.
fn decimal(score: Points) -> String {
    let text = score.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// A text is not a status block. Whoever reads one must take this as undetermined, which fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseStatusError {
    what: String,
}

impl fmt::Display for ParseStatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a status block: {}", self.what)
    }
}

impl std::error::Error for ParseStatusError {}

impl std::str::FromStr for StatusBlock {
    type Err = ParseStatusError;

    /// Reads the block at the start of a summary, with or without the `---` lines around it.
    fn from_str(text: &str) -> Result<Self, ParseStatusError> {
        let lines = text.lines().skip_while(|line| *line == "---").take_while(|line| line.contains(": "));
        let mut fields: std::collections::BTreeMap<&str, &str> = std::collections::BTreeMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            if fields.insert(name, value).is_some() {
                return Err(ParseStatusError { what: format!("the field {name} is there twice") });
            }
        }
        let bad = |field: &str, value: &str| ParseStatusError { what: format!("{field}: {value:?}") };
        let field = |name: &str| {
            fields
                .get(name)
                .copied()
                .ok_or_else(|| ParseStatusError { what: format!("the field {name} is missing") })
        };
        let number = |name: &str| field(name)?.parse::<u32>().map_err(|_| bad(name, fields[name]));
        let list = |name: &str| -> Result<Vec<String>, ParseStatusError> {
            let value = field(name)?;
            let inner =
                value.strip_prefix('[').and_then(|v| v.strip_suffix(']')).ok_or_else(|| bad(name, value))?;
            Ok(inner.split(", ").filter(|item| !item.is_empty()).map(str::to_owned).collect())
        };
        let optional = |name: &str| Ok(Some(field(name)?).filter(|value| *value != NONE).map(str::to_owned));
        let status = field("status")?.parse().map_err(|_| bad("status", fields["status"]))?;
        let score = |item: String| match item.as_str() {
            UNKNOWN => Ok(None),
            text => text.parse().map(Some).map_err(|_| bad("score_history", text)),
        };
        let stop = |item: String| item.parse().map_err(|_| bad("stops", &item));
        Ok(Self {
            status,
            run_id: field("run_id")?.to_owned(),
            source: field("source")?.to_owned(),
            iterations: number("iterations")?,
            iteration_cap: number("iteration_cap")?,
            iteration_cap_source: field("iteration_cap_source")?.to_owned(),
            restarts: number("restarts")?,
            score_history: list("score_history")?.into_iter().map(score).collect::<Result<_, _>>()?,
            residual_delta_ids: list("residual_delta_ids")?,
            literal_patches_reverted: number("literal_patches_reverted")?,
            compare_summary: optional("compare_summary")?,
            channels: list("channels")?,
            stops: list("stops")?.into_iter().map(stop).collect::<Result<_, _>>()?,
            best_state: optional("best_state")?,
            notes: Vec::new(),
        })
    }
}
