//! `trueup.toml`, and the use cases that the command and the servers share.
//!
//! This is the only place that names every adapter. [`load`] reads and checks a configuration, [`run`] drives it, [`next`] has its caller revise,
//! [`diff_files`] compares two images, [`diff_pages`] two pages, [`delta_e`] two colours. Nothing here writes to a terminal.

mod batch;
mod capture;
mod color;
mod config;
mod diff;
mod doctor;
mod error;
mod evaluation;
mod findings;
mod init;
mod judge;
mod next;
mod number;
mod panel;
mod probe;
mod progress;
mod report;
mod review;
mod rubric;
mod run;
mod run_folder;
mod runs;
mod runtime;

pub use batch::{BatchDocument, BatchEntry, BatchError, BatchOutcome, BatchRequest, BatchSource, batch};
pub use capture::capture;
pub use color::{ColorError, DeltaEDocument, LabDocument, delta_e};
pub use config::{Config, ConfigError, ConfigErrorKind, Position, load};
pub use diff::{
    AreaPlace, AreaSource, AreaTextError, ChangedElementDocument, DiffOutcome, DiffPicture, DiffRequest,
    DiffSetDocument, DiffSetOutcome, ElementBoxDocument, GroupDocument, MaskSource, MaskTextError,
    MemberDocument, NamedBox, PageDiffDocument, PageDiffOutcome, PageView, PairDocument, RegionsError,
    StyleChangeDocument, TextChangeDocument, diff_files, diff_folders, diff_pages, is_page, read_regions,
};
pub use doctor::{CheckDocument, DoctorDocument, doctor};
pub use error::{AppError, AppErrorKind};
pub use evaluation::{
    CalibrationAxisDocument, CalibrationDocument, CalibrationOutcome, EvaluationDocument,
    JudgeRequestDocument, Kept, LogDocument, LogEntry, PromptRequest, Stamp, calibrate_replies,
    judge_request, keep_evaluation, read_log,
};
pub use findings::{
    Compared, FindingsDiffDocument, FindingsFileError, FindingsFormat, Merged, compare_findings, format_diff,
    format_findings, merge_findings, read_findings,
};
pub use init::{InitOutcome, init};
pub use judge::{
    JudgeDocument, JudgeOutcome, JudgedAxisDocument, JudgedDocument, MeasuredLabelDocument, judge,
};
pub use next::{NextDocument, NextOutcome, OpenDocument, ReviseDocument, SwatchDocument, next};
pub use number::Number;
pub use probe::{
    ProbeDocument, ProbeOutcome, ProbeRequest, ProbedPageDocument, ProbesDocument, collecting_script, probe,
};
pub use progress::{Finished, Told, nobody};
pub use report::{ReportOptions, report};
pub use review::{ReviewDocument, ReviewOutcome, ReviewRequest, RoleDocument, review_file, role_prompt};
pub use rubric::{
    AnchorDocument, AxisDocument, AxisReadingDocument, ConditionDocument, ConditionReadingDocument,
    EvidenceDocument, FaultDocument, Folder, Found, OverallDocument, ReadOutcome, ReadRequest,
    RubricDocument, RubricFileError, RubricListDocument, RubricSummaryDocument, ScaleDocument,
    ScorecardDocument, find_rubric, list_rubrics, load_rubric, read_reply_file, show_rubric,
};
pub use run::{Mode, ResidualDocument, RunDocument, RunOptions, RunOutcome, run};
pub use runtime::TokioRuntime;
#[doc(no_inline)]
pub use trueup_compare_pixel::{BoxDocument, DiffDocument, RegionDocument};
#[doc(no_inline)]
pub use trueup_contract::{Answer, AnswerKind};
#[doc(no_inline)]
pub use trueup_findings::EvidenceKind;
#[doc(no_inline)]
pub use trueup_probes::Genre;
#[doc(no_inline)]
pub use trueup_rubric::request::{ArtifactKind, Role};
