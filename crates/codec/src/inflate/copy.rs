//! Copying from what was inflated before.

/// Bytes that are copied at a time, and up to which more may be written than is asked for.
pub(super) const STEP_BYTES: usize = 16;

/// What is inflated to at a time, of a fixed size, so that positions need not be checked: taken modulo [`PLACES`], a power of two
/// that they are below of anyway, they are in it with all that may be written there.
pub(super) type View = [u8; PLACES + 2 * STEP_BYTES];
/// Positions that there are.
pub(super) const PLACES: usize = 1 << 17;

/// Appends `length` bytes at `at` that stand `distance` before it, which may be fewer than are copied: then they repeat. Some bytes
/// behind them are written, too.
#[inline(always)]
pub(super) fn copy_back(bytes: &mut View, at: usize, distance: usize, length: usize) {
    let from = at.wrapping_sub(distance);
    if distance < STEP_BYTES || length > 2 * STEP_BYTES {
        return repeat(bytes, from, at, length);
    }
    step(bytes, from, at, 0);
    if length > STEP_BYTES {
        step(bytes, from, at, STEP_BYTES);
    }
}

#[inline(always)]
fn step(bytes: &mut View, from: usize, to: usize, behind: usize) {
    debug_assert!(from < to && to < PLACES);
    let (from, to) = (from % PLACES + behind, to % PLACES + behind);
    let mut taken = [0; STEP_BYTES];
    taken.copy_from_slice(&bytes[from..from + STEP_BYTES]);
    bytes[to..to + STEP_BYTES].copy_from_slice(&taken);
}

/// The same for matches that are long, or repeat within a step.
fn repeat(bytes: &mut View, from: usize, at: usize, length: usize) {
    let (distance, end) = (at - from, at + length);
    if distance >= length {
        bytes.copy_within(from..from + length, at);
    } else if distance == 1 {
        let byte = bytes[from];
        bytes[at..end].fill(byte);
    } else {
        // What is repeated, as often as a step has room for all of it.
        let mut pattern = [0; STEP_BYTES];
        pattern.copy_from_slice(&bytes[from..from + STEP_BYTES]);
        let mut whole = distance;
        while whole * 2 <= STEP_BYTES {
            pattern.copy_within(..whole, whole);
            whole *= 2;
        }
        let mut to = at;
        if distance <= STEP_BYTES {
            while to < end {
                bytes[to..to + STEP_BYTES].copy_from_slice(&pattern);
                to += whole;
            }
        } else {
            while to < end {
                step(bytes, to - distance, to, 0);
                to += STEP_BYTES;
            }
        }
    }
}
