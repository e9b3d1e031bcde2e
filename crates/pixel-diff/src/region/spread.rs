//! How the differences of a set of pixels are distributed.

use super::histogram::{BINS, bin_of};
use super::open::{LEVELS, OpenRule};
use super::{Bins, Histogram};
use crate::DeltaE;
use crate::values::{Class, Lanes};

/// The distribution: plain values while they take less memory than counts. Most pieces are tiny, so the first few
/// values need no memory of their own.
#[derive(Clone, Debug)]
pub(super) enum Spread {
    Tiny { len: u8, raw: [u32; TINY] },
    Few(Vec<u32>),
    Many(Box<Counts>),
}

#[derive(Clone, Debug)]
pub(super) struct Counts {
    bins: Bins,
    /// Pixels whose highest level is *k*, at index *k*.
    levels: [u64; LEVELS + 1],
}

/// Values that fit where a vector's header would be.
const TINY: usize = 7;
/// Values that take about as much memory as the counts do.
const FEW: usize = 1024;

impl Default for Spread {
    fn default() -> Self {
        Self::Tiny { len: 0, raw: [0; TINY] }
    }
}

impl Spread {
    /// Adds pixels of one value.
    pub(super) fn add(&mut self, delta: DeltaE, class: Class, pixels: u64, rule: OpenRule) {
        match self {
            Self::Tiny { len, raw } => {
                if let Some(free) = usize::try_from(pixels)
                    .ok()
                    .and_then(|pixels| raw.get_mut(usize::from(*len)..usize::from(*len) + pixels))
                {
                    free.fill(delta.raw());
                    *len += pixels as u8;
                } else {
                    *self = Self::Few(raw[..usize::from(*len)].to_vec());
                    self.add(delta, class, pixels, rule);
                }
            }
            Self::Few(values) if values.len() as u64 + pixels <= FEW as u64 => {
                values.extend(std::iter::repeat_n(delta.raw(), pixels as usize));
            }
            Self::Few(_) => {
                self.count(rule);
                self.add(delta, class, pixels, rule);
            }
            Self::Many(counts) => {
                counts.bins.add_to(class.bin(), pixels);
                counts.levels[usize::from(class.level())] += pixels;
            }
        }
    }

    /// Adds one pixel of each lane.
    pub(super) fn add_lanes(&mut self, lanes: &Lanes<'_>, counts_levels: bool, rule: OpenRule) {
        let deltas = lanes.deltas();
        match self {
            Self::Tiny { len, raw } => {
                if let Some(free) = raw.get_mut(usize::from(*len)..usize::from(*len) + deltas.len()) {
                    free.copy_from_slice(deltas);
                    *len += deltas.len() as u8;
                } else {
                    let known = &raw[..usize::from(*len)];
                    let mut values = Vec::with_capacity(4 * TINY.max(known.len() + deltas.len()));
                    values.extend_from_slice(known);
                    values.extend_from_slice(deltas);
                    *self = Self::Few(values);
                }
            }
            Self::Few(values) if values.len() + deltas.len() <= FEW => values.extend_from_slice(deltas),
            Self::Few(_) => {
                self.count(rule);
                self.add_lanes(lanes, counts_levels, rule);
            }
            Self::Many(counts) => {
                lanes.classes().for_each(|class| counts.bins.add_to(class.bin(), 1));
                if counts_levels {
                    lanes.classes().for_each(|class| counts.levels[usize::from(class.level())] += 1);
                }
            }
        }
    }

    /// Adds another distribution.
    pub(super) fn absorb(&mut self, other: &Self, rule: OpenRule) {
        match (&mut *self, other.plain()) {
            (Self::Many(counts), Some(plain)) => plain.iter().for_each(|&raw| counts.add(raw, rule)),
            (Self::Tiny { .. } | Self::Few(_), Some(plain)) => {
                let mine = self.plain().unwrap_or_default();
                if mine.len() + plain.len() <= TINY {
                    let mut raw = [0; TINY];
                    let len = mine.len() + plain.len();
                    raw[..mine.len()].copy_from_slice(mine);
                    raw[mine.len()..len].copy_from_slice(plain);
                    *self = Self::Tiny { len: len as u8, raw };
                } else if mine.len() + plain.len() <= FEW {
                    match self {
                        Self::Few(values) => values.extend_from_slice(plain),
                        _ => *self = Self::Few([mine, plain].concat()),
                    }
                } else {
                    self.count(rule);
                    self.absorb(other, rule);
                }
            }
            (_, None) => {
                self.count(rule);
                if let (Self::Many(mine), Self::Many(theirs)) = (self, other) {
                    mine.absorb(theirs);
                }
            }
        }
    }

