//! Very many short names, kept as one text.

use std::cmp::Ordering;

/// A list of names: one text and where each name ends in it. A string each would take several times the memory.
#[derive(Debug, Default)]
pub(super) struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub(super) fn get(&self, place: usize) -> &str {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[place]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|place| self.get(place))
    }

    pub(super) fn sorted(&self) -> Self {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|&place| self.get(place));
        let mut sorted =
            Self { text: String::with_capacity(self.text.len()), ends: Vec::with_capacity(self.len()) };
        order.into_iter().for_each(|place| sorted.push(self.get(place)));
        sorted
    }

    /// The place of a name in a sorted list.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(name) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_sorted_to() {
        let mut names = Names::default();
        ["menu", "", "home/ä", "home", "menu"].into_iter().for_each(|name| names.push(name));
        let sorted = names.sorted();
        assert_eq!(sorted.iter().collect::<Vec<_>>(), ["", "home", "home/ä", "menu", "menu"]);
        for name in ["", "home", "home/ä", "menu"] {
            assert_eq!(sorted.find(name).map(|place| sorted.get(place)), Some(name));
        }
        assert_eq!((sorted.find("a"), sorted.find("z"), Names::default().find("a")), (None, None, None));
    }
}
