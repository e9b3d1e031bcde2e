//! As much of CSS as it takes to find rules, declarations and `var()`: strings, comments, escapes and brackets are
//! respected, everything else is left as it stands.

use std::ops::Range;

/// A statement of a style sheet. Ranges are bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// `selector { body }`
    Rule { selector: Range<usize>, body: Range<usize> },
    /// `@name …` with its block or semicolon. Only its name is of interest.
    At { name: Range<usize> },
}

/// `name: value` with the semicolon and space around it. `value` is without `!important`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) whole: Range<usize>,
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) important: bool,
}

/// One `var(…)`. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Var {
    pub(crate) whole: Range<usize>,
    /// What stands before the first comma, trimmed.
    pub(crate) name: Range<usize>,
    /// What stands behind it, if there is one.
    pub(crate) fallback: Option<Range<usize>>,
}

/// The end of the comment, string, escape or character that starts at `at`.
fn next(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let find = |needle: &[u8], from: usize| {
        rest.get(from..)?.windows(needle.len()).position(|w| w == needle).map(|i| from + i + needle.len())
    };
    match rest {
        [b'/', b'*', ..] => at + find(b"*/", 2).unwrap_or(rest.len()),
        [quote @ (b'"' | b'\''), ..] => {
            let mut i = 1;
            while let Some(&byte) = rest.get(i) {
                match byte {
                    b'\\' => i += 2,
                    // An unclosed string ends with its line.
                    b'\n' => break,
                    byte if byte == *quote => return at + i + 1,
                    _ => i += 1,
                }
            }
            at + 1
        }
        [b'\\', _, ..] => at + 2,
        _ => at + 1,
    }
}

/// The first of `stops` at the same depth of brackets, or the end. A closing bracket without an opening one stops too.
fn find_stop(text: &[u8], mut at: usize, end: usize, stops: &[u8]) -> usize {
    let mut depth = 0usize;
    while at < end {
        let byte = text[at];
        if depth == 0 && stops.contains(&byte) {
            return at;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at,
            },
            _ => {}
        }
        at = next(text, at);
    }
    end
}

/// Without space and comments at its ends.
fn trim(text: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end {
        if text[range.start].is_ascii_whitespace() {
            range.start += 1;
        } else if text[range.start..].starts_with(b"/*") {
            range.start = next(text, range.start).min(range.end);
        } else {
            break;
        }
    }
    while range.start < range.end && text[range.end - 1].is_ascii_whitespace() {
        range.end -= 1;
    }
    range
}

/// The statements of a style sheet. What has no block at its end is no statement.
pub(crate) fn statements(sheet: &str) -> Vec<Statement> {
    let text = sheet.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at = trim(text, at..text.len()).start;
        // A stray closing bracket.
        if at < text.len() && matches!(text[at], b'}' | b')' | b']') {
            at += 1;
            continue;
        }
        let is_at_rule = text.get(at) == Some(&b'@');
        let stops: &[u8] = if is_at_rule { b"{;" } else { b"{" };
        let stop = find_stop(text, at, text.len(), stops);
        if is_at_rule {
            let len = text[at + 1..].iter().take_while(|&&b| is_name_byte(b)).count();
            out.push(Statement::At { name: at + 1..at + 1 + len });
        }
        if text.get(stop) != Some(&b'{') {
            at = stop + 1;
            continue;
        }
        let close = find_stop(text, stop + 1, text.len(), b"}");
        if !is_at_rule {
            out.push(Statement::Rule { selector: trim(text, at..stop), body: stop + 1..close });
        }
        at = close + 1;
    }
    out
}

/// The declarations in `range`, which is the body of a rule or a `style` attribute.
pub(crate) fn declarations(sheet: &str, range: Range<usize>) -> Vec<Declaration> {
    let text = sheet.as_bytes();
    let mut out = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let end = find_stop(text, at, range.end, b";").min(range.end);
        let colon = find_stop(text, at, end, b":");
        if colon < end {
            let mut value = trim(text, colon + 1..end);
            let important = strip_important(sheet, &mut value);
            let name = trim(text, at..colon);
            out.push(Declaration { whole: at..(end + 1).min(range.end), name, value, important });
        }
        at = end + 1;
    }
    out
}

