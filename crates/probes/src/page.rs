//! A page as a browser shows it: its elements with what they look like, and what came of using it.

use std::collections::BTreeMap;

use crate::Style;

/// Width and height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[expect(clippy::exhaustive_structs, reason = "a size has two sides")]
pub struct Extent {
    /// Width, CSS px.
    pub width: f64,
    /// Height, CSS px.
    pub height: f64,
}

impl Extent {
    /// An extent in CSS pixels.
    #[must_use]
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height }
    }
}

/// A box in CSS pixels; the origin is the page's upper left corner, so scrolling changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[expect(clippy::exhaustive_structs, reason = "a box has an origin and two sides")]
pub struct Bounds {
    /// Distance from the page's left edge.
    pub x: f64,
    /// Distance from the page's upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Bounds {
    /// A box by origin and sides.
    #[must_use]
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Where it ends on the right.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Where it ends at the bottom.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Its area, px².
    #[must_use]
    pub fn area(&self) -> f64 {
        self.width * self.height
    }

    /// Whether nothing of it can be seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }

    /// How far two boxes reach into each other, by width and by height; negative where they do not.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> Extent {
        Extent::new(
            self.right().min(other.right()) - self.x.max(other.x),
            self.bottom().min(other.bottom()) - self.y.max(other.y),
        )
    }
}

/// An element of a page.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Element {
    /// Index of its parent in [`Page::elements`]; parents come before children. `None` for the root.
    pub parent: Option<usize>,
    /// Tag name in lower case.
    pub tag: String,
    /// A selector that finds it, and nothing else, in this page.
    pub selector: String,
    /// Its attributes by name, as written.
    pub attributes: BTreeMap<String, String>,
    /// Its own text, not that of its children; runs of blanks are one blank.
    pub text: String,
    /// Its box.
    pub bounds: Bounds,
    /// The size of its content, which is larger than the [inner box](Self::inner) where it overflows.
    pub scroll: Extent,
    /// The size of its padding box.
    pub inner: Extent,
    /// The size of a picture's file in its own pixels; zero when the picture did not load. `None` for other elements.
    pub natural: Option<Extent>,
    /// Whether anything of it is shown.
    pub shown: bool,
    /// Computed styles.
    pub style: Style,
}

impl Element {
    /// An element that is shown, with nothing but a tag and a selector.
    #[must_use]
    pub fn new(parent: Option<usize>, tag: impl Into<String>, selector: impl Into<String>) -> Self {
        Self { parent, tag: tag.into(), selector: selector.into(), shown: true, ..Self::default() }
    }

    /// With its box; content and padding box fill it.
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        let size = Extent::new(bounds.width, bounds.height);
        Self { bounds, scroll: size, inner: size, ..self }
    }

    /// With its own text.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// With another attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// With another computed style.
    #[must_use]
    pub fn with_style(mut self, property: impl Into<String>, value: impl Into<String>) -> Self {
        self.style.set(property, value);
        self
    }

    /// An attribute's value.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// A declaration of a style sheet or of a `style` attribute, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Declaration {
    /// The rule's selector, or that of the element with the attribute.
    pub selector: String,
    /// The property.
    pub property: String,
    /// The value, with its `var(…)`.
    pub value: String,
    /// The style sheet's address; empty for what stands in the page itself.
    pub sheet: String,
}

impl Declaration {
    /// A declaration that stands in the page itself.
    #[must_use]
    pub fn new(selector: impl Into<String>, property: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            selector: selector.into(),
            property: property.into(),
            value: value.into(),
            sheet: String::new(),
        }
    }
}

/// What came of following a link or pressing a control.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "result", rename_all = "kebab-case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Outcome {
    /// It led somewhere, or did something, without an error.
    Worked,
    /// It led to an HTTP status of 400 or more.
    Status {
        /// The status.
        status: u16,
    },
    /// It led to what cannot be reached, such as a file that is not there.
    Unreachable {
        /// Why.
        why: String,
    },
    /// A script failed on it.
    ScriptError {
        /// What the browser reported.
        message: String,
    },
    /// Nobody tried.
    Untried {
        /// Why not.
        why: String,
    },
}

