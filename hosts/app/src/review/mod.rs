//! The single pass: roles side by side over one artifact, their findings as one list, and nothing changed.

mod pass;
mod program;
mod protocol;

pub use pass::{ReviewDocument, ReviewOutcome, ReviewRequest, RoleDocument, review_file, role_prompt};
