//! Comparing image files and folders of them.

mod files;
mod folders;
mod regions;

pub use files::{DiffOutcome, DiffRequest, diff_files};
pub use folders::{DiffSetDocument, DiffSetOutcome, PairDocument, diff_folders};
pub use regions::{NamedBox, RegionsError, read_regions};
