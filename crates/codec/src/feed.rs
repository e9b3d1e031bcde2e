//! Where the rows of one of two images come from: this thread, or one that decodes ahead.

use std::mem;
use std::ops::Range;
use std::panic;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use trueup_frame::{ImageView, Rect, Size};

use crate::error::CodecError;
use crate::header::Header;
use crate::limits::{Limits, resize};
use crate::png::{StoredRows, Unfilter};
use crate::rows::{Rows, mismatch, view_of_band};

/// Decoded bands that wait for the reader: one is too few for two threads that are not equally fast in every band.
const WAITING: usize = 2;
/// Bands that exist at a time: those that wait, the one being filled, the one being read and the one that it is made of.
const BANDS: u64 = WAITING as u64 + 3;

/// The rows of one image, from the top.
pub(crate) enum Feed<'a> {
    /// They are decoded when they are asked for.
    Here(Box<Rows<'a>>),
    /// They are decoded ahead.
    There(Ahead<'a>),
}

/// The reading end of a thread that decodes.
pub(crate) struct Ahead<'a> {
    header: Header,
    bands: Receiver<Result<Vec<u8>, CodecError>>,
    /// Buffers that go back to be filled again, so that memory is touched for the first time only once.
    spare: Sender<Vec<u8>>,
    thread: Option<ScopedJoinHandle<'a, ()>>,
    band: Vec<u8>,
    /// Makes samples of the bands, where they come as they are stored.
    unfilter: Option<Unfilter>,
    /// The band as it is stored, until samples are made of it.
    stored: Vec<u8>,
}

/// What a thread decodes.
enum Work<'a> {
    /// Rows of samples.
    Samples(Box<Rows<'a>>),
    /// Rows as they are stored, where inflating them is most of the work: the rest is left to the reader.
    Stored(Box<StoredRows<'a>>),
}

impl<'a> Feed<'a> {
    pub(crate) const fn header(&self) -> &Header {
        match self {
            Self::Here(rows) => rows.header(),
            Self::There(ahead) => &ahead.header,
        }
    }

    /// The same rows from a thread that cuts them into bands of `cut` rows, the first `shared` of them to be given out; a
    /// reader that is idle takes a part of the work, where it can be taken apart. Stays as it is where there is nothing to decode
    /// any more, no room, or no thread to be had: that changes only the time that it takes.
    pub(crate) fn on_a_thread(
        self,
        scope: &'a Scope<'a, '_>,
        shared: u32,
        cut: u32,
        reader_is_idle: bool,
        limits: &Limits,
    ) -> Self {
        let Self::Here(rows) = self else { return self };
        let header = rows.header().clone();
        let band = Size::new(header.size.width, cut.min(header.size.height));
        if !rows.is_streamed() || limits.check_bytes(band, header.format, BANDS).is_err() {
            return Self::Here(rows);
        }
        let (filled, bands) = mpsc::sync_channel(WAITING);
        let (spare, emptied) = mpsc::channel();
        // The rows go through a channel of their own, because a thread that cannot be started drops what it was given.
        let (hand_over, taken) = mpsc::sync_channel::<Work<'a>>(1);
        let started = Builder::new().name("trueup-decode".to_owned()).spawn_scoped(scope, move || {
            if let Ok(mut work) = taken.recv() {
                decode_ahead(&mut work, shared, cut, &filled, &emptied);
            }
        });
        let Ok(thread) = started else { return Self::Here(rows) };
        let (work, unfilter) = match if reader_is_idle { rows.split() } else { Err(rows) } {
            Ok((stored, unfilter)) => (Work::Stored(stored), Some(unfilter)),
            Err(rows) => (Work::Samples(rows), None),
        };
        // It waits for them. If it were gone, the first band would be missing, and whoever asks for it be told.
        let _ = hand_over.send(work);
        let thread = Some(thread);
        Self::There(Ahead { header, bands, spare, thread, band: Vec::new(), unfilter, stored: Vec::new() })
    }

    /// Makes the next rows ready; the thread has cut its bands just so.
    pub(crate) fn next_band(&mut self, rows: u32) -> Result<(), CodecError> {
        match self {
            Self::Here(source) => source.next_band(rows).map(|_| ()),
            Self::There(ahead) => {
                ahead.receive()?;
                ahead.make()
            }
        }
    }

    /// Reads to the end of the file.
    pub(crate) fn drain(&mut self, max_rows: u32) -> Result<(), CodecError> {
        match self {
            Self::Here(source) => {
                while source.next_band(max_rows)?.is_some() {}
                Ok(())
            }
            Self::There(ahead) => match ahead.bands.recv() {
                Ok(band) => band.map(|_| ()),
                Err(_) => {
                    ahead.join();
                    Ok(())
                }
            },
        }
    }

    /// Some rows of the band that was made ready last, which may be the band of a `twin`.
    pub(crate) fn view<'b>(
        &'b self,
        band: &Range<u32>,
        first_row: u32,
        rows: u32,
        twin: Option<&'b Self>,
    ) -> Result<ImageView<'b>, CodecError> {
        let (height, header) = (band.end - band.start, self.header());
        let view = match (self, twin) {
            (Self::There(_), Some(Self::There(twin))) => view_of_band(header, &twin.band, height)?,
            (Self::There(ahead), _) => view_of_band(header, &ahead.band, height)?,
            (Self::Here(source), _) => source.view(band.start, height)?,
        };
        let crop = Rect::new(0, first_row - band.start, header.size.width, rows);
        view.crop(crop).map_err(|error| mismatch(header, error))
    }
}

