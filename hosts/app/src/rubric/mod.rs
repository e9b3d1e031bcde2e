//! Rubrics from files, and replies read by them.

mod document;
mod error;
mod find;
mod judged;
mod load;
mod look_up;
mod node;
mod read;
mod show;
mod table;

pub use document::{
    AnchorDocument, AxisDocument, ConditionDocument, OverallDocument, RubricDocument, RubricListDocument,
    RubricSummaryDocument, ScaleDocument,
};
pub use error::RubricFileError;
pub use find::{Found, find_rubric, load_rubric};
pub use look_up::Folder;
pub(crate) use read::read_text;
pub use read::{
    AxisReadingDocument, ConditionReadingDocument, EvidenceDocument, FaultDocument, ReadOutcome, ReadRequest,
    ScorecardDocument, read_reply_file,
};
pub use show::{list_rubrics, show_rubric};
