//! A key, and taking it out of what is kept.

/// What stands where a key stood.
const REDACTED: &str = "[redacted]";

/// A key that was read from the environment. It has no `Debug` and no `Display`, and lives as long as a call.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// The key, unless it is no text that can stand in a header.
    pub(crate) fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        let is_plain = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
        is_plain.then(|| Self(value.to_owned()))
    }

    /// The key itself, for the header that it goes into.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

/// Takes a key out of a text, also where it stands as part of JSON or of an address.
pub(crate) fn redact(text: &str, secret: Option<&Secret>) -> String {
    let Some(Secret(value)) = secret else { return text.to_owned() };
    let mut text = text.replace(value.as_str(), REDACTED);
    for other in [escaped(value), encoded(value)] {
        if other != *value {
            text = text.replace(&other, REDACTED);
        }
    }
    text
}

/// As it stands in a JSON text.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// As it stands in an address.
fn encoded(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_however_it_is_written() {
        let key = Secret::new(" sk-a/\"b\n").unwrap();
        let text = r#"sk-a/"b and {"key": "sk-a/\"b"} and ?key=sk-a%2F%22b"#;
        let redacted = redact(text, Some(&key));
        assert_eq!(redacted, r#"[redacted] and {"key": "[redacted]"} and ?key=[redacted]"#);
        assert_eq!(redact(text, None), text);
    }

    #[test]
    fn what_cannot_stand_in_a_header_is_no_key() {
        for bad in ["", "  ", "a b", "ä", "a\u{7f}"] {
            assert!(Secret::new(bad).is_none(), "{bad:?}");
        }
    }
}
