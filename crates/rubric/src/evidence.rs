//! Whether evidence is there.

use std::collections::{BTreeMap, BTreeSet};

use trueup_findings::{Evidence, EvidenceKind};

/// What came of looking an evidence up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lookup {
    /// It is there.
    Found,
    /// It was looked for and is not there: the claim is made up.
    NotFound {
        /// What is not there.
        why: String,
    },
    /// It cannot be looked up from here.
    Unknown {
        /// Why not.
        why: String,
    },
}

/// Looks evidence up.
///
/// The algebra asks through this hook, so that it needs no files itself. An implementation must not guess: what it cannot
/// look up is [`Lookup::Unknown`].
pub trait LookUp {
    /// Looks one evidence up.
    fn look_up(&self, evidence: &Evidence) -> Lookup;
}

/// Looks nothing up: everything is unknown.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct NoLookUp;

impl LookUp for NoLookUp {
    fn look_up(&self, _evidence: &Evidence) -> Lookup {
        Lookup::Unknown { why: "nothing is looked up here".to_owned() }
    }
}

/// What evidence may point to, held in memory: texts by path, hashes of pictures, outputs of tools by name.
#[derive(Clone, Debug, Default)]
pub struct Exhibits {
    files: BTreeMap<String, String>,
    images: BTreeSet<String>,
    tools: BTreeMap<String, String>,
}

impl Exhibits {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the text of a file.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// With a picture, by its locator (`sha256:…`, or a path).
    #[must_use]
    pub fn with_image(mut self, locator: impl Into<String>) -> Self {
        self.images.insert(locator.into());
        self
    }

    /// With the output of a tool.
    #[must_use]
    pub fn with_tool(mut self, name: impl Into<String>, output: impl Into<String>) -> Self {
        self.tools.insert(name.into(), output.into());
        self
    }
}

impl LookUp for Exhibits {
    fn look_up(&self, evidence: &Evidence) -> Lookup {
        let missing =
            |what: &str| Lookup::NotFound { why: format!("{what} {:?} is not there", evidence.locator()) };
        match evidence.kind() {
            EvidenceKind::File => {
                let (path, line) = evidence.place().unwrap_or((evidence.locator(), None));
                match self.files.get(path) {
                    Some(text) => look_up_in(text, line, evidence),
                    None => missing("the file"),
                }
            }
            EvidenceKind::Image if self.images.contains(evidence.locator()) => Lookup::Found,
            EvidenceKind::Image => missing("the picture"),
            EvidenceKind::Tool => match self.tools.get(evidence.locator()) {
                Some(output) => look_up_in(output, None, evidence),
                None => missing("the output of the tool"),
            },
            _ => Lookup::Unknown { why: format!("a {} cannot be looked up", evidence.kind()) },
        }
    }
}

/// Looks a line and a quote up in a text: the line (from 1) must exist, and the quote must stand there word for word and,
/// where a line is named, touch it.
#[must_use]
pub fn look_up_in(text: &str, line: Option<u32>, evidence: &Evidence) -> Lookup {
    let lines = text.lines().count();
    if let Some(line) = line
        && !(1..=lines).contains(&(line as usize))
    {
        return Lookup::NotFound {
            why: format!("{} has no line {line}: it has {lines}", evidence.locator()),
        };
    }
    let Some(quote) = evidence.quote() else { return Lookup::Found };
    let not_found = |why: String| Lookup::NotFound { why };
    if quote.trim().is_empty() {
        return not_found("an empty quote shows nothing".to_owned());
    }
    let mut occurs = false;
    for (at, found) in text.match_indices(quote) {
        occurs = true;
        let first = text[..at].matches('\n').count() + 1;
        let last = first + found.trim_end_matches('\n').matches('\n').count();
        if line.is_none_or(|line| (first..=last).contains(&(line as usize))) {
            return Lookup::Found;
        }
    }
    let place = if occurs { "on that line" } else { "there" };
    not_found(format!("{quote:?} does not stand {place}: {}", evidence.locator()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(locator: &str) -> Evidence {
        Evidence::new(EvidenceKind::File, locator)
    }

    #[test]
    fn an_invented_quote_on_a_real_anchor_is_found_out() {
        // Six invented quotes attached to real places passed unnoticed elsewhere.
        let exhibits = Exhibits::new().with_file("a.css", "a { gap: 12px }\nb { gap: 7px }\n");
        assert_eq!(exhibits.look_up(&file("a.css:2").with_quote("gap: 7px")), Lookup::Found);
        for wrong in [
            file("a.css:2").with_quote("gap: 8px"),
            file("a.css:1").with_quote("gap: 7px"),
            file("a.css:3"),
            file("a.css:0"),
            file("b.css"),
            file("a.css").with_quote(" "),
        ] {
            assert!(matches!(exhibits.look_up(&wrong), Lookup::NotFound { .. }), "{wrong}");
        }
    }

    #[test]
    fn pictures_and_tools_are_known_or_not_and_the_rest_is_unknown() {
        let exhibits = Exhibits::new().with_image("sha256:ab").with_tool("axe", "0 violations");
        let of = |kind, locator: &str| exhibits.look_up(&Evidence::new(kind, locator));
        assert_eq!(of(EvidenceKind::Image, "sha256:ab"), Lookup::Found);
        assert!(matches!(of(EvidenceKind::Image, "sha256:cd"), Lookup::NotFound { .. }));
        assert_eq!(of(EvidenceKind::Tool, "axe"), Lookup::Found);
        assert!(matches!(of(EvidenceKind::Tool, "lighthouse"), Lookup::NotFound { .. }));
        assert!(matches!(of(EvidenceKind::Url, "https://example.org"), Lookup::Unknown { .. }));
        assert!(matches!(NoLookUp.look_up(&file("a")), Lookup::Unknown { .. }));
    }
}
