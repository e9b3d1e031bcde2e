//! Run-based connected components over rows that come one by one.
//!
//! Runs of differing pixels get provisional labels which a union-find merges (He, Chao and Suzuki, *A run-based two-scan
//! labeling algorithm*, IEEE TIP 17(5), 2008), with statistics summed per label on the way, so that no label image and
//! no second scan are needed. A piece that no run of the current row continues is complete: an open one is kept, a closed
//! one is added to what its neighbourhood tolerates, and a neighbourhood without open pieces becomes a region as soon as
//! it is complete. Labels are used again, so that memory is taken by what lies in a row and by what is found, not by
//! what was passed.

use std::collections::VecDeque;

use super::{Bins, Compact, OpenRule, Region, Tally};
use crate::kernel::LANES;
use crate::stretch::{Piece, Stretch};
use crate::values::{Class, Values};

/// Neighbouring pixels of one row that changed in one direction, columns `start..=last`.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    last: u32,
    label: u32,
    /// As in [`Class::group`].
    group: u32,
}

impl Run {
    /// Whether this and a run that touches it are one piece.
    fn adds_up_with(self, other: Self) -> bool {
        self.group == other.group || self.group == Class::STRONG || other.group == Class::STRONG
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

/// A label of a piece that reaches the current row.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// In the union-find; itself if it represents its piece, and then the rest counts.
    parent: u32,
    tally: u32,
    /// The last row that the piece reaches.
    last_row: u32,
    /// Number of the open piece.
    open: u32,
    /// A component; that of the piece is the one that represents it.
    component: u32,
}

/// Pieces that touch.
#[derive(Clone, Copy, Debug)]
struct Component {
    /// In the union-find.
    parent: u32,
    /// Tally of the closed pieces.
    closed: u32,
    /// Pieces that are not complete.
    live: u32,
    /// An open piece of it is complete, and refers to it.
    kept: bool,
}

const NONE: u32 = u32::MAX;

/// Runs of open pieces in one row.
#[derive(Debug, Default)]
struct OpenRow {
    y: u32,
    runs: Vec<OpenRun>,
    /// Number of the open piece that has the most runs, or one of them if none has more than half.
    main: u32,
    /// The runs that are not of that piece.
    rest: Vec<u32>,
}

impl OpenRow {
    /// Finds the main piece and the rest.
    fn divide(&mut self) {
        let mut lead = 0_u32;
        for run in &self.runs {
            if lead == 0 {
                self.main = run.open;
            }
            lead = if run.open == self.main { lead + 1 } else { lead - 1 };
        }
        self.rest.clear();
        self.rest.extend((0..).zip(&self.runs).filter(|(_, run)| run.open != self.main).map(|(at, _)| at));
    }

    /// Passes the runs that end more than `reach` columns before a run. Runs are asked about in ascending order; `first`
    /// is kept in between, and is where the runs near this one begin.
    fn pass(&self, run: OpenRun, reach: u32, first: &mut usize) {
        while self.runs.get(*first).is_some_and(|other| other.last.saturating_add(reach) < run.start) {
            *first += 1;
        }
    }
}

/// Finds pieces and their neighbourhood.
///
/// A piece is a set of significant pixels connected by steps to one of the eight neighbours, where each step is between
/// pixels of one direction, or from or to a strong pixel. A component is the same with any step.
#[derive(Debug, Default)]
pub(crate) struct Labeler {
    /// Distances up to which open pieces are noted as near, ascending; the first is 1.
    distances: Vec<u32>,
    nodes: Vec<Node>,
    free_nodes: Vec<u32>,
    components: Vec<Component>,
    free_components: Vec<u32>,
    tallies: Vec<Tally>,
    free_tallies: Vec<u32>,
    /// Labels and components that came to nothing in the current row, whose runs may still refer to them.
    gone: Vec<u32>,
    gone_components: Vec<u32>,
    /// Open pieces that are complete.
    open: Vec<OpenPiece>,
    /// Regions of closed pieces that touch no open one.
    regions: Vec<Region>,
    bins: Bins,
    /// The distribution over all pieces that are complete.
    distribution: Bins,
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
    spare: Vec<OpenRow>,
}

/// There are no more labels.
#[derive(Debug)]
pub(crate) struct OutOfLabels;

/// An open piece that is complete.
#[derive(Clone, Debug)]
pub(super) struct OpenPiece {
    /// As in [`Labelled::near`].
    pub(super) number: u32,
    pub(super) component: u32,
    pub(super) tally: Compact,
}

/// What a labelling found.
#[derive(Debug)]
pub(super) struct Labelled<'a> {
    pub(super) open: &'a mut Vec<OpenPiece>,
    /// Closed pieces that touch open ones, summed by component: the component and their sum.
    pub(super) closed: Vec<(u32, Tally)>,
    /// Regions of other closed pieces.
    pub(super) regions: Vec<Region>,
    /// Union-find over the numbers of open pieces: the same piece. Each refers to an older one, or to itself.
    pub(super) same: &'a [u32],
    /// The same for each distance, without what a smaller distance has.
    pub(super) near: (&'a [u32], &'a [Vec<u32>]),
}

