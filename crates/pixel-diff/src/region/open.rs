//! What counts: the rule of area and ΔE.

use crate::kernel::BAND;
use crate::{DeltaE, Tolerance};

/// Levels *t* = T/2 · (1 + *k*/16) of the rule, *k* = 1…64.
pub(crate) const LEVELS: usize = 64;

/// The rule at [`Options::tolerance`](crate::Options::tolerance), in integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenRule {
    tolerance: u64,
    strict: bool,
}

impl OpenRule {
    pub(crate) fn new(tolerance: Tolerance) -> Self {
        Self { tolerance: tolerance.color_delta_e().raw().into(), strict: tolerance.is_strict() }
    }

    /// Whether a differing pixel takes part in pieces. One at or below T/2 can never contribute to openness, so
    /// leaving it out loses nothing, and keeps faint noise from gluing everything together.
    pub(crate) fn is_significant(self, delta: DeltaE) -> bool {
        delta > DeltaE::ZERO && (self.strict || 2 * u64::from(delta.raw()) > self.tolerance)
    }

    /// Whether a differing pixel by itself is above the tolerance.
    pub(crate) fn is_visible(self, delta: DeltaE) -> bool {
        u64::from(delta.raw()) > self.tolerance
    }

    /// Whether the direction of a difference can matter: it takes part in pieces, and not all by itself.
    pub(crate) fn needs_direction(self, delta: DeltaE) -> bool {
        !self.strict && self.tolerance > 0 && {
            // With a margin that covers any band: a needless question costs little.
            let doubled = 2 * u64::from(delta.raw());
            doubled + 1000 > self.tolerance && doubled < 5 * self.tolerance + 1000
        }
    }

    /// Whether an error of at most `band` in a difference could change anything that is decided by it.
    pub(crate) fn is_near_decision(self, delta: DeltaE, band: u32) -> bool {
        let (raw, band) = (u64::from(delta.raw()), u64::from(band) + 1);
        if self.strict || self.tolerance == 0 {
            return raw.abs_diff(self.tolerance) <= band;
        }
        // All decisions lie on multiples of T/32 from T/2 to 5T/2; visible is T itself.
        if 2 * (raw + band) < self.tolerance || 2 * raw > 5 * self.tolerance + 2 * band {
            return false;
        }
        let over = 32 * raw % self.tolerance;
        over <= 32 * band || self.tolerance - over <= 32 * band
    }

    /// The highest level *k* that a difference reaches, 0 for none.
    pub(crate) fn level(self, delta: DeltaE) -> usize {
        let raw = u64::from(delta.raw());
        // Most differences are far below or far above, and a division is slow.
        if self.strict || 2 * raw >= 5 * self.tolerance {
            return if raw > 0 { LEVELS } else { 0 };
        }
        if 2 * raw < self.tolerance {
            return 0;
        }
        // raw ≥ T/2 · (1 + k/16)  ⇔  32·raw ≥ T·(16 + k)
        (32 * raw / self.tolerance).saturating_sub(16).min(LEVELS as u64) as usize
    }

    /// How much a piece lacks to be open that has `at_or_above[k − 1]` pixels at level *k* or higher: the least sum of
    /// squares of levels that more pixels must have to open it, or `None` if it is open.
    pub(crate) fn missing_weight(at_or_above: &[u64; LEVELS]) -> Option<u64> {
        let missing =
            |(k, &pixels): (u64, &u64)| needed(k).checked_sub(pixels).map_or(0, |more| more * k * k);
        // It is open where nothing is missing; one pixel more of level k or higher adds k² at least.
        (1..=LEVELS as u64).zip(at_or_above).map(missing).min().filter(|&missing| missing > 0)
    }

    #[cfg(test)]
    fn is_open(at_or_above: &[u64; LEVELS]) -> bool {
        Self::missing_weight(at_or_above).is_none()
    }

