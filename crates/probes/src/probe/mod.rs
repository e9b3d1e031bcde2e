//! The probes, one file per subject.

mod contrast;
mod found;
mod layout;
mod links;
mod pictures;
mod slop;
mod states;
mod structure;
mod table;
mod tells;
mod texts;
mod tokens;
mod typography;

pub use table::{Category, Probe};
