//! Two images, row for row.

use trueup_frame::ImageView;

use crate::error::{CodecError, Side};
use crate::header::Header;
use crate::limits::Limits;
use crate::rows::{Rows, open};

/// Two images that are decoded together, so that neither has to be held whole.
///
/// Sizes and formats may differ: bands cover the rows that both images have, each in its own width and format. What
/// the taller one has below is counted from the headers, and decoded only to verify it.
///
/// ```
/// use trueup_codec::{Limits, Lockstep, encode_png};
/// use trueup_frame::{ImageView, PixelFormat, Size};
///
/// let a = encode_png(&ImageView::packed(&[1, 2, 3], Size::new(1, 3), PixelFormat::Gray8)?)?;
/// let b = encode_png(&ImageView::packed(&[1, 9], Size::new(1, 2), PixelFormat::Gray8)?)?;
/// let mut both = Lockstep::open(&a, &b, &Limits::default())?;
/// let band = both.next_pair(64)?.expect("the images share two rows");
/// assert_eq!(band.first().row(0), band.second().row(0));
/// assert_ne!(band.first().row(1), band.second().row(1));
/// assert!(both.next_pair(64)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lockstep<'a> {
    first: Rows<'a>,
    second: Rows<'a>,
}

/// The same rows of two images.
#[derive(Clone, Copy, Debug)]
pub struct PairBand<'a> {
    first_row: u32,
    first: ImageView<'a>,
    second: ImageView<'a>,
}

impl<'a> PairBand<'a> {
    /// Row of both images that the views begin with, counted from 0 at the top.
    #[must_use]
    pub const fn first_row(&self) -> u32 {
        self.first_row
    }

    /// Rows of the first image; as many as of the second.
    #[must_use]
    pub const fn first(&self) -> ImageView<'a> {
        self.first
    }

    /// Rows of the second image; as many as of the first.
    #[must_use]
    pub const fn second(&self) -> ImageView<'a> {
        self.second
    }
}

impl<'a> Lockstep<'a> {
    /// Opens two images with the same limits for each.
    ///
    /// # Errors
    /// As [`open`]; [`CodecError::side`] says which image it is about. When both fail, it is the first.
    pub fn open(first: &'a [u8], second: &'a [u8], limits: &Limits) -> Result<Self, CodecError> {
        let first = open(first, limits).map_err(|error| error.on(Side::First))?;
        let second = open(second, limits).map_err(|error| error.on(Side::Second))?;
        Ok(Self { first, second })
    }

    /// What is known of the first image before its rows.
    #[must_use]
    pub const fn first(&self) -> &Header {
        self.first.header()
    }

    /// What is known of the second image before its rows.
    #[must_use]
    pub const fn second(&self) -> &Header {
        self.second.header()
    }

    /// The next rows that both images have, at most `max_rows` of them (0 counts as 1), or `None` after the last.
    ///
    /// Before `None` the rows that only one image has are decoded and dropped, in bands of `max_rows`, so that damage
    /// in them is found.
    ///
    /// # Errors
    /// As [`Rows::next_band`]; [`CodecError::side`] says which image it is about.
    pub fn next_pair(&mut self, max_rows: u32) -> Result<Option<PairBand<'_>>, CodecError> {
        let rows = max_rows.max(1).min(self.first.rows_left()).min(self.second.rows_left());
        if rows == 0 {
            drain(&mut self.first, max_rows).map_err(|error| error.on(Side::First))?;
            drain(&mut self.second, max_rows).map_err(|error| error.on(Side::Second))?;
            return Ok(None);
        }
        let first = self.first.next_band(rows).map_err(|error| error.on(Side::First))?;
        let second = self.second.next_band(rows).map_err(|error| error.on(Side::Second))?;
        Ok(first.zip(second).map(|(first, second)| PairBand {
            first_row: first.first_row(),
            first: first.view(),
            second: second.view(),
        }))
    }
}

fn drain(rows: &mut Rows<'_>, max_rows: u32) -> Result<(), CodecError> {
    while rows.next_band(max_rows)?.is_some() {}
    Ok(())
}
