//! Custom properties of the root element, and putting their values in the place of `var()`.

use std::collections::BTreeMap;

use crate::css;
use crate::error::{Position, RenderError, RenderErrorKind};

/// Bytes that all values together may expand to: a chain in which each property names the last one twice doubles its
/// text with every link.
const MOST_BYTES: usize = 1 << 22;
/// How deeply `var()` may be nested, through fallbacks and through other properties.
const MOST_DEPTH: usize = 64;

/// What a declaration stands in; later ones outrank earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A rule for `svg`.
    Type,
    /// A rule for `:root`.
    Root,
    /// The `style` attribute of the root element.
    Attribute,
}

#[derive(Clone, Debug)]
struct Declared {
    value: String,
    position: Position,
    important: bool,
    origin: Origin,
}

/// The declared properties of one document.
#[derive(Debug, Default)]
pub(crate) struct CustomProperties {
    declared: BTreeMap<String, Declared>,
    /// Declarations for anything but the root: what for, and where.
    scoped: BTreeMap<String, (String, Position)>,
    resolved: BTreeMap<String, String>,
    /// Bytes that were put in so far.
    expanded: usize,
}

impl CustomProperties {
    /// Takes a declaration, if none that outranks it was taken. Call in the order of the document.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        value: &str,
        important: bool,
        origin: Origin,
        position: Position,
    ) {
        let new = Declared { value: value.to_owned(), position, important, origin };
        match self.declared.get_mut(name) {
            Some(old) if (old.important, old.origin) > (new.important, new.origin) => {}
            Some(old) => *old = new,
            None => {
                self.declared.insert(name.to_owned(), new);
            }
        }
    }

    /// Remembers a declaration that is not for the root: using the property is an error from here on.
    pub(crate) fn declare_scoped(&mut self, name: &str, scope: String, position: Position) {
        self.scoped.entry(name.to_owned()).or_insert((scope, position));
    }

    /// The text with values in the place of every `var()`, or `None` when there is none. `place` says where in the
    /// document a byte of the text is.
    pub(crate) fn substitute(
        &mut self,
        text: &str,
        place: &dyn Fn(usize) -> Position,
    ) -> Result<Option<String>, RenderError> {
        self.expand(text, place, &mut Vec::new(), 0)
    }

    fn expand(
        &mut self,
        text: &str,
        place: &dyn Fn(usize) -> Position,
        through: &mut Vec<String>,
        depth: usize,
    ) -> Result<Option<String>, RenderError> {
        let vars = css::vars(text, 0..text.len());
        if vars.is_empty() {
            return Ok(None);
        }
        let mut out = String::new();
        let mut kept = 0;
        for var in vars {
            let position = place(var.whole.start);
            let too_far =
                || RenderError::from(RenderErrorKind::ExpandsTooFar { limit: MOST_BYTES }).at(position);
            if depth >= MOST_DEPTH {
                return Err(too_far());
            }
            let name = &text[var.name.clone()];
            if !css::is_custom(name) {
                let found = text[var.whole.clone()].chars().take(60).collect();
                return Err(RenderError::from(RenderErrorKind::MalformedVar { found }).at(position));
            }
            let value = match (self.value_of(name, position, through, depth)?, &var.fallback) {
                (Some(value), _) => value,
                (None, Some(fallback)) => {
                    let start = fallback.start;
                    let fallback = &text[fallback.clone()];
                    let inner = |byte| place(start + byte);
                    self.expand(fallback, &inner, through, depth + 1)?.unwrap_or_else(|| fallback.to_owned())
                }
                (None, None) => return Err(self.undefined(name).at(position)),
            };
            self.expanded = self.expanded.saturating_add(value.len());
            if self.expanded > MOST_BYTES {
                return Err(too_far());
            }
            out.push_str(&text[kept..var.whole.start]);
            out.push_str(&value);
            kept = var.whole.end;
        }
        out.push_str(&text[kept..]);
        Ok(Some(out))
    }

    /// The value of a property, with everything in it resolved; `None` when nothing declares it.
    fn value_of(
        &mut self,
        name: &str,
        used_at: Position,
        through: &mut Vec<String>,
        depth: usize,
    ) -> Result<Option<String>, RenderError> {
        if let Some((scope, position)) = self.scoped.get(name) {
            let kind = RenderErrorKind::ScopedProperty { name: name.to_owned(), scope: scope.clone() };
            return Err(RenderError::from(kind).at(*position));
        }
        if let Some(value) = self.resolved.get(name) {
            return Ok(Some(value.clone()));
        }
        let Some(Declared { value, position, .. }) = self.declared.get(name).cloned() else {
            return Ok(None);
        };
        if let Some(start) = through.iter().position(|other| other == name) {
            let mut names = through[start..].to_vec();
            names.push(name.to_owned());
            return Err(RenderError::from(RenderErrorKind::PropertyCycle { names }).at(used_at));
        }
        through.push(name.to_owned());
        // All of a declaration is said to be where it begins: its text may have lost comments.
        let value = self.expand(&value, &|_| position, through, depth + 1)?.unwrap_or(value);
        through.pop();
        self.resolved.insert(name.to_owned(), value.clone());
        Ok(Some(value))
    }

    fn undefined(&self, name: &str) -> RenderError {
        let near = self.declared.keys().map(|other| (distance(name, other), other));
        // More than a third of the name changed is another name.
        let nearest = near.min().filter(|(distance, _)| distance * 3 <= name.chars().count());
        let nearest = nearest.map(|(_, other)| other.clone());
        RenderErrorKind::UndefinedProperty { name: name.to_owned(), nearest }.into()
    }
}

