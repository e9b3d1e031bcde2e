//! One thing to score.

use trueup_score::{Better, Points, Scale};

use crate::error::{RubricError, RubricErrorKind};

/// What one score on a scale means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    score: Points,
    label: Option<String>,
    text: String,
}

impl Anchor {
    /// The anchor at `score`, described.
    #[must_use]
    pub fn new(score: Points, text: impl Into<String>) -> Self {
        Self { score, label: None, text: text.into() }
    }

    /// The anchor with a label that a judge may give instead of the number, such as `C` on a menu of C, P and I.
    #[must_use]
    pub fn with_label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    /// The score.
    #[must_use]
    pub const fn score(&self) -> Points {
        self.score
    }

    /// The label, where it has one.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// What the score means.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// One thing to score: a name, a scale with anchors, and perhaps floors below which nothing passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    name: String,
    scale: Scale,
    text: String,
    anchors: Vec<Anchor>,
    only_anchors: bool,
    slack: Option<Points>,
    floor: Option<Points>,
    hard_floor: Option<Points>,
    must_pass: bool,
}

impl Axis {
    /// An axis without a floor: it must be scored, and any score passes.
    #[must_use]
    pub fn new(name: impl Into<String>, scale: Scale) -> Self {
        Self {
            name: name.into(),
            scale,
            text: String::new(),
            anchors: Vec::new(),
            only_anchors: false,
            slack: None,
            floor: None,
            hard_floor: None,
            must_pass: false,
        }
    }

    /// The axis with a floor: a score that does not meet it fails.
    ///
    /// # Errors
    /// When the floor lies outside the scale.
    pub fn with_floor(self, floor: Points) -> Result<Self, RubricError> {
        self.on_scale(floor)?;
        Ok(Self { floor: Some(floor), ..self })
    }

    /// The axis with a hard floor: a score that does not meet it is a hard fail, which no other score makes up for.
    ///
    /// # Errors
    /// When the floor lies outside the scale.
    pub fn with_hard_floor(self, floor: Points) -> Result<Self, RubricError> {
        self.on_scale(floor)?;
        Ok(Self { hard_floor: Some(floor), ..self })
    }

    /// The axis as a must-pass one: missing its floor is a hard fail.
    #[must_use]
    pub fn must_pass(self) -> Self {
        Self { must_pass: true, ..self }
    }

