//! Pictures of a difference.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use trueup_codec::{CodecError, Input, PngWriter};
use trueup_contract::Color;
use trueup_frame::{Alpha, ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Diff, Region};

use crate::digits;
use crate::error::{CompareError, CompareErrorKind};
use crate::rgba;
use crate::source::Source;
use crate::walk::{Band, walk};

/// Pixels that differ inside an open region.
const DIFFERS: [u8; 3] = [225, 29, 72];
/// The line around an open region, and its number.
const OUTLINE: [u8; 3] = [190, 18, 60];
/// Pixels that only one image has.
const EXTRA: [u8; 3] = [253, 230, 138];
/// What a number stands on.
const PAPER: [u8; 3] = [255, 255, 255];
/// Pixels between a region and the line around it.
const MARGIN: u32 = 3;
/// Pixels of the picture for one pixel of a digit.
const ENLARGED: u32 = 2;
/// Regions that get a number: more would cover what they number.
const NUMBERED: usize = 999;
/// Bands that wait to be written.
const WAITING: usize = 2;

/// A PNG that shows where two images differ.
///
/// Both are read again and the picture is written as it is drawn, so that none of the three is ever held.
pub(crate) fn draw(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    diff: &Diff,
) -> Result<Vec<u8>, CompareError> {
    let size = diff.expected_size().union(diff.actual_size());
    if threads.is_some_and(|threads| threads.get() == 1) {
        let mut writer = PngWriter::new(size, PixelFormat::Rgb8).map_err(unwritable)?;
        rows(sources, threads, diff, &mut |rows| writer.push(&rows).map_err(unwritable))?;
        return writer.finish().map_err(unwritable);
    }
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let writer = scope.spawn(move || write(&receiver, size));
        let drawn = rows(sources, threads, diff, &mut |rows| send(&sender, rows));
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

fn unwritable(error: CodecError) -> CompareError {
    CompareError::new(CompareErrorKind::Picture(error))
}

/// Draws the picture from the top.
fn rows(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    diff: &Diff,
    emit: &mut dyn FnMut(Vec<u8>) -> Result<(), CompareError>,
) -> Result<(), CompareError> {
    let size = diff.expected_size().union(diff.actual_size());
    let shared = diff.expected_size().intersection(diff.actual_size());
    let mut painter = Painter::new(size, diff);
    walk(sources, threads, |_, _| Ok(()), |(), band| emit(painter.band(&band)).map(|()| true))?;
    // What only the taller image has is one colour, but lines of regions may reach into it.
    for y in shared.height..size.height {
        emit(painter.below(y))?;
    }
    Ok(())
}

/// A region with its line and number.
struct Mark {
    area: Rect,
    /// The line around it, its last column and row included.
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    /// Where the number's paper begins, and its digits; none where there is no room.
    label: Option<(u32, u32, Vec<u8>)>,
}

impl Mark {
    fn new(area: Rect, rank: usize, size: Size) -> Self {
        let last = |end: u64, side: u32| {
            u32::try_from(end + u64::from(MARGIN) - 1).unwrap_or(u32::MAX).min(side.saturating_sub(1))
        };
        let (left, top) = (area.x.saturating_sub(MARGIN), area.y.saturating_sub(MARGIN));
        let (right, bottom) = (last(area.right(), size.width), last(area.bottom(), size.height));
        let digits = (rank < NUMBERED).then(|| digits::of(rank + 1));
        let label = digits.and_then(|digits| {
            let (width, height) = paper(&digits);
            let fits = |x: u32, y: u32| x + width <= size.width && y + height <= size.height;
            let beside = |x: Option<u32>, y: Option<u32>| x.zip(y).filter(|&(x, y)| fits(x, y));
            // Above the line, else right of it, left of it, below it: never on top of what it numbers.
            let (x, y) = beside(Some(left), top.checked_sub(height))
                .or_else(|| beside(right.checked_add(1), Some(top)))
                .or_else(|| beside(left.checked_sub(width), Some(top)))
                .or_else(|| beside(Some(left), bottom.checked_add(1)))?;
            Some((x, y, digits))
        });
        Self { area, left, right, top, bottom, label }
    }

    fn first_row(&self) -> u32 {
        self.label.as_ref().map_or(self.top, |(_, y, _)| (*y).min(self.top))
    }

    fn last_row(&self) -> u32 {
        let below = |(_, y, digits): &(u32, u32, Vec<u8>)| y + paper(digits).1 - 1;
        self.label.as_ref().map_or(self.bottom, |label| below(label).max(self.bottom))
    }
}

/// Width and height of the paper under a number: its digits and a pixel around each.
fn paper(digits: &[u8]) -> (u32, u32) {
    let count = u32::try_from(digits.len()).unwrap_or(u32::MAX);
    ((count * (digits::WIDTH + 1) + 1) * ENLARGED, (digits::HEIGHT + 2) * ENLARGED)
}

struct Painter {
    size: Size,
    /// From the last to the first by their first row, so that the next one is at the end.
    waiting: Vec<Mark>,
    /// Those that the current row touches, in the order of the report reversed: the weightier are drawn last.
    touched: Vec<Mark>,
    colors: [Vec<Color>; 2],
}

impl Painter {
    fn new(size: Size, diff: &Diff) -> Self {
        let open = diff.open_regions().map(Region::rect).enumerate();
        let mut waiting: Vec<Mark> = open.map(|(rank, area)| Mark::new(area, rank, size)).collect();
        waiting.sort_by_key(|mark| std::cmp::Reverse(mark.first_row()));
        Self { size, waiting, touched: Vec::new(), colors: [Vec::new(), Vec::new()] }
    }

    fn band(&mut self, band: &Band<'_>) -> Vec<u8> {
        let height = band.expected.size().height;
        let mut out = Vec::with_capacity(height as usize * self.row_bytes());
        for (row, y) in (0..height).zip(band.first_row..) {
            let start = out.len();
            dim(&band.expected, row, band.actual.size().width, &mut self.colors[0], &mut out);
            out.resize(start + self.row_bytes(), 0);
            let shared = band.expected.size().width.min(band.actual.size().width) as usize;
            fill(&mut out[start + 3 * shared..], EXTRA);
            self.advance(y);
            self.differing(band, row, y, &mut out[start..]);
            self.marks(y, &mut out[start..]);
        }
        out
    }

    fn below(&mut self, y: u32) -> Vec<u8> {
        let mut row = vec![0; self.row_bytes()];
        fill(&mut row, EXTRA);
        self.advance(y);
        self.marks(y, &mut row);
        row
    }

    fn row_bytes(&self) -> usize {
        self.size.width as usize * 3
    }

    fn advance(&mut self, y: u32) {
        self.touched.retain(|mark| y <= mark.last_row());
        while let Some(mark) = self.waiting.pop_if(|mark| mark.first_row() <= y) {
            self.touched.push(mark);
        }
    }

    /// Colours what differs in the regions of a row.
    fn differing(&mut self, band: &Band<'_>, row: u32, y: u32, out: &mut [u8]) {
        let covers = |area: &Rect| area.y <= y && u64::from(y) < area.bottom();
        let areas = || self.touched.iter().map(|mark| mark.area).filter(covers);
        if areas().next().is_none() {
            return;
        }
        let (expected, actual) = (&band.expected, &band.actual);
        let shared = expected.size().width.min(actual.size().width) as usize;
        let columns = |area: Rect| {
            let first = (area.x as usize).min(shared);
            first..(first + area.width as usize).min(shared)
        };
        if same_samples(expected, actual) {
            let size = expected.format().bytes_per_pixel();
            let (e, a) = (expected.row(row), actual.row(row));
            for area in areas() {
                for x in columns(area) {
                    if e[x * size..(x + 1) * size] != a[x * size..(x + 1) * size] {
                        out[3 * x..3 * x + 3].copy_from_slice(&DIFFERS);
                    }
                }
            }
            return;
        }
        let [e, a] = &mut self.colors;
        rgba::row(expected, row, e);
        rgba::row(actual, row, a);
        for area in self.touched.iter().map(|mark| mark.area).filter(covers) {
            for x in columns(area) {
                if e[x] != a[x] {
                    out[3 * x..3 * x + 3].copy_from_slice(&DIFFERS);
                }
            }
        }
    }

    /// Draws lines and numbers of a row.
    fn marks(&self, y: u32, out: &mut [u8]) {
        for mark in &self.touched {
            let (left, right) = (mark.left as usize * 3, mark.right as usize * 3 + 3);
            if y == mark.top || y == mark.bottom {
                fill(&mut out[left..right], OUTLINE);
            } else if mark.top < y && y < mark.bottom {
                out[left..left + 3].copy_from_slice(&OUTLINE);
                out[right - 3..right].copy_from_slice(&OUTLINE);
            }
        }
        // Numbers lie on top of all lines.
        for (x, top, digits) in self.touched.iter().filter_map(|mark| mark.label.as_ref()) {
            let (width, height) = paper(digits);
            let Some(row) = y.checked_sub(*top).filter(|&row| row < height) else { continue };
            for column in 0..width.min(self.size.width - x) {
                // One enlarged pixel of paper around the digits and between them.
                let (column_of_all, row) =
                    ((column / ENLARGED).wrapping_sub(1), (row / ENLARGED).wrapping_sub(1));
                let (index, within) =
                    (column_of_all / (digits::WIDTH + 1), column_of_all % (digits::WIDTH + 1));
                let digit = digits.get(index as usize);
                let inked = digit.is_some_and(|&digit| digits::is_set(digit, within, row));
                let at = (x + column) as usize * 3;
                out[at..at + 3].copy_from_slice(if inked { &OUTLINE } else { &PAPER });
            }
        }
    }
}

fn fill(out: &mut [u8], color: [u8; 3]) {
    out.as_chunks_mut::<3>().0.fill(color);
}

/// Whether unequal bytes are unequal colours, pixel by pixel, and the other way round.
fn same_samples(expected: &ImageView<'_>, actual: &ImageView<'_>) -> bool {
    expected.format() == actual.format()
        && expected.color() == actual.color()
        && !expected.format().has_alpha()
        && !actual.format().has_alpha()
}

/// A row as a pale grey: dark things stay visible, and nothing competes with what differs.
fn dim(view: &ImageView<'_>, y: u32, other: u32, colors: &mut Vec<Color>, out: &mut Vec<u8>) {
    let shared = view.size().width.min(other) as usize;
    match (view.format(), view.alpha()) {
        (PixelFormat::Rgb8, _) => {
            let pixels = view.row(y).as_chunks::<3>().0;
            out.extend(pixels[..shared].iter().flat_map(|&pixel| pale(pixel)));
        }
        (PixelFormat::Rgba8, Alpha::Opaque) => {
            let pixels = view.row(y).as_chunks::<4>().0;
            out.extend(pixels[..shared].iter().flat_map(|&[red, green, blue, _]| pale([red, green, blue])));
        }
        _ => {
            rgba::row(view, y, colors);
            out.extend(colors[..shared].iter().flat_map(|&color| pale(rgba::over_white(color))));
        }
    }
}

fn pale([red, green, blue]: [u8; 3]) -> [u8; 3] {
    let luma = (u32::from(red) * 77 + u32::from(green) * 150 + u32::from(blue) * 29) >> 8;
    // 255 − 2/5·(255 − luma), rounded up; at most 255.
    [(255 - (((255 - luma) * 205) >> 9)) as u8; 3]
}

/// A capture as a PNG, as it is.
pub(crate) fn plain(source: Source<'_>) -> Result<Vec<u8>, CompareError> {
    match source {
        Source::Encoded(Input::Memory(bytes)) if bytes.starts_with(b"\x89PNG") => Ok(bytes.to_vec()),
        Source::Frame(view) => encode(&view),
        Source::Encoded(input) => {
            let decoded = trueup_codec::decode(input, &trueup_codec::Limits::default());
            let decoded = decoded.map_err(|error| CompareError::new(CompareErrorKind::Actual(error)))?;
            encode(&decoded.frame.view())
        }
    }
}

fn encode(view: &ImageView<'_>) -> Result<Vec<u8>, CompareError> {
    trueup_codec::encode_png(view).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pale_grey_is_two_fifths_of_the_way_from_white() {
        for luma in 0..=255u32 {
            let expected = (255 - (255 - luma) * 2 / 5) as u8;
            assert_eq!(pale([luma as u8; 3]), [expected; 3], "{luma}");
        }
    }
}
