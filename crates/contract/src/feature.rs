//! Feature verification, in which each field belongs to one side (R18).

use std::fmt;

/// One task and whether it was verified: an entry of `feature-verification.json`, field by field.
///
/// The fields can be read by everybody. The judge side writes through [`JudgeSide`], the generator side through
/// [`GeneratorSide`], and task and steps by nobody once they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Feature {
    task: String,
    commit_sha: Option<String>,
    verification_steps: Vec<String>,
    passes: bool,
    evaluated_by: Option<String>,
    round: Option<u32>,
    notes: Option<String>,
}

impl Feature {
    /// A task that nobody has done or verified.
    #[must_use]
    pub fn new(task: impl Into<String>, verification_steps: impl IntoIterator<Item = String>) -> Self {
        Self {
            task: task.into(),
            commit_sha: None,
            verification_steps: verification_steps.into_iter().collect(),
            passes: false,
            evaluated_by: None,
            round: None,
            notes: None,
        }
    }

    /// The task.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.task
    }

    /// The commit that did it.
    #[must_use]
    pub fn commit_sha(&self) -> Option<&str> {
        self.commit_sha.as_deref()
    }

    /// How it is verified.
    #[must_use]
    pub fn verification_steps(&self) -> &[String] {
        &self.verification_steps
    }

    /// Whether it was verified to pass.
    #[must_use]
    pub const fn passes(&self) -> bool {
        self.passes
    }

    /// Who verified it.
    #[must_use]
    pub fn evaluated_by(&self) -> Option<&str> {
        self.evaluated_by.as_deref()
    }

    /// In which round.
    #[must_use]
    pub const fn round(&self) -> Option<u32> {
        self.round
    }

    /// What the judge side noted.
    #[must_use]
    pub fn notes(&self) -> Option<&str> {
        self.notes.as_deref()
    }
}

/// The tasks of a piece of work, each once: the content of `feature-verification.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct FeatureSheet {
    features: Vec<Feature>,
}

/// Which side wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "two sides, closed by nature")]
pub enum Side {
    /// Whoever does the work.
    Generator,
    /// Whoever judges it, or a person.
    Judge,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Generator => "the generator side",
            Self::Judge => "the judge side",
        })
    }
}

/// A sheet was changed by whom it does not belong to, or contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureError {
    kind: FeatureErrorKind,
}

/// What is wrong with a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureErrorKind {
    /// Two entries have one task.
    DuplicateTask {
        /// The task.
        task: String,
    },
    /// There is no such task.
    UnknownTask {
        /// The task.
        task: String,
    },
    /// A task or its steps were changed, added or taken away.
    Frozen {
        /// The task.
        task: String,
    },
    /// A field was written by the side that it does not belong to.
    NotYours {
        /// The task.
        task: String,
        /// The field.
        field: &'static str,
        /// The side that wrote it.
        side: Side,
    },
    /// It passes, and nobody is named who saw it.
    PassesWithoutEvaluator {
        /// The task.
        task: String,
    },
    /// A commit is not eight or more hexadecimal digits.
    BadCommit {
        /// The text.
        text: String,
    },
}

impl FeatureError {
    const fn new(kind: FeatureErrorKind) -> Self {
        Self { kind }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &FeatureErrorKind {
        &self.kind
    }
}

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FeatureErrorKind::DuplicateTask { task } => write!(f, "the task {task:?} is there twice"),
            FeatureErrorKind::UnknownTask { task } => write!(f, "there is no task {task:?}"),
            FeatureErrorKind::Frozen { task } => {
                write!(f, "the task {task:?} or its steps were changed: they stand once they are written")
            }
            FeatureErrorKind::NotYours { task, field, side } => {
                write!(f, "{side} changed {field} of {task:?}, which belongs to the other side")
            }
            FeatureErrorKind::PassesWithoutEvaluator { task } => {
                write!(f, "{task:?} is said to pass, and nobody is named who saw it")
            }
            FeatureErrorKind::BadCommit { text } => {
                write!(f, "{text:?} is no commit: expected 8 to 64 hexadecimal digits")
            }
        }
    }
}

impl std::error::Error for FeatureError {}

