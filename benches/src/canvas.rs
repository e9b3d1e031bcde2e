//! A picture that is drawn on.

use trueup_frame::{Rect, Size};

use crate::random::Random;

/// A colour: red, green and blue.
pub type Rgb = [u8; 3];

/// Width of the cell of a character at scale 1.
const CELL_WIDTH: u32 = 7;
/// Height of the cell of a character at scale 1, and of the glyph in it.
const CELL_HEIGHT: u32 = 16;
const GLYPH_HEIGHT: u32 = 11;

/// An RGB picture in memory.
#[derive(Clone, Debug)]
pub struct Canvas {
    size: Size,
    pixels: Vec<u8>,
}

impl Canvas {
    /// A picture of one colour.
    #[must_use]
    pub fn new(size: Size, color: Rgb) -> Self {
        Self { size, pixels: color.repeat(size.width as usize * size.height as usize) }
    }

    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The pixels as RGB, row by row without gaps.
    #[must_use]
    pub fn rgb(&self) -> &[u8] {
        &self.pixels
    }

    /// The pixels as RGBA, opaque, row by row without gaps.
    #[must_use]
    pub fn rgba(&self) -> Vec<u8> {
        self.pixels.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
    }

    /// The part of the picture inside a rectangle, row by row.
    fn rows_mut(&mut self, rect: Rect) -> impl Iterator<Item = (u32, &mut [Rgb])> {
        let rect = rect.clipped_to(self.size).unwrap_or_default();
        let (left, right) = (rect.x as usize, rect.right() as usize);
        let rows = self.pixels.as_chunks_mut::<3>().0.chunks_exact_mut(self.size.width.max(1) as usize);
        (0u32..)
            .zip(rows)
            .skip(rect.y as usize)
            .take(rect.height as usize)
            .map(move |(y, row)| (y, &mut row[left..right]))
    }

    /// Replaces every pixel of a rectangle by a function of its place and its colour.
    pub fn map(&mut self, rect: Rect, mut color: impl FnMut(u32, u32, Rgb) -> Rgb) {
        for (y, row) in self.rows_mut(rect) {
            for (x, pixel) in (rect.x..).zip(row) {
                *pixel = color(x, y, *pixel);
            }
        }
    }

    /// Fills a rectangle with one colour.
    pub fn fill(&mut self, rect: Rect, color: Rgb) {
        for (_, row) in self.rows_mut(rect) {
            row.fill(color);
        }
    }

    /// Fills a rectangle from one colour at its top to another at its bottom.
    pub fn gradient(&mut self, rect: Rect, from: Rgb, to: Rgb) {
        let last = rect.height.max(2) - 1;
        self.map(rect, |_, y, _| mix(from, to, (y - rect.y) * 255 / last));
    }

    /// Writes lines of words into a rectangle, in marks that have the strokes, the gaps and the soft edges of text.
    /// Where `seed` differs, other words are written.
    pub fn text(&mut self, rect: Rect, scale: u32, color: Rgb, seed: u64) {
        let mut random = Random::new(seed);
        let (cell, line) = (CELL_WIDTH * scale, CELL_HEIGHT * scale);
        for row in 0..rect.height / line {
            let mut word = 2 + random.below(8);
            for column in 0..rect.width / cell {
                if word == 0 {
                    word = 2 + random.below(8);
                    continue;
                }
                word -= 1;
                let at = (rect.x + column * cell, rect.y + row * line);
                self.glyph(at, scale, color, random.below(48).into());
            }
        }
    }

    /// One mark: a stem, two or three bars, and edges at part strength, as antialiased letters have them.
    fn glyph(&mut self, (left, top): (u32, u32), scale: u32, color: Rgb, letter: u64) {
        let mut shape = Random::new(letter.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let bars = shape.next();
        let stem = 1 + shape.below(4);
        let strength: [u32; 8] = std::array::from_fn(|_| 60 + shape.below(150));
        let width = (CELL_WIDTH - 1) * scale;
        self.map(Rect::new(left, top, width, GLYPH_HEIGHT * scale), |x, y, under| {
            let (column, row) = ((x - left) / scale, (y - top) / scale);
            let bar = bars >> (row * 3) & 7 == 0;
            let coverage = if column == stem {
                255
            } else if column == stem + 1 {
                strength[(row % 8) as usize]
            } else if bar {
                strength[(column % 8) as usize]
            } else {
                0
            };
            mix(under, color, coverage)
        });
    }
}

/// A colour between two: `part` of 255 of the second.
pub(crate) fn mix(from: Rgb, to: Rgb, part: u32) -> Rgb {
    std::array::from_fn(|i| {
        let (from, to) = (u32::from(from[i]), u32::from(to[i]));
        // A mean of two bytes is a byte.
        ((from * (255 - part) + to * part + 127) / 255) as u8
    })
}
