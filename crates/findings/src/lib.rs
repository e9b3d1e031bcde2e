//! What was found, by whom, what shows it, and how to mend it.
//!
//! - [`Finding`] is one finding: severity apart from confidence, where it is, expected and actual, impact, fix, evidence.
//! - [`Findings`] merges lists of them: duplicates become one, near-duplicates are proposed, and the order in which lists
//!   come makes no difference.
//! - [`Rounds`] tells new from persisting, fixed and regressed.
//! - [`emit`] writes them, for people and for other tools; [`document`] writes the documents of an evaluation.
//!
//! ```
//! use trueup_findings::{Finding, Findings, Location, Severity};
//!
//! let found = |severity, finder| {
//!     Finding::new("F1", "the owner comes from the client", severity)
//!         .at(Location::item("api-storage-router"))
//!         .caused_by("creatorId is taken from the request")
//!         .found_also_by(finder)
//! };
//! let merged = Findings::of([found(Severity::Minor, "generator")])
//!     .merge(Findings::of([found(Severity::Blocking, "evaluator")]));
//! let list = merged.list();
//! assert_eq!((list.len(), list[0].severity()), (1, Severity::Blocking));
//! assert_eq!(list[0].found_by().collect::<Vec<_>>(), ["evaluator", "generator"]);
//! ```
//!
//! # Features
//!
//! - `json`: `read`, and the emitters that write JSON.

mod class;
pub mod document;
pub mod emit;
mod evidence;
mod finding;
mod fingerprint;
#[cfg(feature = "json")]
mod interchange;
mod location;
mod merge;
mod rounds;
mod severity;
#[cfg(feature = "proptest")]
mod strategy;

pub use class::FailureClass;
pub use evidence::{Evidence, EvidenceKind};
pub use finding::Finding;
pub use fingerprint::{Fingerprint, ParseFingerprintError};
#[cfg(feature = "json")]
pub use interchange::{ReadError, read};
pub use location::Location;
pub use merge::{Counts, Findings, NearDuplicate};
pub use rounds::{RoundDiff, Rounds};
pub use severity::{Severity, Status};
