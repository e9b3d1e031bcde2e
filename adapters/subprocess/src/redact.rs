//! Taking secrets out of what is kept.

use std::ffi::OsString;

/// What stands where a secret stood.
const REDACTED: &str = "[redacted]";

/// Shorter values are not taken for secrets: they would make holes in plain text.
const LEAST: usize = 6;

/// Takes the values of variables that hold secrets out of a text. A variable does by its name.
pub(crate) fn redact(text: &str, environment: &[(OsString, OsString)]) -> String {
    let mut secrets: Vec<&str> = environment
        .iter()
        .filter(|(name, _)| is_secret(&name.to_string_lossy()))
        .filter_map(|(_, value)| value.to_str())
        .filter(|value| value.len() >= LEAST)
        .collect();
    // The longest first, so that no secret is left half because another one is part of it.
    secrets.sort_unstable_by_key(|value| std::cmp::Reverse(value.len()));
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED))
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH"]
        .iter()
        .any(|mark| name.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_the_name_of_their_variable() {
        let environment = [
            ("MODEL_API_KEY", "sk-123456"),
            ("GH_TOKEN", "sk-123456-and-more"),
            ("LANG", "en_US.UTF-8"),
            ("SHORT_KEY", "abc"),
        ];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        assert_eq!(
            redact("key=sk-123456 token=sk-123456-and-more lang=en_US.UTF-8 abc", &environment),
            "key=[redacted] token=[redacted] lang=en_US.UTF-8 abc"
        );
    }
}
