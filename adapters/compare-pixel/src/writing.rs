//! Writing a picture while it is drawn.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use trueup_codec::{CodecError, PngWriter};
use trueup_frame::{PixelFormat, Size};

use crate::error::{CompareError, CompareErrorKind};

/// Bands that wait to be written.
const WAITING: usize = 2;

/// Takes the next rows of a picture, red, green and blue in a byte each.
pub(crate) type Emit<'e> = dyn FnMut(Vec<u8>) -> Result<(), CompareError> + 'e;

/// A PNG of `size`, whose rows `draw` gives from the top. They are compressed on another thread unless only one is wanted.
pub(crate) fn png(
    size: Size,
    threads: Option<NonZeroUsize>,
    draw: impl FnOnce(&mut Emit<'_>) -> Result<(), CompareError>,
) -> Result<Vec<u8>, CompareError> {
    if threads.is_some_and(|threads| threads.get() == 1) {
        let mut writer = PngWriter::new(size, PixelFormat::Rgb8).map_err(unwritable)?;
        draw(&mut |rows| writer.push(&rows).map_err(unwritable))?;
        return writer.finish().map_err(unwritable);
    }
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let writer = scope.spawn(move || write(&receiver, size));
        let drawn = draw(&mut |rows| send(&sender, rows));
        drop(sender);
        let written = writer.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
        // A picture that could not be drawn is also not complete: the first cause is what is said.
        drawn.and(written.map_err(unwritable))
    })
}

/// Hands rows on. When the writer is gone it has failed, and says so itself.
fn send(sender: &SyncSender<Vec<u8>>, rows: Vec<u8>) -> Result<(), CompareError> {
    let _ = sender.send(rows);
    Ok(())
}

fn write(rows: &Receiver<Vec<u8>>, size: Size) -> Result<Vec<u8>, CodecError> {
    let mut writer = PngWriter::new(size, PixelFormat::Rgb8)?;
    while let Ok(rows) = rows.recv() {
        writer.push(&rows)?;
    }
    writer.finish()
}

pub(crate) fn unwritable(error: CodecError) -> CompareError {
    CompareError::new(CompareErrorKind::Picture(error))
}

/// Fills pixels with one colour.
pub(crate) fn fill(out: &mut [u8], color: [u8; 3]) {
    out.as_chunks_mut::<3>().0.fill(color);
}
