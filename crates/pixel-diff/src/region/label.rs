//! Run-based connected components over rows that come one by one.
//!
//! Runs of differing pixels get provisional labels which a union-find merges (He, Chao and Suzuki, *A run-based two-scan
//! labeling algorithm*, IEEE TIP 17(5), 2008), with statistics summed per label on the way, so that no label image and
//! no second scan are needed. A piece that no run of the current row continues is complete: an open one is kept, a closed
//! one is added to what its neighbourhood tolerates, so that noise takes no memory.

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
    /// What the pixels beside its ends show.
    pub(crate) ends: [End; 2],
}

/// Whether there is an edge between the outermost pixel of a stretch and its neighbour in the same row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// There is a neighbour.
    pub(crate) known: bool,
    /// It has another value in the reference.
    pub(crate) expected: bool,
    /// It has another value in the other image.
    pub(crate) actual: bool,
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
}

/// A run of an open piece.
#[derive(Clone, Copy, Debug)]
struct OpenRun {
    start: u32,
    last: u32,
    /// Number of the open piece.
    open: u32,
}

impl OpenRun {
    /// Columns from one run to the other: 0 when they share a column, 1 when they touch at a corner.
    fn columns_to(self, other: Self) -> u32 {
        if other.start > self.last { other.start - self.last } else { self.start.saturating_sub(other.last) }
    }
}

/// What is known of a label that represents its piece or its component.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Tally of the piece.
    tally: u32,
    /// The last row that the piece reaches.
    last_row: u32,
    /// Number of the open piece.
    open: u32,
    /// Tally of the closed pieces of the component.
    closed: u32,
}

const NONE: u32 = u32::MAX;

/// Runs of open pieces in one row.
#[derive(Debug)]
struct OpenRow {
    y: u32,
    runs: Vec<OpenRun>,
    /// The number of the open piece, if it is one and the same for all runs.
    only: Option<u32>,
}

/// Finds pieces and their neighbourhood.
///
/// A piece is a set of significant pixels connected by steps to one of the eight neighbours, where each step is between
/// pixels of one direction, or from or to a strong pixel. A component is the same with any step.
#[derive(Debug, Default)]
pub(crate) struct Labeler {
    /// Distances up to which open pieces are noted as near, ascending; the first is 1.
    distances: Vec<u32>,
    /// Union-find over labels: pieces.
    pieces: Vec<u32>,
    /// Union-find over labels: components.
    components: Vec<u32>,
    nodes: Vec<Node>,
    tallies: Vec<Tally>,
    free: Vec<u32>,
    /// The label of each open piece when it was numbered.
    open: Vec<u32>,
    /// Union-find over open pieces: those that turned out to be one.
    same: Vec<u32>,
    /// The same for each distance, holding only the links that no smaller distance has.
    near: Vec<Vec<u32>>,
    /// The last row with runs.
    row: u32,
    runs: Vec<Run>,
    spare_runs: Vec<Run>,
    /// Rows with runs of open pieces, nearest first, no farther than the largest distance.
    recent: VecDeque<OpenRow>,
    spare: Vec<Vec<OpenRun>>,
}

/// There are no more labels.
#[derive(Debug)]
pub(crate) struct OutOfLabels;

/// An open piece that is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenPiece {
    /// Index of its tally.
    pub(super) tally: usize,
    pub(super) component: u32,
    /// Number among the open pieces, as in [`Labelled::near`].
    pub(super) number: u32,
}

/// What a labelling found.
#[derive(Debug)]
pub(super) struct Labelled<'a> {
    pub(super) open: Vec<OpenPiece>,
    /// Closed pieces, summed by component: the component and the index of the tally.
    pub(super) closed: Vec<(u32, usize)>,
    pub(super) tallies: &'a mut [Tally],
    /// Union-find over the numbers of open pieces: the same piece, then for each distance.
    pub(super) near: Vec<(u32, &'a [u32])>,
}

