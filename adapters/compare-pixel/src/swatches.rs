//! Which colours stand where others should.

use std::collections::HashMap;

use trueup_contract::{Color, Swatch};
use trueup_frame::{ImageView, Rect};

use crate::error::{CompareError, CompareErrorKind};
use crate::rgba;
use crate::source::Source;
use crate::walk::walk;

/// Pairs that are reported for a region: the fills, strokes and text of a region are among the first few.
const PAIRS: usize = 12;

/// For each region, the most frequent pairs of different colours in it, the most frequent first. A region is its box in the
/// reference and its box in the capture.
pub(crate) fn count(
    sources: [Source<'_>; 2],
    regions: &[[Rect; 2]],
) -> Result<Vec<Vec<Swatch>>, CompareError> {
    let is_in_place = |region: &&[Rect; 2]| region[0] == region[1];
    let in_place: Vec<Rect> = regions.iter().filter(is_in_place).map(|region| region[1]).collect();
    let mut counted = count_in_place(sources, &in_place)?.into_iter();
    if in_place.len() == regions.len() {
        return Ok(counted.collect());
    }
    let [expected, actual] = sources;
    let expected = expected.whole().map_err(|error| CompareError::new(CompareErrorKind::Expected(error)))?;
    let actual = actual.whole().map_err(|error| CompareError::new(CompareErrorKind::Actual(error)))?;
    let displaced = |region: &[Rect; 2]| most_frequent(displaced([expected.view(), actual.view()], *region));
    let of = |region: &[Rect; 2]| match region[0] == region[1] {
        true => counted.next().unwrap_or_default(),
        false => displaced(region),
    };
    Ok(regions.iter().map(of).collect())
}

/// The pairs of a region that stands elsewhere in the capture.
fn displaced([expected, actual]: [ImageView<'_>; 2], [from, to]: [Rect; 2]) -> HashMap<(Color, Color), u64> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let mut counts = HashMap::new();
    let rows = |view: &ImageView<'_>, rect: Rect| view.size().height.saturating_sub(rect.y).min(rect.height);
    for row in 0..rows(&expected, from).min(rows(&actual, to)) {
        rgba::row(&expected, from.y + row, &mut a);
        rgba::row(&actual, to.y + row, &mut b);
        let a = a.iter().skip(from.x as usize).take(from.width as usize);
        let b = b.iter().skip(to.x as usize).take(to.width as usize);
        for (expected, actual) in a.zip(b).filter(|(expected, actual)| expected != actual) {
            *counts.entry((*expected, *actual)).or_default() += 1;
        }
    }
    counts
}

/// Reads both images again, and only looks at rows that a box touches.
fn count_in_place(sources: [Source<'_>; 2], boxes: &[Rect]) -> Result<Vec<Vec<Swatch>>, CompareError> {
    if boxes.is_empty() {
        return Ok(Vec::new());
    }
    let end = boxes.iter().map(|area| area.bottom()).max().unwrap_or(0);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let counts = walk(
        sources,
        None,
        |_, _| Ok(vec![HashMap::new(); boxes.len()]),
        |counts: &mut Vec<HashMap<(Color, Color), u64>>, band| {
            let rows = band.expected.size().height;
            for (row, y) in (0..rows).zip(band.first_row..) {
                let touches = |rect: &Rect| (rect.y..).contains(&y) && u64::from(y) < rect.bottom();
                if !boxes.iter().any(touches) {
                    continue;
                }
                rgba::row(&band.expected, row, &mut a);
                rgba::row(&band.actual, row, &mut b);
                for (rect, counts) in boxes.iter().zip(&mut *counts).filter(|(rect, _)| touches(rect)) {
                    let first = rect.x as usize;
                    let columns = first..(first + rect.width as usize).min(a.len()).min(b.len());
                    if columns.start >= columns.end {
                        continue;
                    }
                    for (expected, actual) in a[columns.clone()].iter().zip(&b[columns]) {
                        if expected != actual {
                            *counts.entry((*expected, *actual)).or_default() += 1;
                        }
                    }
                }
            }
            Ok(u64::from(band.first_row + rows) < end)
        },
    )?;
    Ok(counts.into_iter().map(most_frequent).collect())
}

fn most_frequent(counts: HashMap<(Color, Color), u64>) -> Vec<Swatch> {
    let mut pairs: Vec<((Color, Color), u64)> = counts.into_iter().collect();
    // Ties go by colour, so that the order does not depend on the table's.
    pairs.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
    pairs.truncate(PAIRS);
    pairs.into_iter().map(|((expected, actual), pixels)| Swatch::new(expected, actual, pixels)).collect()
}
