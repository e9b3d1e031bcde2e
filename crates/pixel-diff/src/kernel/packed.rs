//! A block of pixels of two rows, and where they differ.

use super::block::LANES;
use crate::arch::{Loops, Supported};
use crate::pixel::Reader;

/// At most 64 pixels of two rows, packed as red, green, blue, alpha from the low byte up; of those that are missing, the
/// bits are arbitrary.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) expected: [u32; LANES],
    pub(crate) actual: [u32; LANES],
    /// One bit for each pixel that differs.
    pub(crate) differing: u64,
    /// One bit for each pair that is the same as the one before it; the first one never is.
    pub(crate) repeating: u64,
}

/// The rows' bytes, and how to read them.
struct Pack<'a> {
    expected: (Reader, &'a [u8]),
    actual: (Reader, &'a [u8]),
}

impl Packed {
    /// Packs as many pixels of two rows.
    pub(crate) fn new(level: Supported, expected: (Reader, &[u8]), actual: (Reader, &[u8])) -> Self {
        level.run(Pack { expected, actual })
    }

    /// One bit for each pair of opaque pixels.
    pub(crate) fn opaque(&self) -> u64 {
        bits_of(|i| (self.expected[i] & self.actual[i]) >> 24 == 255)
    }

    /// One bit for each pair of pixels of alpha 0.
    pub(crate) fn clear(&self) -> u64 {
        bits_of(|i| (self.expected[i] | self.actual[i]) >> 24 == 0)
    }
}

impl Loops for Pack<'_> {
    type Output = Packed;

    #[inline(always)]
    fn run(self) -> Packed {
        let (mut e, mut a) = ([0; LANES], [0; LANES]);
        self.expected.0.pack(self.expected.1, &mut e);
        self.actual.0.pack(self.actual.1, &mut a);
        let differing = bits_of(|i| e[i] != a[i]);
        let mut same = [0; LANES];
        for i in 1..LANES {
            same[i] = u8::from((e[i] == e[i - 1]) & (a[i] == a[i - 1]));
        }
        Packed { expected: e, actual: a, differing, repeating: packed_bits(&same) }
    }
}

/// One bit for each lane.
#[inline(always)]
pub(crate) fn bits_of(bit: impl Fn(usize) -> bool) -> u64 {
    packed_bits(&std::array::from_fn(|i| u8::from(bit(i))))
}

/// Packs bytes of 0 and 1 to bits. Comparing into bytes and packing these suits vectors better than shifting bits.
#[inline(always)]
fn packed_bits(bytes: &[u8; LANES]) -> u64 {
    let mut bits = 0;
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // Each byte's lowest bit lands at its own place in the highest byte.
        let byte = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= byte << (8 * i);
    }
    bits
}
