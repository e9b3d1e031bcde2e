//! Small squares of pixels, by what they show.

use trueup_frame::Rect;

use super::plane::{Plane, spread};

/// Side of the squares in pixels: small enough to lie within a letter.
pub(super) const SIDE: u32 = 4;

/// Factors of the rows of a square, and of the two halves of a row: odd, and without a pattern.
const ROWS: [u64; SIDE as usize] =
    [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0xD6E8_FEB8_6659_FD93];
const HALVES: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// Bits of a filter for each hash that it is to hold: one of sixteen others is taken for one of them.
const BITS_PER_HASH: u64 = 16;
/// Bits of a filter at most, a megabyte.
const MOST_BITS: u64 = 1 << 23;

/// Goes through the squares of areas, in memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Squares {
    lines: [Line; SIDE as usize],
}

/// One row of an area, by the places at which a square may begin.
#[derive(Debug, Default)]
struct Line {
    keys: Vec<u32>,
    hashes: Vec<u64>,
    /// Whether as many pixels as a square is wide are one colour.
    are_flat: Vec<bool>,
}

impl Squares {
    /// Calls for every square of an area that is not of one colour, from the top, with its corner and a hash of its pixels.
    pub(super) fn for_each(&mut self, plane: &Plane<'_>, area: Rect, f: impl FnMut([u32; 2], u64)) {
        self.take(plane, area, &mut { u64::MAX }, f);
    }

    /// The same, which takes every square from `room`, and stops before a row when there is none; gives whether it went to the
    /// end.
    pub(super) fn take(
        &mut self,
        plane: &Plane<'_>,
        area: Rect,
        room: &mut u64,
        mut f: impl FnMut([u32; 2], u64),
    ) -> bool {
        if area.width < SIDE || area.height < SIDE {
            return true;
        }
        for dy in 0..area.height {
            self.lines[(dy % SIDE) as usize].read(plane, [area.x, area.y + dy], area.width);
            if dy + 1 < SIDE {
                continue;
            }
            if *room == 0 {
                return false;
            }
            let mut count = 0;
            let top = dy + 1 - SIDE;
            let lines: [&Line; SIDE as usize] =
                std::array::from_fn(|i| &self.lines[((top + i as u32) % SIDE) as usize]);
            let places = lines[0].hashes.len();
            let keys = lines.map(|line| &line.keys[..places]);
            let hashes = lines.map(|line| &line.hashes[..places]);
            let are_flat = lines.map(|line| &line.are_flat[..places]);
            for (dx, place) in (0..).zip(0..places) {
                let color = keys[0][place];
                if are_flat.iter().all(|flat| flat[place]) && keys.iter().all(|keys| keys[place] == color) {
                    continue;
                }
                let rows = hashes.iter().zip(ROWS);
                let sum = rows.fold(0, |all: u64, (hashes, factor)| {
                    all.wrapping_add(hashes[place].wrapping_mul(factor))
                });
                count += 1;
                f([area.x + dx, area.y + top], spread(sum));
            }
            *room = room.saturating_sub(count);
        }
        true
    }
}

impl Line {
    fn read(&mut self, plane: &Plane<'_>, at: [u32; 2], width: u32) {
        let Self { keys, hashes, are_flat } = self;
        plane.read_row(at, width, keys);
        hashes.clear();
        are_flat.clear();
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        hashes.extend(keys.windows(SIDE as usize).map(|four| {
            let halves = [pair(four[0], four[1]), pair(four[2], four[3])];
            let sum = halves[0].wrapping_mul(HALVES[0]).wrapping_add(halves[1].wrapping_mul(HALVES[1]));
            // The lowest bits of a product know only the lowest of its factors.
            sum ^ sum >> 32
        }));
        are_flat.extend(
            keys.windows(SIDE as usize)
                .map(|four| (four[0] ^ four[1]) | (four[2] ^ four[3]) | (four[0] ^ four[2]) == 0),
        );
    }
}

/// Hashes that were seen: it may take others for them, and never forgets one (Bloom, with one bit each).
#[derive(Debug)]
pub(super) struct Seen {
    bits: Vec<u64>,
    shift: u32,
}

impl Seen {
    /// A filter for so many hashes.
    pub(super) fn with_room_for(hashes: u64) -> Self {
        let bits = hashes.saturating_mul(BITS_PER_HASH).clamp(64, MOST_BITS).next_power_of_two();
        Self { bits: vec![0; (bits / 64) as usize], shift: 64 - bits.trailing_zeros() }
    }

    pub(super) fn add(&mut self, hash: u64) {
        let bit = hash >> self.shift;
        self.bits[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    pub(super) fn may_hold(&self, hash: u64) -> bool {
        let bit = hash >> self.shift;
        self.bits[(bit / 64) as usize] >> (bit % 64) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use trueup_frame::{ImageView, PixelFormat, Size};

    use super::*;

    fn all_of(plane: &Plane<'_>, area: Rect) -> Vec<([u32; 2], u64)> {
        let mut all = Vec::new();
        Squares::default().for_each(plane, area, |at, hash| all.push((at, hash)));
        all
    }

    #[test]
    fn squares_have_one_hash_where_they_show_the_same_and_flat_ones_none() {
        // Few colours, so that many squares are the same, and a flat part.
        let size = Size::new(40, 30);
        let bytes: Vec<u8> =
            (0..1200_u64).map(|i| if i % 40 < 12 { 7 } else { 250 + (spread(i) % 2) as u8 }).collect();
        let view = ImageView::packed(&bytes, size, PixelFormat::Gray8).unwrap();
        let [plane, _] = Plane::both(&view, &view).unwrap();
        let pixels = |[x, y]: [u32; 2]| -> Vec<u32> {
            (y..y + SIDE)
                .flat_map(|y| (x..x + SIDE).map(move |x| (x, y)))
                .map(|(x, y)| plane.at(x, y))
                .collect()
        };
        let all = all_of(&plane, Rect::of_size(size));
        let places = (0..=26).flat_map(|y| (0..=36).map(move |x| [x, y]));
        let expected: Vec<[u32; 2]> =
            places.filter(|&at| pixels(at).iter().any(|&key| key != pixels(at)[0])).collect();
        assert_eq!(all.iter().map(|square| square.0).collect::<Vec<_>>(), expected);
        for a in &all {
            for b in &all {
                assert_eq!(a.1 == b.1, pixels(a.0) == pixels(b.0), "{:?} {:?}", a.0, b.0);
            }
        }
        // A part of it has the same ones.
        let part = Rect::new(9, 5, 20, 11);
        let inside = |[x, y]: [u32; 2]| (9..=25).contains(&x) && (5..=12).contains(&y);
        let of_part: Vec<_> = all.into_iter().filter(|square| inside(square.0)).collect();
        assert_eq!(all_of(&plane, part), of_part);
    }

    #[test]
    fn what_was_seen_is_never_forgotten_and_most_of_the_rest_is_not_taken_for_it() {
        for room in [0, 1, 1000, 1 << 19] {
            let mut seen = Seen::with_room_for(room);
            (0..room).for_each(|i| seen.add(spread(i)));
            assert!((0..room).all(|i| seen.may_hold(spread(i))));
            let taken = (room..room + 1000).filter(|&i| seen.may_hold(spread(i))).count();
            assert!(taken < 120, "{taken} of 1000 beside {room}");
        }
    }
}
