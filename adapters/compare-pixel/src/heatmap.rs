//! The picture of how much each pixel differs.

use std::num::NonZeroUsize;

use trueup_contract::Color;
use trueup_frame::Size;
use trueup_pixel_diff::{DeltaE, DeltaMap, Diff, MetricKind, Options, Window};

use crate::error::CompareError;
use crate::picture::ENLARGED;
use crate::scale::{self, Scale};
use crate::source::Source;
use crate::walk::walk;
use crate::writing::{self, Emit, fill};
use crate::{glyphs, rgba};

/// Pixels that only one image has: stripes of greys that no ground and no colour of the scale has.
const EXTRA: [[u8; 3]; 2] = [[176; 3], [144; 3]];
/// Columns and rows of a stripe.
const STRIPE: u32 = 4;
/// What the legend stands on, and what it is written in.
const PAPER: [u8; 3] = [255; 3];
const INK: [u8; 3] = [27, 29, 34];

/// A PNG that shows the ΔE of every pixel by its colour, over a faint reference, with a legend below.
pub(crate) fn draw(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    diff: &Diff,
    options: &Options,
) -> Result<Vec<u8>, CompareError> {
    let scale = Scale::of(options);
    let size = diff.expected_size().union(diff.actual_size());
    let shared = diff.expected_size().intersection(diff.actual_size());
    let legend = Legend::new(scale, options.metric, diff.max_delta_e(), size.width);
    let whole = Size::new(legend.width, size.height.saturating_add(Legend::HEIGHT));
    writing::png(whole, threads, |emit| {
        let canvas = Canvas { size, scale, row: row_bytes(whole.width) };
        pixels(sources, threads, options, &canvas, emit)?;
        for y in shared.height..size.height {
            emit(canvas.extra(y))?;
        }
        emit(legend.draw())
    })
}

fn row_bytes(width: u32) -> usize {
    width as usize * 3
}

/// What rows are drawn on.
struct Canvas {
    /// That of both images together.
    size: Size,
    scale: Scale,
    /// Bytes of a row, which a legend may make longer than the images are wide.
    row: usize,
}

