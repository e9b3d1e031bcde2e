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
pub use files::{DiffOutcome, DiffRequest, diff_files};
pub(crate) use folders::images;
pub use folders::{
    DiffSetDocument, DiffSetOutcome, GroupDocument, MemberDocument, PairDocument, diff_folders,
};
pub use masks::{MaskSource, MaskTextError};
pub use pages::{PageDiffDocument, PageDiffOutcome, PageView, diff_pages, is_page};
pub use regions::{NamedBox, RegionsError, read_regions};
