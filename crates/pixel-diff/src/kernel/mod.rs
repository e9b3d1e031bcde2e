//! Many pairs at once, in single precision.
//!
//! The loops are plain Rust over blocks of lanes, which the compiler turns into vector code of whatever width it is
//! asked for. Only `+ − × ÷ √`, comparisons, selections and integer operations on the bits take part, in one fixed order
//! and without fused multiply-add, so each lane's bits are the same for every instruction set.
//!
//! What comes out only proposes: see [`Judge`](crate::judge::Judge) for who decides.

mod block;
mod lab;
mod packed;
mod samples;
mod totals;

pub(crate) use block::{BAND, Differences, LANES, Pairs, Plan, Work, differences};
pub(crate) use packed::{Packed, bits_of};
pub(crate) use totals::{Totals, square, totals};
