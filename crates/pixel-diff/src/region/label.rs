//! Run-based connected components over rows that come one by one.
//!
//! Runs of differing pixels get provisional labels which a union-find merges (He, Chao and Suzuki, *A run-based two-scan
//! labeling algorithm*, IEEE TIP 17(5), 2008), with statistics summed per label on the way, so that no label image and
//! no second scan are needed. The same pass notes which pieces come near each other.

use std::collections::VecDeque;

use super::open::LEVELS;
use super::{OpenRule, Tally};
use crate::exact::Direction;
use crate::judge::PairDelta;

/// Differing pixels of one value, side by side in one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) x: u32,
    pub(crate) width: u32,
    /// Index of the value.
    pub(crate) value: u32,
}

/// Neighbouring pixels of one row that changed in one direction, columns `start..=last`.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    last: u32,
    label: u32,
    /// `None` where every pixel is strong.
    direction: Option<Direction>,
}

impl Run {
    /// Whether this and a run that touches it are one piece.
    fn adds_up_with(self, other: Self) -> bool {
        self.direction.is_none() || other.direction.is_none() || self.direction == other.direction
    }

    /// Columns from one run to the other: 0 when they share a column, 1 when they touch at a corner.
    fn columns_to(self, other: Self) -> u32 {
        if other.start > self.last { other.start - self.last } else { self.start.saturating_sub(other.last) }
    }
}

/// Finds pieces and their neighbourhood.
///
/// A piece is a set of significant pixels connected by steps to one of the eight neighbours, where each step is between
/// pixels of one direction, or from or to a strong pixel.
#[derive(Debug, Default)]
pub(crate) struct Labeler {
    /// Distances up to which pieces are noted as near, ascending; the first is 1.
    distances: Vec<u32>,
    /// Union-find over labels: pieces.
    pub(crate) parent: Vec<u32>,
    /// The same for each distance, holding only the links that no smaller distance has.
    pub(crate) near: Vec<Vec<u32>>,
    /// The tally of each label that is its own parent.
    pub(crate) slot: Vec<u32>,
    pub(crate) tallies: Vec<Tally>,
    free: Vec<u32>,
    /// Rows with runs, nearest first, no farther than the largest distance.
    recent: VecDeque<(u32, Vec<Run>)>,
    spare: Vec<Vec<Run>>,
}

/// There are no more labels.
#[derive(Debug)]
pub(crate) struct OutOfLabels;

impl Labeler {
    /// Forgets everything and takes distances: two pixels are near when both columns and rows differ by at most that.
    pub(crate) fn reset(&mut self, distances: &[u32]) {
        self.distances.clear();
        self.distances.extend_from_slice(distances);
        self.parent.clear();
        self.slot.clear();
        self.near.resize_with(distances.len(), Vec::new);
        self.near.iter_mut().for_each(Vec::clear);
        self.tallies.iter_mut().for_each(|tally| *tally = Tally::default());
        self.free.clear();
        self.free.extend((0..self.tallies.len() as u32).rev());
        while let Some((_, runs)) = self.recent.pop_front() {
            self.spare.push(runs);
        }
    }

    pub(crate) fn distances(&self) -> &[u32] {
        &self.distances
    }

    /// Takes the differing pixels of row `y`, ascending in x, of which only the significant ones count. Rows come in
    /// ascending order; rows without any pixel may be left out.
    pub(crate) fn add_row(
        &mut self,
        y: u32,
        stretches: &[Stretch],
        values: &[PairDelta],
        rule: OpenRule,
    ) -> Result<(), OutOfLabels> {
        let mut runs = self.spare.pop().unwrap_or_default();
        runs.clear();
        for stretch in stretches {
            let value = &values[stretch.value as usize];
            if !value.significant {
                continue;
            }
            let direction = (usize::from(value.level) < LEVELS).then_some(value.direction);
            let last = stretch.x + stretch.width - 1;
            match runs.last_mut() {
                Some(run) if run.last + 1 == stretch.x && run.direction == direction => run.last = last,
                _ => runs.push(Run { start: stretch.x, last, label: u32::MAX, direction }),
            }
        }
        if runs.is_empty() {
            self.spare.push(runs);
            return Ok(());
        }
        let reach = self.distances.last().copied().unwrap_or(1);
        while self.recent.back().is_some_and(|&(row, _)| y - row > reach) {
            if let Some((_, runs)) = self.recent.pop_back() {
                self.spare.push(runs);
            }
        }
        self.connect(y, &mut runs, rule)?;
        self.note_near(y, &runs, reach);
        let mut from = 0;
        for run in &runs {
            // The stretches of a run stand side by side; insignificant ones lie only between runs.
            while stretches[from].x < run.start {
                from += 1;
            }
            let mut to = from;
            while stretches.get(to).is_some_and(|stretch| stretch.x <= run.last) {
                to += 1;
            }
            let root = find(&mut self.parent, run.label);
            self.tallies[self.slot[root as usize] as usize].add(y, &stretches[from..to], values, rule);
            from = to;
        }
        self.recent.push_front((y, runs));
        Ok(())
    }