impl Labeler {
    /// Forgets everything and takes distances: two pixels are near when both columns and rows differ by at most that.
    pub(crate) fn reset(&mut self, distances: impl IntoIterator<Item = u32>) {
        self.distances.clear();
        self.distances.extend(distances);
        self.nodes.clear();
        self.free_nodes.clear();
        self.components.clear();
        self.free_components.clear();
        self.tallies.clear();
        self.free_tallies.clear();
        self.gone.clear();
        self.gone_components.clear();
        self.open.clear();
        self.regions.clear();
        self.distribution.clear();
        self.same.clear();
        self.near.resize_with(self.distances.len(), Vec::new);
        self.near.iter_mut().for_each(Vec::clear);
        self.runs.clear();
        self.row = 0;
        self.spare.extend(self.recent.drain(..));
    }

    /// Takes the differing pixels of row `y`, ascending in x, of which only the significant ones count. Rows come in
    /// ascending order; rows without any pixel may be left out.
    pub(crate) fn add_row(
        &mut self,
        y: u32,
        stretches: &[Stretch],
        values: &Values,
        rule: OpenRule,
    ) -> Result<(), OutOfLabels> {
        let mut runs = std::mem::take(&mut self.spare_runs);
        runs.clear();
        stretches.iter().for_each(|stretch| add_runs(stretch, values, &mut runs));
        if runs.is_empty() {
            self.spare_runs = runs;
            return Ok(());
        }
        let above = std::mem::take(&mut self.runs);
        let touches = self.row.checked_add(1) == Some(y);
        self.connect(if touches { &above } else { &[] }, y, &mut runs, rule)?;
        self.sum_up(y, &runs, stretches, values, rule)?;
        for of_one_piece in above.chunk_by(|a, b| a.label == b.label) {
            let root = self.find(of_one_piece[0].label);
            self.complete(root, y, rule);
        }
        self.tidy(&mut runs);
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
            let mut label = match left {
                Some(left) if left.adds_up_with(*run) => self.find(left.label),
                _ => NONE,
            };
            while above.get(first).is_some_and(|other| other.last + 1 < run.start) {
                first += 1;
            }
            let touching = || above[first..].iter().take_while(|other| other.start <= run.last + 1);
            let mut others = 0;
            for other in touching() {
                if !run.adds_up_with(*other) {
                    others += 1;
                } else if label == NONE {
                    label = self.find(other.label);
                } else if label != other.label {
                    // In a large change most are of that piece already.
                    label = self.merge(label, other.label, rule);
                }
            }
            if label == NONE {
                label = self.new_label(y)?;
            }
            if let Some(left) = left.filter(|left| !left.adds_up_with(*run)) {
                self.join(label, left.label, rule);
            }
            if others > 0 {
                touching().filter(|other| !run.adds_up_with(**other)).for_each(|other| {
                    self.join(label, other.label, rule);
                });
            }
            run.label = label;
        }
        Ok(())
    }

    /// Adds the pixels of the row to their pieces, and numbers those that have become open.
    fn sum_up(
        &mut self,
        y: u32,
        runs: &[Run],
        stretches: &[Stretch],
        values: &Values,
        rule: OpenRule,
    ) -> Result<(), OutOfLabels> {
        let mut from = 0;
        let mut next = 0;
        while let Some(run) = runs.get(next) {
            while stretches[from].end() <= run.start {
                from += 1;
            }
            let root = self.find(run.label);
            // Runs side by side that are of one piece are added in one go.
            let i = next;
            let mut run = *run;
            let mut is_strong = run.group == Class::STRONG;
            next += 1;
            while let Some(more) = runs.get(next)
                && more.start == run.last + 1
                && (more.label == run.label || self.find(more.label) == root)
            {
                run.last = more.last;
                is_strong |= more.group == Class::STRONG;
                next += 1;
            }
            let node = &mut self.nodes[root as usize];
            node.last_row = y;
            let tally = &mut self.tallies[node.tally as usize];
            tally.cover([run.start, y, run.last + 1, y + 1]);
            // An end at another run is none: the change goes on there.
            if i == 0 || runs[i - 1].last + 1 < run.start {
                tally.add_end(stretches[from].left_of(run.start, values));
            }
            let counts_levels = node.open == NONE;
            loop {
                let stretch = &stretches[from];
                let (start, end) = (run.start.max(stretch.x), (run.last + 1).min(stretch.end()));
                stretch.for_each(start, end, values, |pixels| tally.add(&pixels, counts_levels, rule));
                if end > run.last {
                    break;
                }
                from += 1;
            }
            if runs.get(next).is_none_or(|next| run.last + 1 < next.start) {
                tally.add_end(stretches[from].right_of(run.last + 1, values));
            }
            if node.open == NONE && (is_strong || tally.is_open(rule)) {
                self.number(root)?;
            }
        }
        Ok(())
    }

    fn number(&mut self, root: u32) -> Result<(), OutOfLabels> {
        let number = next_label(self.same.len())?;
        self.nodes[root as usize].open = number;
        self.same.push(number);
        self.near.iter_mut().for_each(|near| near.push(number));
        Ok(())
    }

    /// Puts a piece away that does not reach row `y`.
    fn complete(&mut self, root: u32, y: u32, rule: OpenRule) {
        let Node { tally, last_row, open, component, .. } = self.nodes[root as usize];
        if last_row == y || tally == NONE {
            return;
        }
        self.nodes[root as usize].tally = NONE;
        self.gone.push(root);
        self.tallies[tally as usize].add_to(&mut self.distribution);
        let at = self.find_component(component);
        let component = &mut self.components[at as usize];
        component.live -= 1;
        if open != NONE {
            component.kept = true;
            let number = find(&mut self.same, open);
            let whole = Compact::take(&mut self.tallies[tally as usize]);
            self.open.push(OpenPiece { number, component: at, tally: whole });
            self.free_tallies.push(tally);
        } else if component.closed == NONE {
            component.closed = tally;
        } else {
            let closed = component.closed;
            self.absorb(closed, tally, rule);
        }
        let Component { closed, live, kept, .. } = self.components[at as usize];
        if live == 0 && !kept {
            if closed != NONE {
                let whole = std::mem::take(&mut self.tallies[closed as usize]);
                self.free_tallies.push(closed);
                self.regions.push(Region::default().finished(&whole, &mut self.bins));
            }
            self.gone_components.push(at);
        }
    }

    /// Lets runs and pieces refer to what represents them, and frees what nothing refers to.
    fn tidy(&mut self, runs: &mut [Run]) {
        for of_one_piece in runs.chunk_by_mut(|a, b| a.label == b.label) {
            let root = self.find(of_one_piece[0].label);
            of_one_piece.iter_mut().for_each(|run| run.label = root);
            let component = self.nodes[root as usize].component;
            self.nodes[root as usize].component = self.find_component(component);
        }
        self.free_nodes.append(&mut self.gone);
        self.free_components.append(&mut self.gone_components);
    }

    /// Notes open pieces within the largest distance of each open run, in its own row and the rows above.
    fn note_near(&mut self, y: u32, runs: &[Run]) {
        let reach = self.distances.last().copied().unwrap_or(1);
        while self.recent.back().is_some_and(|row| y - row.y > reach) {
            self.spare.extend(self.recent.pop_back());
        }
        let mut open = self.spare.pop().unwrap_or_default();
        open.y = y;
        open.runs.clear();
        for of_one_piece in runs.chunk_by(|a, b| a.label == b.label && a.last + 1 == b.start) {
            let [run, last] = [0, of_one_piece.len() - 1].map(|at| of_one_piece[at]);
            let number = self.nodes[run.label as usize].open;
            if number == NONE {
                continue;
            }
            let number = find(&mut self.same, number);
            match open.runs.last_mut() {
                Some(before) if before.open == number && before.last + 1 == run.start => {
                    before.last = last.last;
                }
                _ => open.runs.push(OpenRun { start: run.start, last: last.last, open: number }),
            }
        }
        if open.runs.is_empty() {
            self.spare.push(open);
            return;
        }
        open.divide();
        // Two runs of the main piece say nothing new, and most pairs are such.
        let mut first = 0;
        for &at in &open.rest {
            let run = open.runs[at as usize];
            open.pass(run, reach, &mut first);
            for &other in &open.runs[first..] {
                if other.start > run.last.saturating_add(reach) {
                    break;
                }
                if other.open != run.open && (other.start < run.start || other.open == open.main) {
                    self.link(run, other, run.columns_to(other));
                }
            }
        }
        let mut recent = std::mem::take(&mut self.recent);
        for row in &mut recent {
            row.main = find(&mut self.same, row.main);
            let mut first = 0;
            if row.main == open.main {
                for &at in &open.rest {
                    self.link_to(open.runs[at as usize], y, row, reach, &mut first);
                }
                first = 0;
                for &at in &row.rest {
                    let run = row.runs[at as usize];
                    let run = OpenRun { open: find(&mut self.same, run.open), ..run };
                    if run.open == open.main {
                        continue;
                    }
                    open.pass(run, reach, &mut first);
                    for &other in &open.runs[first..] {
                        if other.start > run.last.saturating_add(reach) {
                            break;
                        }
                        if other.open == open.main {
                            self.link(run, other, (y - row.y).max(run.columns_to(other)));
                        }
                    }
                }
            } else {
                for &run in &open.runs {
                    self.link_to(run, y, row, reach, &mut first);
                }
            }
        }
        self.recent = recent;
        self.recent.push_front(open);
    }

    /// Links a run of row `y` with those around it in a row above.
    fn link_to(&mut self, run: OpenRun, y: u32, row: &mut OpenRow, reach: u32, first: &mut usize) {
        row.pass(run, reach, first);
        for other in &mut row.runs[*first..] {
            if other.start > run.last.saturating_add(reach) {
                break;
            }
            if other.open == run.open {
                continue;
            }
            // Its piece may have grown together with others since.
            other.open = find(&mut self.same, other.open);
            if other.open != run.open {
                self.link(run, *other, (y - row.y).max(run.columns_to(*other)));
            }
        }
    }

    fn link(&mut self, a: OpenRun, b: OpenRun, distance: u32) {
        let Some(level) = self.distances.iter().position(|&limit| distance <= limit) else { return };
        union(&mut self.near[level], a.open, b.open);
    }

    fn find(&mut self, label: u32) -> u32 {
        find_by(&mut self.nodes, label, |node| &mut node.parent)
    }

    fn find_component(&mut self, component: u32) -> u32 {
        find_by(&mut self.components, component, |component| &mut component.parent)
    }

    fn new_label(&mut self, y: u32) -> Result<u32, OutOfLabels> {
        let tally = self.free_tallies.pop().unwrap_or_else(|| {
            self.tallies.push(Tally::default());
            self.tallies.len() as u32 - 1
        });
        let component = match self.free_components.pop() {
            Some(component) => component,
            None => next_label(self.components.len())?,
        };
        let label = match self.free_nodes.pop() {
            Some(label) => label,
            None => next_label(self.nodes.len())?,
        };
        put(
            &mut self.components,
            component,
            Component { parent: component, closed: NONE, live: 1, kept: false },
        );
        put(&mut self.nodes, label, Node { parent: label, tally, last_row: y, open: NONE, component });
        Ok(label)
    }

    /// Makes two labels one piece, and gives the label that represents it.
    fn merge(&mut self, label: u32, other: u32, rule: OpenRule) -> u32 {
        let (kept, gone) = (self.find(label), self.find(other));
        if kept == gone {
            return kept;
        }
        self.join(kept, gone, rule);
        let (a, b) = (self.nodes[kept as usize], self.nodes[gone as usize]);
        let component = self.find_component(a.component);
        self.components[component as usize].live -= 1;
        self.absorb(a.tally, b.tally, rule);
        self.gone.push(gone);
        self.nodes[gone as usize].parent = kept;
        let node = &mut self.nodes[kept as usize];
        node.last_row = a.last_row.max(b.last_row);
        if a.open == NONE {
            node.open = b.open;
        } else if b.open != NONE {
            union(&mut self.same, a.open, b.open);
        }
        kept
    }

    /// Makes the components of two labels one.
    fn join(&mut self, label: u32, other: u32, rule: OpenRule) {
        let [kept, gone] = [label, other].map(|label| {
            let root = self.find(label);
            self.find_component(self.nodes[root as usize].component)
        });
        if kept == gone {
            return;
        }
        let (a, b) = (self.components[kept as usize], self.components[gone as usize]);
        let mut closed = a.closed;
        if a.closed == NONE {
            closed = b.closed;
        } else if b.closed != NONE {
            self.absorb(a.closed, b.closed, rule);
        }
        self.components[kept as usize] =
            Component { parent: kept, closed, live: a.live + b.live, kept: a.kept | b.kept };
        self.components[gone as usize].parent = kept;
        if !b.kept {
            self.gone_components.push(gone);
        }
    }

    /// Adds the tally `gone` to the tally `kept`, and frees it.
    fn absorb(&mut self, kept: u32, gone: u32, rule: OpenRule) {
        let mut moved = std::mem::take(&mut self.tallies[gone as usize]);
        self.tallies[kept as usize].absorb(&mut moved, rule);
        self.free_tallies.push(gone);
    }

    /// The distribution over all pixels of pieces, once the labelling is finished.
    pub(crate) const fn distribution(&self) -> &Bins {
        &self.distribution
    }

    /// Completes all pieces and gives everything away.
    pub(super) fn finish(&mut self, rule: OpenRule) -> Labelled<'_> {
        for run in std::mem::take(&mut self.runs) {
            let root = self.find(run.label);
            self.complete(root, NONE, rule);
        }
        self.tidy(&mut []);
        for OpenPiece { component, .. } in &mut self.open {
            *component = find_by(&mut self.components, *component, |component| &mut component.parent);
        }
        let mut closed = Vec::new();
        for (at, component) in (0..).zip(&self.components) {
            if component.kept && component.parent == at && component.closed != NONE {
                closed.push((at, std::mem::take(&mut self.tallies[component.closed as usize])));
            }
        }
        Labelled {
            open: &mut self.open,
            closed,
            regions: std::mem::take(&mut self.regions),
            same: &self.same,
            near: (&self.distances, &self.near),
        }
    }
}

