//! Every probe, by name.

use std::fmt;

use trueup_findings::Status;

use super::found::Look;
use super::{contrast, layout, links, pictures, slop, states, structure, tells, texts, tokens, typography};
use crate::{Expectations, Page, Reading};

/// What a probe is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Category {
    /// Whether people can see, read and use it.
    Access,
    /// Whether everything fits.
    Layout,
    /// Whether it works.
    Function,
    /// Whether it says what was agreed.
    Copy,
    /// Distances.
    Spacing,
    /// Values that belong to tokens.
    Tokens,
    /// Type.
    Typography,
    /// How it is built.
    Structure,
    /// Whether alike things are alike.
    Consistency,
    /// States beside the one that is shown.
    Coverage,
    /// Patterns of pages that nobody made a choice for.
    Slop,
}

impl Category {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Layout => "layout",
            Self::Function => "function",
            Self::Copy => "copy",
            Self::Spacing => "spacing",
            Self::Tokens => "tokens",
            Self::Typography => "typography",
            Self::Structure => "structure",
            Self::Consistency => "consistency",
            Self::Coverage => "coverage",
            Self::Slop => "slop",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A measurement of a page. The same page and expectations give the same reading.
#[derive(Clone, Copy)]
pub struct Probe {
    id: &'static str,
    category: Category,
    asks: &'static str,
    condition: Option<&'static str>,
    read: fn(Look<'_>) -> Reading,
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe")
            .field("id", &self.id)
            .field("category", &self.category)
            .finish_non_exhaustive()
    }
}

const fn probe(
    id: &'static str,
    category: Category,
    asks: &'static str,
    read: fn(Look<'_>) -> Reading,
) -> Probe {
    Probe { id, category, asks, condition: None, read }
}

impl Probe {
    /// Every probe; the order is that of reports.
    pub const ALL: &'static [Self] = &[
        // Conditions of rubrics, which fail a page or cap a dimension.
        probe(
            "copy-integrity",
            Category::Copy,
            "every agreed text is shown word for word",
            texts::copy_integrity,
        )
        .for_condition("copy-integrity"),
        probe(
            "violet-with-cards",
            Category::Slop,
            "no violet gradient above plain white cards",
            slop::violet_with_cards,
        )
        .for_condition("no-slop-gradient"),
        probe(
            "mobile-375",
            Category::Layout,
            "at 375 px nothing overflows and no text is cut",
            layout::mobile,
        )
        .for_condition("mobile-375"),
        probe("links", Category::Function, "every link and control works", links::links)
            .for_condition("links-work"),
        probe(
            "accessibility",
            Category::Access,
            "no rule that a tool could decide is broken",
            states::accessibility,
        )
        .for_condition("accessibility"),
        probe("own-icons", Category::Slop, "icons are not a stock set as it comes", slop::own_icons)
            .for_condition("own-icons"),
        probe("spacing", Category::Spacing, "paddings and gaps are on the scale, and few", tokens::spacing)
            .for_condition("spacing-on-scale"),
        probe(
            "alt-texts",
            Category::Access,
            "pictures that are not decoration have an alt text",
            pictures::alt_texts,
        )
        .for_condition("alt-texts"),
        probe(
            "contracted-copy",
            Category::Copy,
            "every section has its agreed texts",
            texts::contracted_copy,
        )
        .for_condition("contracted-copy"),
        // What can be seen to be wrong.
        probe(
            "contrast",
            Category::Access,
            "text has a contrast of 4.5, large text of 3",
            contrast::contrast,
        ),
        probe(
            "horizontal-overflow",
            Category::Layout,
            "the page does not scroll sideways",
            layout::horizontal_overflow,
        ),
        probe("clipped-text", Category::Layout, "no text is cut", layout::clipped_text),
        probe("overlapping-text", Category::Layout, "no text lies on another", layout::overlapping_text),
        probe("broken-pictures", Category::Function, "every picture loads", pictures::broken_pictures),
        probe("script-errors", Category::Function, "no script fails", links::script_errors),
        probe(
            "placeholder-text",
            Category::Copy,
            "no text stands where a real one should",
            texts::placeholder_text,
        ),
        // How it is made.
        probe(
            "literals",
            Category::Tokens,
            "no colour or radius is written out where a token has it",
            tokens::literals,
        ),
        probe("unused-tokens", Category::Tokens, "declared tokens are used", tokens::unused_tokens),
        probe("type-scale", Category::Typography, "few sizes, in steps of 1.1 to 2", typography::type_scale),
        probe("line-length", Category::Typography, "lines of at most 75 characters", typography::line_length),
        probe(
            "structure",
            Category::Structure,
            "at most 8 levels, and containers with names",
            structure::structure,
        ),
        probe(
            "headings",
            Category::Structure,
            "one first heading, and no level skipped",
            structure::headings,
        ),
        probe("consistency", Category::Consistency, "siblings are treated alike", structure::consistency),
        probe("coverage", Category::Coverage, "empty, loading and error states are there", states::coverage),
        probe(
            "interactive-states",
            Category::Coverage,
            "hover, focus and active are styled",
            states::interactive_states,
        ),
        // Tells.
        probe("accent-hue", Category::Slop, "no accent of hue 230° to 290°", tells::accent_hue),
        probe("gradient-glow", Category::Slop, "few gradients and no glow", tells::gradient_glow),
        probe("fake-chrome", Category::Slop, "no window buttons drawn", tells::fake_chrome),
        probe("hanging-header", Category::Slop, "small text aligned with large", tells::hanging_header),
        probe("honest-content", Category::Slop, "no figures that nobody checked", tells::honest_content),
        probe(
            "eyebrow-rhythm",
            Category::Slop,
            "small labels above headings are rare",
            tells::eyebrow_rhythm,
        ),
        probe("slop-copy", Category::Slop, "no text that any page could have", tells::slop_copy),
        probe("radius-consistency", Category::Slop, "fewer than four radii", tells::radius_consistency),
        probe("pure-black-white", Category::Slop, "no pure black or white", tells::pure_black_white),
        probe(
            "accent-consistency",
            Category::Slop,
            "accents of fewer than three hues",
            tells::accent_consistency,
        ),
        // Patterns.
        probe("gradient-hero", Category::Slop, "no blue or violet gradient as the hero", slop::gradient_hero),
        probe("card-grid", Category::Slop, "no row of stock cards", slop::card_grid),
        probe(
            "identical-sections",
            Category::Slop,
            "sections are built as their subjects ask",
            slop::identical_sections,
        ),
        probe("utility-only", Category::Slop, "a look of the project's own", slop::utility_only),
    ];

    /// The probe of an id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|probe| probe.id == id)
    }

