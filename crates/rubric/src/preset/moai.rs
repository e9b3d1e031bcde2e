//! Four dimensions of a web design.

use trueup_score::Points;

use super::dimension::{Dimension, scale};
use crate::{Aggregation, Axis, Condition, Overall, Requirements, Rubric, RubricError};

const QUARTER: Points = Points::from_micros(250_000);
const HALF: Points = Points::from_micros(500_000);
/// What the evaluator's overall must reach.
const THRESHOLD: Points = Points::from_micros(750_000);
/// No configuration may ask for less.
const THRESHOLD_AT_LEAST: Points = Points::from_micros(600_000);

const DESIGN_QUALITY: &str = "Design Quality";
const ORIGINALITY: &str = "Originality";
const COMPLETENESS: &str = "Completeness";
const FUNCTIONALITY: &str = "Functionality";

const AXES: [Dimension<4>; 4] = [
    Dimension {
        name: DESIGN_QUALITY,
        asks: "Is it visually consistent, true to the supplied tokens, and of sufficient measured contrast? Name the tokens and a measured contrast ratio.",
        anchors: [
            "major defects: most of what was looked at is off the tokens or unreadable",
            "partly: several notable deviations from tokens, rhythm or contrast",
            "solid: only minor deviations",
            "full: no deviation was found",
        ],
    },
    Dimension {
        name: ORIGINALITY,
        asks: "Does it express this brand and this brief? Say what makes it other than generic.",
        anchors: [
            "generic throughout: it could be anybody's",
            "partly: a brand element here and there on a stock layout",
            "solid: shaped by the brief, with minor stock parts",
            "full: nothing in it is generic",
        ],
    },
    Dimension {
        name: COMPLETENESS,
        asks: "Is every section of the brief there, with the agreed copy? List each section with its status.",
        anchors: [
            "most sections are missing or empty",
            "partly: notable sections or texts are missing",
            "solid: only minor parts are missing",
            "full: every section is there with its copy",
        ],
    },
    Dimension {
        name: FUNCTIONALITY,
        asks: "Does it respond and work? Refer to a test or an observation in a browser; what was not observed is unverified.",
        anchors: [
            "major defects: main interactions or widths are broken",
            "partly: notable interactions or widths have defects",
            "solid: only minor defects",
            "full: everything that was exercised works",
        ],
    },
];

/// Four dimensions on the anchors 0.25, 0.5, 0.75 and 1, an overall that must reach 0.75 (never set below 0.6), four
/// anti-patterns that cap a dimension at 0.5, and five conditions that fail everything.
///
/// How the overall is formed must be said (R9): the source has no weights. A score needs its anchor cited, and evidence
/// that was looked up. Losing a criterion costs a dimension one anchor step; the amount is this project's choice (R11).
///
/// # Errors
/// When weights do not fit the four dimensions.
pub fn moai(aggregation: Aggregation) -> Result<Rubric, RubricError> {
    let anchors = || (1..=4).map(|quarters| Points::from_micros(250_000 * quarters));
    let axes: Vec<Axis> = AXES
        .iter()
        .map(|axis| axis.on(scale(QUARTER, Points::ONE), anchors()).only_anchors().with_slack(QUARTER))
        .collect();
    Rubric::new(axes)?
        .named("moai")
        .with_conditions(conditions())?
        .with_requirements(Requirements::FULL)
        .with_regression_step(QUARTER)?
        .with_floors_that_only_rise()
        .with_threshold_at_least(THRESHOLD_AT_LEAST)
        .with_overall(Overall::new(aggregation).with_threshold(THRESHOLD))
}

fn conditions() -> [Condition; 9] {
    [
        Condition::must_pass("copy-integrity", "every text is the agreed copy, word for word"),
        Condition::must_pass(
            "no-slop-gradient",
            "no purple gradient (#8B5CF6 to #6D28D9) as the main visual element together with plain white cards",
        ),
        Condition::must_pass(
            "mobile-375",
            "at a width of 375 px nothing overflows and every text can be read",
        ),
        Condition::must_pass("links-work", "no interactive element is broken or leads to a 404"),
        Condition::must_pass(
            "accessibility",
            "every agreed accessibility criterion holds in a tool's result",
        ),
        Condition::caps("own-icons", "icons are adapted to the brand, not a stock set", ORIGINALITY, HALF),
        Condition::caps(
            "spacing-on-scale",
            "every spacing value is on the token scale",
            DESIGN_QUALITY,
            HALF,
        ),
        Condition::caps(
            "alt-texts",
            "every picture that is not decoration has an alt text",
            FUNCTIONALITY,
            HALF,
        ),
        Condition::caps("contracted-copy", "every section has the copy of its contract", COMPLETENESS, HALF),
    ]
}
