//! Files of findings: read, merged, compared and written.

mod error;
mod files;
mod regions;
mod write;

pub use error::FindingsFileError;
pub use files::{Compared, Merged, compare_findings, merge_findings, read_findings};
pub(crate) use write::json_list;
pub use write::{FindingsDiffDocument, FindingsFormat, format_diff, format_findings};
