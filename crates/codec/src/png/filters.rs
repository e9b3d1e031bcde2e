//! Undoing the filters of PNG: a row is stored as differences from what a filter predicts out of the pixels before it and above it
//! (PNG, third edition, section 9).
//!
//! A pixel waits for the one before it, so what counts is how many steps lie between them. Sixteen bytes are taken at a time,
//! of which those of one pixel count and the rest is written over by the next ones.

use bytemuck::cast;
use wide::{i16x8, u8x16, u64x2};

/// The filter that predicts the nearest of three neighbours.
pub(super) const PAETH: u8 = 4;

/// Filter types that there are: 0 to 4.
pub(super) const FILTERS: u8 = PAETH + 1;

/// Bytes that are taken at a time.
const WINDOW: usize = 16;

/// Undoes a filter for pixels of `N` bytes. A type that there is not is taken for none: whoever reads rows refuses it.
pub(super) fn undo<const N: usize>(filter: u8, above: &[u8], stored: &[u8], row: &mut [u8]) {
    match filter {
        1 => {
            let step = |left: [u8; WINDOW], _: &[u8; WINDOW], stored: &[u8; WINDOW]| {
                let sample: [u8; WINDOW] = std::array::from_fn(|i| stored[i].wrapping_add(left[i]));
                (sample, sample)
            };
            let done = windows::<N, _>(above, stored, row, [0; WINDOW], step);
            rest::<N>(above, stored, row, done, |left, _, _| left);
        }
        2 => {
            for ((sample, stored), above) in row.iter_mut().zip(stored).zip(above) {
                *sample = stored.wrapping_add(*above);
            }
        }
        3 => {
            // The mean of complements, rounded up, is the complement of the mean, rounded down: processors have the former,
            // and from it the complement of the sample is one subtraction away.
            let step = |not_left: [u8; WINDOW], above: &[u8; WINDOW], stored: &[u8; WINDOW]| {
                let not_sample = std::array::from_fn(|i| {
                    let mean = (u16::from(not_left[i]) + u16::from(!above[i]) + 1) >> 1;
                    (mean as u8).wrapping_sub(stored[i])
                });
                (not_sample, not_sample.map(|sample| !sample))
            };
            let done = windows::<N, _>(above, stored, row, [255; WINDOW], step);
            rest::<N>(above, stored, row, done, |left, above, _| mean(left, above));
        }
        PAETH if matches!(N, 3 | 4) => {
            let (mut left, mut corner) = (i16x8::splat(0), i16x8::splat(0));
            let mut x = 0;
            while x * N + 4 <= row.len() {
                let high = pixels(bytes(above, x * N), [0; 4]);
                let differences = pixels(bytes(stored, x * N), [0; 4]);
                left = (differences + paeth_of_lanes(left, high, corner)) & i16x8::splat(255);
                corner = high;
                row[x * N..x * N + 4].copy_from_slice(&samples(left)[0]);
                x += 1;
            }
            rest::<N>(above, stored, row, x, paeth);
        }
        PAETH => rest::<N>(above, stored, row, 0, paeth),
        _ => row.copy_from_slice(stored),
    }
}

/// Undoes the Paeth filter of two rows, one below the other, for pixels of three or four bytes. The second is one pixel behind the
/// first, so that both go through the same steps at the same time.
pub(super) fn undo_two_paeth<const N: usize>(above: &[u8], stored: [&[u8]; 2], rows: [&mut [u8]; 2]) {
    let [upper, lower] = rows;
    let len = upper.len().min(above.len()).min(stored[0].len()).min(stored[1].len()).min(lower.len());
    if len < N {
        return;
    }
    // Left of the first pixel is nothing, so that it is predicted by the one above it.
    rest::<N>(&above[..N], &stored[0][..N], &mut upper[..N], 0, paeth);
    let (mut left, mut corner) = (pixels(first::<N>(upper), [0; 4]), pixels(first::<N>(above), [0; 4]));
    let mut x = 1;
    while x * N + 4 <= len {
        let (at, behind) = (x * N, (x - 1) * N);
        // Above the second row is what the first one has just become.
        let high = pixels(bytes(above, at), [0; 4]);
        let high: i16x8 = cast(cast::<i16x8, u64x2>(high).unpack_lo(cast(left)));
        let differences = pixels(bytes(stored[0], at), bytes(stored[1], behind));
        left = (differences + paeth_of_lanes(left, high, corner)) & i16x8::splat(255);
        corner = high;
        let both = samples(left);
        upper[at..at + 4].copy_from_slice(&both[0]);
        lower[behind..behind + 4].copy_from_slice(&both[1]);
        x += 1;
    }
    rest::<N>(above, stored[0], upper, x, paeth);
    rest::<N>(upper, stored[1], lower, x - 1, paeth);
}

