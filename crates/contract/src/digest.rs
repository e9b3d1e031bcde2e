//! Content hashes.

use std::fmt;

use sha2::Digest as _;

/// A SHA-256 hash, for naming content and for chaining records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of nothing at all: where a chain begins.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash of named parts.
    ///
    /// Lengths enter the hash, so moving a byte from one part to its neighbour changes it.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut hasher = sha2::Sha256::new();
        for (name, content) in parts {
            for piece in [name.as_bytes(), content] {
                hasher.update((piece.len() as u64).to_le_bytes());
                hasher.update(piece);
            }
        }
        Self(hasher.finalize().into())
    }

    /// The hash of `content` after `self`: one link of a chain.
    #[must_use]
    pub fn chain(self, content: &[u8]) -> Self {
        let mut hasher = sha2::Sha256::new();
        hasher.update(self.0);
        hasher.update(content);
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for Digest {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_byte_between_parts_changes_the_hash() {
        let a = Digest::of_parts([("a", &b"xy"[..]), ("b", b"z")]);
        let b = Digest::of_parts([("a", &b"x"[..]), ("b", b"yz")]);
        assert_ne!(a, b);
        assert_eq!(a.to_string().len(), 64);
    }

    #[test]
    fn the_chain_is_sha256() {
        // SHA-256 of 32 zero bytes, as any other implementation gives it.
        let known = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        assert_eq!(Digest::ZERO.chain(b"").to_string(), known);
    }
}
