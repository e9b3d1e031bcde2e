//! What a report shows.

use std::sync::Arc;

/// What a run came to, for people.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The run's id.
    pub run_id: String,
    /// The status, such as `converged`.
    pub status: String,
    /// Why, in one sentence.
    pub reason: String,
    /// What else stands in the status block, in order.
    pub facts: Vec<Fact>,
    /// Budgets: what was spent, and of how much.
    pub budgets: Vec<Fact>,
    /// The contract as the table that people read.
    pub contract: String,
    /// What was seen, from the baseline on.
    pub iterations: Vec<Iteration>,
    /// What judges said, in order.
    pub verdicts: Vec<VerdictView>,
    /// What had to be replaced or overridden, and what went wrong.
    pub notes: Vec<String>,
}

/// A name and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact {
    /// The name.
    pub name: String,
    /// What it is.
    pub value: String,
}

impl Fact {
    /// A fact.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Image {
    /// A PNG that becomes part of the page.
    Inside(Arc<[u8]>),
    /// A file beside the page, by its relative path with `/`.
    Beside(String),
}

/// What was seen in one iteration.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Iteration {
    /// 0 for the baseline.
    pub number: u32,
    /// What kind of iteration it was, such as `measured` or `reverted`.
    pub kind: String,
    /// `pass`, `fail` or `undetermined`.
    pub truth: String,
    /// The open score, where it is known.
    pub score: Option<f64>,
    /// The state that was seen.
    pub state: String,
    /// The labels.
    pub labels: Vec<LabelView>,
}

/// One label in one iteration.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LabelView {
    /// Its name.
    pub name: String,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// What it was held against.
    pub reference: Option<Image>,
    /// What it looked like.
    pub render: Option<Image>,
    /// Where the two differ.
    pub diff: Option<Image>,
    /// How much each pixel differs; nothing where none does.
    pub heatmap: Option<Image>,
    /// Size of the reference in pixels, 0 where it is not known.
    pub size: [u32; 2],
    /// What differs, heaviest first.
    pub regions: Vec<RegionView>,
}

/// One region of a label.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionView {
    /// Its name in the run.
    pub id: String,
    /// What kind of difference it is.
    pub kind: String,
    /// Whether it is outside tolerance.
    pub open: bool,
    /// First column, first row, columns, rows, in pixels.
    pub area: [u32; 4],
    /// Pixels in it that differ.
    pub pixels: u64,
    /// Mean, 95th percentile and maximum of ΔE.
    pub delta_e: [f64; 3],
    /// Mean ΔL*, ΔC* and ΔH*, actual minus expected.
    pub signed: [f64; 3],
    /// The element that it belongs to.
    pub element: Option<String>,
}

/// What a judge said of a state.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct VerdictView {
    /// Its number in the run, from 1.
    pub number: u32,
    /// `pass`, `fail` or `undetermined`.
    pub status: String,
    /// Why, in one sentence.
    pub reason: String,
    /// Who judged.
    pub judge: String,
    /// The rubric.
    pub rubric: String,
    /// The state that was judged.
    pub state: String,
    /// The overall, where there is one.
    pub overall: Option<String>,
    /// The axes, in the rubric's order.
    pub axes: Vec<AxisView>,
    /// Conditions and criteria, each with its status.
    pub conditions: Vec<Fact>,
    /// The judge's summary.
    pub summary: String,
}

/// What a judge said of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AxisView {
    /// The axis.
    pub name: String,
    /// The score that counts; empty where none does.
    pub score: String,
    /// Whether it is below its floor.
    pub fails: bool,
    /// Why, in the judge's words; where the score does not count, why not.
    pub rationale: String,
    /// What it points to.
    pub evidence: Vec<String>,
}

impl Report {
    /// The report of a run that ended with this status.
    #[must_use]
    pub fn new(run_id: impl Into<String>, status: impl Into<String>) -> Self {
        Self { run_id: run_id.into(), status: status.into(), ..Self::default() }
    }

    /// The report with a further iteration.
    #[must_use]
    pub fn with_iteration(mut self, iteration: Iteration) -> Self {
        self.iterations.push(iteration);
        self
    }
}

impl Iteration {
    /// An iteration of this kind.
    #[must_use]
    pub fn new(number: u32, kind: impl Into<String>) -> Self {
        Self { number, kind: kind.into(), ..Self::default() }
    }

    /// The iteration with its open score.
    #[must_use]
    pub fn with_score(self, score: Option<f64>) -> Self {
        Self { score, ..self }
    }

    /// The iteration with a further label.
    #[must_use]
    pub fn with_label(mut self, label: LabelView) -> Self {
        self.labels.push(label);
        self
    }
}

impl LabelView {
    /// A label with this status.
    #[must_use]
    pub fn new(name: impl Into<String>, status: impl Into<String>) -> Self {
        Self { name: name.into(), status: status.into(), ..Self::default() }
    }

    /// The label with a picture of where it differs.
    #[must_use]
    pub fn with_diff(self, diff: Image) -> Self {
        Self { diff: Some(diff), ..self }
    }
}
