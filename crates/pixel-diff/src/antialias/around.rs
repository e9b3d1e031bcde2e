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

    /// Whether all eight neighbours of a pixel have the same bytes; for certain only where this says so.
    pub(crate) fn is_flat(&self, x: u32) -> bool {
        match self.reader.bytes_per_pixel() {
            3 => self.is_flat_by::<3>(x),
            4 => self.is_flat_by::<4>(x),
            _ => false,
        }
    }

    /// The same for pixels of so many bytes.
    fn is_flat_by<const BYTES: usize>(&self, x: u32) -> bool {
        let Some(first) = x.checked_sub(1) else { return false };
        let three =
            |offset: i32| self.row(offset)?.as_chunks::<BYTES>().0.get(first as usize..first as usize + 3);
        let [Some([a, b, c]), Some([d, _, e]), Some([f, g, h])] = [-1, 0, 1].map(three) else { return false };
        [b, c, d, e, f, g, h].iter().all(|other| *other == a)
    }

    /// The bytes of a pixel.
    pub(crate) fn bytes(&self, offset: i32, x: u32) -> Option<&'a [u8]> {
        let size = self.reader.bytes_per_pixel();
        self.row(offset).and_then(|row| row.get(x as usize * size..(x as usize + 1) * size))
    }
}
