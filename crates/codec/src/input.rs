//! Where the bytes of an image file are, and how they are read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use trueup_frame::Size;

use crate::error::{CodecError, CodecErrorKind};
use crate::sniff::PNG_SIGNATURE;

/// Bytes of a file that are in memory while it is decoded. Small enough to stay in the cache of a core, so that no page of
/// memory is touched for the first time but these.
const BUFFER_BYTES: usize = 1 << 16;

/// The bytes of an image file: in memory, or in a file that is read as far as it is needed.
///
/// Everything that reads images takes either: `&[u8]`, `&Vec<u8>`, `&Arc<[u8]>` and `&File` turn into it by themselves.
///
/// A file is read at places of the reader's own. Its cursor is neither used nor needed, so that one file can be read as often as
/// one likes, also at the same time; on Windows the cursor moves. It has to be one with places, which a pipe is not, and
/// nobody should write to it meanwhile: a reader that meets a shorter file says that it is cut off, and checksums find most
/// other changes, but not all.
///
/// ```
/// use std::fs::File;
/// use trueup_codec::{Limits, decode, encode_png};
/// use trueup_frame::{ImageView, PixelFormat, Size};
///
/// let bytes = encode_png(&ImageView::packed(&[1, 2, 3], Size::new(1, 1), PixelFormat::Rgb8)?)?;
/// # let path = std::env::temp_dir().join(format!("trueup-input-{}.png", std::process::id()));
/// std::fs::write(&path, &bytes)?;
/// let file = File::open(&path)?;
/// let (of_file, of_memory) = (decode(&file, &Limits::default())?, decode(&bytes, &Limits::default())?);
/// assert_eq!(of_file.frame, of_memory.frame);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// All of its bytes.
    Memory(&'a [u8]),
    /// An open file.
    #[cfg(any(unix, windows))]
    File(&'a File),
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a> From<&'a Arc<[u8]>> for Input<'a> {
    fn from(bytes: &'a Arc<[u8]>) -> Self {
        Self::Memory(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Input<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Memory(bytes)
    }
}

#[cfg(any(unix, windows))]
impl<'a> From<&'a File> for Input<'a> {
    fn from(file: &'a File) -> Self {
        Self::File(file)
    }
}

impl<'a> Input<'a> {
    /// The size that a PNG claims in its first bytes; `None` for everything else. Nothing else of it is looked at, so that this
    /// costs nothing, and a damaged file may claim anything.
    #[must_use]
    pub fn png_size(self) -> Option<Size> {
        let mut head = [0; 24];
        if self.head(&mut head).ok()? < head.len() || !head.starts_with(PNG_SIGNATURE) {
            return None;
        }
        let side = |at: usize| head[at..].first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
        Some(Size::new(side(16)?, side(20)?))
    }

    /// How many bytes there are.
    pub(crate) fn len(self) -> Result<u64, CodecError> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            #[cfg(any(unix, windows))]
            Self::File(file) => file.metadata().map(|about| about.len()).map_err(unreadable),
        }
    }

    /// Fills `head` with the first bytes, as far as there are so many.
    pub(crate) fn head(self, head: &mut [u8]) -> io::Result<usize> {
        let mut from = self.reader(head.len());
        let mut filled = 0;
        while filled < head.len() {
            match from.read(&mut head[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// All bytes at once.
    pub(crate) fn bytes(self) -> Result<Cow<'a, [u8]>, CodecError> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            #[cfg(any(unix, windows))]
            Self::File(file) => {
                let len = self.len()?;
                let too_much = |_| CodecError::from(CodecErrorKind::OutOfMemory { bytes: len });
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX)).map_err(too_much)?;
                Place { file, at: 0 }.read_to_end(&mut bytes).map_err(unreadable)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Reads from the beginning.
    pub(crate) fn stream(self) -> Stream<'a> {
        self.reader(BUFFER_BYTES)
    }

    /// Reads from the beginning, so many bytes at a time of a file.
    pub(crate) fn reader(self, buffer_bytes: usize) -> Stream<'a> {
        match self {
            Self::Memory(bytes) => Stream::Memory(Cursor::new(bytes)),
            #[cfg(any(unix, windows))]
            Self::File(file) => Stream::File(BufReader::with_capacity(buffer_bytes, Place { file, at: 0 })),
        }
    }
}

/// What the system said when bytes were wanted of it.
pub(crate) fn unreadable(error: io::Error) -> CodecError {
    CodecError::from(CodecErrorKind::Read { error: error.kind() }).because(error)
}

/// The bytes of an input, one after the other.
pub(crate) enum Stream<'a> {
    Memory(Cursor<&'a [u8]>),
    #[cfg(any(unix, windows))]
    File(BufReader<Place<'a>>),
}

impl Stream<'_> {
    /// Leaves bytes out; what is in memory already is not read again.
    pub(crate) fn skip(&mut self, bytes: u32) -> io::Result<()> {
        match self {
            Self::Memory(stream) => {
                stream.set_position(stream.position().saturating_add(bytes.into()));
                Ok(())
            }
            #[cfg(any(unix, windows))]
            Self::File(stream) => stream.seek_relative(bytes.into()),
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Memory(stream) => stream.read(into),
            #[cfg(any(unix, windows))]
            Self::File(stream) => stream.read(into),
        }
    }
}

impl BufRead for Stream<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Memory(stream) => stream.fill_buf(),
            #[cfg(any(unix, windows))]
            Self::File(stream) => stream.fill_buf(),
        }
    }

    fn consume(&mut self, bytes: usize) {
        match self {
            Self::Memory(stream) => stream.consume(bytes),
            #[cfg(any(unix, windows))]
            Self::File(stream) => stream.consume(bytes),
        }
    }
}

impl Seek for Stream<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Memory(stream) => stream.seek(to),
            #[cfg(any(unix, windows))]
            Self::File(stream) => stream.seek(to),
        }
    }
}

/// A place in a file.
#[cfg(any(unix, windows))]
pub(crate) struct Place<'a> {
    file: &'a File,
    at: u64,
}

#[cfg(any(unix, windows))]
impl Read for Place<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(self.file, into, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(self.file, into, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(any(unix, windows))]
impl Seek for Place<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::Current(by) => (self.at, by),
            SeekFrom::End(by) => (self.file.metadata()?.len(), by),
        };
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "a place in front of the file");
        self.at = from.checked_add_signed(by).ok_or_else(outside)?;
        Ok(self.at)
    }
}
