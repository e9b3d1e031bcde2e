//! Named rules that see no progress.

use std::collections::BTreeSet;
use std::fmt;

use trueup_score::Points;

use crate::{FindingKey, IterationKind, Stop, Terminate, View};

/// A rule that reads a history and says whether the loop makes no progress any more.
///
/// A detector is a pure function of the history: it counts nothing itself, so a resumed run has nothing to restore. It looks
/// at the newest epoch only, for states that were measured under another contract or judge cannot be compared (R20).
/// Positions count from the beginning of the epoch: position 0 is its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Detector {
    /// From iteration `span` on: none of the last `span - 1` iterations improved on the last known one before it.
    ///
    /// With a span of 3 this is `score(N) ≥ score(N−1) ≥ score(N−2)` for a score that should fall (seed 002).
    NonDecreasing {
        /// Scores that are looked at, and the first iteration at which it can hold.
        span: u32,
    },
    /// From iteration 2 on: the open regions are exactly those of one of the `window` iterations before (seed 002).
    ///
    /// The empty set never repeats (R5), and unknown ids equal nothing (R4).
    RepeatedIds {
        /// Iterations that are looked back at; as many as exist.
        window: u32,
        /// Whether an iteration that improved the score may keep the same regions open. pixel-loop says no; a loop whose
        /// regions shrink in place should say yes.
        unless_improved: bool,
    },
    /// Each of the last `times` iterations gained less than `below` on the last known value before it (seed 000). A loss and
    /// an unknown value are small gains, too (R4).
    SmallDeltas {
        /// A gain of exactly this much is not small.
        below: Points,
        /// Small gains in a row; `times + 1` values are needed.
        times: u32,
    },
    /// The newest revision that was measured is not better than everything before it (seed 001). A revision that was taken
    /// back before it was measured says nothing.
    NoImprovement,
    /// The findings that stand were the same, and not none, in the last `rounds` iterations (seed 004).
    SameFindings {
        /// Iterations in a row.
        rounds: u32,
    },
    /// `rounds` iterations did not pass since a person last answered (seed 000, R15).
    UnpassedSince {
        /// Iterations, the baseline not counted.
        rounds: u32,
    },
    /// None of the last `rounds` iterations was better than everything before it, the `cooldown` iterations after each
    /// improvement not counted.
    Patience {
        /// Iterations in a row without a new best.
        rounds: u32,
        /// Iterations after an improvement that are not held against it.
        cooldown: u32,
    },
}

impl Detector {
    /// The stop that it gives.
    #[must_use]
    pub const fn stop(self) -> Stop {
        match self {
            Self::NonDecreasing { .. } | Self::SmallDeltas { .. } | Self::Patience { .. } => Stop::Stalled,
            Self::RepeatedIds { .. } => Stop::Oscillating,
            Self::NoImprovement => Stop::NoImprovement,
            Self::SameFindings { .. } | Self::UnpassedSince { .. } => Stop::Escalation,
        }
    }

    /// Whether it holds at the newest iteration.
    #[must_use]
    pub fn holds(self, view: &View<'_>) -> bool {
        let (history, progress) = (view.history, view.progress);
        let Some((newest, last)) = view.newest() else { return false };
        let iterations = history.comparable();
        match self {
            Self::NonDecreasing { span } => {
                let span = span.max(2) as usize;
                newest >= span
                    && (newest + 2 - span..=newest).all(|position| !history.improved(position, progress))
            }
            Self::RepeatedIds { window, unless_improved } => {
                let Some(ids) = last.delta_ids.as_ref().filter(|ids| !ids.is_empty()) else { return false };
                if newest < 2 || (unless_improved && history.improved(newest, progress)) {
                    return false;
                }
                let before = iterations[..newest].iter().rev().take(window as usize);
                before.into_iter().any(|iteration| iteration.delta_ids.as_ref() == Some(ids))
            }
            Self::SmallDeltas { below, times } => {
                let times = times.max(1) as usize;
                newest >= times
                    && (newest + 1 - times..=newest).all(|position| is_small(view, position, below))
            }
            Self::NoImprovement => {
                newest > 0
                    && !matches!(last.kind, IterationKind::Reverted { .. })
                    && !history.is_best_so_far(newest, progress)
            }
            Self::SameFindings { rounds } => {
                let rounds = rounds.max(2) as usize;
                let Some(first) = (newest + 1).checked_sub(rounds) else { return false };
                let findings = |position: usize| -> Option<&BTreeSet<FindingKey>> {
                    iterations[position].judged.as_ref()?.findings.as_ref().filter(|keys| !keys.is_empty())
                };
                let newest_findings = findings(newest);
                newest_findings.is_some()
                    && (first..newest).all(|position| findings(position) == newest_findings)
            }
            Self::UnpassedSince { rounds } => {
                let unpassed = history.since_answer().iter().filter(|iteration| {
                    !iteration.truth.is_pass() && iteration.kind != IterationKind::Rebaselined
                });
                unpassed.count() >= rounds.max(1) as usize
            }
            Self::Patience { rounds, cooldown } => {
                let best = (0..=newest).rev().find(|position| history.is_best_so_far(*position, progress));
                newest - best.unwrap_or(0) >= (rounds.max(1) + cooldown) as usize
            }
        }
    }
}