    const fn for_condition(self, condition: &'static str) -> Self {
        Self { condition: Some(condition), ..self }
    }

    /// Its name in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// What it is about.
    #[must_use]
    pub const fn category(self) -> Category {
        self.category
    }

    /// What it asks of a page, in a line.
    #[must_use]
    pub const fn asks(self) -> &'static str {
        self.asks
    }

    /// The condition of a rubric that it answers.
    #[must_use]
    pub const fn condition(self) -> Option<&'static str> {
        self.condition
    }

    /// The width, CSS px, at which a page has to be captured for this probe; `None` when any will do.
    #[must_use]
    pub fn width_px(self) -> Option<f64> {
        (self.id == "mobile-375").then_some(layout::MOBILE_PX)
    }

    /// Reads a page. `label` names the page in findings.
    #[must_use]
    pub fn read(self, page: &Page, expectations: &Expectations, label: &str) -> Reading {
        let look = Look { page, expectations, label, probe: self.id };
        let reading = (self.read)(look);
        // Whether something works, and what another tool found, is not read off what is shown.
        let is_recorded = self.category == Category::Function
            || self.category == Category::Access && !page.scans.is_empty();
        if reading.status == Status::Pass && !is_recorded && look.shown().next().is_none() {
            return look.unverified(format!("the page shows nothing; {}", reading.measured));
        }
        reading
    }
}