/// A link or control, and what came of using it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Action {
    /// The selector of the link or control.
    pub selector: String,
    /// Where it leads, or what it says.
    pub target: String,
    /// What came of it.
    pub outcome: Outcome,
}

impl Action {
    /// What came of using what `selector` finds.
    #[must_use]
    pub fn new(selector: impl Into<String>, target: impl Into<String>, outcome: Outcome) -> Self {
        Self { selector: selector.into(), target: target.into(), outcome }
    }
}

/// What another tool found in the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Scan {
    /// The tool, such as `axe-core`.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// What it holds against the page.
    pub violations: Vec<Violation>,
    /// How many of its rules held.
    pub passed_rules: u32,
    /// How many of its rules could not decide.
    pub undecided_rules: u32,
}

impl Scan {
    /// A scan by a tool of a version that found nothing yet.
    #[must_use]
    pub fn new(tool: impl Into<String>, version: impl Into<String>) -> Self {
        Self { tool: tool.into(), version: version.into(), ..Self::default() }
    }

    /// With what it holds against the page.
    #[must_use]
    pub fn with_violations(self, violations: Vec<Violation>) -> Self {
        Self { violations, ..self }
    }
}

/// A rule of a tool that does not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Violation {
    /// The rule's id.
    pub rule: String,
    /// What it asks.
    pub asks: String,
    /// How bad the tool calls it.
    pub impact: String,
    /// The elements that break it.
    pub selectors: Vec<String>,
}

impl Violation {
    /// A rule that the elements break.
    #[must_use]
    pub fn new(rule: impl Into<String>, asks: impl Into<String>, selectors: Vec<String>) -> Self {
        Self { rule: rule.into(), asks: asks.into(), selectors, impact: String::new() }
    }
}

/// A page at one viewport, and what came of using it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Page {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The viewport.
    pub viewport: Extent,
    /// How large the page is when everything is scrolled to.
    pub content: Extent,
    /// The elements in document order, parents before children.
    pub elements: Vec<Element>,
    /// What style sheets and `style` attributes say.
    pub declarations: Vec<Declaration>,
    /// Style sheets that the browser does not let anybody read.
    pub unread_sheets: Vec<String>,
    /// What came of its links and controls; `None` when nobody tried any.
    pub actions: Option<Vec<Action>>,
    /// What scripts reported while it loaded.
    pub errors: Vec<String>,
    /// What other tools found.
    pub scans: Vec<Scan>,
}

impl Page {
    /// A page of elements at a viewport; its content fills the viewport.
    #[must_use]
    pub fn new(viewport: Extent, elements: Vec<Element>) -> Self {
        Self { viewport, content: viewport, elements, ..Self::default() }
    }

    /// With what style sheets say.
    #[must_use]
    pub fn with_declarations(self, declarations: Vec<Declaration>) -> Self {
        Self { declarations, ..self }
    }

    /// With what came of its links and controls.
    #[must_use]
    pub fn with_actions(self, actions: Vec<Action>) -> Self {
        Self { actions: Some(actions), ..self }
    }

    /// With another tool's scan.
    #[must_use]
    pub fn with_scan(mut self, scan: Scan) -> Self {
        self.scans.push(scan);
        self
    }

    /// The ancestors of an element, the nearest first. Parents that do not come before their children are not followed, so
    /// this ends for any page.
    pub fn ancestors<'a>(&'a self, element: &'a Element) -> impl Iterator<Item = &'a Element> {
        let before = |element: &'a Element, limit: usize| {
            element.parent.filter(|&parent| parent < limit).map(|parent| (parent, &self.elements[parent]))
        };
        std::iter::successors(before(element, self.elements.len()), move |&(at, element)| before(element, at))
            .map(|(_, element)| element)
    }

    /// The children of every element, by index.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.elements.len()];
        for (at, element) in self.elements.iter().enumerate() {
            if let Some(parent) = element.parent.filter(|&parent| parent < at) {
                children[parent].push(at);
            }
        }
        children
    }
}
