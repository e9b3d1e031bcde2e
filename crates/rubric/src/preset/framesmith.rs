//! Five axes of a picture.

use trueup_score::Points;

use super::dimension::{Dimension, built, one_to_five};
use crate::{Aggregation, Axis, Overall, Rubric, RubricError, Stated};

const AXES: [Dimension<5>; 5] = [
    Dimension {
        name: "hierarchy",
        asks: "Is it clear what to look at first, and where to go from there?",
        anchors: [
            "everything shouts or nothing does; the eye finds no place to begin",
            "a focal point can be guessed, and rivals compete with it",
            "the order can be followed, with a detour or two",
            "the order is clear; a minor element is too loud or too quiet",
            "one focal point and an order of reading that cannot be missed",
        ],
    },
    Dimension {
        name: "execution",
        asks: "Is the craft right: alignment, spacing, consistency, contrast?",
        anchors: [
            "edges, gaps and contrast are wrong all over",
            "several edges or gaps are plainly off, or text is hard to read",
            "mostly in order, with slips that a careful look finds",
            "clean, with one or two slips",
            "every edge, gap and contrast is deliberate",
        ],
    },
    Dimension {
        name: "specificity",
        asks: "Is it made for a real purpose, or could it be anybody's template?",
        anchors: [
            "a template with placeholder content",
            "generic, with names filled in",
            "content fits the purpose; the form would fit any other",
            "form and content fit the purpose; a part is stock",
            "could be for nothing else",
        ],
    },
    Dimension {
        name: "restraint",
        asks: "Does it do without effects that serve nothing?",
        anchors: [
            "effects are the design",
            "effects distract from the content in several places",
            "an effect or two serve nothing",
            "hardly anything could be taken away",
            "nothing could be taken away",
        ],
    },
    Dimension {
        name: "variety",
        asks: "Do shapes and rhythms differ where their content does?",
        anchors: [
            "the same block over and over",
            "variation is decoration; the structure repeats",
            "some sections have a form of their own",
            "most sections have the form that their content asks for",
            "each part has the form that its content asks for, and they belong together",
        ],
    },
];

/// Five axes from 1 to 5 with a floor of 3 each, which may be set to anything on the scale; the overall is the mean as a
/// percentage of the maximum, 20 to 100, and decides nothing. The neutral 3 may be displayed for an axis that was not scored,
/// and counts for nothing (R8).
///
/// Fractional scores are read as they are: 2.5 is below a floor of 3.
#[must_use]
pub fn framesmith() -> Rubric {
    built(build())
}

fn build() -> Result<Rubric, RubricError> {
    let three = Points::from_whole(3);
    let whole = || (1..=5).map(Points::from_whole);
    let axes: Result<Vec<Axis>, RubricError> = AXES
        .iter()
        .map(|axis| axis.on(one_to_five(), whole()).with_slack(Points::ONE).with_floor(three))
        .collect();
    Rubric::new(axes?)?
        .named("framesmith")
        .with_neutral(three)
        .with_overall(Overall::new(Aggregation::Mean).stated(Stated::PercentOfMaximum))
}
