//! Which colours stand where others should.

use std::collections::HashMap;

use trueup_contract::{Color, Swatch};
use trueup_frame::Rect;

use crate::error::CompareError;
use crate::rgba;
use crate::source::Source;
use crate::walk::walk;

/// Pairs that are reported for a region: the fills, strokes and text of a region are among the first few.
const PAIRS: usize = 12;

/// For each box, the most frequent pairs of different colours in it, the most frequent first.
///
/// Reads both images again, and only looks at rows that a box touches.
pub(crate) fn count(sources: [Source<'_>; 2], boxes: &[Rect]) -> Result<Vec<Vec<Swatch>>, CompareError> {
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