/// Draws the rows that both images have.
fn pixels(
    sources: [Source<'_>; 2],
    threads: Option<NonZeroUsize>,
    options: &Options,
    canvas: &Canvas,
    emit: &mut Emit<'_>,
) -> Result<(), CompareError> {
    let mut colors: Vec<Color> = Vec::new();
    walk(
        sources,
        threads,
        |expected, actual| Ok(DeltaMap::new(expected, actual, options)?),
        |map, band| {
            let (expected, first) = (band.expected, band.first_row);
            let mut rows = Vec::with_capacity(expected.size().height as usize * canvas.row);
            map.push(Window::new(expected, band.actual, first), |y, deltas| {
                let start = rows.len();
                let mut deltas_left = deltas.iter();
                rgba::luma_row(&expected, y - first, deltas.len(), &mut colors, |luma| {
                    let delta = deltas_left.next().copied().unwrap_or_default();
                    rows.extend(if delta > DeltaE::ZERO {
                        canvas.scale.color(delta)
                    } else {
                        [faint(luma); 3]
                    });
                });
                let shared = deltas.len();
                rows.resize(start + canvas.row, PAPER[0]);
                canvas.stripes(y, shared, &mut rows[start..]);
            })?;
            emit(rows).map(|()| true)
        },
    )?;
    Ok(())
}

/// 255 − 1/6·(255 − luma): where one is, and no more.
fn faint(luma: u8) -> u8 {
    255 - (255 - luma) / 6
}

impl Canvas {
    /// A row that only the taller image has.
    fn extra(&self, y: u32) -> Vec<u8> {
        let mut row = vec![PAPER[0]; self.row];
        self.stripes(y, 0, &mut row);
        row
    }

    /// What only one image has of a row, from a column on.
    fn stripes(&self, y: u32, from: usize, row: &mut [u8]) {
        let columns = from..self.size.width as usize;
        for (x, pixel) in columns.clone().zip(&mut row.as_chunks_mut::<3>().0[columns]) {
            *pixel = EXTRA[(x as u32).wrapping_add(y) as usize / STRIPE as usize % 2];
        }
    }
}

/// The legend: which formula, the colours, and what the first, the last and the tolerance's one stand for.
struct Legend {
    scale: Scale,
    width: u32,
    title: String,
    /// The last number, with a sign where something is beyond it.
    end: String,
    tolerance: String,
}

impl Legend {
    const HEIGHT: u32 = 48;
    /// Pixels left and right of it.
    const MARGIN: u32 = 8;
    const TITLE_TOP: u32 = 6;
    const BAR_TOP: u32 = 20;
    const BAR_BOTTOM: u32 = 30;
    const NUMBERS_TOP: u32 = 34;

    fn new(scale: Scale, metric: MetricKind, most: DeltaE, width: u32) -> Self {
        let tolerance = number(scale.tolerance());
        let end = format!("{}{}", if most > scale.end() { "≥" } else { "" }, number(scale.end()));
        let short = format!("ΔE {}", metric.name().to_uppercase());
        let long = format!("{short}  TOLERANCE {tolerance}");
        let fits = |text: &str| room(text) <= width;
        let title = if fits(&long) { long } else { short };
        // A narrow picture gets a wider canvas: a scale that says nothing is none.
        let width = width.max(room(&title));
        Self { scale, width, title, end, tolerance }
    }

    fn draw(&self) -> Vec<u8> {
        let mut out = vec![PAPER[0]; row_bytes(self.width) * Self::HEIGHT as usize];
        let (left, right) = (Self::MARGIN, self.width - Self::MARGIN);
        let last = u64::from(right - left - 1).max(1);
        for y in Self::BAR_TOP..Self::BAR_BOTTOM {
            for x in left..right {
                self.set(&mut out, x, y, scale::step((u64::from(x - left) * 255 + last / 2) / last));
            }
        }
        self.text(&mut out, left, Self::TITLE_TOP, &self.title);
        self.text(&mut out, left, Self::NUMBERS_TOP, "0");
        let end = right - glyphs::width(&self.end) * ENLARGED;
        self.text(&mut out, end, Self::NUMBERS_TOP, &self.end);
        let share = u64::from(self.scale.tolerance().raw()) * last / u64::from(self.scale.end().raw()).max(1);
        if share > 0 {
            let x = left + share as u32;
            for y in Self::BAR_TOP - 2..Self::BAR_BOTTOM + 2 {
                self.set(&mut out, x, y, INK);
            }
            // Its number stands below it where it touches no other one.
            let wide = glyphs::width(&self.tolerance) * ENLARGED;
            let start = x.saturating_sub(wide / 2);
            let gap = 2 * ENLARGED;
            if start >= left + glyphs::width("0") * ENLARGED + gap && start + wide + gap <= end {
                self.text(&mut out, start, Self::NUMBERS_TOP, &self.tolerance);
            }
        }
        out
    }

    fn text(&self, out: &mut [u8], left: u32, top: u32, text: &str) {
        for row in 0..glyphs::HEIGHT * ENLARGED {
            for column in 0..glyphs::width(text) * ENLARGED {
                if glyphs::is_set(text, column / ENLARGED, row / ENLARGED) {
                    self.set(out, left + column, top + row, INK);
                }
            }
        }
    }

    fn set(&self, out: &mut [u8], x: u32, y: u32, color: [u8; 3]) {
        let at = y as usize * row_bytes(self.width) + 3 * x as usize;
        fill(&mut out[at..at + 3], color);
    }
}

/// Columns that a line of the legend takes, with its margins.
fn room(text: &str) -> u32 {
    glyphs::width(text) * ENLARGED + 2 * Legend::MARGIN
}

/// A ΔE in the fewest decimals that say it, at most two.
fn number(delta: DeltaE) -> String {
    let text = format!("{delta:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_more_decimals_than_they_need() {
        for (value, text) in
            [(2.0, "2"), (2.3, "2.3"), (0.25, "0.25"), (20.0, "20"), (0.0, "0"), (100.0, "100")]
        {
            assert_eq!(number(DeltaE::from_f64(value)), text);
        }
    }

    #[test]
    fn a_legend_is_never_cut_off() {
        let scale = Scale::of(&Options::default());
        for metric in MetricKind::ALL {
            for width in [0, 1, 40, 130, 200, 201, 1280] {
                let legend = Legend::new(scale, metric, DeltaE::from_f64(100.0), width);
                assert!(legend.width >= width && legend.end == "≥20");
                let drawn = legend.draw();
                assert_eq!(drawn.len(), row_bytes(legend.width) * Legend::HEIGHT as usize);
                let inked = drawn.as_chunks::<3>().0.iter().filter(|&&pixel| pixel == INK).count();
                assert!(inked > 100, "{metric} {width}: it is written on");
            }
        }
    }
}
