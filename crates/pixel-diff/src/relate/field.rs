//! The reference as it would be if everything stood where the other image has it.

use trueup_frame::{Frame, ImageView, Rect, Size};

use super::flow::Piece;
use super::moves::Move;
use crate::DiffError;

/// For each pixel of the other image, the pixel of the reference that it is held against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// Disjoint.
    pieces: Vec<Piece>,
    /// Pixels that are held against the colour of one pixel of the reference, on top of the pieces.
    grounds: Vec<(Rect, [u32; 2])>,
    /// What moved, on top of all else.
    moved: Vec<Piece>,
    /// Indices of the pieces by first row, and the tallest of them.
    by_top: Vec<usize>,
    tallest: u32,
}

impl Field {
    pub(crate) fn of(pieces: &[Piece]) -> Self {
        let pieces: Vec<Piece> = pieces.iter().filter(|piece| !piece.to.is_empty()).copied().collect();
        let mut by_top: Vec<usize> = (0..pieces.len()).collect();
        by_top.sort_by_key(|&at| pieces[at].to.y);
        let tallest = pieces.iter().map(|piece| piece.to.height).max().unwrap_or(0);
        Self { pieces, by_top, tallest, ..Self::default() }
    }

    pub(crate) fn add(&mut self, found: &Move) {
        self.grounds.extend(&found.ground);
        self.moved.push(found.piece);
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where in the reference a pixel of the other image comes from; `None` where nothing is known.
    pub(crate) fn source(&self, x: u32, y: u32) -> Option<[u32; 2]> {
        let from = |piece: &Piece| [piece.from[0] + (x - piece.to.x), piece.from[1] + (y - piece.to.y)];
        if let Some(moved) = self.moved.iter().rev().find(|piece| piece.to.contains(x, y)) {
            return Some(from(moved));
        }
        let first = y.saturating_sub(self.tallest.saturating_sub(1));
        let start = self.by_top.partition_point(|&at| self.pieces[at].to.y < first);
        let near =
            self.by_top[start..].iter().map(|&at| &self.pieces[at]).take_while(|piece| piece.to.y <= y);
        near.into_iter().find(|piece| piece.to.contains(x, y)).map(from)
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
        let covered: u64 = self.pieces.iter().map(|piece| piece.to.area()).sum();
        if covered < size.area() && !shared.is_empty() {
            copy(shared, &|dy| (0, dy));
        }
        self.pieces.iter().for_each(|piece| copy(piece.to, &|dy| (piece.from[0], piece.from[1] + dy)));
        for &(span, [x, y]) in &self.grounds {
            (0..span.width).for_each(|dx| copy(Rect::new(span.x + dx, span.y, 1, 1), &|_| (x, y)));
        }
        self.moved.iter().for_each(|piece| copy(piece.to, &|dy| (piece.from[0], piece.from[1] + dy)));
        let frame = Frame::new(bytes, size, expected.format())?;
        Ok(frame.with_alpha(expected.alpha())?.with_color(expected.color()))
    }
}
