//! Declarations of CSS custom properties.

use std::ops::Range;

/// The values of all declarations `name: value` in `text`, outside comments.
///
/// A value ends at `;`, `}`, a quote or `<`, whichever comes first outside brackets: that covers stylesheets, style
/// elements and style attributes alike.
pub(crate) fn find(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    if name.is_empty() {
        return spans;
    }
    let mut at = 0;
    while let Some(found) = text[at..].find(name).map(|offset| at + offset) {
        at = found + name.len();
        if let Some(comment_end) = comment_around(text, found) {
            at = comment_end;
            continue;
        }
        let before = text[..found].trim_end().chars().next_back();
        let begins = before.is_none_or(|c| matches!(c, '{' | ';' | '"' | '\'' | '/' | '>'));
        let rest = text[at..].trim_start();
        if begins && rest.starts_with(':') {
            let start = text.len() - rest.len() + 1;
            let end = start + value_length(&text[start..]);
            spans.push(start..end);
            at = end;
        }
    }
    spans
}

/// The end of the comment that `position` lies in, when it lies in one.
fn comment_around(text: &str, position: usize) -> Option<usize> {
    [("/*", "*/"), ("<!--", "-->")].into_iter().find_map(|(open, close)| {
        let start = text[..position].rfind(open)?;
        match text[start..].find(close).map(|offset| start + offset + close.len()) {
            Some(end) if end <= position => None,
            Some(end) => Some(end),
            None => Some(text.len()),
        }
    })
}

fn value_length(text: &str) -> usize {
    let mut depth = 0u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ';' | '}' | '"' | '\'' | '<' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
        find(text, name).into_iter().map(|span| text[span].trim()).collect()
    }

    #[test]
    fn only_declarations_are_found() {
        let css = "/* --brand: red; */ :root { --brand : #2563eb; --brand-2: blue; color: var(--brand) }\
                   .dark{--brand:rgb(1, 2, 3)}";
        assert_eq!(values(css, "--brand"), ["#2563eb", "rgb(1, 2, 3)"]);
        assert_eq!(values(css, "--brand-2"), ["blue"]);
        assert_eq!(values(css, "--missing"), Vec::<&str>::new());
    }

    #[test]
    fn style_elements_and_attributes_are_covered() {
        let svg =
            "<svg style=\"--space: 12px\"><!-- --space: 1px --><style>:root{--radius:8px}</style></svg>";
        assert_eq!(values(svg, "--space"), ["12px"]);
        assert_eq!(values(svg, "--radius"), ["8px"]);
    }

    #[test]
    fn an_unfinished_comment_hides_the_rest() {
        assert_eq!(values("/* --a: 1px", "--a"), Vec::<&str>::new());
        assert_eq!(values("/* x */ --a: 1px", "--a"), ["1px"]);
    }
}
