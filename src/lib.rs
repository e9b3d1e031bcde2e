//! Drive any rendered design until it measures true, and never lie about it.
//!
//! `trueup` takes a reference design, something that renders, and something that can revise it, and drives
//! **capture → compare → judge → revise** until the rendering measures true, or until it can say honestly why it does
//! not. This crate is the facade over the library; each module re-exports one crate.
//!
//! | module | what it is |
//! |---|---|
//! | [`score`] | exact scores, scales with a direction, three-valued truth |
//! | [`frame`] | sizes, boxes, pixel views and frames |
//! | [`pixel_diff`] | the image diff core: CIEDE2000 per region |
//! | [`codec`] | reading image files in bands, writing PNG |
//! | [`findings`] | what was found, and what shows it |
//! | [`probes`] | what can be measured on a rendered page |
//! | [`rubric`] | rubrics, replies read by them, and verdicts |
//! | [`contract`] | plans, measurements, limits, detectors, stops |
//! | [`loop_core`] | the pure engine |
//! | [`ports`] | the traits by which a loop reaches the world |
//! | [`driver`] | runs an engine against ports |
//!
//! Two images in two lines:
//!
//! ```
//! # use trueup::frame::{ImageView, PixelFormat, Size};
//! # use trueup::pixel_diff::{Options, diff};
//! # let (a, b) = ([200; 300], [190; 300]);
//! # let expected = ImageView::packed(&a, Size::new(10, 10), PixelFormat::Rgb8)?;
//! # let actual = ImageView::packed(&b, Size::new(10, 10), PixelFormat::Rgb8)?;
//! let found = diff(&expected, &actual, &Options::default())?;
//! assert_eq!(found.open_regions().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A loop by hand stands at [`loop_core`]; one that is driven, at [`driver`]. `examples/` has both as programs.

/// Reading image files in bands, and writing PNG.
pub mod codec {
    #[doc(inline)]
    pub use trueup_codec::{
        Band, CodecError, CodecErrorKind, Decoded, FileFormat, Header, Limits, Lockstep, Note, Orientation,
        PairBand, Rows, Side, decode, encode_png, open,
    };
}

/// What a loop must keep, reach and stop at, as values.
pub mod contract {
    #[doc(inline)]
    pub use trueup_contract::{
        Acceptance, Answer, AnswerKind, Approach, Breach, Budget, Channel, Color, ContractError,
        ContractErrorKind, ContractNeed, Criterion, CriterionStatus, DeltaId, Detector, Digest,
        EveryIterationIsRecorded, ExcusedRegion, Excuses, Exhaust, Exit, FaultKind, Feature, FeatureError,
        FeatureErrorKind, FeatureSheet, FindingKey, FindingKeyError, Gate, GeneratorSide, HarnessLevel, Held,
        History, IdError, Invariant, Iteration, IterationKind, JudgeSide, Judged, Judgement, Label,
        LabelMeasurement, LabelName, LabelReadiness, LabelReading, Ladder, Limit, LimitRange, LimitSource,
        Limits, Literals, LoopContract, Measure, Measurement, Merit, MoaiError, MoaiErrorKind, MoaiSettings,
        Negotiation, NegotiationRound, NothingBeyondItsLimit, OpenRegion, ParseApproachError, ParseStopError,
        Passage, Plan, PlanError, PlanErrorKind, Preset, Progress, Question, RegionClass, RegionJudgement,
        RegionSeen, Said, Side, SkipClass, Spent, SprintContract, SprintError, SprintErrorKind, StateId,
        Stop, StopClass, Swatch, Terminate, TestScenario, Usage, Value, View, Viewport, all, any, latched,
    };
}

