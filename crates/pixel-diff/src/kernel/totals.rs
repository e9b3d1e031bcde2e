//! What a block adds up to.

use super::block::{Differences, LANES};
use super::packed::bits_of;
use crate::arch::{Loops, Supported};
use crate::values::Class;

/// Sums over all lanes of a block of differences, so that whoever wants all of them need not look at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Lanes with any difference.
    pub(crate) differing: u32,
    pub(crate) visible: u32,
    pub(crate) delta_sum: u32,
    pub(crate) max: u32,
    pub(crate) lab: [i32; 3],
    pub(crate) chroma_hue: [i32; 2],
    /// As in a tally.
    pub(crate) squares: u64,
    pub(crate) max_step: u32,
    pub(crate) significant: u32,
    /// A bit for each lane but the first that is of another group than the one before it.
    pub(crate) seams: u64,
}

/// Adds up a block.
pub(crate) fn totals(level: Supported, out: &Differences) -> Totals {
    level.run(out)
}

/// No component of a difference of two colours reaches 256, so that 64 of them fit in 32 bits.
impl Loops for &Differences {
    type Output = Totals;

    #[inline(always)]
    fn run(self) -> Totals {
        let out = self;
        let sum = |component: &[i32; LANES]| component.iter().sum();
        let count =
            |is: fn(Class) -> bool| out.class.iter().map(|&bits| u32::from(is(Class::from_bits(bits)))).sum();
        let group = |lane: usize| Class::from_bits(out.class[lane]).group();
        Totals {
            differing: out.delta.iter().map(|&raw| u32::from(raw > 0)).sum(),
            visible: count(Class::is_visible),
            delta_sum: out.delta.iter().sum(),
            max: out.delta.iter().fold(0, |max, &raw| max.max(raw)),
            lab: out.lab.each_ref().map(sum),
            chroma_hue: [sum(&out.chroma), sum(&out.hue)],
            squares: out.lab.iter().flatten().map(|&component| square(component)).sum(),
            max_step: out.step.iter().fold(0, |max, &step| max.max(step)),
            significant: count(Class::is_significant),
            seams: bits_of(|lane| lane > 0 && group(lane) != group(lane - 1)),
        }
    }
}

/// The square of a component in 1/65 536: half of the fraction's bits are left out before squaring.
#[inline(always)]
pub(crate) fn square(component: i32) -> u64 {
    let coarse = component.unsigned_abs() >> 8;
    u64::from(coarse) * u64::from(coarse)
}