impl FeatureSheet {
    /// A sheet of these tasks.
    ///
    /// # Errors
    /// When two have one task.
    pub fn new(features: impl IntoIterator<Item = Feature>) -> Result<Self, FeatureError> {
        let sheet = Self { features: features.into_iter().collect() };
        sheet.check()?;
        Ok(sheet)
    }

    /// The tasks in order.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Checks a sheet that was read from a file.
    ///
    /// # Errors
    /// When two entries have one task, or one passes that nobody has evaluated.
    pub fn check(&self) -> Result<(), FeatureError> {
        let mut tasks = std::collections::BTreeSet::new();
        for feature in &self.features {
            if !tasks.insert(feature.task.as_str()) {
                return Err(FeatureError::new(FeatureErrorKind::DuplicateTask {
                    task: feature.task.clone(),
                }));
            }
            if feature.passes && feature.evaluated_by.is_none() {
                let task = feature.task.clone();
                return Err(FeatureError::new(FeatureErrorKind::PassesWithoutEvaluator { task }));
            }
        }
        Ok(())
    }

    /// Checks on load that `side` has changed nothing since `before` that does not belong to it.
    ///
    /// # Errors
    /// With the first field that it should not have touched.
    pub fn check_change(&self, before: &Self, side: Side) -> Result<(), FeatureError> {
        self.check()?;
        let frozen = |task: &str| Err(FeatureError::new(FeatureErrorKind::Frozen { task: task.to_owned() }));
        if let Some(missing) = before.features.get(self.features.len()) {
            return frozen(&missing.task);
        }
        for (now, index) in self.features.iter().zip(0..) {
            let Some(was) = before.features.get(index) else { return frozen(&now.task) };
            if now.task != was.task || now.verification_steps != was.verification_steps {
                return frozen(&was.task);
            }
            let changed: &[(&'static str, bool)] = match side {
                Side::Generator => &[
                    ("passes", now.passes != was.passes),
                    ("evaluated_by", now.evaluated_by != was.evaluated_by),
                    ("round", now.round != was.round),
                    ("notes", now.notes != was.notes),
                ],
                Side::Judge => &[("commit_sha", now.commit_sha != was.commit_sha)],
            };
            if let Some((field, _)) = changed.iter().find(|(_, changed)| *changed) {
                let task = now.task.clone();
                return Err(FeatureError::new(FeatureErrorKind::NotYours { task, field, side }));
            }
        }
        Ok(())
    }

    /// The generator's hand on the sheet.
    pub fn generator(&mut self) -> GeneratorSide<'_> {
        GeneratorSide(self)
    }

    /// The hand of a judge or a person on the sheet.
    pub fn judge(&mut self, name: impl Into<String>) -> JudgeSide<'_> {
        JudgeSide { sheet: self, name: name.into() }
    }

    fn find(&mut self, task: &str) -> Result<&mut Feature, FeatureError> {
        let found = self.features.iter_mut().find(|feature| feature.task == task);
        found.ok_or_else(|| FeatureError::new(FeatureErrorKind::UnknownTask { task: task.to_owned() }))
    }
}

/// What the generator side may write: the commit, and nothing else.
#[derive(Debug)]
pub struct GeneratorSide<'a>(&'a mut FeatureSheet);

impl GeneratorSide<'_> {
    /// Names the commit that did a task.
    ///
    /// # Errors
    /// When there is no such task, or the text is no commit.
    pub fn commit(&mut self, task: &str, sha: impl Into<String>) -> Result<(), FeatureError> {
        let text: String = sha.into();
        let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !(8..=64).contains(&text.len()) || !hexadecimal {
            return Err(FeatureError::new(FeatureErrorKind::BadCommit { text }));
        }
        self.0.find(task)?.commit_sha = Some(text);
        Ok(())
    }
}

/// What the judge side may write: whether a task passes, who saw it, when, and notes.
#[derive(Debug)]
pub struct JudgeSide<'a> {
    sheet: &'a mut FeatureSheet,
    name: String,
}

