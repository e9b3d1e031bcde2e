//! Numbers that look random and are the same everywhere.

/// The generator known as SplitMix64: one addition and a mix per number.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to but not including `end`, which is at least 1.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        // The high half, so that it is below `end` without a division.
        ((u64::from(self.next() as u32) * u64::from(end)) >> 32) as u32
    }
}
