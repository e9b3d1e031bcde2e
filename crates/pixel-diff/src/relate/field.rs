//! The reference as it would be if everything stood where the other image has it.

use trueup_frame::{Frame, ImageView, Rect, Size};

use super::flow::Piece;
use super::moves::Move;
use crate::DiffError;

/// For each pixel of the other image, the pixel of the reference that it is held against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// Disjoint, the first ones; then what moved, on top of all before it.
    pieces: Vec<Piece>,
    /// How many of them are disjoint.
    still: usize,
    /// Pixels that are held against the colour of one pixel of the reference, on top of the disjoint pieces.
    grounds: Vec<(Rect, [u32; 2])>,
    /// For each tile, row by row, the pieces that touch it, in their order.
    tiles: Vec<Vec<u32>>,
    tiles_across: u32,
}

/// Side of a tile in pixels.
const TILE_PX: u32 = 64;

impl Field {
    /// The field of disjoint pieces in an image of a size.
    pub(crate) fn of(pieces: &[Piece], size: Size) -> Self {
        let [across, down] = [size.width, size.height].map(|side| side.div_ceil(TILE_PX));
        let tiles = vec![Vec::new(); across as usize * down as usize];
        let mut field = Self { tiles, tiles_across: across, ..Self::default() };
        pieces.iter().filter(|piece| !piece.to.is_empty()).for_each(|piece| field.put(*piece));
        field.still = field.pieces.len();
        field
    }

    pub(crate) fn add(&mut self, found: &Move) {
        self.grounds.extend(&found.ground);
        self.put(found.piece);
    }

    fn put(&mut self, piece: Piece) {
        let index = self.pieces.len() as u32;
        self.pieces.push(piece);
        let tiles = |at: u32, end: u64| at / TILE_PX..=((end - 1) / u64::from(TILE_PX)) as u32;
        for row in tiles(piece.to.y, piece.to.bottom()) {
            for column in tiles(piece.to.x, piece.to.right()) {
                self.tiles[(row * self.tiles_across + column) as usize].push(index);
            }
        }
    }