impl JudgeSide<'_> {
    /// Says whether a task passes.
    ///
    /// # Errors
    /// When there is no such task.
    pub fn evaluate(
        &mut self,
        task: &str,
        passes: bool,
        round: u32,
        notes: Option<String>,
    ) -> Result<(), FeatureError> {
        let feature = self.sheet.find(task)?;
        feature.passes = passes;
        feature.evaluated_by = Some(self.name.clone());
        feature.round = Some(round);
        feature.notes = notes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> FeatureSheet {
        FeatureSheet::new([
            Feature::new("log in", ["open the page".to_owned(), "type".to_owned()]),
            Feature::new("log out", ["press the button".to_owned()]),
        ])
        .unwrap()
    }

    #[test]
    fn r18_each_side_writes_its_own_fields_and_no_others() {
        let mut sheet = sheet();
        sheet.generator().commit("log in", "0a1b2c3d").unwrap();
        sheet.judge("ada").evaluate("log in", true, 2, Some("seen".to_owned())).unwrap();
        let feature = &sheet.features()[0];
        assert_eq!((feature.commit_sha(), feature.passes()), (Some("0a1b2c3d"), true));
        assert_eq!(
            (feature.evaluated_by(), feature.round(), feature.notes()),
            (Some("ada"), Some(2), Some("seen"))
        );
        assert!(sheet.generator().commit("log in", "not a sha").is_err());
        assert!(sheet.generator().commit("fly", "0a1b2c3d").is_err());
        assert!(sheet.judge("ada").evaluate("fly", true, 1, None).is_err());
    }

    #[test]
    fn r18_what_does_not_belong_to_a_side_is_found_on_load() {
        let before = sheet();
        let (mut committed, mut judged) = (sheet(), sheet());
        committed.generator().commit("log in", "0a1b2c3d").unwrap();
        judged.judge("ada").evaluate("log in", true, 1, None).unwrap();
        assert_eq!(committed.check_change(&before, Side::Generator), Ok(()));
        assert_eq!(judged.check_change(&before, Side::Judge), Ok(()));
        let field = |sheet: &FeatureSheet, side| match sheet.check_change(&before, side).unwrap_err().kind {
            FeatureErrorKind::NotYours { field, .. } => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(&committed, Side::Judge), "commit_sha");
        assert_eq!(field(&judged, Side::Generator), "passes");
        for (name, change) in [
            ("evaluated_by", (|feature| feature.evaluated_by = Some("eve".to_owned())) as fn(&mut Feature)),
            ("round", |feature| feature.round = Some(9)),
            ("notes", |feature| feature.notes = Some("fine".to_owned())),
        ] {
            let mut sheet = sheet();
            change(&mut sheet.features[1]);
            assert_eq!(field(&sheet, Side::Generator), name);
        }
    }

    #[test]
    fn r18_task_and_steps_are_frozen_for_everybody() {
        let before = sheet();
        let mut reworded = sheet();
        reworded.features[0].task = "log in, roughly".to_owned();
        let mut easier = sheet();
        easier.features[0].verification_steps.pop();
        let mut fewer = sheet();
        fewer.features.pop();
        let mut more = sheet();
        more.features.push(Feature::new("fly", []));
        for changed in [reworded, easier, fewer, more] {
            for side in [Side::Generator, Side::Judge] {
                let error = changed.check_change(&before, side).unwrap_err();
                assert!(matches!(error.kind(), FeatureErrorKind::Frozen { .. }), "{error}");
            }
        }
    }

    #[test]
    fn a_pass_that_nobody_saw_is_refused_on_load() {
        let mut sheet = sheet();
        sheet.features[1].passes = true;
        let error = sheet.check().unwrap_err();
        assert!(matches!(error.kind(), FeatureErrorKind::PassesWithoutEvaluator { .. }));
        assert!(FeatureSheet::new([Feature::new("a", []), Feature::new("a", [])]).is_err());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn it_reads_and_writes_the_documents_own_fields() {
        let text = r#"[
  {
    "task": "log in",
    "commit_sha": null,
    "verification_steps": [
      "open the page"
    ],
    "passes": false,
    "evaluated_by": null,
    "round": null,
    "notes": null
  }
]"#;
        let sheet: FeatureSheet = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&sheet).unwrap(), text);
        assert!(serde_json::from_str::<FeatureSheet>(&text.replace("\"round\"", "\"rounds\"")).is_err());
    }
}
