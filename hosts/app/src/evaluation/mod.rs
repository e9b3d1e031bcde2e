//! Verdicts that are kept, so that quality can be audited over time.

mod calibrate;
mod keep;
mod log;
mod request;
mod sink;

pub use calibrate::{CalibrationAxisDocument, CalibrationDocument, CalibrationOutcome, calibrate_replies};
pub use keep::{EvaluationDocument, Kept, Stamp, keep_evaluation};
pub use log::{LogDocument, LogEntry, read_log};
pub use request::{JudgeRequestDocument, PromptRequest, judge_request};
pub(crate) use sink::KeepsVerdicts;
