//! `trueup.findings/1`.

use crate::Finding;
use crate::interchange::Document;

/// The interchange document.
#[must_use]
pub fn json(list: &[Finding]) -> String {
    super::sarif::pretty(&Document::of(list))
}
