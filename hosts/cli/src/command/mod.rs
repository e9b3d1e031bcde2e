//! The commands, one file each.

pub(crate) mod diff;
pub(crate) mod run;
