//! What probes share: the page with what was worked out of it, and findings in one form.

use trueup_findings::{Evidence, EvidenceKind, Finding, Location, Severity, Status};

use crate::color::split_outside;
use crate::report::status_of;
use crate::{Color, Element, Expectations, Page, Paint, Reading, Token};

/// What a probe is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'a> {
    pub(crate) page: &'a Page,
    pub(crate) expectations: &'a Expectations,
    pub(crate) label: &'a str,
    pub(crate) probe: &'static str,
}

/// At most this many findings of a kind; the rest is counted.
const MOST: usize = 20;

impl<'a> Look<'a> {
    /// Elements that can be seen.
    pub(crate) fn shown(self) -> impl Iterator<Item = &'a Element> {
        self.page.elements.iter().filter(|element| element.shown && !element.bounds.is_empty())
    }

    /// Elements with a text of their own that can be seen.
    pub(crate) fn texts(self) -> impl Iterator<Item = &'a Element> {
        self.shown().filter(|element| !element.text.is_empty())
    }

    /// The project's tokens, and those that the page declares at its root.
    pub(crate) fn tokens(self) -> Vec<Token> {
        let mut tokens = self.expectations.tokens.clone();
        let at_root =
            |selector: &str| selector.split(',').any(|one| matches!(one.trim(), ":root" | "html" | ":host"));
        let declared =
            self.page.declarations.iter().filter(|declaration| {
                declaration.property.starts_with("--") && at_root(&declaration.selector)
            });
        for declaration in declared {
            if !tokens.iter().any(|token| token.name == declaration.property) {
                tokens.push(Token::new(&declaration.property, &declaration.value));
            }
        }
        tokens
    }

    /// The spacing scale in CSS px, ascending: the spacing tokens and 0, else [the default](Expectations::SPACING_PX).
    pub(crate) fn spacing_px(self) -> Vec<f64> {
        let speaks_of_space = |name: &str| {
            let name = name.to_lowercase();
            ["space", "spacing", "gap", "pad", "inset", "gutter"].iter().any(|word| name.contains(word))
        };
        let tokens = self.tokens();
        let mut scale: Vec<f64> =
            tokens.iter().filter(|token| speaks_of_space(&token.name)).filter_map(Token::px).collect();
        if scale.is_empty() {
            return Expectations::SPACING_PX.to_vec();
        }
        scale.push(0.0);
        scale.sort_by(f64::total_cmp);
        scale.dedup();
        scale
    }

    /// The text of an element and of everything in it.
    pub(crate) fn whole_texts(self) -> Vec<String> {
        let elements = &self.page.elements;
        let children = self.page.children();
        let mut texts = vec![String::new(); elements.len()];
        // Children come after their parents, so from the end every text is whole when it is needed; own text comes first, which
        // is the reading order unless a text goes on after a child.
        for at in (0..elements.len()).rev() {
            let own = elements[at].text.as_str();
            let inside = children[at].iter().map(|&child| texts[child].as_str());
            let parts: Vec<&str> =
                std::iter::once(own).chain(inside).filter(|part| !part.is_empty()).collect();
            texts[at] = parts.join(" ");
        }
        texts
    }

    /// Why it cannot be said that a colour is not on the page: some could not be read.
    pub(crate) fn unread_colors(self) -> Option<String> {
        let mut unread = self.shown().flat_map(|element| {
            let plain = ["background-color", "color"].into_iter().filter_map(|property| {
                let value = element.style.get(property)?;
                (element.style.color(property).is_none() && property_paints(element, property))
                    .then_some(value)
            });
            let stops = match element.style.background() {
                Paint::Gradient { unread: 1.., .. } => element.style.get("background-image"),
                _ => None,
            };
            let shadow = element.style.get("box-shadow").filter(|value| {
                let is_unread = |layer: &&str| {
                    !split_outside(layer, char::is_whitespace).iter().any(|part| Color::parse(part).is_some())
                };
                *value != "none" && split_outside(value, |c| c == ',').iter().any(is_unread)
            });
            plain.chain(stops).chain(shadow)
        });
        let first = unread.next()?;
        let colors = count(1 + unread.count(), "colour", "colours");
        Some(format!("{colors} could not be read, {} among them", short(first)))
    }

    /// A finding about an element, or about the page where `selector` is empty.
    pub(crate) fn finding(self, severity: Severity, selector: &str, title: impl Into<String>) -> Found {
        let place = (!selector.is_empty()).then(|| selector.to_owned());
        let id =
            if selector.is_empty() { self.probe.to_owned() } else { format!("{}:{selector}", self.probe) };
        let finding = Finding::new(id, title, severity)
            .at(Location::visual(self.label, None, place))
            .caused_by(self.probe)
            .found_also_by("probes");
        Found(finding)
    }

    /// A reading of findings: what was measured, in words.
    pub(crate) fn reading(self, measured: impl Into<String>, findings: Vec<Finding>) -> Reading {
        let mut findings = findings;
        let mut measured = measured.into();
        // The worst is kept where there are too many.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let status = status_of(&findings);
        if findings.len() > MOST {
            measured.push_str(&format!("; {} findings, the first {MOST} are listed", findings.len()));
            findings.truncate(MOST);
        }
        let findings = findings
            .into_iter()
            .map(|finding| finding.with_evidence(Evidence::new(EvidenceKind::Note, measured.clone())))
            .collect();
        Reading { probe: self.probe, status, measured, findings }
    }

    /// The page does not hold what the probe needs.
    pub(crate) fn unverified(self, why: impl Into<String>) -> Reading {
        Reading { probe: self.probe, status: Status::Unverified, measured: why.into(), findings: Vec::new() }
    }

    /// As `reading`, but what passes is unverified for want of something.
    pub(crate) fn reading_unless(
        self,
        measured: impl Into<String>,
        findings: Vec<Finding>,
        wanting: Option<String>,
    ) -> Reading {
        let reading = self.reading(measured, findings);
        match wanting {
            Some(why) if reading.status == Status::Pass => Reading {
                status: Status::Unverified,
                measured: format!("{}; {why}", reading.measured),
                ..reading
            },
            _ => reading,
        }
    }
}

/// Whether a colour of an element is seen: that of a text where there is one.
fn property_paints(element: &Element, property: &str) -> bool {
    property != "color" || !element.text.is_empty()
}

/// A finding that is being written.
#[derive(Debug)]
pub(crate) struct Found(Finding);

impl Found {
    pub(crate) fn expected(self, expected: impl Into<String>, actual: impl Into<String>) -> Self {
        Self(self.0.with_difference(expected, actual))
    }

    pub(crate) fn matters(self, impact: impl Into<String>) -> Self {
        Self(self.0.with_impact(impact))
    }

    pub(crate) fn fix(self, fix: impl Into<String>) -> Finding {
        self.0.with_fix(fix)
    }
}

/// A text short enough for a line.
pub(crate) fn short(text: &str) -> String {
    const MOST_CHARACTERS: usize = 60;
    if text.chars().count() <= MOST_CHARACTERS {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST_CHARACTERS - 1).collect();
    format!("{}…", head.trim_end())
}

/// A number of CSS pixels without zeros that say nothing.
pub(crate) fn px(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}px")
}

/// `one thing`, `2 things`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// Lengths as people list them: ascending, each once.
pub(crate) fn ladder<'l>(lengths: impl Iterator<Item = &'l f64>) -> String {
    let mut lengths: Vec<f64> = lengths.copied().collect();
    lengths.sort_by(f64::total_cmp);
    lengths.into_iter().map(px).collect::<Vec<_>>().join(", ")
}
