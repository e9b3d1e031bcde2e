//! Two images, row for row.

use std::fmt;
use std::ops::Range;
use std::panic;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use trueup_frame::ImageView;

use crate::error::{CodecError, Side};
use crate::feed::Feed;
use crate::header::Header;
use crate::input::Input;
use crate::limits::Limits;
use crate::png;
use crate::rows::{Rows, open, open_input};

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
pub struct Lockstep<'a> {
    first: Feed<'a>,
    second: Feed<'a>,
    /// Rows that both images have.
    shared: u32,
    /// Rows that were given out.
    given: u32,
    /// Rows of the current band, decoded in both images.
    band: Range<u32>,
    /// Whether both images have the current band in common; then only the first has made it ready.
    is_shared: bool,
    /// Rows that are decoded at a time; `None` for as many as are asked for.
    cut: Option<u32>,
    /// What went wrong; said again whenever more is asked for.
    failed: Option<CodecError>,
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
    /// Opens two images with the same limits for each. Everything is decoded on the caller's thread.
    ///
    /// # Errors
    /// As [`open`]; [`CodecError::side`] says which image it is about. When both fail, it is the first.
    pub fn open(
        first: impl Into<Input<'a>>,
        second: impl Into<Input<'a>>,
        limits: &Limits,
    ) -> Result<Self, CodecError> {
        let first = open(first, limits).map_err(|error| error.on(Side::First))?;
        let second = open(second, limits).map_err(|error| error.on(Side::Second))?;
        Ok(Self::of(first, second))
    }

    fn of(first: Rows<'a>, second: Rows<'a>) -> Self {
        let shared = first.rows_left().min(second.rows_left());
        let (first, second) = (Feed::Here(Box::new(first)), Feed::Here(Box::new(second)));
        Self { first, second, shared, given: 0, band: 0..0, is_shared: false, cut: None, failed: None }
    }

    /// Opens two images that up to `threads` threads decode, the caller's included, in bands of `band_rows` rows (0
    /// counts as 1). With 2, another thread decodes the second image ahead of the caller; with 3 or more, both images
    /// are decoded ahead, which pays when the caller has as much to do with the rows as decoding them takes. With 1 or
    /// 0 there is no other thread: below a megapixel or two, starting one takes as long as it saves.
    ///
    /// Pixels and errors are those of [`open`](Self::open) followed by [`next_pair`](Self::next_pair) with `band_rows`,
    /// in the same order, whatever the threads do. A larger `max_rows` gives no more than the rest of a band. The
    /// threads end when everything was decoded, at the first error, or when this is dropped; the scope waits for them.
    ///
    /// Memory: up to five bands of an image that is decoded ahead exist at a time. Where [`Limits::max_bytes`] has no room
    /// for that, and for an image that cannot be read in bands, rows are given out on the caller's thread.
    ///
    /// ```
    /// use std::thread;
    /// use trueup_codec::{CodecError, Limits, Lockstep};
    ///
    /// fn differing_rows(a: &[u8], b: &[u8]) -> Result<usize, CodecError> {
    ///     thread::scope(|scope| {
    ///         let mut both = Lockstep::threaded(scope, a, b, &Limits::default(), 64, 2)?;
    ///         let mut differing = 0;
    ///         while let Some(band) = both.next_pair(64)? {
    ///             differing += band.first().rows().zip(band.second().rows()).filter(|(a, b)| a != b).count();
    ///         }
    ///         Ok(differing)
    ///     })
    /// }
    /// # use trueup_frame::{ImageView, PixelFormat, Size};
    /// # let a = trueup_codec::encode_png(&ImageView::packed(&[1, 2], Size::new(1, 2), PixelFormat::Gray8)?)?;
    /// # let b = trueup_codec::encode_png(&ImageView::packed(&[1, 9], Size::new(1, 2), PixelFormat::Gray8)?)?;
    /// # assert_eq!(differing_rows(&a, &b)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn threaded<'env>(
        scope: &'a Scope<'a, 'env>,
        first: impl Into<Input<'a>>,
        second: impl Into<Input<'a>>,
        limits: &Limits,
        band_rows: u32,
        threads: usize,
    ) -> Result<Self, CodecError> {
        let cut = band_rows.max(1);
        if threads < 2 {
            return Ok(Self { cut: Some(cut), ..Self::open(first, second, limits)? });
        }
        let (first, second) = open_both(scope, first.into(), second.into(), limits);
        let first = first.map_err(|error| error.on(Side::First))?;
        let second = second.map_err(|error| error.on(Side::Second))?;
        let Self { first, second, shared, given, band, is_shared, failed, .. } = Self::of(first, second);
        let is_idle = threads > 2;
        let first = if is_idle { first.on_a_thread(scope, shared, cut, is_idle, limits) } else { first };
        let second = second.on_a_thread(scope, shared, cut, is_idle, limits);
        Ok(Self { first, second, shared, given, band, is_shared, cut: Some(cut), failed })
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
    /// As [`Rows::next_band`](crate::Rows::next_band); [`CodecError::side`] says which image it is about. After an error
    /// the same error is returned again.
    pub fn next_pair(&mut self, max_rows: u32) -> Result<Option<PairBand<'_>>, CodecError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if self.given == self.band.end
            && let Err(error) = self.next_band(max_rows.max(1))
        {
            self.failed = Some(error.clone());
            return Err(error);
        }
        let first_row = self.given;
        let rows = max_rows.max(1).min(self.band.end - first_row);
        if rows == 0 {
            return Ok(None);
        }
        self.given += rows;
        let band = self.band.clone();
        let twin = self.is_shared.then_some(&self.first);
        let first = self.first.view(&band, first_row, rows, None).map_err(|error| error.on(Side::First))?;
        let second =
            self.second.view(&band, first_row, rows, twin).map_err(|error| error.on(Side::Second))?;
        Ok(Some(PairBand { first_row, first, second }))
    }

    /// Decodes the next band of both images; behind the last, reads both to their end.
    fn next_band(&mut self, max_rows: u32) -> Result<(), CodecError> {
        let at_a_time = self.cut.unwrap_or(max_rows);
        let rows = at_a_time.min(self.shared - self.given);
        self.is_shared = false;
        match (&mut self.first, &mut self.second) {
            // What is stored alike comes out alike, and need not be made twice.
            (Feed::There(first), Feed::There(second)) if rows > 0 => {
                first.receive().map_err(|error| error.on(Side::First))?;
                second.receive().map_err(|error| error.on(Side::Second))?;
                self.is_shared = second.is_twin_of(first);
                first.make().map_err(|error| error.on(Side::First))?;
                if self.is_shared {
                    second.follow(first);
                } else {
                    second.make().map_err(|error| error.on(Side::Second))?;
                }
            }
            (first, second) => {
                for (feed, side) in [(first, Side::First), (second, Side::Second)] {
                    let done = if rows == 0 { feed.drain(at_a_time) } else { feed.next_band(rows) };
                    done.map_err(|error| error.on(side))?;
                }
            }
        }
        self.band = self.given..self.given + rows;
        Ok(())
    }
}

/// Opens two images, at the same time where opening means decoding.
fn open_both<'a>(
    scope: &'a Scope<'a, '_>,
    first: Input<'a>,
    second: Input<'a>,
    limits: &Limits,
) -> (Result<Rows<'a>, CodecError>, Result<Rows<'a>, CodecError>) {
    let inner = *limits;
    let other = if png::has_rows_in_order(second) {
        None
    } else {
        let name = "trueup-decode".to_owned();
        // Where there is no thread to be had, this one does both.
        Builder::new().name(name).spawn_scoped(scope, move || open_input(second, &inner)).ok()
    };
    let first = open_input(first, limits);
    let second = match other.map(ScopedJoinHandle::join) {
        None => open_input(second, limits),
        Some(Ok(second)) => second,
        // As it would have been on this thread.
        Some(Err(payload)) => panic::resume_unwind(payload),
    };
    (first, second)
}

impl fmt::Debug for Lockstep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lockstep")
            .field("first", self.first())
            .field("second", self.second())
            .field("given", &self.given)
            .finish_non_exhaustive()
    }
}
