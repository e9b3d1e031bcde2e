//! What was found, by whom, and what shows it.
//!
//! - [`Evidence`] says where to look, so that a claim can be checked.
//! - [`Fingerprint`] names content.

mod evidence;
mod fingerprint;

pub use evidence::{Evidence, EvidenceKind};
pub use fingerprint::{Fingerprint, ParseFingerprintError};
