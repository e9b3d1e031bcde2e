//! Comparing image files and folders of them.

mod areas;
mod files;
mod folders;
mod masks;
mod regions;

pub use areas::{AreaPlace, AreaSource, AreaTextError};
pub use files::{DiffOutcome, DiffRequest, diff_files};
pub(crate) use folders::images;
pub use folders::{
    DiffSetDocument, DiffSetOutcome, GroupDocument, MemberDocument, PairDocument, diff_folders,
};
pub use masks::{MaskSource, MaskTextError};
pub use regions::{NamedBox, RegionsError, read_regions};
