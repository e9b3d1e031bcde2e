//! What 1 to 5 mean on each dimension.

use super::dimension::Dimension;

/// A dimension and what its five scores mean, from the worst.
macro_rules! dimensions {
    ($($constant:ident = $name:literal, $asks:literal: [$($anchor:literal),+ $(,)?];)+) => {
        $(pub(super) const $constant: Dimension<5> =
            Dimension { name: $name, asks: $asks, anchors: [$($anchor),+] };)+
    };
}

dimensions! {
    COMPLETENESS = "Completeness", "Is everything there that the tasks and the specification ask for?": [
        "several tasks are missing or only stubs",
        "everything was begun, with large gaps",
        "every task is addressed; edge cases or flows are missing",
        "everything is done, with minor omissions",
        "everything is done, edge cases included, and was verified",
    ];
    CORRECTNESS = "Correctness", "Does it work as specified, edges included?": [
        "the core is broken",
        "the main path works; secondary paths or errors fail",
        "normal use works; edges break",
        "everything works, with small gaps at the edges",
        "everything works, including errors, empty states and limits",
    ];
    UX_QUALITY = "UX Quality", "Can people use it without being told how?": [
        "people have to guess",
        "it works, and says nothing of what happens",
        "usual and unpolished",
        "clean, with loading and error states, at every width",
        "polished, and usable by everybody",
    ];
    SECURITY = "Security", "Are inputs checked, accesses controlled, and data kept in?": [
        "a critical hole",
        "inputs are not checked",
        "uneven: some routes are not checked",
        "solid, with small gaps",
        "thorough, and nothing leaks",
    ];
    CODE_QUALITY = "Code Quality", "Does it follow the conventions, and can it be kept up?": [
        "inconsistent, and errors are not handled",
        "fragile",
        "acceptable",
        "clean",
        "exemplary",
    ];
    VISUAL_DESIGN = "Visual Design", "Does a screenshot match the design system: rhythm, hierarchy, tokens, alignment, polish?": [
        "off the brand, or broken",
        "the brand can be made out; spacing and tokens are ad hoc",
        "loosely on the system, and uneven",
        "consistent, with small gaps in polish",
        "faithful, deliberate, and aligned throughout",
    ];
    ORIGINALITY = "Originality", "Is it more than the generic output of a machine?": [
        "stock throughout: purple gradients, card grids",
        "stock with the brand's colours",
        "a few decisions of its own",
        "mostly its own, with a stock part",
        "unmistakably made for this product",
    ];
    ACCESSIBILITY = "Accessibility", "Does it meet WCAG AA, by keyboard and screen reader too?": [
        "people are shut out",
        "main paths work with a mouse only",
        "main paths work; contrast, focus or names have gaps",
        "meets AA, with small gaps",
        "meets AA throughout, as tools and use show",
    ];
    API_DESIGN = "API Design", "Are names, status codes, paging and errors of one kind?": [
        "every endpoint is its own dialect",
        "names or status codes mislead",
        "usable, with inconsistencies",
        "consistent, with small gaps",
        "consistent throughout, errors and paging included",
    ];
    PERFORMANCE = "Performance", "Are responses fast, and queries no more than are needed?": [
        "unusably slow, or it falls over under its normal load",
        "one query per row, or clearly slow responses",
        "fine for normal loads; nobody looked at more",
        "efficient, with small waste",
        "efficient throughout, as measurements show",
    ];
    DATA_PRIVACY = "Data Privacy", "Is personal data kept apart, encrypted at rest, and its use logged?": [
        "personal data is exposed",
        "personal data is handled like any other",
        "protected in places",
        "protected, with small gaps",
        "protected throughout, with an audit log",
    ];
    DATA_INTEGRITY = "Data Integrity", "Is nothing lost, can every operation be repeated, is every schema checked?": [
        "data is lost or corrupted",
        "a second run does damage, or bad rows go through",
        "normal runs are safe; interruptions are not",
        "safe, with small gaps",
        "nothing is lost, whatever is interrupted or repeated",
    ];
    ERROR_RECOVERY = "Error Recovery", "What becomes of partial failures, retries, and what cannot be processed?": [
        "one failure stops or spoils everything",
        "failures are swallowed",
        "retried, without an end or a record",
        "partial failures are handled, with small gaps",
        "every failure is handled, recorded, and can be taken up again",
    ];
    DESIGN_COMPLETENESS = "Completeness", "Is every section, field, enumeration and default there?": [
        "sections or enumerations are missing",
        "sparse",
        "some of it is vague",
        "small omissions",
        "every field, enumeration and default is there",
    ];
    CONSISTENCY = "Consistency", "Do names and references agree throughout?": [
        "names conflict, references break",
        "some do not match",
        "isolated slips",
        "differences of style only",
        "no difference was found",
    ];
    IMPLEMENTABILITY = "Implementability", "Could it be built from this alone?": [
        "impossible",
        "several parts can be read in two ways",
        "some guesswork",
        "a minor ambiguity",
        "no question is left",
    ];
    DESIGN_SECURITY = "Security", "Does the design say what threatens it, and what is done about it?": [
        "security is not mentioned",
        "critical gaps",
        "the basics",
        "minor gaps",
        "a model of threats, the lineage of data, and compliance",
    ];
    DOWNSTREAM_COMPATIBILITY = "Downstream Compatibility", "Can its consumer use it as it is?": [
        "unusable",
        "formats do not match",
        "small changes are needed",
        "cosmetic changes are needed",
        "nothing has to be changed",
    ];
    WALKING_SKELETON = "Walking Skeleton Validity", "Is the first layer the thinnest journey from end to end?": [
        "gold-plated, or no journey at all",
        "more than the journey needs",
        "one or two stories are too large",
        "one luxury",
        "the absolute minimum",
    ];
    LAYER_ORDERING = "Layer Ordering", "Does each layer add something that people can do, most valuable first?": [
        "arbitrary",
        "not by priority",
        "one or two are out of place",
        "a clear progression",
        "no better order was found",
    ];
    VISION_ALIGNMENT = "Vision Alignment", "Does every story serve a need that the brief states?": [
        "several serve none",
        "some have crept in",
        "some serve one indirectly",
        "each can be traced",
        "each says which need it serves",
    ];
    INVEST = "INVEST Compliance", "Are stories independent, negotiable, valuable, estimable, small, testable?": [
        "a list of tasks",
        "many are too large or hang together",
        "some are too large",
        "minor violations",
        "all six hold for every story",
    ];
    DEPENDENCY_GRAPH = "Dependency Graph Quality", "Do dependencies say what really has to come first?": [
        "cycles, or an order that cannot be carried out",
        "many are sequence for its own sake",
        "some are artificial, or one is missing",
        "one or two could go",
        "only what has to wait waits",
    ];
    ACCURACY = "Accuracy", "Is what it claims so?": [
        "several claims are wrong",
        "some are wrong or cannot be verified",
        "mostly right",
        "all that can be verified was, and is right",
        "every claim was verified",
    ];
    EXECUTABILITY = "Executability", "Can it be followed as it is written?": [
        "it cannot be followed",
        "much guesswork",
        "some interpretation",
        "minor assumptions",
        "every step can be carried out as written",
    ];
}
