//! How much of the truth was found: by kind, boxes that agree by half or more of what they cover together.

#![allow(unreachable_pub, reason = "tests and benches share this file")]

use crate::pairs::{Area, Truth};

/// Kinds that are scored.
pub const KINDS: [&str; 6] = ["added", "removed", "moved", "color", "content", "noise"];

/// Found and true, found and not true, true and not found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub hits: u32,
    pub wrong: u32,
    pub missed: u32,
}

impl Score {
    pub fn precision(self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.wrong).max(1))
    }

    pub fn recall(self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.missed).max(1))
    }

    pub fn f1(self) -> f64 {
        f64::from(2 * self.hits) / f64::from((2 * self.hits + self.wrong + self.missed).max(1))
    }
}

/// Adds one pair to the scores, by [`KINDS`]; says what was wrong or missed.
pub fn add(scores: &mut [Score; 6], truth: &[Truth], found: &[(&str, Area)]) -> Vec<String> {
    let mut said = Vec::new();
    for (score, kind) in scores.iter_mut().zip(KINDS) {
        let mut left: Vec<Area> = found.iter().filter(|found| found.0 == kind).map(|found| found.1).collect();
        for truth in truth.iter().filter(|truth| truth.kind == kind) {
            let best = (0..left.len())
                .max_by(|&a, &b| overlap(left[a], truth.area).total_cmp(&overlap(left[b], truth.area)));
            match best.filter(|&at| overlap(left[at], truth.area) >= 0.5) {
                Some(at) => {
                    left.swap_remove(at);
                    score.hits += 1;
                }
                None => {
                    score.missed += 1;
                    said.push(format!("missed {kind} {:?}", truth.area));
                }
            }
        }
        score.wrong += left.len() as u32;
        said.extend(left.iter().map(|area| format!("wrong {kind} {area:?}")));
    }
    said
}

/// Intersection over union.
fn overlap(a: Area, b: Area) -> f64 {
    let side = |i: usize| (a[i] + a[i + 2]).min(b[i] + b[i + 2]).saturating_sub(a[i].max(b[i]));
    let shared = side(0) * side(1);
    f64::from(shared) / f64::from((a[2] * a[3] + b[2] * b[3] - shared).max(1))
}

/// The scores as rows of a table: kind, precision, recall, F1; the mean of the last below.
pub fn table(scores: &[Score; 6]) -> String {
    let row = |(kind, score): (&&str, &Score)| {
        format!("| {kind} | {:.3} | {:.3} | {:.3} |\n", score.precision(), score.recall(), score.f1())
    };
    let rows: String = KINDS.iter().zip(scores).map(row).collect();
    format!("{rows}| macro F1 | | | {:.3} |\n", macro_f1(scores))
}

/// The mean of the F1 of all kinds.
pub fn macro_f1(scores: &[Score; 6]) -> f64 {
    scores.iter().map(|score| score.f1()).sum::<f64>() / 6.0
}
