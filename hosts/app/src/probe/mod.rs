//! Deterministic evidence from rendered pages.

mod browse;
mod document;
mod expect;
mod pages;

pub use document::{ProbeDocument, ProbedPageDocument, ProbesDocument};
pub use pages::{ProbeOutcome, ProbeRequest, collecting_script, probe};

pub(crate) use document::{read_conditions, read_findings};
