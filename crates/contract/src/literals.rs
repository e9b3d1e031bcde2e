//! The literal gate: where a token belongs, no value may be written out.

use std::collections::{BTreeMap, BTreeSet};

/// Refuses revisions that write a colour or a length out where the design has tokens for them.
///
/// A *literal* is a colour (`#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`) or a length (a number with `px`, `rem` or `em`) that does not stand in
/// the declaration of a custom property (`--name: value`). A revision may move and remove literals; one that has a literal more
/// often than before is refused, unless the value is on the scale.
///
/// ```
/// use trueup_contract::Literals;
///
/// let gate = Literals::new(["4px", "8px"]);
/// let before = ":root { --brand: #123456 } a { color: var(--brand) }";
/// assert!(gate.written(before, ":root { --brand: #654321 } a { color: var(--brand); gap: 8px }").is_empty());
/// assert_eq!(gate.written(before, ":root { --brand: #123456 } a { color: #654321 }"), ["#654321"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    scale: BTreeSet<String>,
}

impl Literals {
    /// A gate that lets the values of a scale through, in any case of letters.
    #[must_use]
    pub fn new<V: Into<String>>(scale: impl IntoIterator<Item = V>) -> Self {
        Self { scale: scale.into_iter().map(|value| value.into().to_ascii_lowercase()).collect() }
    }

    /// The values off the scale that `after` has more often than `before`, in order.
    #[must_use]
    pub fn written(&self, before: &str, after: &str) -> Vec<String> {
        let (before, after) = (counts(before), counts(after));
        let is_new = |(value, count): &(String, usize)| {
            !self.scale.contains(value) && *count > before.get(value).copied().unwrap_or(0)
        };
        after.into_iter().filter(is_new).map(|(value, _)| value).collect()
    }
}

/// How often each literal stands in a text outside declarations of custom properties.
fn counts(text: &str) -> BTreeMap<String, usize> {
    let bytes = text.as_bytes();
    let mut found = BTreeMap::new();
    let mut at = 0;
    while at < bytes.len() {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let starts_word = before.is_none_or(|byte| !is_word(byte));
        if starts_word && bytes[at..].starts_with(b"--") {
            at = after_declaration(bytes, at);
            continue;
        }
        let end = match bytes[at] {
            b'#' => color(bytes, at),
            b'0'..=b'9' | b'.' if starts_word && before != Some(b'#') => length(bytes, at),
            _ => None,
        };
        match end {
            Some(end) => {
                *found.entry(text[at..end].to_ascii_lowercase()).or_insert(0) += 1;
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) || !byte.is_ascii()
}

/// Behind a declaration of a custom property that begins here, or behind its name where none is declared.
fn after_declaration(bytes: &[u8], from: usize) -> usize {
    let name = bytes[from..].iter().take_while(|&&byte| is_word(byte) && byte != b'.').count();
    let end = from + name.max(2);
    let blank = bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if bytes.get(end + blank) != Some(&b':') {
        return end;
    }
    let value = bytes[end..].iter().take_while(|byte| !b";}\"'<".contains(byte)).count();
    end + value
}

/// The end of a colour that begins here.
fn color(bytes: &[u8], from: usize) -> Option<usize> {
    let digits = bytes[from + 1..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let end = from + 1 + digits;
    let ends_word = bytes.get(end).is_none_or(|&byte| !is_word(byte));
    ([3, 4, 6, 8].contains(&digits) && ends_word).then_some(end)
}

/// The end of a length that begins here.
fn length(bytes: &[u8], from: usize) -> Option<usize> {
    let digits = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let unit =
        [&b"px"[..], b"rem", b"em"].into_iter().find(|unit| bytes[from + digits..].starts_with(unit))?;
    let end = from + digits + unit.len();
    let ends_word = bytes.get(end).is_none_or(|&byte| !is_word(byte));
    (ends_word && bytes[from..from + digits].iter().any(u8::is_ascii_digit)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(text: &str) -> Vec<String> {
        Literals::default().written("", text)
    }

    #[test]
    fn colours_and_lengths_are_literals_and_tokens_are_not() {
        assert_eq!(literals("a { color: #FFF; gap: 12px; margin: 0 1.5rem }"), ["#fff", "1.5rem", "12px"]);
        assert_eq!(literals("<rect fill=\"#336699\" width=\"240\"/>"), ["#336699"]);
        for none in [
            ":root { --brand: #fff; --gap: 12px }",
            "a { color: var(--brand); width: 50% }",
            "<use href=\"#icon-12\"/> <a href=\"#fffx\">",
            "a12px { } .b-8px { }",
            "--x:#123456",
            "",
        ] {
            assert!(literals(none).is_empty(), "{none}: {:?}", literals(none));
        }
    }

    #[test]
    fn moving_and_removing_is_allowed_and_more_is_not() {
        let gate = Literals::new(["8px", "#FFF"]);
        let before = "a { gap: 3px } b { color: #fff }";
        assert!(gate.written(before, "b { gap: 3px; color: #fff; margin: 8px }").is_empty());
        assert_eq!(gate.written(before, "a { gap: 3px } b { gap: 3px }"), ["3px"]);
    }
}
