//! The documents of the protocol: frozen structures of their own.

mod capture;
mod compare;
mod judge;
mod parts;
mod revise;

pub(crate) use capture::{CaptureBody, CaptureReply};
pub(crate) use compare::{CompareBody, CompareReply, PrepareBody, PrepareReply, RegionReply};
pub(crate) use judge::{JudgeBody, JudgeExtras};
pub(crate) use parts::{CapturedLabel, Request};
pub(crate) use revise::{PartReply, ReviseBody, ReviseReply};