fn strip_important(sheet: &str, value: &mut Range<usize>) -> bool {
    let bytes = sheet.as_bytes();
    let word = b"important";
    let Some(start) = value.end.checked_sub(word.len()).filter(|&start| start > value.start) else {
        return false;
    };
    if !bytes[start..value.end].eq_ignore_ascii_case(word) {
        return false;
    }
    let before = trim(bytes, value.start..start);
    if before.is_empty() || bytes[before.end - 1] != b'!' {
        return false;
    }
    *value = trim(bytes, before.start..before.end - 1);
    true
}

/// The outermost `var(…)` in `range`, in order.
pub(crate) fn vars(sheet: &str, range: Range<usize>) -> Vec<Var> {
    let text = sheet.as_bytes();
    let mut out = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if !starts_var(text, at, range.start) {
            at = next(text, at);
            continue;
        }
        let open = at + 4;
        let comma = find_stop(text, open, range.end, b",");
        let has_fallback = text.get(comma) == Some(&b',') && comma < range.end;
        let close = if has_fallback { find_stop(text, comma + 1, range.end, b"") } else { comma };
        out.push(Var {
            // Where the closing bracket is missing, CSS closes it at the end.
            whole: at..(close + 1).min(range.end),
            name: trim(text, open..comma),
            fallback: has_fallback.then(|| trim(text, comma + 1..close)),
        });
        at = close + 1;
    }
    out
}

fn starts_var(text: &[u8], at: usize, start: usize) -> bool {
    let is_var = text.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"var("));
    is_var && (at == start || !is_name_byte(text[at - 1]))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

/// Whether the name is one of a custom property: two dashes, then at least one character of a name.
pub(crate) fn is_custom(name: &str) -> bool {
    name.len() > 2 && name.starts_with("--") && name.bytes().all(|b| is_name_byte(b) || b == b'\\')
}

/// The text without its comments; a space stands for each, as it separates words.
pub(crate) fn without_comments(sheet: &str) -> String {
    let text = sheet.as_bytes();
    let (mut out, mut kept, mut at) = (String::with_capacity(sheet.len()), 0, 0);
    while at < text.len() {
        let end = next(text, at).min(text.len());
        if text[at..].starts_with(b"/*") {
            out.push_str(&sheet[kept..at]);
            out.push(' ');
            kept = end;
        }
        at = end;
    }
    out.push_str(&sheet[kept..]);
    out
}

/// The selectors of a list, trimmed.
pub(crate) fn selectors(list: &str) -> Vec<&str> {
    let text = list.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = find_stop(text, at, text.len(), b",");
        out.push(&list[trim(text, at..end)]);
        at = end + 1;
    }
    out
}

/// The first function of numbers that a browser would evaluate, such as `calc`.
pub(crate) fn math_function(value: &str) -> Option<&'static str> {
    const FUNCTIONS: [&str; 4] = ["calc(", "min(", "max(", "clamp("];
    let text = value.as_bytes();
    let mut at = 0;
    while at < text.len() {
        if at == 0 || !is_name_byte(text[at - 1]) {
            for function in FUNCTIONS {
                let word = text.get(at..at + function.len());
                if word.is_some_and(|word| word.eq_ignore_ascii_case(function.as_bytes())) {
                    return Some(&function[..function.len() - 1]);
                }
            }
        }
        at = next(text, at);
    }
    None
}

