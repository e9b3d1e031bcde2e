//! How far judges agree, beyond what chance would give.

use std::collections::BTreeMap;

use trueup_score::Points;

/// A coefficient of agreement: 1 is full agreement, 0 what chance would give.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Agreement {
    /// The coefficient, at most 1.
    pub coefficient: f64,
    /// Whether everybody gave one and the same label throughout. Chance says nothing then, and the coefficient is 1: they do
    /// agree.
    pub no_variation: bool,
}

impl Agreement {
    const UNANIMOUS: Self = Self { coefficient: 1.0, no_variation: true };

    /// `(observed − expected) ÷ (1 − expected)`.
    fn beyond_chance(observed: f64, expected: f64) -> Self {
        if expected >= 1.0 {
            return Self::UNANIMOUS;
        }
        Self { coefficient: (observed - expected) / (1.0 - expected), no_variation: false }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of ratings are far below 2^52")]
const fn float(count: usize) -> f64 {
    count as f64
}

/// Cohen's kappa of two judges over items that both labelled (Cohen 1960). Labels are compared, not measured: a near miss is
/// a miss. `None` when there is no item.
#[must_use]
pub fn cohens_kappa<L: Ord>(pairs: &[(L, L)]) -> Option<Agreement> {
    if pairs.is_empty() {
        return None;
    }
    let total = float(pairs.len());
    let (mut first, mut second) = (BTreeMap::<&L, usize>::new(), BTreeMap::<&L, usize>::new());
    let mut equal = 0;
    for (a, b) in pairs {
        *first.entry(a).or_default() += 1;
        *second.entry(b).or_default() += 1;
        equal += usize::from(a == b);
    }
    if first.len() == 1 && second.len() == 1 && equal == pairs.len() {
        return Some(Agreement::UNANIMOUS);
    }
    let expected: f64 = first
        .iter()
        .map(|(label, count)| float(*count) * float(second.get(label).copied().unwrap_or(0)))
        .sum::<f64>()
        / (total * total);
    Some(Agreement::beyond_chance(float(equal) / total, expected))
}

/// Fleiss' kappa of any number of judges (Fleiss 1971): each item is the list of labels that it got, from as many judges as
/// every other item. `None` when there is no item, an item has fewer than two labels, or their numbers differ.
#[must_use]
pub fn fleiss_kappa<L: Ord>(items: &[Vec<L>]) -> Option<Agreement> {
    let judges = items.first()?.len();
    if judges < 2 || items.iter().any(|labels| labels.len() != judges) {
        return None;
    }
    let mut totals = BTreeMap::<&L, usize>::new();
    let mut observed = 0.0;
    for labels in items {
        let mut counts = BTreeMap::<&L, usize>::new();
        for label in labels {
            *counts.entry(label).or_default() += 1;
            *totals.entry(label).or_default() += 1;
        }
        let pairs: usize = counts.values().map(|count| count * (count - 1)).sum();
        observed += float(pairs) / float(judges * (judges - 1));
    }
    if totals.len() == 1 {
        return Some(Agreement::UNANIMOUS);
    }
    let ratings = float(items.len() * judges);
    let expected: f64 = totals.values().map(|count| (float(*count) / ratings).powi(2)).sum();
    Some(Agreement::beyond_chance(observed / float(items.len()), expected))
}

/// Krippendorff's alpha for interval scales (Krippendorff 2011): a near miss weighs less than a far one, and items may have
/// different numbers of scores. Items with fewer than two scores say nothing. `None` when no item has two.
#[must_use]
pub fn krippendorffs_alpha(items: &[Vec<Points>]) -> Option<Agreement> {
    let rated: Vec<Vec<f64>> = items
        .iter()
        .filter(|scores| scores.len() >= 2)
        .map(|scores| scores.iter().map(|score| points(*score)).collect())
        .collect();
    let all: Vec<f64> = rated.iter().flatten().copied().collect();
    let first = all.first()?;
    if all.iter().all(|score| score == first) {
        return Some(Agreement::UNANIMOUS);
    }
    let observed: f64 =
        rated.iter().map(|scores| square_distances(scores) / (float(scores.len()) - 1.0)).sum::<f64>();
    let total = float(all.len());
    let expected = square_distances(&all) / (total - 1.0);
    Some(Agreement { coefficient: 1.0 - observed / expected, no_variation: false })
}

/// The squared distances of all ordered pairs, by `Σᵢⱼ (xᵢ − xⱼ)² = 2n Σ (xᵢ − x̄)²`.
fn square_distances(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / float(values.len());
    2.0 * float(values.len()) * values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "scores are far below 2^52 micro-points, and this is a statistic"
)]
fn points(points: Points) -> f64 {
    points.micros() as f64 / 1e6
}