/// Runs an engine against its ports.
pub mod driver {
    #[doc(inline)]
    pub use trueup_driver::{
        Assignment, Content, DriveError, DriveErrorKind, Driver, Entry, FileArtifact, FileArtifactError,
        FileJournal, Header, Journal, JournalError, JournalErrorKind, LabelDone, Next, Observer,
        ParseSignalError, ParseStatusError, Ports, Projection, Report, RunFolder, RunLock, RunLockError,
        RunSpec, Signal, Sink, StatusBlock, Timeouts,
    };
}

/// What was found, and what shows it.
pub mod findings {
    #[doc(inline)]
    pub use trueup_findings::{
        Counts, Evidence, EvidenceKind, FailureClass, Finding, Findings, Fingerprint, Location,
        NearDuplicate, ParseFingerprintError, RoundDiff, Rounds, Severity, Status, document, emit,
    };
}

/// Sizes, boxes, pixel views and frames.
pub mod frame {
    #[doc(inline)]
    pub use trueup_frame::{
        Alpha, ColorSpace, Frame, ImageView, PixelFormat, PixelRatio, Rect, Size, ViewError, ViewErrorKind,
    };
}

/// The pure engine of a convergence loop.
pub mod loop_core {
    #[doc(inline)]
    pub use trueup_loop_core::{
        Applied, Attempt, Best, Budget, Charge, Command, Engine, Event, JudgeWhy, Node, Note, Outcome,
        PortFault, ProtocolError, ProtocolErrorKind, Rank, Record, Rejection, RestoreError, Rung, Spent,
        Split, Step, TrialReading,
    };
}

/// The image diff core.
pub mod pixel_diff {
    #[doc(inline)]
    pub use trueup_pixel_diff::{
        Antialiasing, Backdrop, BitMask, BoxDiff, Channel, Cie76, Cie94, Ciede2000, DeltaE, DeltaMap, Diff,
        DiffError, DiffErrorKind, Differ, Histogram, HistogramBin, Lab, Layout, Level, Mask, Metric,
        MetricKind, OklabHyab, Options, Reference, Region, RegionKind, Scan, Side, SizeMismatch, Tolerance,
        Window, Yiq, delta_e, diff,
    };
}

/// The traits by which a loop reaches the world.
pub mod ports {
    #[doc(inline)]
    pub use trueup_ports::{
        Artifact, Brief, CancelToken, Capture, CaptureRequest, Capturer, CompareRequest, Comparer,
        Comparison, Cx, Element, Fault, Ground, Human, JournalStore, Judge, JudgeRequest, KnownRegion, Lines,
        Listener, Picture, PictureKind, Pixels, PrepareRequest, Put, Reads, ReviseRequest, Reviser, Revision,
        Runtime, Snapshot, TrialBench, TrialError, TrialErrorKind, Trials,
    };
}

/// What can be measured on a rendered page.
pub mod probes {
    #[doc(inline)]
    pub use trueup_probes::{
        Action, Bounds, Category, Color, Copy, Declaration, Element, Expectations, Extent, Genre, Hsl,
        Outcome, Page, Paint, Probe, Reading, Report, Scan, Style, Token, Violation,
    };
}

/// Rubrics, the reader of judges' replies, scorecards and verdicts.
pub mod rubric {
    #[doc(inline)]
    pub use trueup_rubric::{
        Aggregation, Anchor, Axis, AxisReply, AxisVerdict, Baseline, Circumstances, Condition,
        ConditionReply, Effect, Exhibits, Fault, FaultKind, Flag, LookUp, Lookup, NoLookUp, Observation,
        Overall, ReadOptions, Reading, Reply, Requirements, Rubric, RubricError, RubricErrorKind, Scorecard,
        Settled, Stated, Verdict, look_up_in, observe, panel, preset, read_reply, request,
    };
}

/// Exact scores, scales with a direction, and three-valued truth.
pub mod score {
    #[doc(inline)]
    pub use trueup_score::{
        Better, ParsePointsError, ParsePointsErrorKind, ParseTruthError, Points, Ratio, Scale, ScaleError,
        ScaleErrorKind, Tenths, Truth,
    };
}
