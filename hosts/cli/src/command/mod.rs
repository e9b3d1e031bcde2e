//! The commands, one file each.

pub(crate) mod batch;
pub(crate) mod capture;
pub(crate) mod completions;
pub(crate) mod delta_e;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod findings;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod log;
pub(crate) mod next;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod rubric;
pub(crate) mod run;
