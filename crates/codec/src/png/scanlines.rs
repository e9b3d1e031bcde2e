//! The rows of a PNG as it stores them: inflated and checked, with their filters.

use std::io::{self, BufRead};

use ::png::chunk::{IDAT, IEND};
use ::png::{DecodeOptions, Decoded, DecodingError, StreamingDecoder, UnfilterRegion};

use super::filters::FILTERS;
use crate::error::CodecError;
use crate::header::FileFormat;
use crate::input::Stream;
use crate::limits;

/// Bytes that are made room for at a time.
const ROOM_BYTES: usize = 1 << 16;

/// Bytes of rows that are inflated before they are given out: some rows, which still are in the cache.
const GATHERED_BYTES: usize = 1 << 15;

/// Bytes that were given out after which those that are still needed are moved to the front.
const SHIFT_BYTES: usize = 1 << 18;

/// Stored rows, one after the other. What the file is checked for is what the decoder below checks.
pub(super) struct Scanlines<'a> {
    stream: Stream<'a>,
    decoder: Box<StreamingDecoder>,
    /// What was inflated and may still be referred to, or given out.
    buffer: Vec<u8>,
    inflated: UnfilterRegion,
    /// Where the next row begins in it.
    next: usize,
    /// Bytes of a row, the type of its filter included.
    line_bytes: usize,
    /// Bytes of all rows that were not inflated yet.
    left: u64,
    /// Whether there is no more of the compressed data.
    is_flushed: bool,
    /// What went wrong behind rows that are still to be given out.
    failed: Option<NoLine>,
}

/// Why there is no row.
pub(super) enum NoLine {
    /// What the decoder says.
    Decoder(DecodingError),
    /// What is found here.
    Codec(CodecError),
}

impl<'a> Scanlines<'a> {
    /// Reads up to the first row.
    pub(super) fn open(
        stream: Stream<'a>,
        options: DecodeOptions,
        row_bytes: usize,
        rows: u32,
    ) -> Result<Self, DecodingError> {
        let line_bytes = row_bytes + 1;
        let mut lines = Self {
            stream,
            decoder: Box::new(StreamingDecoder::new_with_options(options)),
            buffer: Vec::new(),
            inflated: UnfilterRegion::default(),
            next: 0,
            line_bytes,
            left: line_bytes as u64 * u64::from(rows),
            is_flushed: false,
            failed: None,
        };
        while !matches!(lines.update(false)?, Decoded::ChunkBegin(_, IDAT)) {}
        Ok(lines)
    }

    /// The next rows as they are stored, at least one and at most so many: the type of a filter, of which it is seen that there is
    /// one, and the differences.
    pub(super) fn next(&mut self, most: usize) -> Result<&[u8], NoLine> {
        let wanted = most.min(GATHERED_BYTES / self.line_bytes).max(1);
        while self.failed.is_none() && self.inflated.filled < self.next + wanted * self.line_bytes {
            self.failed = self.inflate().err();
        }
        // Of what went wrong, what stands first in the file is said.
        let whole = &self.buffer[self.next..self.inflated.filled];
        let lines = whole.chunks_exact(self.line_bytes).take(wanted);
        let good = lines.take_while(|line| line.first().is_some_and(|&filter| filter < FILTERS)).count();
        if good == 0 {
            return Err(match whole.first() {
                Some(&filter) if filter >= FILTERS && whole.len() >= self.line_bytes => {
                    let detail = format!("a row names filter type {filter}, expected 0 to 4");
                    NoLine::Codec(CodecError::damaged(FileFormat::Png, detail))
                }
                _ => self.failed.take().unwrap_or_else(missing),
            });
        }
        let first = self.next;
        self.next += good * self.line_bytes;
        Ok(&self.buffer[first..self.next])
    }

    /// Reads to the end of the file, for the checksums of the chunks that the rows did not need.
    pub(super) fn finish(&mut self) -> Result<(), DecodingError> {
        while !matches!(self.update(false)?, Decoded::ChunkComplete(IEND)) {}
        Ok(())
    }

    fn inflate(&mut self) -> Result<(), NoLine> {
        if self.is_flushed {
            return Err(missing());
        }
        // What lies before both is neither to be given out nor referred to any more.
        let done = self.next.min(self.inflated.available);
        if done >= SHIFT_BYTES {
            self.buffer.copy_within(done..self.inflated.filled, 0);
            self.next -= done;
            self.inflated.available -= done;
            self.inflated.filled -= done;
        }
        let UnfilterRegion { filled, .. } = self.inflated;
        // No more than the picture takes is ever inflated.
        let room = self.left.min(ROOM_BYTES as u64) as usize;
        if self.buffer.len() < filled + room / 2 || self.buffer.len() == filled {
            limits::resize(&mut self.buffer, (filled + room) as u64).map_err(NoLine::Codec)?;
        }
        let most = usize::try_from(self.left).map_or(usize::MAX, |left| filled.saturating_add(left));
        self.buffer.truncate(most);
        self.is_flushed = matches!(self.update(true)?, Decoded::ImageDataFlushed);
        self.left -= (self.inflated.filled - filled) as u64;
        Ok(())
    }

    /// One step of the decoder, which may inflate or pass over the compressed data.
    fn update(&mut self, inflates: bool) -> Result<Decoded, DecodingError> {
        let input = self.stream.fill_buf()?;
        if input.is_empty() {
            return Err(DecodingError::IoError(io::ErrorKind::UnexpectedEof.into()));
        }
        let mut image = self.inflated.as_buf(&mut self.buffer);
        let (consumed, decoded) = self.decoder.update(input, inflates.then_some(&mut image))?;
        self.stream.consume(consumed);
        Ok(decoded)
    }
}

fn missing() -> NoLine {
    NoLine::Codec(CodecError::damaged(FileFormat::Png, "rows are missing"))
}

impl From<DecodingError> for NoLine {
    fn from(error: DecodingError) -> Self {
        Self::Decoder(error)
    }
}
