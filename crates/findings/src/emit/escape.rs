//! What must not stand raw in a format.

use std::fmt::Write as _;

/// A text inside one line of Markdown: no line break, no mark-up of its own, no table border.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for character in word.chars() {
            if matches!(character, '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '#') {
                out.push('\\');
            }
            if !character.is_control() {
                out.push(character);
            }
        }
    }
    out
}

/// A text or an attribute of XML 1.0. Characters that XML cannot hold at all are shown as `\u{…}`.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Kept as they are in an attribute only when written so.
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                let _infallible = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

/// A path as a relative URI: everything but unreserved characters and slashes in percent.
#[cfg(feature = "json")]
pub(super) fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _infallible = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A text on a terminal: one line, and no control character that could move the cursor.
pub(super) fn terminal(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|character| !character.is_control()).collect())
        .collect();
    words.join(" ")
}
