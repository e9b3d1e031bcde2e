//! Named rules that see no progress.

use std::fmt;

use trueup_score::Better;

use crate::{History, Stop};

/// A rule that reads a history and says whether the loop makes no progress any more.
///
/// A detector is a pure function of the history: it counts nothing itself, so a resumed run has nothing to restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Detector {
    /// From iteration `span` on: none of the last `span - 1` iterations improved on the last known score before it.
    ///
    /// With a span of 3 this is `score(N) ≥ score(N−1) ≥ score(N−2)` for a score that should fall.
    NonDecreasing {
        /// Scores that are looked at, and the first iteration at which it can hold.
        span: u32,
    },
    /// From iteration 2 on: the open regions are exactly those of one of the `window` iterations before.
    ///
    /// The empty set never repeats (R5), and unknown ids equal nothing (R4).
    RepeatedIds {
        /// Iterations that are looked back at; as many as exist.
        window: u32,
        /// Whether an iteration that improved the score may keep the same regions open. pixel-loop says no; a loop whose
        /// regions shrink in place should say yes.
        unless_improved: bool,
    },
}

impl Detector {
    /// The stop that it gives.
    #[must_use]
    pub const fn stop(self) -> Stop {
        match self {
            Self::NonDecreasing { .. } => Stop::Stalled,
            Self::RepeatedIds { .. } => Stop::Oscillating,
        }
    }

    /// Whether it holds at the newest iteration.
    #[must_use]
    pub fn holds(self, history: &History, better: Better) -> bool {
        let iterations = history.iterations();
        let Some(last) = iterations.last() else { return false };
        let newest = iterations.len() - 1;
        match self {
            Self::NonDecreasing { span } => {
                let span = span.max(2);
                let recent = newest.saturating_sub(span as usize - 2)..=newest;
                last.index >= span && recent.into_iter().all(|position| !history.improved(position, better))
            }
            Self::RepeatedIds { window, unless_improved } => {
                let Some(ids) = last.delta_ids.as_ref().filter(|ids| !ids.is_empty()) else { return false };
                if last.index < 2 || (unless_improved && history.improved(newest, better)) {
                    return false;
                }
                let before = iterations[..newest].iter().rev().take(window as usize);
                before.into_iter().any(|iteration| iteration.delta_ids.as_ref() == Some(ids))
            }
        }
    }
}

impl fmt::Display for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonDecreasing { span } => {
                write!(
                    f,
                    "stalled: from iteration {span} on, {} iterations in a row without improvement",
                    span.max(&2) - 1
                )
            }
            Self::RepeatedIds { window, unless_improved } => {
                write!(
                    f,
                    "oscillating: from iteration 2 on, the open regions of one of the last {window} iterations again"
                )?;
                if *unless_improved { f.write_str(", without improvement") } else { Ok(()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use trueup_score::Truth;

    use super::*;
    use crate::{DeltaId, Iteration, IterationKind, StateId};

    const STALLED: Detector = Detector::NonDecreasing { span: 3 };
    const OSCILLATING: Detector = Detector::RepeatedIds { window: 3, unless_improved: false };

    /// Scores in order from the baseline; `?` is unknown. Ids are letters, `-` is the empty set, `?` unknown.
    fn history(scores: &str, ids: &str) -> History {
        let mut history = History::new();
        for (index, (score, ids)) in scores.split(' ').zip(ids.split(' ')).enumerate() {
            let state = StateId::of_parts([("n", index.to_string().as_bytes())]);
            let mut entry = Iteration::unknown(u32::try_from(index).unwrap(), state, IterationKind::Measured);
            entry.truth = Truth::Fail;
            entry.score = (score != "?").then(|| score.parse().unwrap());
            entry.delta_ids = (ids != "?").then(|| {
                ids.chars()
                    .filter(|c| *c != '-')
                    .map(|c| DeltaId::new(format!("card/{c}")).unwrap())
                    .collect::<BTreeSet<_>>()
            });
            history.push(entry);
        }
        history
    }

    fn holds(detector: Detector, scores: &str, ids: &str) -> bool {
        detector.holds(&history(scores, ids), Better::Lower)
    }

    #[test]
    fn stalled_at_every_length() {
        for (scores, expected) in [
            ("96", false),
            ("96 96", false),
            ("96 96 96", false), // N = 2: too early
            ("96 96 96 96", true),
            ("341.5 96 96 96", true),
            ("341.5 96 96 95.9", false),
            ("341.5 96 95 95", false),
            ("341.5 96 97 98", true),
            ("10 9 8 7", false),
            ("10 9 8 8 8", true),
        ] {
            let ids = ["A", "B", "C", "D", "E"].join(" ");
            assert_eq!(holds(STALLED, scores, &ids), expected, "{scores}");
        }
    }

    #[test]
    fn r04_a_known_score_after_an_unknown_compares_with_the_last_known_one() {
        let ids = "A B C D";
        assert!(!holds(STALLED, "96 96 ? 40", ids));
        assert!(holds(STALLED, "96 90 ? ?", ids));
        assert!(holds(STALLED, "96 90 ? 96", ids));
        assert!(holds(STALLED, "96 90 ? 90", ids));
    }

    #[test]
    fn r04_unknown_ids_equal_nothing() {
        assert!(!holds(OSCILLATING, "9 9 9", "? ? ?"));
        assert!(!holds(OSCILLATING, "9 9 9", "- A ?"));
    }

    #[test]
    fn r05_the_empty_set_never_repeats() {
        assert!(!holds(OSCILLATING, "0 0 0", "- - -"));
    }

    #[test]
    fn oscillating_looks_back_three_or_as_many_as_there_are() {
        for (ids, expected) in [
            ("A A", false), // N = 1: too early
            ("A B A", true),
            ("A B C B", true),
            ("A B C D", false),
            ("A B C D A", false), // four back
            ("A B C D B", true),  // three back
            ("AB C BA", true),    // canonical order
            ("A ? A", true),
        ] {
            let scores = ["9"; 5].join(" ");
            assert_eq!(holds(OSCILLATING, &scores, ids), expected, "{ids}");
        }
    }

    #[test]
    fn the_same_regions_with_a_falling_score_are_progress_where_the_rule_says_so() {
        let lenient = Detector::RepeatedIds { window: 3, unless_improved: true };
        assert!(holds(OSCILLATING, "9 8 7", "A A A"));
        assert!(!holds(lenient, "9 8 7", "A A A"));
        assert!(holds(lenient, "9 8 8", "A A A"));
    }

    #[test]
    fn r03_the_baseline_feeds_the_guards() {
        // Iteration 2 repeats the regions of the baseline.
        assert!(holds(OSCILLATING, "9 9 9", "A B A"));
        // And the baseline's score is what iteration 1 is compared with.
        assert!(!history("9 8", "A B").improved(1, Better::Higher));
        assert!(history("9 8", "A B").improved(1, Better::Lower));
    }
}