    /// The axis with a sentence that says what it asks.
    #[must_use]
    pub fn described(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// The axis with what its scores mean.
    #[must_use]
    pub fn with_anchors(self, anchors: impl IntoIterator<Item = Anchor>) -> Self {
        Self { anchors: anchors.into_iter().collect(), ..self }
    }

    /// The axis on which only the anchors' scores are legal.
    #[must_use]
    pub fn only_anchors(self) -> Self {
        Self { only_anchors: true, ..self }
    }

    /// The axis with how far outside the scale a score may lie to be read as the nearest end, flagged (R8).
    #[must_use]
    pub fn with_slack(self, slack: Points) -> Self {
        Self { slack: Some(slack), ..self }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its scale.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// What it asks; empty when nobody said.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What its scores mean, in the order given.
    #[must_use]
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Whether only the anchors' scores are legal.
    #[must_use]
    pub const fn is_only_anchors(&self) -> bool {
        self.only_anchors
    }

    /// The score that must be met, where there is one.
    #[must_use]
    pub const fn floor(&self) -> Option<Points> {
        self.floor
    }

    /// The score below which it is a hard fail, where there is one.
    #[must_use]
    pub const fn hard_floor(&self) -> Option<Points> {
        self.hard_floor
    }

    /// Whether missing the floor is a hard fail.
    #[must_use]
    pub const fn is_must_pass(&self) -> bool {
        self.must_pass
    }

    /// How far outside the scale a score may lie to be read as the nearest end: a step, unless something else was said,
    /// and 0 where the scale has none.
    #[must_use]
    pub fn slack(&self) -> Points {
        self.slack.or(self.scale.step()).unwrap_or(Points::ZERO)
    }

    /// Whether a judge may give this score.
    #[must_use]
    pub fn allows(&self, score: Points) -> bool {
        self.scale.contains(score)
            && (!self.only_anchors || self.anchors.iter().any(|anchor| anchor.score == score))
    }

    /// The best score that a judge may give.
    #[must_use]
    pub fn best(&self) -> Points {
        let scores = self.anchors.iter().map(Anchor::score).filter(|_| self.only_anchors);
        match self.scale.better() {
            Better::Higher => scores.max().unwrap_or(self.scale.max()),
            Better::Lower => scores.min().unwrap_or(self.scale.min()),
        }
    }

    /// The worst end of the scale.
    #[must_use]
    pub const fn worst(&self) -> Points {
        match self.scale.better() {
            Better::Higher => self.scale.min(),
            Better::Lower => self.scale.max(),
        }
    }

    /// The worst score that a judge may give and that meets `floor`: where a floor lies between two legal scores, it
    /// really asks for the next better one. `None` when no legal score meets it.
    #[must_use]
    pub fn effective(&self, floor: Points) -> Option<Points> {
        let legal: Vec<Points> = if self.only_anchors {
            self.anchors.iter().map(Anchor::score).collect()
        } else if let Some(step) = self.scale.step() {
            let (min, max) = (self.scale.min().micros(), self.scale.max().micros());
            let offset = floor.saturating_sub(self.scale.min()).micros();
            // The two steps around the floor are all that matter, however many the scale has.
            let below = min + offset.div_euclid(step.micros()) * step.micros();
            [below, below + step.micros()]
                .into_iter()
                .filter(|score| (min..=max).contains(score))
                .map(Points::from_micros)
                .collect()
        } else {
            return self.scale.meets(self.best(), floor).then_some(floor);
        };
        let meeting = legal.into_iter().filter(|score| self.scale.meets(*score, floor));
        match self.scale.better() {
            Better::Higher => meeting.min(),
            Better::Lower => meeting.max(),
        }
    }

    /// The worse of two scores, in the scale's own direction.
    #[must_use]
    pub fn worse(&self, a: Points, b: Points) -> Points {
        if self.scale.meets(a, b) { b } else { a }
    }

    /// How far below the floor the score is, 0 when it meets it.
    pub(crate) fn shortfall(&self, score: Points) -> Points {
        match self.floor {
            Some(floor) if !self.scale.meets(score, floor) => self.distance(score, floor),
            _ => Points::ZERO,
        }
    }

    /// Whether the score is a hard fail.
    pub(crate) fn is_hard_fail(&self, score: Points) -> bool {
        let misses = |floor: Option<Points>| floor.is_some_and(|floor| !self.scale.meets(score, floor));
        misses(self.hard_floor) || (self.must_pass && misses(self.floor))
    }

    /// The axis with floors that are at least as strict: the stricter of each pair wins (R13).
    pub(crate) fn united(mut self, floor: Option<Points>, hard_floor: Option<Points>) -> Self {
        let stricter = |a: Option<Points>, b: Option<Points>| match (a, b) {
            (Some(a), Some(b)) => Some(if self.scale.meets(a, b) { a } else { b }),
            (a, b) => a.or(b),
        };
        let (floor, hard_floor) = (stricter(self.floor, floor), stricter(self.hard_floor, hard_floor));
        (self.floor, self.hard_floor) = (floor, hard_floor);
        self
    }

    /// The axis with this floor instead of its own.
    pub(crate) fn refloored(self, floor: Points) -> Result<Self, RubricError> {
        self.with_floor(floor)
    }

    const fn distance(&self, score: Points, floor: Points) -> Points {
        match self.scale.better() {
            Better::Higher => floor.saturating_sub(score),
            Better::Lower => score.saturating_sub(floor),
        }
    }

    fn on_scale(&self, floor: Points) -> Result<(), RubricError> {
        if (self.scale.min()..=self.scale.max()).contains(&floor) {
            return Ok(());
        }
        Err(RubricError::new(RubricErrorKind::FloorOffScale { axis: self.name.clone(), floor }))
    }
}

/// Axis names that differ only by case and outer blanks are one name: judges mix them.
pub(crate) fn normalised(name: &str) -> String {
    name.trim().to_ascii_lowercase()
}
