//! Any port of a loop as a child process, in any language.
//!
//! A [`Program`] is started for each call. It reads one JSON request from its standard input and answers with one JSON
//! reply on its standard output; what it writes to standard error is kept for when something goes wrong. The protocol is
//! described in `docs/protocol.md`.
//!
//! | port | filled by |
//! |---|---|
//! | [`Judge`](trueup_ports::Judge) | [`CommandJudge`] |
//! | [`Reviser`](trueup_ports::Reviser) | [`CommandReviser`] |
//! | [`Capturer`](trueup_ports::Capturer) | [`CommandCapturer`] |
//! | [`Comparer`](trueup_ports::Comparer) | [`CommandComparer`] |
//!
//! # What a child cannot do
//!
//! - **Touch the artifact.** It works on a copy in a folder of its own that is gone afterwards. Only parts that the artifact
//!   has come back, never through a link, never from outside the copy.
//! - **Hang or flood.** A call that takes too long, prints too much, or is called off ends with its whole process group killed.
//! - **Know what it was not given.** Its environment is empty but for an allow-list, and the values of variables that hold secrets
//!   are taken out of everything that is kept of its output.
//! - **Pass for something it is not.** A reply that cannot be read, answers for another state, or names what was not asked is
//!   a fault, never a low score or an empty success.
//!
//! Children are run on Unix systems; elsewhere every call is a fault of kind `Unavailable` that says so.

mod capturer;
mod comparer;
mod exchange;
mod judge;
mod program;
mod redact;
mod reviser;
mod scratch;
#[cfg(unix)]
mod unix;
mod wire;

pub use capturer::CommandCapturer;
pub use comparer::CommandComparer;
pub use judge::CommandJudge;
pub use program::Program;
pub use reviser::{CommandReviser, Edits};
