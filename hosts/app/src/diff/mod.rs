//! Comparing image files, folders of them, and pages.

mod areas;
mod elements;
mod files;
mod folders;
mod masks;
mod pages;
mod regions;

pub use areas::{AreaPlace, AreaSource, AreaTextError};
pub use elements::{ChangedElementDocument, ElementBoxDocument, StyleChangeDocument, TextChangeDocument};
pub use files::{DiffOutcome, DiffPicture, DiffRequest, diff_files};
pub use folders::{
    DiffSetDocument, DiffSetOutcome, GroupDocument, MemberDocument, PairDocument, diff_folders,
};
pub(crate) use folders::{files_below, images, slashed};
pub use masks::{MaskSource, MaskTextError};
pub use pages::{PageDiffDocument, PageDiffOutcome, PageView, diff_pages, is_page};
pub use regions::{NamedBox, RegionsError, read_regions};