/// The value with `units` taken off its numbers.
pub(crate) fn without_units(value: &str, units: &[&str]) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(first) = rest.chars().next() {
        // A name such as `translate3d` ends in no number.
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if first.is_alphabetic() {
            out.push_str(&rest[..word]);
            rest = &rest[word..];
            continue;
        }
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        if number == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        out.push_str(&rest[..number]);
        rest = &rest[number..];
        for unit in units {
            let tail = rest.get(unit.len()..);
            let matches = rest.get(..unit.len()).is_some_and(|word| word.eq_ignore_ascii_case(unit));
            if let Some(tail) = tail.filter(|tail| matches && !tail.starts_with(char::is_alphanumeric)) {
                rest = tail;
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(sheet: &str) -> Vec<(&str, &str)> {
        let rules = statements(sheet).into_iter().filter_map(|statement| match statement {
            Statement::Rule { selector, body } => Some((&sheet[selector], &sheet[body])),
            Statement::At { .. } => None,
        });
        rules.collect()
    }

    fn pairs(body: &str) -> Vec<(&str, &str, bool)> {
        let all = declarations(body, 0..body.len());
        all.into_iter().map(|d| (&body[d.name], &body[d.value], d.important)).collect()
    }

    #[test]
    fn rules_are_found_around_comments_strings_and_at_rules() {
        let sheet = "/* a{b:c} */ :root, svg { --a: '}'; }\n@media print { svg { --a: 2 } } @import 'x;y';\n\
                     .a > b{fill:red}";
        assert_eq!(rules(sheet), [(":root, svg", " --a: '}'; "), (".a > b", "fill:red")]);
        let names: Vec<&str> = statements(sheet)
            .into_iter()
            .filter_map(|s| match s {
                Statement::At { name } => Some(&sheet[name]),
                Statement::Rule { .. } => None,
            })
            .collect();
        assert_eq!(names, ["media", "import"]);
    }

    #[test]
    fn a_rule_that_is_not_closed_reaches_to_the_end() {
        assert_eq!(rules("a { b: c"), [("a", " b: c")]);
        assert_eq!(rules("a b c"), []);
        assert_eq!(rules("} } a{}"), [("a", "")]);
        assert_eq!(rules(""), []);
    }

    #[test]
    fn declarations_are_split_at_their_own_semicolons() {
        assert_eq!(
            pairs("--a: url(a;b) ; fill : \"x;y\" !important;; stroke:/* c */red!IMPORTANT"),
            [("--a", "url(a;b)", false), ("fill", "\"x;y\"", true), ("stroke", "red", true)]
        );
        assert_eq!(pairs("--empty:;--b:  "), [("--empty", "", false), ("--b", "", false)]);
        assert_eq!(pairs("no colon; a:b"), [("a", "b", false)]);
    }

    #[test]
    fn vars_are_found_outside_of_strings() {
        let text = "a var(--b) 'var(--c)' VAR( --d , x(1,2) var(--e)) myvar(--f) var(--g";
        let found: Vec<_> = vars(text, 0..text.len())
            .into_iter()
            .map(|v| (&text[v.whole], &text[v.name], v.fallback.map(|f| &text[f])))
            .collect();
        assert_eq!(
            found,
            [
                ("var(--b)", "--b", None),
                ("VAR( --d , x(1,2) var(--e))", "--d", Some("x(1,2) var(--e)")),
                ("var(--g", "--g", None),
            ]
        );
    }

    #[test]
    fn an_apostrophe_that_opens_no_string_hides_nothing() {
        let text = "don't var(--b)";
        assert_eq!(vars(text, 0..text.len()).len(), 1);
    }

    #[test]
    fn units_come_off_numbers_only() {
        let off = |value| without_units(value, &["px", "deg"]);
        assert_eq!(off("translate(0px, -16.5px) rotate(45DEG)"), "translate(0, -16.5) rotate(45)");
        assert_eq!(off("translate3d(1px)"), "translate3d(1)");
        assert_eq!(off("M1 2px3"), "M1 2px3");
        assert_eq!(off("10pxy 10em px"), "10pxy 10em px");
    }

    #[test]
    fn comments_go_and_lists_are_split() {
        assert_eq!(without_comments("a/* b */c '/* d */' /*"), "a c '/* d */'  ");
        assert_eq!(selectors(":root, .a:is(b, c) ,svg"), [":root", ".a:is(b, c)", "svg"]);
    }

    #[test]
    fn functions_of_numbers_are_seen() {
        assert_eq!(math_function("translate(0, calc(1px + 2px))"), Some("calc"));
        assert_eq!(math_function("mycalc(1)"), None);
        assert_eq!(math_function("'calc(1)'"), None);
    }
}