/// Steps from pixel to pixel, as long as there are so many bytes from it on, with the bytes above it and those stored; each step gives
/// what the next one has to know, and what is written there. Gives the number of pixels that were done.
#[inline]
fn windows<const N: usize, S>(
    above: &[u8],
    stored: &[u8],
    row: &mut [u8],
    mut state: S,
    step: impl Fn(S, &[u8; WINDOW], &[u8; WINDOW]) -> (S, [u8; WINDOW]),
) -> usize {
    let len = row.len().min(above.len()).min(stored.len());
    let mut x = 0;
    while x * N + WINDOW <= len {
        let (next, samples) = step(state, &bytes(above, x * N), &bytes(stored, x * N));
        row[x * N..x * N + WINDOW].copy_from_slice(&samples);
        state = next;
        x += 1;
    }
    x
}

/// Some bytes from one on.
#[inline]
fn bytes<const LEN: usize>(of: &[u8], at: usize) -> [u8; LEN] {
    // Whoever asks has seen that there are so many.
    of[at..at + LEN].try_into().unwrap_or([0; LEN])
}

/// Undoes a filter sample by sample from pixel `x` on: what `predicts` makes of the samples to the left, above, and above that.
fn rest<const N: usize>(
    above: &[u8],
    stored: &[u8],
    row: &mut [u8],
    x: usize,
    predicts: impl Fn(u8, u8, u8) -> u8,
) {
    let pixel = |samples: &[u8], x: usize| samples.as_chunks::<N>().0.get(x).copied().unwrap_or([0; N]);
    let before = x.checked_sub(1);
    let mut left = before.map_or([0; N], |x| pixel(row, x));
    let mut corner = before.map_or([0; N], |x| pixel(above, x));
    let rows = row.as_chunks_mut::<N>().0.iter_mut().zip(stored.as_chunks::<N>().0);
    for ((sample, stored), above) in rows.zip(above.as_chunks::<N>().0).skip(x) {
        left = std::array::from_fn(|i| stored[i].wrapping_add(predicts(left[i], above[i], corner[i])));
        corner = *above;
        *sample = left;
    }
}

/// The first pixel of a row.
fn first<const N: usize>(row: &[u8]) -> [u8; 4] {
    let mut pixel = [0; 4];
    pixel[..N].copy_from_slice(&row[..N]);
    pixel
}

/// Four samples each of two rows, as lanes.
fn pixels(upper: [u8; 4], lower: [u8; 4]) -> i16x8 {
    let both = u64::from(u32::from_le_bytes(upper)) | u64::from(u32::from_le_bytes(lower)) << 32;
    i16x8::from_u8x16_low(cast(u64x2::new([both.to_le(), 0])))
}

/// Lanes as four samples each of two rows.
fn samples(lanes: i16x8) -> [[u8; 4]; 2] {
    let [both, _] = cast::<u8x16, u64x2>(u8x16::narrow_i16x8(lanes, lanes)).to_array();
    cast(both)
}

/// The mean of two samples, rounded down.
fn mean(left: u8, above: u8) -> u8 {
    (left & above) + ((left ^ above) >> 1)
}

/// The one of three neighbours that is nearest to left + above − corner; of equally near ones the first in this order (Paeth).
///
/// The lesser of left and above is nearest where three times the corner less both is at least the greater, the greater where it is
/// at most the lesser, else the corner: fewer steps that wait for each other than by three distances (after stb_image).
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let threshold = 3 * i16::from(corner) - i16::from(above) - i16::from(left);
    let (low, high) = (left.min(above), left.max(above));
    let inner = if i16::from(high) <= threshold { low } else { corner };
    if threshold <= i16::from(low) { high } else { inner }
}

/// The same for each lane.
fn paeth_of_lanes(left: i16x8, above: i16x8, corner: i16x8) -> i16x8 {
    let threshold = corner + corner + corner - above - left;
    let (low, high) = (left.min(above), left.max(above));
    let inner = high.simd_gt(threshold).bitselect(corner, low);
    threshold.simd_gt(low).bitselect(inner, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_three_is_that_of_the_definition() {
        for left in 0..=255_u8 {
            for above in 0..=255_u8 {
                for corner in (0..=255_u8).step_by(3).chain([left, above]) {
                    let estimate = i32::from(left) + i32::from(above) - i32::from(corner);
                    let far = |sample: u8| (estimate - i32::from(sample)).abs();
                    let [a, b, c] = [left, above, corner].map(far);
                    let nearest = if a <= b && a <= c {
                        left
                    } else if b <= c {
                        above
                    } else {
                        corner
                    };
                    assert_eq!(paeth(left, above, corner), nearest, "{left} {above} {corner}");
                    let lane = |sample: u8| i16x8::splat(sample.into());
                    let lanes = paeth_of_lanes(lane(left), lane(above), lane(corner));
                    assert_eq!(lanes, lane(nearest), "{left} {above} {corner}");
                }
                assert_eq!(u32::from(mean(left, above)), u32::midpoint(left.into(), above.into()));
            }
        }
    }
}