impl Ahead<'_> {
    /// Takes the next band over from its thread.
    pub(crate) fn receive(&mut self) -> Result<(), CodecError> {
        match self.bands.recv() {
            Ok(band) if self.unfilter.is_some() => self.stored = band?,
            Ok(band) => {
                let old = mem::replace(&mut self.band, band?);
                self.give_back(old);
            }
            // It only closes before the last band when it panics. The band is emptied, so that rows of another one
            // could never be taken for the next.
            Err(_) => {
                self.stored.clear();
                self.band.clear();
                self.join();
            }
        }
        Ok(())
    }

    /// Makes samples of the band that was received.
    pub(crate) fn make(&mut self) -> Result<(), CodecError> {
        let Some(unfilter) = &mut self.unfilter else { return Ok(()) };
        let rows = self.stored.len() / (unfilter.row_bytes() + 1);
        resize(&mut self.band, rows as u64 * unfilter.row_bytes() as u64)?;
        unfilter.rows(&self.stored, &mut self.band);
        self.give_back_stored();
        Ok(())
    }

    /// Whether the band that was received is that of another image, row for row, as it is stored and as it comes out.
    pub(crate) fn is_twin_of(&self, other: &Self) -> bool {
        let (Some(unfilter), Some(others)) = (&self.unfilter, &other.unfilter) else { return false };
        unfilter == others && self.stored == other.stored
    }

    /// Goes on behind the band that was received, of which another image has made what it is.
    pub(crate) fn follow(&mut self, other: &Self) {
        if let (Some(unfilter), Some(others)) = (&mut self.unfilter, &other.unfilter) {
            unfilter.follow(others);
        }
        self.give_back_stored();
    }

    fn give_back_stored(&mut self) {
        let stored = mem::take(&mut self.stored);
        self.give_back(stored);
    }

    fn give_back(&self, buffer: Vec<u8>) {
        // The thread may have decoded everything and be gone; then nobody needs the buffer.
        let _ = self.spare.send(buffer);
    }

    /// Waits for a thread that closed its channel. If it panicked, so does this thread, as it would have without it.
    fn join(&mut self) {
        if let Some(Err(payload)) = self.thread.take().map(ScopedJoinHandle::join) {
            panic::resume_unwind(payload);
        }
    }
}

impl Work<'_> {
    /// The next rows, at most so many, in memory that may be used; `None` after the last.
    fn next(&mut self, rows: u32, mut band: Vec<u8>) -> Result<Option<Vec<u8>>, CodecError> {
        match self {
            Self::Samples(source) => {
                Ok(source.next_band(rows)?.is_some().then(|| source.exchange_band(band)))
            }
            Self::Stored(source) => {
                source.read(rows, &mut band)?;
                Ok((!band.is_empty()).then_some(band))
            }
        }
    }
}

/// What the thread does: gives out the rows that both images have, then verifies the rest. It ends early when nobody
/// listens any more.
fn decode_ahead(
    work: &mut Work<'_>,
    shared: u32,
    cut: u32,
    filled: &SyncSender<Result<Vec<u8>, CodecError>>,
    emptied: &Receiver<Vec<u8>>,
) {
    let mut left = shared;
    while left > 0 {
        let rows = cut.min(left);
        left -= rows;
        let band = work.next(rows, emptied.try_recv().unwrap_or_default()).map(Option::unwrap_or_default);
        let failed = band.is_err();
        if filled.send(band).is_err() || failed {
            return;
        }
    }
    let mut band = Vec::new();
    loop {
        match work.next(cut, band) {
            Ok(None) => return,
            Ok(Some(_)) if matches!(emptied.try_recv(), Err(TryRecvError::Disconnected)) => return,
            Ok(Some(read)) => band = read,
            Err(error) => {
                // When it cannot be sent, the reader is gone and wants no answer.
                let _ = filled.send(Err(error));
                return;
            }
        }
    }
}
