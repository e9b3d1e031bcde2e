//! Comparing image files and folders of them.

mod files;
mod folders;
mod masks;
mod regions;

pub use files::{DiffOutcome, DiffRequest, diff_files};
pub(crate) use folders::images;
pub use folders::{DiffSetDocument, DiffSetOutcome, PairDocument, diff_folders};
pub use masks::{MaskSource, MaskTextError};
pub use regions::{NamedBox, RegionsError, read_regions};