    /// Gives every run the label of the runs before it and above that it adds up with, and unites those.
    fn connect(&mut self, y: u32, runs: &mut [Run], rule: OpenRule) -> Result<(), OutOfLabels> {
        let above = match self.recent.front_mut() {
            Some((row, runs)) if *row + 1 == y => std::mem::take(runs),
            _ => Vec::new(),
        };
        let mut first = 0;
        let mut previous: Option<Run> = None;
        for run in runs.iter_mut() {
            if let Some(previous) = previous
                && previous.last + 1 == run.start
                && previous.adds_up_with(*run)
            {
                run.label = find(&mut self.parent, previous.label);
            }
            while above.get(first).is_some_and(|other| other.last + 1 < run.start) {
                first += 1;
            }
            for other in above[first..].iter().take_while(|other| other.start <= run.last + 1) {
                if !other.adds_up_with(*run) {
                    continue;
                }
                if run.label == u32::MAX {
                    run.label = find(&mut self.parent, other.label);
                } else if let Some((kept, gone)) = union(&mut self.parent, run.label, other.label) {
                    self.merge(kept, gone, rule);
                }
            }
            if run.label == u32::MAX {
                run.label = self.new_label()?;
            }
            previous = Some(*run);
        }
        if let Some((row, runs)) = self.recent.front_mut()
            && *row + 1 == y
        {
            *runs = above;
        }
        Ok(())
    }

    /// Notes pieces within the largest distance of each run, in its own row and the rows above.
    fn note_near(&mut self, y: u32, runs: &[Run], reach: u32) {
        for (i, run) in runs.iter().enumerate() {
            for other in runs[..i].iter().rev() {
                let distance = run.columns_to(*other);
                if distance > reach {
                    break;
                }
                link(&mut self.parent, &mut self.near, &self.distances, run.label, other.label, distance);
            }
        }
        for (row, others) in &self.recent {
            let rows = y - row;
            let mut first = 0;
            for run in runs {
                while others.get(first).is_some_and(|other| other.last + reach < run.start) {
                    first += 1;
                }
                for other in others[first..].iter().take_while(|other| other.start <= run.last + reach) {
                    let distance = rows.max(run.columns_to(*other));
                    link(&mut self.parent, &mut self.near, &self.distances, run.label, other.label, distance);
                }
            }
        }
    }

    fn new_label(&mut self) -> Result<u32, OutOfLabels> {
        let label =
            u32::try_from(self.parent.len()).ok().filter(|&label| label < u32::MAX).ok_or(OutOfLabels)?;
        self.parent.push(label);
        for near in &mut self.near {
            near.push(label);
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.tallies.push(Tally::default());
            self.tallies.len() as u32 - 1
        });
        self.slot.push(slot);
        Ok(label)
    }

    fn merge(&mut self, kept: u32, gone: u32, rule: OpenRule) {
        let (kept, gone) = (self.slot[kept as usize], self.slot[gone as usize]);
        let mut moved = std::mem::take(&mut self.tallies[gone as usize]);
        self.tallies[kept as usize].absorb(&mut moved, rule);
        self.tallies[gone as usize] = moved;
        self.free.push(gone);
    }
}

fn link(parent: &mut [u32], near: &mut [Vec<u32>], distances: &[u32], a: u32, b: u32, distance: u32) {
    let Some(level) = distances.iter().position(|&limit| distance <= limit) else { return };
    if find(parent, a) != find(parent, b) {
        union(&mut near[level], a, b);
    }
}

/// The representative of a label.
pub(crate) fn find(parent: &mut [u32], mut label: u32) -> u32 {
    while parent[label as usize] != label {
        // Path halving: every other link is shortened on the way.
        let grandparent = parent[parent[label as usize] as usize];
        parent[label as usize] = grandparent;
        label = grandparent;
    }
    label
}

/// Unites two sets; gives (representative, former representative) when they were two.
pub(crate) fn union(parent: &mut [u32], a: u32, b: u32) -> Option<(u32, u32)> {
    let (a, b) = (find(parent, a), find(parent, b));
    if a == b {
        return None;
    }
    // The older label stays, so that the outcome does not depend on the order of unions.
    let (kept, gone) = (a.min(b), a.max(b));
    parent[gone as usize] = kept;
    Some((kept, gone))
}