impl Labeler {
    /// Forgets everything and takes distances: two pixels are near when both columns and rows differ by at most that.
    pub(crate) fn reset(&mut self, distances: &[u32]) {
        self.distances.clear();
        self.distances.extend_from_slice(distances);
        self.pieces.clear();
        self.components.clear();
        self.nodes.clear();
        self.open.clear();
        self.same.clear();
        self.near.resize_with(distances.len(), Vec::new);
        self.near.iter_mut().for_each(Vec::clear);
        self.tallies.clear();
        self.free.clear();
        self.runs.clear();
        self.row = 0;
        self.spare.extend(self.recent.drain(..).map(|row| row.runs));
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
        let mut runs = std::mem::take(&mut self.spare_runs);
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
                _ => runs.push(Run { start: stretch.x, last, label: NONE, direction }),
            }
        }
        if runs.is_empty() {
            self.spare_runs = runs;
            return Ok(());
        }
        let above = std::mem::take(&mut self.runs);
        let touches = self.row.checked_add(1) == Some(y);
        self.connect(if touches { &above } else { &[] }, y, &mut runs, rule)?;
        self.sum_up(y, &runs, stretches, values, rule);
        for run in &above {
            let root = find(&mut self.pieces, run.label);
            self.complete(root, y, rule);
        }
        self.note_near(y, &runs);
        (self.row, self.runs, self.spare_runs) = (y, runs, above);
        Ok(())
    }

    /// Gives every run the label of the runs before it and above that it adds up with, and unites those.
    fn connect(
        &mut self,
        above: &[Run],
        y: u32,
        runs: &mut [Run],
        rule: OpenRule,
    ) -> Result<(), OutOfLabels> {
        let mut first = 0;
        for i in 0..runs.len() {
            let (before, rest) = runs.split_at_mut(i);
            let run = &mut rest[0];
            let left = before.last().filter(|left| left.last + 1 == run.start);
            if let Some(left) = left
                && left.adds_up_with(*run)
            {
                run.label = find(&mut self.pieces, left.label);
            }
            while above.get(first).is_some_and(|other| other.last + 1 < run.start) {
                first += 1;
            }
            let touching = || above[first..].iter().take_while(|other| other.start <= run.last + 1);
            let (last, direction) = (*run, run.direction);
            let mut label = run.label;
            for other in touching().filter(|other| Run { direction, ..last }.adds_up_with(**other)) {
                if label == NONE {
                    label = find(&mut self.pieces, other.label);
                } else if let Some((kept, gone)) = union(&mut self.pieces, label, other.label) {
                    self.merge(kept, gone, rule);
                    label = kept;
                }
            }
            if label == NONE {
                label = self.new_label(y)?;
            }
            for other in left.into_iter().chain(touching()) {
                if let Some((kept, gone)) = union(&mut self.components, label, other.label) {
                    self.join(kept, gone, rule);
                }
            }
            run.label = label;
        }
        Ok(())
    }

    /// Adds the pixels of the row to their pieces, and numbers those that have become open.
    fn sum_up(&mut self, y: u32, runs: &[Run], stretches: &[Stretch], values: &[PairDelta], rule: OpenRule) {
        let mut from = 0;
        for (i, run) in runs.iter().enumerate() {
            // The stretches of a run stand side by side; insignificant ones lie only between runs.
            while stretches[from].x < run.start {
                from += 1;
            }
            let mut to = from;
            while stretches.get(to).is_some_and(|stretch| stretch.x <= run.last) {
                to += 1;
            }
            let root = find(&mut self.pieces, run.label);
            let node = &mut self.nodes[root as usize];
            node.last_row = y;
            let tally = &mut self.tallies[node.tally as usize];
            tally.add(y, &stretches[from..to], values, rule);
            // An end at another run is none: the change goes on there.
            if i == 0 || runs[i - 1].last + 1 < run.start {
                tally.add_end(stretches[from].ends[0]);
            }
            if runs.get(i + 1).is_none_or(|next| run.last + 1 < next.start) {
                tally.add_end(stretches[to - 1].ends[1]);
            }
            if node.open == NONE && (run.direction.is_none() || tally.is_open(rule)) {
                self.number(root);
            }
            from = to;
        }
    }

    fn number(&mut self, root: u32) {
        let number = self.open.len() as u32;
        self.nodes[root as usize].open = number;
        self.open.push(root);
        self.same.push(number);
        self.near.iter_mut().for_each(|near| near.push(number));
    }

    /// Puts a piece away that does not reach row `y`.
    fn complete(&mut self, root: u32, y: u32, rule: OpenRule) {
        let Node { tally, last_row, open, .. } = self.nodes[root as usize];
        if last_row == y || open != NONE || tally == NONE {
            return;
        }
        self.nodes[root as usize].tally = NONE;
        let component = find(&mut self.components, root);
        let closed = &mut self.nodes[component as usize].closed;
        if *closed == NONE {
            *closed = tally;
        } else {
            let mut moved = std::mem::take(&mut self.tallies[tally as usize]);
            self.tallies[*closed as usize].absorb(&mut moved, rule);
            self.free.push(tally);
        }
    }

    /// Notes open pieces within the largest distance of each open run, in its own row and the rows above.
    fn note_near(&mut self, y: u32, runs: &[Run]) {
        let reach = self.distances.last().copied().unwrap_or(1);
        while self.recent.back().is_some_and(|row| y - row.y > reach) {
            self.spare.extend(self.recent.pop_back().map(|row| row.runs));
        }
        let mut open = self.spare.pop().unwrap_or_default();
        open.clear();
        for run in runs {
            let root = find(&mut self.pieces, run.label);
            let number = self.nodes[root as usize].open;
            if number != NONE {
                open.push(OpenRun { start: run.start, last: run.last, open: find(&mut self.same, number) });
            }
        }
        if open.is_empty() {
            self.spare.push(open);
            return;
        }
        let only = open.iter().all(|run| run.open == open[0].open).then_some(open[0].open);
        if only.is_none() {
            for (i, run) in open.iter().enumerate() {
                for other in open[..i].iter().rev() {
                    let distance = run.columns_to(*other);
                    if distance > reach {
                        break;
                    }
                    if other.open != run.open {
                        self.link(*run, *other, distance);
                    }
                }
            }
        }
        let mut recent = std::mem::take(&mut self.recent);
        for row in &mut recent {
            if let (Some(only), Some(other)) = (only, &mut row.only) {
                *other = find(&mut self.same, *other);
                if only == *other {
                    // Inside one large piece.
                    continue;
                }
            }
            let rows = y - row.y;
            let mut first = 0;
            for run in &open {
                while row.runs.get(first).is_some_and(|other| other.last.saturating_add(reach) < run.start) {
                    first += 1;
                }
                let rest = row.runs[first..].iter_mut();
                for other in rest.take_while(|other| other.start <= run.last.saturating_add(reach)) {
                    if other.open == run.open {
                        continue;
                    }
                    // Its piece may have grown together with others since.
                    other.open = find(&mut self.same, other.open);
                    if other.open != run.open {
                        self.link(*run, *other, rows.max(run.columns_to(*other)));
                    }
                }
            }
        }
        self.recent = recent;
        self.recent.push_front(OpenRow { y, runs: open, only });
    }

    fn link(&mut self, a: OpenRun, b: OpenRun, distance: u32) {
        let Some(level) = self.distances.iter().position(|&limit| distance <= limit) else { return };
        union(&mut self.near[level], a.open, b.open);
    }

    fn new_label(&mut self, y: u32) -> Result<u32, OutOfLabels> {
        let label = u32::try_from(self.nodes.len()).ok().filter(|&label| label < NONE).ok_or(OutOfLabels)?;
        self.pieces.push(label);
        self.components.push(label);
        let tally = self.free.pop().unwrap_or_else(|| {
            self.tallies.push(Tally::default());
            self.tallies.len() as u32 - 1
        });
        self.nodes.push(Node { tally, last_row: y, open: NONE, closed: NONE });
        Ok(label)
    }

    /// Two pieces have become one.
    fn merge(&mut self, kept: u32, gone: u32, rule: OpenRule) {
        let (a, b) = (self.nodes[kept as usize], self.nodes[gone as usize]);
        let mut moved = std::mem::take(&mut self.tallies[b.tally as usize]);
        self.tallies[a.tally as usize].absorb(&mut moved, rule);
        self.free.push(b.tally);
        let node = &mut self.nodes[kept as usize];
        node.last_row = a.last_row.max(b.last_row);
        node.open = a.open;
        if a.open == NONE {
            node.open = b.open;
        } else if b.open != NONE {
            union(&mut self.same, a.open, b.open);
        }
    }

    /// Two components have become one.
    fn join(&mut self, kept: u32, gone: u32, rule: OpenRule) {
        let (a, b) = (self.nodes[kept as usize].closed, self.nodes[gone as usize].closed);
        if a == NONE {
            self.nodes[kept as usize].closed = b;
        } else if b != NONE {
            let mut moved = std::mem::take(&mut self.tallies[b as usize]);
            self.tallies[a as usize].absorb(&mut moved, rule);
            self.free.push(b);
        }
    }

    /// Completes all pieces and gives everything away.
    pub(super) fn finish(&mut self, rule: OpenRule) -> Labelled<'_> {
        for run in std::mem::take(&mut self.runs) {
            let root = find(&mut self.pieces, run.label);
            self.complete(root, NONE, rule);
        }
        let mut open = Vec::new();
        for number in 0..self.open.len() as u32 {
            // The oldest of the numbers of one piece stands for it.
            if find(&mut self.same, number) == number {
                let root = find(&mut self.pieces, self.open[number as usize]);
                let tally = self.nodes[root as usize].tally;
                open.push(OpenPiece {
                    tally: tally as usize,
                    component: find(&mut self.components, root),
                    number,
                });
            }
        }
        let mut closed = Vec::new();
        for label in 0..self.nodes.len() as u32 {
            let tally = self.nodes[label as usize].closed;
            if tally != NONE && find(&mut self.components, label) == label {
                closed.push((label, tally as usize));
            }
        }
        let near = self.distances.iter().copied().zip(self.near.iter().map(Vec::as_slice));
        Labelled {
            open,
            closed,
            tallies: &mut self.tallies,
            near: [(0, self.same.as_slice())].into_iter().chain(near).collect(),
        }
    }
}

/// The representative of an element of a union-find.
pub(super) fn find(parent: &mut [u32], mut label: u32) -> u32 {
    while parent[label as usize] != label {
        // Path halving: every other link is shortened on the way.
        let grandparent = parent[parent[label as usize] as usize];
        parent[label as usize] = grandparent;
        label = grandparent;
    }
    label
}

/// Unites two sets; gives (representative, former representative) when they were two.
pub(super) fn union(parent: &mut [u32], a: u32, b: u32) -> Option<(u32, u32)> {
    let (a, b) = (find(parent, a), find(parent, b));
    if a == b {
        return None;
    }
    // The older one stays, so that the outcome does not depend on the order of unions.
    let (kept, gone) = (a.min(b), a.max(b));
    parent[gone as usize] = kept;
    Some((kept, gone))
}
