//! Names by content.

use std::fmt;
use std::str::FromStr;

use sha2::Digest as _;

/// A SHA-256 hash that names something by its content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The plain SHA-256 of the bytes, as any other tool computes it.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The hash of named parts. Lengths enter it, so moving a byte from one part to its neighbour changes it.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut hasher = sha2::Sha256::new();
        for (name, content) in parts {
            for piece in [name, content] {
                hasher.update((piece.len() as u64).to_le_bytes());
                hasher.update(piece);
            }
        }
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFingerprintError {
    text: String,
}

impl fmt::Display for ParseFingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no fingerprint: expected 64 hexadecimal digits", self.text)
    }
}

impl std::error::Error for ParseFingerprintError {}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseFingerprintError { text: text.to_owned() };
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| error())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| error())?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_bytes_is_plain_sha256() {
        let known = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Fingerprint::of_bytes(b"").to_string(), known);
    }

    #[test]
    fn moving_a_byte_between_parts_changes_it_and_text_goes_both_ways() {
        let a = Fingerprint::of_parts([("a", "xy"), ("b", "z")]);
        assert_ne!(a, Fingerprint::of_parts([("a", "x"), ("b", "yz")]));
        assert_eq!(a.to_string().parse(), Ok(a));
        assert!("12".parse::<Fingerprint>().is_err());
        assert!("é".repeat(32).parse::<Fingerprint>().is_err(), "64 bytes that are no digits");
    }
}
