//! The rules of a loop as traits: pure functions of what is known.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use trueup_score::Truth;

use crate::{Budget, History, Iteration, Merit, Stop, Value};

/// Everything that a rule may look at. Read-only, so a rule has nothing to lose when a run is resumed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// What each iteration came to.
    pub history: &'a History,
    /// What was spent, and of how much.
    pub budget: &'a Budget,
    /// What counts as better.
    pub progress: &'a dyn Progress,
}

impl<'a> View<'a> {
    /// A view of these.
    #[must_use]
    pub const fn new(history: &'a History, budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        Self { history, budget, progress }
    }

    /// The newest iteration of the epoch by its position in [`History::comparable`].
    #[must_use]
    pub fn newest(&self) -> Option<(usize, &'a Iteration)> {
        let iterations = self.history.comparable();
        Some((iterations.len().checked_sub(1)?, iterations.last()?))
    }
}

/// Something that must hold at the end of every iteration; a breach ends the run as `undetermined:invariant-breach`.
pub trait Invariant: fmt::Debug + Send + Sync {
    /// Its name and parameters, which enter the hash of the contract.
    fn id(&self) -> String;

    /// Whether it holds.
    ///
    /// # Errors
    /// With what does not.
    fn check(&self, view: &View<'_>) -> Result<(), Breach>;
}

/// What does not hold that must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    what: String,
}

impl Breach {
    /// A breach in plain words.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Breach {}

/// What counts as better. `None` is unknown, which never improved on anything (R4).
pub trait Progress: fmt::Debug + Send + Sync {
    /// Its name and parameters, which enter the hash of the contract.
    fn id(&self) -> String;

    /// How good an iteration's state is.
    fn merit(&self, iteration: &Iteration) -> Option<Merit>;
}

/// A reason to stop. It can add stops; it can veto none.
pub trait Terminate: fmt::Debug + Send + Sync {
    /// Its name and parameters, which enter the hash of the contract: a run cannot be resumed without it.
    fn id(&self) -> String;

    /// Every stop that holds now; empty when the loop may go on.
    fn stops(&self, view: &View<'_>) -> Vec<Stop>;
}

/// What the loop follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Measure {
    /// The open score of the comparer, which should fall.
    #[default]
    OpenScore,
    /// The overall of the judge, which should rise.
    Overall,
    /// What is missing to the floors, which should fall; there is no overall.
    Shortfall,
}

impl Progress for Measure {
    fn id(&self) -> String {
        match self {
            Self::OpenScore => "the open score falls".to_owned(),
            Self::Overall => "the overall rises".to_owned(),
            Self::Shortfall => "what is missing to the floors falls".to_owned(),
        }
    }

    fn merit(&self, iteration: &Iteration) -> Option<Merit> {
        let judged = iteration.judged.as_ref().filter(|judged| judged.truth != Truth::Undetermined);
        let value = match self {
            Self::OpenScore => Some(Value::of_lower(iteration.score?)),
            Self::Overall => Some(judged?.overall?),
            Self::Shortfall => {
                let _seen = judged?;
                None
            }
        };
        let merit = Merit::new(iteration.truth.is_pass(), value);
        Some(judged.map_or(merit, |judged| merit.with_fails(judged.hard_fails, judged.shortfall)))
    }
}

/// Every iteration that was charged has its entry: no iteration ends unrecorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a rule without parameters")]
pub struct EveryIterationIsRecorded;

impl Invariant for EveryIterationIsRecorded {
    fn id(&self) -> String {
        "every iteration is recorded".to_owned()
    }

    fn check(&self, view: &View<'_>) -> Result<(), Breach> {
        let recorded = view.history.last().map_or(0, |last| last.index);
        let spent = view.budget.iterations.spent;
        if recorded == spent {
            Ok(())
        } else {
            Err(Breach::new(format!(
                "{spent} iterations were charged and the last record is of number {recorded}"
            )))
        }
    }
}

/// Nothing is spent beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a rule without parameters")]
pub struct NothingBeyondItsLimit;

impl Invariant for NothingBeyondItsLimit {
    fn id(&self) -> String {
        "nothing is spent beyond its limit".to_owned()
    }

    fn check(&self, view: &View<'_>) -> Result<(), Breach> {
        let Budget { iterations, restarts, retries, trials, judge_calls, answers } = view.budget;
        let counters = [
            ("iterations", iterations),
            ("restarts", restarts),
            ("retries", retries),
            ("trials", trials),
            ("judge calls", judge_calls),
            ("answers", answers),
        ];
        match counters.into_iter().find(|(_, counter)| counter.spent > counter.limit) {
            Some((name, counter)) => {
                Err(Breach::new(format!("{} of {} {name} were spent", counter.spent, counter.limit)))
            }
            None => Ok(()),
        }
    }
}

/// A rule that holds when any of these does; it gives every stop that holds. Instantaneous.
#[must_use]
pub fn any(rules: impl IntoIterator<Item = Arc<dyn Terminate>>) -> Arc<dyn Terminate> {
    Arc::new(Any(rules.into_iter().collect()))
}

/// A rule that holds when all of these do, at the same time; it gives all their stops. Of no rules, it never holds.
#[must_use]
pub fn all(rules: impl IntoIterator<Item = Arc<dyn Terminate>>) -> Arc<dyn Terminate> {
    Arc::new(All(rules.into_iter().collect()))
}

/// A rule that goes on holding once it has held, after any iteration of the epoch. It remembers nothing itself: it looks at
/// the history as it was after each iteration, so it suits rules that look at the history alone.
#[must_use]
pub fn latched(rule: Arc<dyn Terminate>) -> Arc<dyn Terminate> {
    Arc::new(Latched(rule))
}

fn join(rules: &[Arc<dyn Terminate>]) -> String {
    let ids: Vec<String> = rules.iter().map(|rule| rule.id()).collect();
    ids.join("; ")
}

#[derive(Debug)]
struct Any(Vec<Arc<dyn Terminate>>);

impl Terminate for Any {
    fn id(&self) -> String {
        format!("any of ({})", join(&self.0))
    }

    fn stops(&self, view: &View<'_>) -> Vec<Stop> {
        let held: BTreeSet<Stop> = self.0.iter().flat_map(|rule| rule.stops(view)).collect();
        held.into_iter().collect()
    }
}

#[derive(Debug)]
struct All(Vec<Arc<dyn Terminate>>);

impl Terminate for All {
    fn id(&self) -> String {
        format!("all of ({})", join(&self.0))
    }

    fn stops(&self, view: &View<'_>) -> Vec<Stop> {
        let held: Vec<Vec<Stop>> = self.0.iter().map(|rule| rule.stops(view)).collect();
        if held.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let held: BTreeSet<Stop> = held.into_iter().flatten().collect();
        held.into_iter().collect()
    }
}

#[derive(Debug)]
struct Latched(Arc<dyn Terminate>);

impl Terminate for Latched {
    fn id(&self) -> String {
        format!("once ({})", self.0.id())
    }

    fn stops(&self, view: &View<'_>) -> Vec<Stop> {
        let all = view.history.iterations().len();
        let first = all - view.history.comparable().len() + 1;
        let held: BTreeSet<Stop> = (first..=all)
            .flat_map(|len| {
                let history = view.history.prefix(len);
                self.0.stops(&View::new(&history, view.budget, view.progress))
            })
            .collect();
        held.into_iter().collect()
    }
}