    /// Pixels whose highest level is *k*, at index *k*.
    pub(super) fn levels(&self, rule: OpenRule) -> [u64; LEVELS + 1] {
        match self {
            Self::Many(counts) => counts.levels,
            values => {
                let mut at = [0; LEVELS + 1];
                for &raw in values.plain().unwrap_or_default() {
                    at[rule.level(DeltaE::from_raw(raw))] += 1;
                }
                at
            }
        }
    }

    /// The difference, if there is just one pixel.
    pub(super) fn only(&self) -> Option<DeltaE> {
        self.plain().filter(|plain| plain.len() == 1).map(|plain| DeltaE::from_raw(plain[0]))
    }

    /// A tolerance under which these pixels, as one piece, would be closed.
    pub(super) fn closes_at(&self) -> DeltaE {
        match self {
            Self::Many(counts) => OpenRule::closes_at(counts.bins.descending()),
            &Self::Tiny { len: 1, raw: [raw, ..] } => {
                OpenRule::closes_at([(DeltaE::from_raw(raw), 1)].into_iter())
            }
            values => {
                let mut sorted = values.plain().unwrap_or_default().to_vec();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                OpenRule::closes_at(sorted.into_iter().map(|raw| (DeltaE::from_raw(raw), 1)))
            }
        }
    }

    /// Adds all pixels to counts.
    pub(super) fn add_to(&self, bins: &mut Bins) {
        match self {
            Self::Many(counts) => bins.absorb(&counts.bins),
            values => {
                let plain = values.plain().unwrap_or_default();
                plain.iter().for_each(|&raw| bins.add(DeltaE::from_raw(raw), 1));
            }
        }
    }

    pub(super) fn histogram(&self, bins: &mut Bins) -> Histogram {
        match self {
            Self::Many(counts) => counts.bins.to_histogram(),
            values => {
                let plain = values.plain().unwrap_or_default();
                if plain.len() > BINS / 8 {
                    bins.clear();
                    plain.iter().for_each(|&raw| bins.add(DeltaE::from_raw(raw), 1));
                    return bins.to_histogram();
                }
                if let &[raw] = plain {
                    return Histogram::of_sorted(&[bin_of(DeltaE::from_raw(raw)) as u16]);
                }
                let mut of: Vec<u16> =
                    plain.iter().map(|&raw| bin_of(DeltaE::from_raw(raw)) as u16).collect();
                of.sort_unstable();
                Histogram::of_sorted(&of)
            }
        }
    }

    /// Single values, unless there are counts.
    fn plain(&self) -> Option<&[u32]> {
        match self {
            Self::Tiny { len, raw } => Some(&raw[..usize::from(*len)]),
            Self::Few(values) => Some(values),
            Self::Many(_) => None,
        }
    }

    /// Turns values into counts.
    fn count(&mut self, rule: OpenRule) {
        if let Some(values) = self.plain() {
            let mut counts = Box::new(Counts { bins: Bins::default(), levels: [0; LEVELS + 1] });
            values.iter().for_each(|&raw| counts.add(raw, rule));
            *self = Self::Many(counts);
        }
    }
}

impl Counts {
    fn add(&mut self, raw: u32, rule: OpenRule) {
        let delta = DeltaE::from_raw(raw);
        self.bins.add(delta, 1);
        self.levels[rule.level(delta)] += 1;
    }

    fn absorb(&mut self, other: &Self) {
        self.bins.absorb(&other.bins);
        for (mine, theirs) in self.levels.iter_mut().zip(other.levels) {
            *mine += theirs;
        }
    }
}
