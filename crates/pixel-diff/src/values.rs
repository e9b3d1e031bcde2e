//! What is known about the pairs of a round, in blocks of lanes.

use std::ops::Range;

use crate::DeltaE;
use crate::exact::{Direction, SignedDelta};
use crate::kernel::{Differences, LANES, Pairs, Totals};
use crate::region::{LEVELS, OpenRule, bin_of};

/// Everything that is known about one pair of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairDelta {
    /// Difference under the metric; 0 only if the pixels are equal.
    pub(crate) delta: DeltaE,
    pub(crate) signed: SignedDelta,
    /// Largest difference of one sample over black, or of alpha, in 16-bit steps.
    pub(crate) step: u16,
    pub(crate) class: Class,
}

/// What follows from a difference under the rule, in one word: in the lowest bits the group of neighbours that it adds
/// up with, then whether it is visible, its level and its bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Class(u32);

impl Class {
    /// The group of what takes no part in pieces.
    pub(crate) const INSIGNIFICANT: u32 = 0;
    /// The group of what adds up with every other one.
    pub(crate) const STRONG: u32 = 7;
    pub(crate) const VISIBLE_SHIFT: u32 = 3;
    pub(crate) const LEVEL_SHIFT: u32 = 4;
    pub(crate) const BIN_SHIFT: u32 = 12;

    pub(crate) fn new(rule: OpenRule, delta: DeltaE, direction: Direction) -> Self {
        let level = rule.level(delta);
        let group = if !rule.is_significant(delta) {
            Self::INSIGNIFICANT
        } else if level >= LEVELS {
            Self::STRONG
        } else {
            direction as u32 + 1
        };
        Self(
            group
                | u32::from(rule.is_visible(delta)) << Self::VISIBLE_SHIFT
                | (level as u32) << Self::LEVEL_SHIFT
                | (bin_of(delta) as u32) << Self::BIN_SHIFT,
        )
    }

    /// The class of the bits that the kernel wrote, or that several classes have in common.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// [`INSIGNIFICANT`](Self::INSIGNIFICANT), [`STRONG`](Self::STRONG), or one for each direction.
    #[inline(always)]
    pub(crate) const fn group(self) -> u32 {
        self.0 & 7
    }

    pub(crate) const fn is_significant(self) -> bool {
        self.group() != Self::INSIGNIFICANT
    }

    #[inline(always)]
    pub(crate) const fn is_visible(self) -> bool {
        self.0 >> Self::VISIBLE_SHIFT & 1 != 0
    }

    /// Level of the rule of area and difference.
    #[inline(always)]
    pub(crate) const fn level(self) -> u8 {
        (self.0 >> Self::LEVEL_SHIFT) as u8
    }

    /// Bin of the difference in a histogram.
    pub(crate) const fn bin(self) -> usize {
        (self.0 >> Self::BIN_SHIFT) as usize
    }
}

/// Pairs and what is known about them, of which some lanes may not be used yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Opaque 8-bit pairs. Lanes of other pairs hold zeros.
    pub(crate) pairs: Pairs,
    pub(crate) out: Differences,
    /// Of all lanes, once they are filled in.
    pub(crate) totals: Totals,
}

impl Block {
    pub(crate) fn get(&self, lane: usize) -> PairDelta {
        let out = &self.out;
        PairDelta {
            delta: DeltaE::from_raw(out.delta[lane]),
            signed: SignedDelta {
                lab: out.lab.each_ref().map(|component| component[lane]),
                chroma_hue: [out.chroma[lane], out.hue[lane]],
            },
            step: out.step[lane] as u16,
            class: Class(out.class[lane]),
        }
    }

    pub(crate) const fn class(&self, lane: usize) -> Class {
        Class(self.out.class[lane])
    }

    pub(crate) fn set(&mut self, lane: usize, value: PairDelta) {
        let out = &mut self.out;
        out.delta[lane] = value.delta.raw();
        for (component, value) in out.lab.iter_mut().zip(value.signed.lab) {
            component[lane] = value;
        }
        [out.chroma[lane], out.hue[lane]] = value.signed.chroma_hue;
        out.step[lane] = value.step.into();
        out.class[lane] = value.class.0;
    }
}

/// Some lanes of a block.
#[derive(Clone, Debug)]
pub(crate) struct Lanes<'a> {
    pub(crate) block: &'a Block,
    pub(crate) range: Range<usize>,
}

impl<'a> Lanes<'a> {
    /// What they add up to, if they are all lanes of the block.
    pub(crate) fn totals(&self) -> Option<&'a Totals> {
        (self.range.len() == LANES).then_some(&self.block.totals)
    }

    pub(crate) fn deltas(&self) -> &'a [u32] {
        &self.block.out.delta[self.range.clone()]
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = Class> + use<'a> {
        self.block.out.class[self.range.clone()].iter().map(|&bits| Class(bits))
    }
}

/// The values of a round; spans of pixels refer to them by index.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// More blocks than are in use, so that they are made once.
    blocks: Vec<Block>,
    len: usize,
}

impl Values {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn get(&self, index: u32) -> PairDelta {
        self.blocks[index as usize / LANES].get(index as usize % LANES)
    }

    pub(crate) fn class(&self, index: u32) -> Class {
        Class(self.blocks[index as usize / LANES].out.class[index as usize % LANES])
    }

    /// `count` values from `first` on, block by block.
    pub(crate) fn lanes(&self, first: u32, count: u32) -> impl Iterator<Item = Lanes<'_>> {
        let (mut at, end) = (first as usize, first as usize + count as usize);
        std::iter::from_fn(move || {
            let lane = at % LANES;
            let lanes =
                Lanes { block: self.blocks.get(at / LANES)?, range: lane..LANES.min(lane + end - at) };
            at += lanes.range.len();
            (!lanes.range.is_empty()).then_some(lanes)
        })
    }

    /// Whether two opaque 8-bit pairs differ in the reference and in the other image.
    pub(crate) fn differ(&self, a: u32, b: u32) -> [bool; 2] {
        let pair = |index: u32| {
            let pairs = &self.blocks[index as usize / LANES].pairs;
            [pairs.expected[index as usize % LANES], pairs.actual[index as usize % LANES]]
        };
        let (a, b) = (pair(a), pair(b));
        [a[0] != b[0], a[1] != b[1]]
    }

    /// The block that the next value goes to, and its lane there.
    pub(crate) fn free(&mut self) -> (&mut Block, usize) {
        if self.len / LANES == self.blocks.len() {
            self.blocks.push(Block::default());
        }
        (&mut self.blocks[self.len / LANES], self.len % LANES)
    }

    /// Takes so many lanes that were filled in the block of [`free`](Self::free); gives the index of the first.
    pub(crate) fn take(&mut self, lanes: usize) -> u32 {
        let first = self.len as u32;
        self.len += lanes;
        first
    }

    /// The last block that has values, and how many.
    pub(crate) fn last(&mut self) -> Option<(&mut Block, usize)> {
        let last = self.len.checked_sub(1)?;
        Some((&mut self.blocks[last / LANES], last % LANES + 1))
    }
}