/// Adds the runs of a stretch, of pixels that are significant.
fn add_runs(stretch: &Stretch, values: &Values, runs: &mut Vec<Run>) {
    let mut add = |start: u32, last: u32, group: u32| match runs.last_mut() {
        _ if group == Class::INSIGNIFICANT => {}
        Some(run) if run.last + 1 == start && run.group == group => run.last = last,
        _ => runs.push(Run { start, last, label: NONE, group }),
    };
    let mut x = stretch.x;
    stretch.for_each(stretch.x, stretch.end(), values, |pixels| match pixels {
        Piece::Same(value, pixels) => {
            add(x, x + pixels - 1, value.class.group());
            x += pixels;
        }
        Piece::Lanes(lanes) => {
            if let Some(totals) = lanes.totals() {
                let (mut seams, mut start) = (totals.seams, 0);
                loop {
                    // At the number of lanes when there is no other one.
                    let end = seams.trailing_zeros();
                    add(x + start, x + end - 1, lanes.block.class(start as usize).group());
                    if seams == 0 {
                        break;
                    }
                    seams &= seams - 1;
                    start = end;
                }
                x += LANES as u32;
                return;
            }
            let (mut start, mut group) = (x, Class::INSIGNIFICANT);
            for class in lanes.classes() {
                if class.group() != group {
                    if x > start {
                        add(start, x - 1, group);
                    }
                    (start, group) = (x, class.group());
                }
                x += 1;
            }
            add(start, x - 1, group);
        }
    });
}

fn next_label(count: usize) -> Result<u32, OutOfLabels> {
    u32::try_from(count).ok().filter(|&label| label < NONE).ok_or(OutOfLabels)
}

/// Sets an element, which may be one past the last.
fn put<T>(vec: &mut Vec<T>, at: u32, value: T) {
    match vec.get_mut(at as usize) {
        Some(element) => *element = value,
        None => vec.push(value),
    }
}

/// The representative of an element of a union-find whose links are a part of its elements.
fn find_by<T>(elements: &mut [T], mut at: u32, parent: impl Fn(&mut T) -> &mut u32) -> u32 {
    loop {
        let up = *parent(&mut elements[at as usize]);
        if up == at {
            return at;
        }
        // Path halving: every other link is shortened on the way.
        let grandparent = *parent(&mut elements[up as usize]);
        *parent(&mut elements[at as usize]) = grandparent;
        at = grandparent;
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