    /// The disjoint pieces.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.still]
    }

    fn moved(&self) -> &[Piece] {
        &self.pieces[self.still..]
    }

    /// Where in the reference a pixel of the other image comes from; `None` where nothing is known.
    pub(crate) fn source(&self, x: u32, y: u32) -> Option<[u32; 2]> {
        let here = self.tiles.get((y / TILE_PX * self.tiles_across + x / TILE_PX) as usize)?;
        let pieces = here.iter().rev().map(|&index| &self.pieces[index as usize]);
        let piece = pieces.into_iter().find(|piece| piece.to.contains(x, y))?;
        Some([piece.from[0] + (x - piece.to.x), piece.from[1] + (y - piece.to.y)])
    }

    /// The same of some pixels of a row: the first one's, and how many of them come from beside it.
    pub(crate) fn run(&self, x: u32, y: u32, most: u32) -> (Option<[u32; 2]>, u32) {
        let mut end = u64::from(x) + u64::from(most.min(TILE_PX - x % TILE_PX));
        let mut source = None;
        let here = self.tiles.get((y / TILE_PX * self.tiles_across + x / TILE_PX) as usize);
        for &index in here.into_iter().flatten() {
            let Piece { to, from } = self.pieces[index as usize];
            if y < to.y || u64::from(y) >= to.bottom() || to.right() <= x.into() {
                continue;
            }
            // Up to where another piece of the tile begins or ends; the last one that is here counts.
            if to.x > x {
                end = end.min(to.x.into());
            } else {
                end = end.min(to.right());
                source = Some([from[0] + (x - to.x), from[1] + (y - to.y)]);
            }
        }
        (source, (end - u64::from(x)) as u32)
    }

    /// Where in the reference a rectangle of the other image comes from, by the pixel in its middle.
    pub(crate) fn source_of(&self, rect: Rect) -> Option<Rect> {
        let middle = [rect.x + rect.width / 2, rect.y + rect.height / 2];
        let [x, y] = self.source(middle[0], middle[1])?;
        let back =
            |at: u32, middle: u32, from: u32| (u64::from(from) + u64::from(at)).checked_sub(middle.into());
        let corner = |at, middle, from| back(at, middle, from).and_then(|at| u32::try_from(at).ok());
        Some(Rect::new(corner(rect.x, middle[0], x)?, corner(rect.y, middle[1], y)?, rect.width, rect.height))
    }

    /// Draws the reference in the size of the other image. Pixels without a source are those of the reference in the same
    /// place, or nothing.
    pub(crate) fn draw(&self, expected: &ImageView<'_>, size: Size) -> Result<Frame, DiffError> {
        let per_pixel = expected.format().bytes_per_pixel();
        let stride = size.width as usize * per_pixel;
        let mut bytes = vec![0; stride * size.height as usize];
        let mut copy = |to: Rect, row_of: &dyn Fn(u32) -> (u32, u32)| {
            for dy in 0..to.height {
                let (x, y) = row_of(dy);
                let at = (to.y + dy) as usize * stride + to.x as usize * per_pixel;
                let from = x as usize * per_pixel;
                let len = to.width as usize * per_pixel;
                bytes[at..at + len].copy_from_slice(&expected.row(y)[from..from + len]);
            }
        };
        let shared = Rect::of_size(size.intersection(expected.size()));
        let covered: u64 = self.pieces().iter().map(|piece| piece.to.area()).sum();
        if covered < size.area() && !shared.is_empty() {
            copy(shared, &|dy| (0, dy));
        }
        self.pieces().iter().for_each(|piece| copy(piece.to, &|dy| (piece.from[0], piece.from[1] + dy)));
        for &(span, [x, y]) in &self.grounds {
            (0..span.width).for_each(|dx| copy(Rect::new(span.x + dx, span.y, 1, 1), &|_| (x, y)));
        }
        self.moved().iter().for_each(|piece| copy(piece.to, &|dy| (piece.from[0], piece.from[1] + dy)));
        let frame = Frame::new(bytes, size, expected.format())?;
        Ok(frame.with_alpha(expected.alpha())?.with_color(expected.color()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIDE: u32 = 150;

    fn pieces() -> impl Strategy<Value = Vec<Piece>> {
        let one = (0..SIDE, 0..SIDE, 1..90_u32, 1..90_u32, 0..50_u32, 0..50_u32);
        let one = one.prop_map(|(x, y, width, height, from_x, from_y)| {
            let to = Rect::new(x, y, width.min(SIDE - x), height.min(SIDE - y));
            Piece { to, from: [from_x, from_y] }
        });
        prop::collection::vec(one, 0..12)
    }

    proptest! {
        /// What is found by tiles, by runs and one by one is the same.
        #[test]
        fn the_last_piece_that_holds_a_pixel_is_its_source(still in pieces(), moved in pieces()) {
            // The first of those that overlap stays, as pieces of a flow are disjoint.
            let mut disjoint: Vec<Piece> = Vec::new();
            for piece in still {
                if disjoint.iter().all(|known| known.to.intersection(piece.to).is_none()) {
                    disjoint.push(piece);
                }
            }
            let mut field = Field::of(&disjoint, Size::new(SIDE, SIDE));
            for &piece in &moved {
                field.add(&Move { piece, ground: Vec::new(), covers: None });
            }
            prop_assert_eq!(field.pieces(), disjoint.as_slice());
            let all = || disjoint.iter().chain(&moved);
            for y in 0..SIDE {
                let mut x = 0;
                while x < SIDE {
                    let (first, run) = field.run(x, y, SIDE - x);
                    prop_assert!(run > 0 && x + run <= SIDE);
                    for dx in 0..run {
                        let piece = all().rfind(|piece| piece.to.contains(x + dx, y));
                        let source = piece.map(|piece| {
                            [piece.from[0] + x + dx - piece.to.x, piece.from[1] + y - piece.to.y]
                        });
                        prop_assert_eq!(field.source(x + dx, y), source);
                        prop_assert_eq!(first.map(|[x, y]| [x + dx, y]), source);
                    }
                    x += run;
                }
            }
        }
    }
}
