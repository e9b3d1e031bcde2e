//! Axes as data.

use trueup_score::{Better, Points, Scale};

use crate::{Anchor, Axis, Rubric, RubricError};

/// One axis with what each score from the worst to the best means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dimension<const N: usize> {
    pub(super) name: &'static str,
    pub(super) asks: &'static str,
    pub(super) anchors: [&'static str; N],
}

impl Dimension<5> {
    /// The axis from 1 to 5 in whole steps.
    pub(super) fn whole(&self) -> Axis {
        let scale = one_to_five().with_step(Points::ONE);
        let scale = scale.unwrap_or_else(|_| one_to_five());
        self.on(scale, (1..=5).map(Points::from_whole))
    }
}

impl<const N: usize> Dimension<N> {
    pub(super) fn on(&self, scale: Scale, scores: impl IntoIterator<Item = Points>) -> Axis {
        let anchors = scores.into_iter().zip(self.anchors).map(|(score, text)| Anchor::new(score, text));
        Axis::new(self.name, scale).described(self.asks).with_anchors(anchors)
    }
}

pub(super) fn one_to_five() -> Scale {
    scale(Points::ONE, Points::from_whole(5))
}

/// A scale on which more is better; the ends are constants of this module, in order.
pub(super) fn scale(min: Points, max: Points) -> Scale {
    Scale::new(min, max, Better::Higher).expect("the ends of a preset's scale are in order")
}

/// A preset is data that a test builds; it contradicts itself only by a mistake here.
pub(super) fn built(rubric: Result<Rubric, RubricError>) -> Rubric {
    rubric.expect("a preset does not contradict itself")
}
