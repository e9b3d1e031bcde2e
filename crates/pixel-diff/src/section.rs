//! Rows that are judged by themselves, before their pieces are put together.

use trueup_frame::{Rect, Size};

use crate::arch::Supported;
use crate::boxes::Boxes;
use crate::exact::Exact;
use crate::judge::{ENOUGH_VALUES, Judge};
use crate::mask::Masks;
use crate::region::Bins;
use crate::report::Counts;
use crate::rows::{ENOUGH_STRETCHES, Pending, Rows, Sifted, Strip};
use crate::stretch::Stretch;
use crate::values::Values;
use crate::{BoxDiff, Options};

/// Judges rows, counts what differs in them, and tells what of it makes pieces. Nothing of this depends on what is known of other
/// rows, so that several of them can work side by side; what they counted adds up.
#[derive(Debug)]
pub(crate) struct Section {
    judge: Judge,
    masks: Masks,
    boxes: Boxes,
    counts: Counts,
    /// The distribution of what takes no part in pieces.
    bins: Bins,
    pending: Pending,
    sifted: Sifted,
    /// What makes pieces, where that is not wanted at once.
    #[cfg(feature = "rayon")]
    kept: Pending,
}

impl Section {
    pub(crate) fn new(exact: Exact, level: Supported) -> Self {
        Self {
            judge: Judge::new(exact, level),
            masks: Masks::default(),
            boxes: Boxes::default(),
            counts: Counts::default(),
            bins: Bins::default(),
            pending: Pending::default(),
            sifted: Sifted::default(),
            #[cfg(feature = "rayon")]
            kept: Pending::default(),
        }
    }

    /// Readies it for two images of these sizes; gives the indices of masks that match nothing.
    pub(crate) fn reset(
        &mut self,
        exact: Exact,
        level: Supported,
        options: &Options,
        sizes: [Size; 2],
    ) -> Vec<usize> {
        let shared = sizes[0].intersection(sizes[1]);
        self.judge.reset(exact, level);
        self.counts = Counts::default();
        self.bins.clear();
        self.pending.clear();
        self.sifted.unchanged.clear();
        #[cfg(feature = "rayon")]
        self.kept.clear();
        let unmatched = self.masks.set(&options.ignored, sizes, shared.width);
        self.boxes.set(&options.boxes, shared, &self.masks);
        unmatched
    }

    /// Masked pixels of an area.
    pub(crate) fn masked(&self, area: Rect) -> u64 {
        self.masks.covered(area)
    }

    pub(crate) const fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(crate) const fn bins(&self) -> &Bins {
        &self.bins
    }

    /// Adds the distribution of what takes part in pieces.
    pub(crate) fn add_distribution(&mut self, pieces: &Bins) {
        self.bins.absorb(pieces);
    }

    pub(crate) fn boxes(&self) -> &[BoxDiff] {
        self.boxes.diffs()
    }

    /// Takes row `y`. Rows come in ascending order.
    pub(crate) fn collect(&mut self, rows: &Rows, expected: &[u8], actual: &[u8], y: u32) {
        rows.collect(expected, actual, y, &mut self.masks, &mut self.judge, &mut self.pending);
    }

    /// Whether what was taken should be settled.
    pub(crate) fn is_full(&self) -> bool {
        self.judge.values().len() >= ENOUGH_VALUES || self.pending.stretches() >= ENOUGH_STRETCHES
    }

    /// Judges the pixels that wait and counts them; with a strip, looks for antialiasing among them. Calls for each row with what of
    /// it makes pieces.
    pub(crate) fn settle<E>(
        &mut self,
        rows: &Rows,
        strip: Option<&Strip<'_>>,
        mut found: impl FnMut(u32, &[Stretch], &Values) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { judge, boxes, counts, bins, pending, sifted, .. } = self;
        judge.settle();
        let values = judge.values();
        for (y, stretches) in pending.rows() {
            for stretch in stretches {
                stretch.for_each(stretch.x, stretch.end(), values, |piece| counts.add(&piece, bins));
            }
            boxes.add_row(y, stretches, values);
            let Some(strip) = strip else {
                found(y, stretches, values)?;
                continue;
            };
            rows.without_antialiasing(strip, y, stretches, values, sifted);
            counts.antialiased += sifted.excused.len() as u64;
            sifted.excused.iter().for_each(|class| bins.add_to(class.bin(), 1));
            counts.visible -= sifted.visible.len() as u64;
            boxes.excuse(&sifted.visible);
            found(y, &sifted.kept, values)?;
        }
        Ok(())
    }

    /// Makes room for other rows: what was found is void.
    pub(crate) fn forget(&mut self) {
        self.judge.forget();
        self.pending.clear();
    }
}

#[cfg(feature = "rayon")]
impl Section {
    /// Whether no row waits to be settled.
    pub(crate) fn is_empty(&self) -> bool {
        self.pending.stretches() == 0
    }

    /// The same as [`settle`](Self::settle), and keeps what makes pieces.
    pub(crate) fn settle_and_keep(&mut self, rows: &Rows, strip: Option<&Strip<'_>>) {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        let Ok(()) = self.settle(rows, strip, |y, stretches, _| {
            kept.add_row(y, stretches);
            Ok::<(), std::convert::Infallible>(())
        });
        self.kept = kept;
    }

    /// What was kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (u32, &[Stretch], &Values)> {
        self.kept.rows().map(|(y, stretches)| (y, stretches, self.judge.values()))
    }

    /// Makes room for other rows.
    pub(crate) fn clear(&mut self) {
        self.forget();
        self.kept.clear();
    }

    /// Adds what another one counted.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.counts.absorb(&other.counts);
        self.bins.absorb(&other.bins);
        self.boxes.absorb(&other.boxes);
    }
}