/// Whether the gain of an iteration on the last known value before it is smaller than `below`.
fn is_small(view: &View<'_>, position: usize, below: Points) -> bool {
    let value = |position| view.history.merit(position, view.progress).and_then(|merit| merit.value);
    let before = (0..position).rev().find_map(value);
    match (value(position), before) {
        (Some(now), Some(before)) => !now.gains(before, below),
        // The first known value gained on nothing, as the first known score improved on nothing.
        (Some(_), None) => false,
        (None, _) => true,
    }
}

impl Terminate for Detector {
    fn id(&self) -> String {
        self.to_string()
    }

    fn stops(&self, view: &View<'_>) -> Vec<Stop> {
        if self.holds(view) { vec![self.stop()] } else { Vec::new() }
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
            Self::SmallDeltas { below, times } => {
                write!(f, "stalled: {times} gains in a row below {below}")
            }
            Self::NoImprovement => {
                f.write_str("no-improvement: a revision that is not better than the best before it")
            }
            Self::SameFindings { rounds } => {
                write!(f, "escalation: the same findings in {rounds} iterations in a row")
            }
            Self::UnpassedSince { rounds } => {
                write!(f, "escalation: {rounds} iterations without a pass since a person last answered")
            }
            Self::Patience { rounds, cooldown } => {
                write!(
                    f,
                    "stalled: {rounds} iterations in a row without a new best, {cooldown} after each improvement not counted"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use trueup_score::Truth;

    use super::*;
    use crate::{Budget, DeltaId, History, Iteration, Judged, Measure, Progress, StateId, Value};

    const STALLED: Detector = Detector::NonDecreasing { span: 3 };
    const OSCILLATING: Detector = Detector::RepeatedIds { window: 3, unless_improved: false };

    fn entry(index: usize) -> Iteration {
        let state = StateId::of_parts([("n", index.to_string().as_bytes())]);
        let mut entry = Iteration::unknown(u32::try_from(index).unwrap(), state, IterationKind::Measured);
        entry.truth = Truth::Fail;
        entry
    }

    /// Scores in order from the baseline; `?` is unknown. Ids are letters, `-` is the empty set, `?` unknown.
    fn history(scores: &str, ids: &str) -> History {
        let mut history = History::new();
        for (index, (score, ids)) in scores.split(' ').zip(ids.split(' ')).enumerate() {
            let mut entry = entry(index);
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

    /// Overalls of a judge in order from the baseline, with findings as letters; `?` is unknown, `!` a pass.
    fn judged(overalls: &str, findings: &str) -> History {
        let mut history = History::new();
        let mut findings = findings.split(' ');
        for (index, overall) in overalls.split(' ').enumerate() {
            let mut entry = entry(index);
            let keys = findings.next().filter(|keys| *keys != "?");
            let keys = keys.map(|keys| {
                let keys = keys.chars().filter(|c| *c != '-');
                keys.map(|c| FindingKey::new(c.to_string()).unwrap()).collect()
            });
            if overall != "?" {
                let truth = Truth::from(overall.ends_with('!'));
                let overall = Value::of(overall.trim_end_matches('!').parse().unwrap());
                entry.truth = truth;
                entry.judged = Some(Judged::new(truth).with_overall(Some(overall)).with_findings(keys));
            }
            history.push(entry);
        }
        history
    }

    fn at(detector: Detector, history: &History, progress: &dyn Progress) -> bool {
        let budget = Budget::default();
        let view = View::new(history, &budget, progress);
        assert_eq!(detector.stops(&view).contains(&detector.stop()), detector.holds(&view));
        detector.holds(&view)
    }

    fn holds(detector: Detector, scores: &str, ids: &str) -> bool {
        at(detector, &history(scores, ids), &Measure::OpenScore)
    }

    /// The positions at which a detector holds while a history of overalls grows.
    fn firing(detector: Detector, overalls: &str, findings: &str) -> Vec<usize> {
        let whole = judged(overalls, findings);
        let fires = |len: &usize| at(detector, &whole.prefix(*len), &Measure::Overall);
        (1..=whole.iterations().len()).filter(fires).map(|len| len - 1).collect()
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
        assert!(!history("9 9", "A B").improved(1, &Measure::OpenScore));
        assert!(history("9 8", "A B").improved(1, &Measure::OpenScore));
    }

    #[test]
    fn small_deltas_at_every_length() {
        let detector = Detector::SmallDeltas { below: "0.05".parse().unwrap(), times: 2 };
        for (overalls, expected) in [
            ("0.5", &[][..]),
            ("0.5 0.5", &[]),
            ("0.5 0.5 0.5", &[2]),
            ("0.5 0.5 0.5 0.5", &[2, 3]),
            ("0.06 0.01 0.06", &[]), // a loss, then a gain of exactly 0.05
            ("0.06 0.01 0.05", &[2]),
            ("0.25 0.30 0.34 0.38", &[3]),
            ("0.25 0.30 0.35 0.40", &[]),
            ("0.8 0.6 0.4", &[2]), // losses are small gains
            ("0.5 0.54 0.60 0.62 0.63", &[4]),
            ("0.5 ? ? 0.9", &[2]), // R4: unknown did not improve, and 0.9 compares with 0.5
            ("? 0.5 0.52", &[]),   // the first known value gained on nothing
            ("? 0.5 0.52 0.53", &[3]),
        ] {
            assert_eq!(firing(detector, overalls, ""), expected, "{overalls}");
        }
    }

    #[test]
    fn no_improvement_at_every_length() {
        for (overalls, expected) in [
            ("60", &[][..]),
            ("60 64", &[]),
            ("60 60", &[1]),
            ("60 56", &[1]),
            ("60 72 68", &[2]),
            ("60 72 68 70", &[2, 3]), // 70 improves on 68 and not on the best
            ("60 ?", &[1]),
        ] {
            assert_eq!(firing(Detector::NoImprovement, overalls, ""), expected, "{overalls}");
        }
        // What was taken back before it was measured says nothing.
        let mut taken_back = judged("60", "");
        let why = "cannot be read".to_owned();
        taken_back.push(Iteration { kind: IterationKind::Reverted { why }, ..entry(1) });
        assert!(!at(Detector::NoImprovement, &taken_back, &Measure::Overall));
    }

    #[test]
    fn same_findings_at_every_length() {
        let detector = Detector::SameFindings { rounds: 3 };
        for (findings, expected) in [
            ("A A", &[][..]),
            ("A A A", &[2]),
            ("A A A A", &[2, 3]),
            ("AB BA AB", &[2]), // canonical order
            ("A AB A", &[]),
            ("A A B", &[]),
            ("- - -", &[]), // none repeats nothing
            ("? ? ?", &[]), // unknown equals nothing
            ("A A ? A", &[]),
            ("A B B B", &[3]),
        ] {
            let overalls = vec!["0.5"; findings.split(' ').count()].join(" ");
            assert_eq!(firing(detector, &overalls, findings), expected, "{findings}");
        }
    }

    #[test]
    fn r15_escalation_counts_from_the_last_answer() {
        let detector = Detector::UnpassedSince { rounds: 3 };
        assert_eq!(firing(detector, "0.1 0.2 0.3 0.4 0.5", ""), [3, 4], "the baseline is not counted");
        assert_eq!(firing(detector, "0.1 0.2 0.9! 0.4 0.5", ""), [4], "a pass is not counted");
        let mut answered = judged("0.1 0.2 0.3 0.4", "");
        answered.note_answer();
        assert!(!at(detector, &answered, &Measure::Overall));
        for iteration in judged("0.1 0.1 0.1 0.1 0.5 0.5", "").iterations().iter().skip(4) {
            answered.push(iteration.clone());
            assert!(!at(detector, &answered, &Measure::Overall));
        }
        answered.push(entry(6));
        assert!(at(detector, &answered, &Measure::Overall), "three since the answer");
    }

    #[test]
    fn patience_with_cooldown_at_every_length() {
        let plain = Detector::Patience { rounds: 2, cooldown: 0 };
        assert_eq!(firing(plain, "0.5 0.5 0.5 0.6 0.5 0.55 0.7", ""), [2, 5]);
        assert_eq!(firing(plain, "0.5 0.4 0.5 0.6", ""), [2], "equal to the best is no new best");
        let cooled = Detector::Patience { rounds: 2, cooldown: 1 };
        assert_eq!(firing(cooled, "0.5 0.5 0.5 0.5 0.6 0.5 0.5 0.5", ""), [3, 7]);
        assert_eq!(firing(plain, "? ? ?", ""), [2], "unknown is no new best");
    }

    #[test]
    fn r20_a_detector_never_looks_beyond_its_epoch() {
        let mut history = history("96 96 96 96", "A B A B");
        assert!(at(STALLED, &history, &Measure::OpenScore) && at(OSCILLATING, &history, &Measure::OpenScore));
        history.begin_epoch_with_last();
        assert!(
            !at(STALLED, &history, &Measure::OpenScore) && !at(OSCILLATING, &history, &Measure::OpenScore)
        );
        assert_eq!((history.epoch(), history.comparable().len()), (1, 1));
        history.begin_epoch();
        assert_eq!((history.epoch(), history.comparable().len()), (2, 0));
        assert!(!at(STALLED, &history, &Measure::OpenScore));
    }

    #[test]
    fn a_judges_progress_at_an_open_score_of_zero_is_progress() {
        let mut history = history("0 0 0 0", "- - - -");
        assert!(at(STALLED, &history, &Measure::OpenScore));
        let mut judged = History::new();
        for (short, iteration) in [5, 4, 3, 2].into_iter().zip(history.iterations()) {
            let verdict = Judged::new(Truth::Fail).with_fails(0, Points::from_whole(short));
            judged.push(Iteration { judged: Some(verdict), ..iteration.clone() });
        }
        assert!(!at(STALLED, &judged, &Measure::OpenScore), "the shortfall shrinks");
        history = judged.prefix(2);
        for _ in 0..2 {
            history.push(judged.iterations()[1].clone());
        }
        assert!(at(STALLED, &history, &Measure::OpenScore), "it does no more");
    }

    #[test]
    fn conditions_compose_at_one_moment_and_latch_only_by_name() {
        use std::sync::Arc;
        let rule = |detector: Detector| -> Arc<dyn Terminate> { Arc::new(detector) };
        let (stalled, oscillating) = (rule(STALLED), rule(OSCILLATING));
        let scores = "9 9 9 9 8";
        let stops = |rule: &Arc<dyn Terminate>, ids: &str, len: usize| {
            let history = history(scores, ids).prefix(len);
            rule.stops(&View::new(&history, &Budget::default(), &Measure::OpenScore))
        };
        let (any, all) =
            (crate::any([stalled.clone(), oscillating.clone()]), crate::all([stalled.clone(), oscillating]));
        assert_eq!(stops(&any, "A B C D E", 4), [Stop::Stalled]);
        assert_eq!(
            stops(&any, "A B A B E", 4),
            [Stop::Oscillating, Stop::Stalled],
            "all that hold are named"
        );
        assert_eq!(stops(&all, "A B C D E", 4), []);
        assert_eq!(stops(&all, "A B A B E", 4), [Stop::Oscillating, Stop::Stalled]);
        // Oscillating held at 2 and 3, stalled at 3: at 4 neither does, and nothing is remembered…
        assert_eq!(stops(&all, "A B A B E", 5), []);
        // … unless it is asked for.
        let latched = crate::latched(all.clone());
        assert_eq!(stops(&latched, "A B A B E", 3), []);
        assert_eq!(stops(&latched, "A B A B E", 5), [Stop::Oscillating, Stop::Stalled]);
        assert_eq!(stops(&crate::all([]), "A B A B E", 4), [], "of no rules, all never holds");
        assert_eq!(latched.id(), format!("once ({})", all.id()));
    }
}