    /// The smallest tolerance under which a piece would be closed, if its pixels in descending order are `values`
    /// (difference, pixels); differences may be rounded up, which makes the answer larger. So does the band, by 5e-4 or
    /// less: under another tolerance the same pair may be decided by the reference.
    ///
    /// Its pixels form the same piece or smaller ones under a larger tolerance, so this is enough, and exact as long
    /// as the piece does not fall apart.
    pub(crate) fn closes_at(values: impl Iterator<Item = (DeltaE, u64)>) -> DeltaE {
        let mut smallest = 0;
        let mut k = LEVELS as u64;
        let mut seen = 0;
        for (delta, pixels) in values {
            seen += pixels;
            while k > 0 && seen >= needed(k) {
                // This is the needed(k)-th largest; it must stay below level k: 32·raw < T·(16 + k).
                smallest = smallest.max(32 * (u64::from(delta.raw()) + u64::from(BAND)) / (16 + k) + 1);
                k -= 1;
            }
        }
        DeltaE::from_raw(u32::try_from(smallest).unwrap_or(u32::MAX))
    }
}

/// Pixels that level *k* asks for: *t* ≥ T/2·(1 + 4/√*n*) at *t* = T/2·(1 + *k*/16) is *n* ≥ (64/*k*)².
const fn needed(k: u64) -> u64 {
    4096_u64.div_ceil(k * k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(tolerance: f64) -> OpenRule {
        OpenRule::new(Tolerance::new(tolerance).unwrap())
    }

    fn open(tolerance: f64, delta: f64, pixels: u64) -> bool {
        let level = rule(tolerance).level(DeltaE::from_f64(delta));
        let mut counts = [0; LEVELS];
        counts[..level].fill(pixels);
        OpenRule::is_open(&counts)
    }

    #[test]
    fn integer_levels_are_the_printed_formula() {
        for t in [0.5, 1.0, 2.0, 2.3, 7.0] {
            for n in [1_u64, 2, 4, 9, 15, 16, 64, 100, 300, 4096, 1_000_000] {
                for raw in (0..200).map(|i| f64::from(i) / 16.0 * t / 4.0) {
                    // The rule at the level that the difference reaches.
                    let k = (32.0 * raw / t - 16.0).floor().clamp(0.0, 64.0);
                    let level = t / 2.0 * (1.0 + k / 16.0);
                    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                    let want = k > 0.0 && level >= t / 2.0 * (1.0 + 4.0 / (n as f64).sqrt()) - 1e-12;
                    // Skip differences that fixed point moves across a level.
                    if ((32.0 * raw / t).fract() - 0.5).abs() < 0.499 || t == 0.5 || t == 1.0 || t == 2.0 {
                        assert_eq!(open(t, raw, n), want, "T {t}, {n} pixels of {raw}");
                    }
                }
            }
        }
    }

    #[test]
    fn anchors_at_the_default() {
        assert!(open(2.0, 1.5235, 100 * 100), "a recoloured panel");
        assert!(!open(2.0, 0.2423, 1), "one step in one pixel");
        assert!(!open(2.0, 0.9, u64::MAX / 2), "faint noise, however much");
        assert!(open(2.0, 5.0, 1) && !open(2.0, 4.99, 1));
        assert!(open(2.0, 2.0, 16) && !open(2.0, 2.0, 15));
        assert!(open(0.0, 0.001, 1), "no tolerance at all");
    }

    #[test]
    fn strict_opens_everything_that_differs() {
        let rule = OpenRule::new(Tolerance::strict());
        assert!(rule.is_significant(DeltaE::from_raw(1)) && !rule.is_significant(DeltaE::ZERO));
        assert_eq!(rule.level(DeltaE::from_raw(1)), LEVELS);
        assert!(!rule.is_visible(DeltaE::from_f64(2.0)) && rule.is_visible(DeltaE::from_f64(2.0001)));
    }

    #[test]
    fn closes_at_is_the_edge() {
        for (delta, n) in [(1.5235, 10_000_u64), (3.0, 7), (40.0, 1), (2.2, 20)] {
            let delta = DeltaE::from_f64(delta);
            let edge = OpenRule::closes_at([(delta, n)].into_iter());
            let counts = |tolerance: DeltaE| {
                let level = rule(tolerance.to_f64()).level(delta);
                let mut counts = [0; LEVELS];
                counts[..level].fill(n);
                counts
            };
            assert!(!OpenRule::is_open(&counts(edge)), "{delta} × {n} at {edge}");
            let below = DeltaE::from_raw(edge.raw() - 2 * BAND);
            assert!(OpenRule::is_open(&counts(below)), "{delta} × {n} at {below}");
        }
    }
}