/// Characters to insert, delete or replace to get from one text to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Position = Position { line: 1, column: 1 };

    fn properties(all: &[(&str, &str)]) -> CustomProperties {
        let mut properties = CustomProperties::default();
        for (name, value) in all {
            properties.declare(name, value, false, Origin::Root, AT);
        }
        properties
    }

    fn expand(all: &[(&str, &str)], text: &str) -> Result<Option<String>, RenderErrorKind> {
        properties(all).substitute(text, &|_| AT).map_err(|error| error.kind().clone())
    }

    #[test]
    fn values_fallbacks_and_values_of_values() {
        let all = [("--a", "1px"), ("--b", "var(--a) var(--none, 2px)"), ("--empty", "")];
        assert_eq!(expand(&all, "x var(--b) y").unwrap().as_deref(), Some("x 1px 2px y"));
        assert_eq!(
            expand(&all, "var(--no, var(--nor, rgb(1, 2, 3)))").unwrap().as_deref(),
            Some("rgb(1, 2, 3)")
        );
        assert_eq!(expand(&all, "[var(--empty)][var(--no,)]").unwrap().as_deref(), Some("[][]"));
        assert_eq!(expand(&all, "nothing").unwrap(), None);
    }

    #[test]
    fn a_fallback_that_is_not_needed_is_not_looked_at() {
        assert_eq!(expand(&[("--a", "1")], "var(--a, var(--none))").unwrap().as_deref(), Some("1"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let all = [("--brand", "red"), ("--a", "var(--b)"), ("--b", "var(--c)"), ("--c", "var(--b, 1)")];
        let undefined = |name: &str, nearest: Option<&str>| RenderErrorKind::UndefinedProperty {
            name: name.to_owned(),
            nearest: nearest.map(str::to_owned),
        };
        assert_eq!(expand(&all, "var(--brnad)").unwrap_err(), undefined("--brnad", Some("--brand")));
        assert_eq!(expand(&all, "var(--brnd)").unwrap_err(), undefined("--brnd", Some("--brand")));
        assert_eq!(expand(&all, "var(--something)").unwrap_err(), undefined("--something", None));
        let names = ["--b", "--c", "--b"].map(str::to_owned).to_vec();
        assert_eq!(expand(&all, "var(--a)").unwrap_err(), RenderErrorKind::PropertyCycle { names });
        for text in ["var(brand)", "var()", "var(--)", "var(--a b)"] {
            assert_eq!(
                expand(&all, text).unwrap_err(),
                RenderErrorKind::MalformedVar { found: text.to_owned() }
            );
        }
    }

    #[test]
    fn the_cascade_decides() {
        let mut all = CustomProperties::default();
        let mut value = |v: &str, important, origin| {
            all.declare("--a", v, important, origin, AT);
            all.declared["--a"].value.clone()
        };
        assert_eq!(value("type", false, Origin::Type), "type");
        assert_eq!(value("root", false, Origin::Root), "root");
        assert_eq!(value("type again", false, Origin::Type), "root");
        assert_eq!(value("root again", false, Origin::Root), "root again");
        assert_eq!(value("attribute", false, Origin::Attribute), "attribute");
        assert_eq!(value("important type", true, Origin::Type), "important type");
        assert_eq!(value("attribute again", false, Origin::Attribute), "important type");
    }

    #[test]
    fn doubling_and_nesting_have_an_end() {
        let doubling: Vec<(String, String)> =
            (0..60).map(|i| (format!("--p{i}"), format!("var(--p{0}) var(--p{0})", i + 1))).collect();
        let mut all: Vec<(&str, &str)> = doubling.iter().map(|(n, v)| (&n[..], &v[..])).collect();
        all.push(("--p60", "xxxxxxxxxxxxxxxx"));
        let too_far = RenderErrorKind::ExpandsTooFar { limit: MOST_BYTES };
        assert_eq!(expand(&all, "var(--p0)").unwrap_err(), too_far);

        let nested = "var(--no,".repeat(100_000);
        assert_eq!(expand(&[], &nested).unwrap_err(), too_far);
    }
}
