//! What two sequences of lines have in common.

use std::collections::HashMap;
use std::ops::Range;

use super::work::Work;

/// Lines that are the same in both, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) expected: u32,
    pub(crate) actual: u32,
    pub(crate) len: u32,
}

/// Cells of a table up to which sequences without any line of their own are compared one by one.
const TABLE_CELLS: u64 = 1 << 18;

/// How often what lies between unique lines is searched again.
const DEPTH: u32 = 24;

/// Two sequences of hashes, and whether two lines are really the same.
pub(crate) struct Sequences<'a> {
    pub(crate) expected: &'a [u64],
    pub(crate) actual: &'a [u64],
    pub(crate) same: &'a dyn Fn(u32, u32) -> bool,
}

impl Sequences<'_> {
    /// Runs of common lines in ascending order of both, as long as can be found.
    ///
    /// Lines that are unique on both sides hold the rest together (patience, after Cohen); what surrounds them joins them
    /// while it is the same, and what lies between is searched in the same way. Where nothing is unique, a table is filled
    /// in (longest common subsequence) if it is a small one.
    pub(crate) fn common(&self, work: &mut Work) -> Vec<Run> {
        let mut runs = Vec::new();
        self.between(0..self.expected.len(), 0..self.actual.len(), DEPTH, work, &mut runs);
        join(runs)
    }

    fn is_same(&self, e: usize, a: usize) -> bool {
        self.expected[e] == self.actual[a] && (self.same)(e as u32, a as u32)
    }

    fn between(
        &self,
        mut e: Range<usize>,
        mut a: Range<usize>,
        depth: u32,
        work: &mut Work,
        runs: &mut Vec<Run>,
    ) {
        let first = (e.start, a.start);
        while !e.is_empty() && !a.is_empty() && self.is_same(e.start, a.start) {
            (e.start, a.start) = (e.start + 1, a.start + 1);
        }
        push(runs, first, e.start - first.0);
        let end = (e.end, a.end);
        while !e.is_empty() && !a.is_empty() && self.is_same(e.end - 1, a.end - 1) {
            (e.end, a.end) = (e.end - 1, a.end - 1);
        }
        let tail = ((e.end, a.end), end.0 - e.end);
        if !e.is_empty() && !a.is_empty() && work.spend((e.len() + a.len()) as u64) {
            let anchors = self.anchors(e.clone(), a.clone());
            if anchors.is_empty() {
                self.table(e, a, work, runs);
            } else if depth == 0 {
                work.cut();
            } else {
                for (ae, aa) in anchors {
                    // One that an earlier anchor's surroundings took in already.
                    if ae < e.start || aa < a.start {
                        continue;
                    }
                    self.between(e.start..ae, a.start..aa, depth - 1, work, runs);
                    let mut len = 1;
                    while ae + len < e.end && aa + len < a.end && self.is_same(ae + len, aa + len) {
                        len += 1;
                    }
                    push(runs, (ae, aa), len);
                    (e.start, a.start) = (ae + len, aa + len);
                }
                self.between(e, a, depth - 1, work, runs);
            }
        }
        push(runs, tail.0, tail.1);
    }

    /// Pairs of lines that are unique on both sides: of the chains that ascend in both, the one that holds most lines together.
    fn anchors(&self, e: Range<usize>, a: Range<usize>) -> Vec<(usize, usize)> {
        let mut places: HashMap<u64, [(u32, usize); 2]> = HashMap::with_capacity(e.len());
        for (side, (lines, range)) in
            [(self.expected, e.clone()), (self.actual, a.clone())].into_iter().enumerate()
        {
            for at in range {
                let of = &mut places.entry(lines[at]).or_default()[side];
                *of = (of.0 + 1, at);
            }
        }
        let pairs = e.clone().filter_map(|at| match places.get(&self.expected[at]) {
            Some(&[(1, _), (1, other)]) => Some((at, other)),
            _ => None,
        });
        let pairs: Vec<(usize, usize)> = pairs.filter(|&(e, a)| self.is_same(e, a)).collect();
        let weights = self.weights(&pairs, e, a);
        heaviest(&pairs, &weights)
    }

    /// The common lines around each pair, each counted for one pair of those that go together.
    fn weights(&self, pairs: &[(usize, usize)], e: Range<usize>, a: Range<usize>) -> Vec<u64> {
        let mut weights = Vec::with_capacity(pairs.len());
        let mut taken = e.start;
        for (at, &(first, other)) in pairs.iter().enumerate() {
            let same = |e: usize, a: usize| self.expected[e] == self.actual[a];
            let next = pairs.get(at + 1).map_or(e.end, |next| next.0);
            let before = (1..).take_while(|by| {
                first >= taken + by && other >= a.start + by && same(first - by, other - by)
            });
            let after = (1..)
                .take_while(|by| first + by < next && other + by < a.end && same(first + by, other + by));
            let (before, after) = (before.count(), after.count());
            taken = first + after + 1;
            weights.push((before + after + 1) as u64);
        }
        weights
    }

    /// The longest common subsequence by a table, where that is a small one and there is anything in common.
    fn table(&self, e: Range<usize>, a: Range<usize>, work: &mut Work, runs: &mut Vec<Run>) {
        let known: std::collections::HashSet<u64> = self.expected[e.clone()].iter().copied().collect();
        if !self.actual[a.clone()].iter().any(|line| known.contains(line)) {
            return;
        }
        let cells = e.len() as u64 * a.len() as u64;
        if cells > TABLE_CELLS || !work.spend(cells) {
            work.cut();
            return;
        }
        let width = a.len() + 1;
        // Common lines from here on, from the end.
        let mut most = vec![0_u16; (e.len() + 1) * width];
        for i in (0..e.len()).rev() {
            for j in (0..a.len()).rev() {
                most[i * width + j] = if self.expected[e.start + i] == self.actual[a.start + j] {
                    most[(i + 1) * width + j + 1].saturating_add(1)
                } else {
                    most[(i + 1) * width + j].max(most[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < e.len() && j < a.len() {
            if self.is_same(e.start + i, a.start + j) {
                push(runs, (e.start + i, a.start + j), 1);
                (i, j) = (i + 1, j + 1);
            } else if most[(i + 1) * width + j] >= most[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
}

fn push(runs: &mut Vec<Run>, (e, a): (usize, usize), len: usize) {
    if len > 0 {
        runs.push(Run { expected: e as u32, actual: a as u32, len: len as u32 });
    }
}

/// Makes one of runs that follow each other on both sides.
fn join(runs: Vec<Run>) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        match joined.last_mut() {
            Some(last)
                if last.expected + last.len == run.expected && last.actual + last.len == run.actual =>
            {
                last.len += run.len;
            }
            _ => joined.push(run),
        }
    }
    joined
}

/// The heaviest chain whose second members ascend, of pairs whose first ones do.
fn heaviest(pairs: &[(usize, usize)], weights: &[u64]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_unstable_by_key(|&at| pairs[at].1);
    let mut ranks = vec![0; pairs.len()];
    order.iter().enumerate().for_each(|(rank, &at)| ranks[at] = rank + 1);
    // For each rank, by the binary digits of it (Fenwick): the heaviest chain that ends at one no greater, and its last pair.
    let mut heaviest: Vec<(u64, usize)> = vec![(0, usize::MAX); pairs.len() + 1];
    let mut before: Vec<usize> = Vec::with_capacity(pairs.len());
    let mut best = (0, usize::MAX);
    for (at, &rank) in ranks.iter().enumerate() {
        let mut chain = (0, usize::MAX);
        let mut below = rank - 1;
        while below > 0 {
            if heaviest[below].0 > chain.0 {
                chain = heaviest[below];
            }
            below &= below - 1;
        }
        before.push(chain.1);
        let own = (chain.0 + weights[at], at);
        if own.0 > best.0 {
            best = own;
        }
        let mut above = rank;
        while above < heaviest.len() {
            if own.0 > heaviest[above].0 {
                heaviest[above] = own;
            }
            above += above & above.wrapping_neg();
        }
    }
    let mut chain = Vec::new();
    let mut next = best.1;
    while let Some(&pair) = pairs.get(next) {
        chain.push(pair);
        next = before[next];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn common(expected: &[u64], actual: &[u64]) -> Vec<Run> {
        let same = |_, _| true;
        Sequences { expected, actual, same: &same }.common(&mut Work::new(1 << 30))
    }

    #[test]
    fn an_inserted_line_is_found() {
        let run = |expected, actual, len| Run { expected, actual, len };
        assert_eq!(common(&[1, 2, 3, 4], &[1, 2, 9, 3, 4]), [run(0, 0, 2), run(2, 3, 2)]);
        assert_eq!(common(&[1, 2, 3, 4], &[3, 4]), [run(2, 0, 2)]);
        assert_eq!(common(&[], &[1]), []);
        assert_eq!(common(&[7, 7, 1, 7], &[7, 2, 7, 7, 1, 7]).iter().map(|run| run.len).sum::<u32>(), 4);
    }

    #[test]
    fn lines_whose_hashes_collide_are_not_common() {
        let same = |e: u32, a: u32| e == a;
        let runs = Sequences { expected: &[5, 6], actual: &[6, 5], same: &same }.common(&mut Work::new(1000));
        assert_eq!(runs, []);
    }

    proptest! {
        #[test]
        fn runs_ascend_and_are_really_common(
            expected in prop::collection::vec(0..9_u64, 0..60),
            actual in prop::collection::vec(0..9_u64, 0..60),
        ) {
            let mut ends = (0, 0);
            for run in common(&expected, &actual) {
                prop_assert!(run.len > 0 && run.expected >= ends.0 && run.actual >= ends.1);
                for i in 0..run.len {
                    prop_assert_eq!(expected[(run.expected + i) as usize], actual[(run.actual + i) as usize]);
                }
                ends = (run.expected + run.len, run.actual + run.len);
            }
        }

        #[test]
        fn without_work_there_is_less_and_it_is_said(lines in prop::collection::vec(0..3_u64, 2..40)) {
            let reversed: Vec<u64> = lines.iter().rev().copied().collect();
            let same = |_, _| true;
            let mut work = Work::new(0);
            Sequences { expected: &lines, actual: &reversed, same: &same }.common(&mut work);
            prop_assert_eq!(work.is_cut(), lines != reversed && {
                // Nothing is left to look at where ends that agree take in all of one side.
                let agree = lines.iter().zip(&reversed).take_while(|(a, b)| a == b).count();
                2 * agree < lines.len()
            });
        }
    }
}
