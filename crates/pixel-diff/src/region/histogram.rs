//! Distributions of ΔE.

use crate::DeltaE;

/// Resolution of the first bins: 1/1024.
const FINE_SHIFT: u32 = 6;
/// Bins to an octave.
const PER_OCTAVE: u32 = 64;
/// Octaves above the linear part: from 1/16 up to 512.
const OCTAVES: u32 = 13;
/// Bins in all; the last one also takes everything above.
pub(crate) const BINS: usize = (PER_OCTAVE * (1 + OCTAVES)) as usize;

/// The bin of a difference.
pub(crate) fn bin_of(delta: DeltaE) -> usize {
    let v = delta.raw() >> FINE_SHIFT;
    if v < PER_OCTAVE {
        return v as usize;
    }
    let octave = v.ilog2() - PER_OCTAVE.ilog2();
    let within = (v >> octave) - PER_OCTAVE;
    (PER_OCTAVE * (1 + octave) + within).min(BINS as u32 - 1) as usize
}

/// The smallest difference of a bin.
pub(crate) fn lower_edge(bin: usize) -> DeltaE {
    let bin = bin as u32;
    let v = if bin < PER_OCTAVE { bin } else { (PER_OCTAVE + bin % PER_OCTAVE) << (bin / PER_OCTAVE - 1) };
    DeltaE::from_raw(v << FINE_SHIFT)
}

/// The largest difference of a bin.
pub(crate) fn upper_edge(bin: usize) -> DeltaE {
    if bin + 1 >= BINS { DeltaE::from_raw(u32::MAX) } else { DeltaE::from_raw(lower_edge(bin + 1).raw() - 1) }
}

/// Counts by bin, for adding.
#[derive(Clone, Debug)]
pub(crate) struct Bins(Box<[u64; BINS]>);

impl Bins {
    pub(crate) fn add(&mut self, delta: DeltaE, pixels: u64) {
        self.0[bin_of(delta)] += pixels;
    }

    /// As [`add`](Self::add), with the bin at hand.
    pub(crate) fn add_to(&mut self, bin: usize, pixels: u64) {
        self.0[bin] += pixels;
    }

    pub(crate) fn absorb(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0.iter()) {
            *mine += theirs;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Counts from the largest differences down: (largest difference of the bin, pixels).
    pub(crate) fn descending(&self) -> impl Iterator<Item = (DeltaE, u64)> + '_ {
        self.0.iter().enumerate().rev().filter(|&(_, &n)| n > 0).map(|(bin, &n)| (upper_edge(bin), n))
    }

    pub(crate) fn to_histogram(&self) -> Histogram {
        let counts = self.0.iter().enumerate().filter(|&(_, &n)| n > 0);
        Histogram::new(counts.map(|(bin, &n)| (bin as u16, n)).collect())
    }
}

impl Default for Bins {
    fn default() -> Self {
        Self(Box::new([0; BINS]))
    }
}

/// How often each size of difference occurs.
///
/// The bins are the same for every histogram, so two of them can be compared or added: below ΔE 1/16 they are 1/1024
/// wide; above, every doubling has 64 of equal width, so a bin is never wider than 1/64 of the differences in it. The
/// last bin takes everything from 508 up. Bins hold their lower edge and not their upper one. Empty bins are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Counts,
}

/// Pixels by bin, ascending: there may be very many areas of one pixel, and these take no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Counts {
    One((u16, u64)),
    /// Of any number but one.
    Many(Vec<(u16, u64)>),
}

impl Default for Counts {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

/// One bin of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistogramBin {
    /// The smallest difference that falls in the bin.
    pub lower: DeltaE,
    /// The largest difference that falls in the bin.
    pub upper: DeltaE,
    /// Pixels in the bin.
    pub pixels: u64,
}

impl Histogram {
    fn new(counts: Vec<(u16, u64)>) -> Self {
        Self { counts: if let [one] = *counts { Counts::One(one) } else { Counts::Many(counts) } }
    }

    /// One pixel in each of these bins, which ascend.
    pub(super) fn of_sorted(bins: &[u16]) -> Self {
        if let (Some(&first), Some(&last)) = (bins.first(), bins.last())
            && first == last
        {
            return Self { counts: Counts::One((first, bins.len() as u64)) };
        }
        let mut counts: Vec<(u16, u64)> = Vec::with_capacity(bins.chunk_by(|a, b| a == b).count());
        counts.extend(bins.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)));
        Self::new(counts)
    }

    fn counts(&self) -> &[(u16, u64)] {
        match &self.counts {
            Counts::One(one) => std::slice::from_ref(one),
            Counts::Many(counts) => counts,
        }
    }

    pub(crate) fn add_to(&self, bins: &mut Bins) {
        self.counts().iter().for_each(|&(bin, pixels)| bins.add_to(bin.into(), pixels));
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        let mut counts = [self.counts(), other.counts()].concat();
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        *self = Self::new(counts);
    }

    /// The bins that hold any pixel, in ascending order.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = HistogramBin> + '_ {
        self.counts().iter().map(|&(bin, pixels)| HistogramBin {
            lower: lower_edge(bin.into()),
            upper: upper_edge(bin.into()),
            pixels,
        })
    }

    /// Pixels in all bins.
    #[must_use]
    pub fn pixels(&self) -> u64 {
        self.counts().iter().map(|&(_, n)| n).sum()
    }

    /// The difference that `percent` of the pixels do not exceed, by nearest rank, to the lower edge of its bin: at
    /// most 1/64 too small. `percent` is taken as at most 100; 0 asks for the smallest difference. `None` when empty.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> Option<DeltaE> {
        let total = u128::from(self.pixels());
        let rank = (total * u128::from(percent.min(100))).div_ceil(100).max(1);
        let mut seen = 0;
        self.counts().iter().find_map(|&(bin, n)| {
            seen += u128::from(n);
            (seen >= rank).then(|| lower_edge(bin.into()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_tile_the_range_without_gaps() {
        for bin in 0..BINS {
            assert_eq!(bin_of(lower_edge(bin)), bin);
            assert_eq!(bin_of(upper_edge(bin)), bin);
            if bin + 1 < BINS {
                assert_eq!(lower_edge(bin + 1).raw(), upper_edge(bin).raw() + 1);
                let width = upper_edge(bin).raw() - lower_edge(bin).raw() + 1;
                assert!(width == 64 || width * 64 <= lower_edge(bin).raw(), "bin {bin}");
            }
        }
        assert_eq!(lower_edge(0), DeltaE::ZERO);
        assert_eq!(lower_edge(BINS - 1).to_f64(), 508.0);
        assert_eq!(bin_of(DeltaE::from_raw(u32::MAX)), BINS - 1);
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let mut bins = Bins::default();
        for i in 1..=100_u32 {
            bins.add(DeltaE::from_raw(i * DeltaE::SCALE / 2), 1);
        }
        let histogram = bins.to_histogram();
        assert_eq!(histogram.pixels(), 100);
        assert_eq!(histogram.percentile(95).map(DeltaE::to_f64), Some(47.5));
        assert_eq!(histogram.percentile(100).map(DeltaE::to_f64), Some(50.0));
        assert_eq!(histogram.percentile(0).map(DeltaE::to_f64), Some(0.5));
        assert_eq!(Histogram::default().percentile(50), None);
    }
}
