//! What lies around a pixel.

use crate::pixel::{Pixel, Reader};

/// Five rows of one image around the one that is judged, of which the outer ones may be missing at its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub(crate) reader: Reader,
    pub(crate) rows: [Option<&'a [u8]>; 5],
}

impl<'a> Around<'a> {
    /// A row, from −2 above the judged one to 2 below it.
    pub(crate) fn row(&self, offset: i32) -> Option<&'a [u8]> {
        let index = usize::try_from(offset + 2).ok()?;
        self.rows.get(index).copied().flatten()
    }

    pub(crate) fn at(&self, offset: i32, x: u32) -> Option<Pixel> {
        self.row(offset).map(|bytes| self.reader.read(bytes, x as usize))
    }

    /// Whether all eight neighbours of a pixel have the same bytes; it may be that they do where this says no.
    pub(crate) fn is_flat(&self, x: u32, width: u32) -> bool {
        let (Some(first), size) = (x.checked_sub(1), self.reader.bytes_per_pixel()) else { return false };
        let three = |offset: i32| {
            let row = self.row(offset).filter(|_| x + 1 < width)?;
            row.get(first as usize * size..(first as usize + 3) * size)
        };
        let [Some(above), Some(beside), Some(below)] = [-1, 0, 1].map(three) else { return false };
        above[size..] == above[..2 * size]
            && above == below
            && beside[..size] == above[..size]
            && beside[2 * size..] == above[..size]
    }

    /// The bytes of a pixel.
    pub(crate) fn bytes(&self, offset: i32, x: u32) -> Option<&'a [u8]> {
        let size = self.reader.bytes_per_pixel();
        self.row(offset).and_then(|row| row.get(x as usize * size..(x as usize + 1) * size))
    }
}
