//! What can be said on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};
use trueup_app::{AreaSource, DiffPicture, MaskSource};
use trueup_pixel_diff::{Antialiasing, MatchLevel, MetricKind};

use crate::preview::Preview;
use crate::progress::Mode as Progress;

/// Drive a rendered design until it measures true, and never lie about it.
///
/// Exit codes: 0 pass or converged, 1 fail or not converged, 2 usage, input or I/O error, 3 undetermined, 4 needs a human,
/// 10 (next only) revise and call again.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    long_about,
    max_term_width = 80,
    after_help = "Examples:\n  trueup diff design.png screenshot.png\n  trueup init && trueup run trueup.toml"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Run),
    Next(Next),
    Diff(Diff),
    Batch(crate::command::batch::Args),
    DeltaE(DeltaE),
    Init(crate::command::init::Args),
    Capture(crate::command::capture::Args),
    #[cfg(feature = "mcp")]
    Mcp(crate::command::mcp::Args),
    Probe(crate::command::probe::Args),
    Completions(crate::command::completions::Args),
    Man(crate::command::completions::Man),
    Report(crate::command::report::Args),
    Judge(crate::command::judge::Args),
    Doctor(crate::command::doctor::Args),
    Rubric(crate::command::rubric::Args),
    Findings(crate::command::findings::Args),
    Log(crate::command::log::Args),
    Review(Box<crate::command::review::Args>),
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document on standard output, for machines.
    Json,
}

/// A person's answer to the question that a run waits with (exit code 4).
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Answering a run that waits for a person")]
pub(crate) struct Answer {
    /// The answer.
    #[arg(long, value_enum)]
    answer: Option<AnswerKind>,

    /// What to look at first from now on.
    #[arg(long, value_name = "TEXT", requires = "answer")]
    focus: Option<String>,

    /// Revisions that are granted beyond those that are left; where none is left, one.
    #[arg(long, value_name = "N", requires = "answer", default_value_t = 0)]
    more_iterations: u32,

    /// Who answers for a design that is taken as it is.
    #[arg(long, value_name = "NAME", required_if_eq("answer", "accept-as-is"))]
    by: Option<String>,
}

/// What may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AnswerKind {
    /// Go on.
    Continue,
    /// Take the best state as it is; this is never converged.
    AcceptAsIs,
    /// Stop, with what stopped the run.
    Abort,
}

impl Answer {
    /// The answer, where one is given.
    pub(crate) fn given(&self) -> Option<trueup_app::Answer> {
        Some(match self.answer? {
            AnswerKind::Continue => trueup_app::Answer::Continue {
                focus: self.focus.clone(),
                more_iterations: self.more_iterations,
            },
            AnswerKind::AcceptAsIs => {
                trueup_app::Answer::AcceptAsIs { by: self.by.clone().unwrap_or_default() }
            }
            AnswerKind::Abort => trueup_app::Answer::Abort,
        })
    }
}

/// What a run starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The artifact is being made: it is revised from what it is.
    #[default]
    Create,
    /// The artifact has drifted: the summary shows where it was before and after.
    Repair,
}

/// Drive a design to its reference: capture, compare, revise, until it measures true.
///
/// The files named in the configuration are revised in place, and end in the best state seen. Everything about the run is
/// kept in a run folder: summary.md first.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup run examples/card/trueup.toml --iteration-cap 4")]
pub(crate) struct Run {
    /// The configuration.
    #[arg(value_name = "TRUEUP.TOML")]
    pub(crate) config: PathBuf,

    /// Revisions at most, 0 to 100; 0 measures only. Anything else takes the default of the preset, and says so.
    #[arg(long, value_name = "N")]
    pub(crate) iteration_cap: Option<String>,

    /// Tolerances, such as color_delta_e=3,strict=false; iteration_cap=N in it is an alias for --iteration-cap.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub(crate) tolerance: Option<String>,

    /// Go on with this run where it stopped, or begin one under this id.
    #[arg(long, value_name = "ID")]
    pub(crate) run_id: Option<String>,

    /// What the run starts from.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) mode: Mode,

    /// Where run folders are kept; runs beside the configuration by default.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,

    /// Print every step, also those that only check.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// How the labels of a step are shown while they are captured and compared, on standard error.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: Progress,

    /// How the result is printed; steps go to standard error for json.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    // Last: its heading would hold for whatever follows.
    #[command(flatten)]
    pub(crate) answer: Answer,
}

/// Say what to revise next, for whoever revises: a person, a script, an agent.
///
/// The first call measures what is there and says what is open. Revise the files and call again: what they hold then is
/// captured and compared, and counts as one revision; where it is no better, the best state is brought back first. Exit code
/// 10 asks for another revision, every other one is that of the run. A call that finds the files unchanged says the same again
/// and counts as nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  while trueup next trueup.toml; [ $? -eq 10 ]; do ./revise; done")]
pub(crate) struct Next {
    /// The configuration.
    #[arg(value_name = "TRUEUP.TOML")]
    pub(crate) config: PathBuf,

    /// The run: calls with one id are one run. Begin another one under another id.
    #[arg(long, value_name = "ID", default_value = "next")]
    pub(crate) run_id: String,

    /// There is nothing to propose, and why: the run ends.
    #[arg(long, value_name = "WHY")]
    pub(crate) give_up: Option<String>,

    /// Revisions at most, as for run; the first call of a run decides.
    #[arg(long, value_name = "N")]
    pub(crate) iteration_cap: Option<String>,

    /// Tolerances, as for run.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub(crate) tolerance: Option<String>,

    /// Where run folders are kept; runs beside the configuration by default.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,

    /// Print every step to standard error, also those that only check.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) answer: Answer,
}

/// Compare two images, two folders of them, or two pages, by what people see: regions, each with its colour difference in
/// CIEDE2000.
///
/// Folders are compared file by file; what only one of them has is reported and fails. Pages (.html files and addresses) are
/// shown in Chromium to their ends, and the elements are named that changed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup diff design.png screenshot.png -o diff.png --tolerance color_delta_e=3\n  \
                  trueup diff design.png screenshot.png --picture heatmap --preview\n  \
                  trueup diff before.html after.html --viewport 375x667 --theme dark",
    group = ArgGroup::new("shown").args(["output", "preview"]).multiple(true)
)]
pub(crate) struct Diff {
    /// The reference image, a folder of them, or a page.
    pub(crate) expected: PathBuf,

    /// What is held against it.
    pub(crate) actual: PathBuf,

    /// How large pages are shown, in CSS pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720")]
    pub(crate) viewport: String,

    /// The theme that pages are asked for.
    #[arg(long, value_enum)]
    pub(crate) theme: Option<Theme>,

    /// Tolerances, such as color_delta_e=3; yiq=10, oklab_hyab=10 or channel=8 with these metrics; pixel=1 lets things move by a
    /// pixel, and excuses nothing else.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub(crate) tolerance: Option<String>,

    /// What is tolerated where no area says otherwise.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) level: Level,

    /// An area with a level of its own, or LEVEL=N:WHERE where things may move by N pixels; WHERE is X,Y,W,H,
    /// polygon(X,Y X,Y X,Y) or a picture whose bright pixels it is; may be given several times, the last one counts.
    #[arg(long, value_name = "LEVEL:WHERE")]
    pub(crate) area: Vec<AreaSource>,

    /// Count every pixel of different value, however small the difference.
    #[arg(long)]
    pub(crate) strict: bool,

    /// The formula of colour difference.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) metric: Metric,

    /// Which differences count as antialiasing, and are not held against the image.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) aa: Aa,

    /// A JSON list of named boxes, [{"name", "x", "y", "width", "height"}, …], for statistics of their own.
    #[arg(long, value_name = "FILE")]
    pub(crate) regions: Option<PathBuf>,

    /// What translucent pixels are compared over.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) backdrop: Backdrop,

    /// An area that is not compared: a rectangle in pixels, or a picture of the size of the images whose bright pixels are
    /// left out; may be given several times.
    #[arg(long, value_name = "X,Y,W,H|FILE")]
    pub(crate) mask: Vec<MaskSource>,

    /// Threads at most; by default as many as the machine has, and one for small images.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// How progress with folders and pages is shown, on standard error.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: Progress,

    /// Write a picture of the difference to this PNG; for folders, one a pair into this folder.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What the picture shows.
    #[arg(long, value_enum, default_value_t, requires = "shown")]
    pub(crate) picture: Picture,

    /// Show the picture in the terminal where the images differ too much; without a value, where the terminal can.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_value = "off",
        default_missing_value = "auto"
    )]
    pub(crate) preview: Preview,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What a picture of a difference shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// The reference dimmed, what differs in red, open regions outlined and numbered.
    #[default]
    Outline,
    /// How much each pixel differs, as a colour of a scale from 0 to ten times the tolerance.
    Heatmap,
}

impl Picture {
    pub(crate) const fn kind(self) -> DiffPicture {
        match self {
            Self::Outline => DiffPicture::Outline,
            Self::Heatmap => DiffPicture::Heatmap,
        }
    }
}

/// A theme that pages are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// What is tolerated, each level all that the one before it tolerates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Nothing: every pixel that differs is open.
    Strict,
    /// Differences of colour within tolerance.
    #[default]
    Color,
    /// That, and a displacement.
    Placement,
    /// That, and any other colour or content; what was added or removed is open.
    Layout,
}

impl Level {
    pub(crate) const fn kind(self) -> MatchLevel {
        match self {
            Self::Strict => MatchLevel::Strict,
            Self::Color => MatchLevel::Color,
            Self::Placement => MatchLevel::Placement,
            Self::Layout => MatchLevel::Layout,
        }
    }
}

/// Which differences count as antialiasing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aa {
    /// Pixels on an edge between two colours whose share of each changed, and nothing else.
    #[default]
    Coverage,
    /// What pixelmatch takes for antialiasing: of version 7 with --metric yiq, else of version 8.
    Pixelmatch,
    /// None: every difference counts.
    Off,
}

impl Aa {
    pub(crate) const fn kind(self, metric: Metric) -> Antialiasing {
        match (self, metric) {
            (Self::Coverage, _) => Antialiasing::Coverage,
            (Self::Pixelmatch, Metric::Yiq) => Antialiasing::Pixelmatch7,
            (Self::Pixelmatch, _) => Antialiasing::Pixelmatch8,
            (Self::Off, _) => Antialiasing::Off,
        }
    }
}

/// What translucent pixels are compared over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backdrop {
    /// Black and white, whichever shows more: what is the same over both is the same over everything.
    #[default]
    Any,
    /// White.
    White,
    /// Black.
    Black,
    /// The pattern of pixelmatch: of version 7 with --metric yiq, else of version 8.
    Pixelmatch,
}

impl Backdrop {
    pub(crate) const fn kind(self, metric: Metric) -> trueup_pixel_diff::Backdrop {
        use trueup_pixel_diff::Backdrop as Kind;
        match (self, metric) {
            (Self::Any, _) => Kind::Any,
            (Self::White, _) => Kind::White,
            (Self::Black, _) => Kind::Black,
            (Self::Pixelmatch, Metric::Yiq) => Kind::Pixelmatch7,
            (Self::Pixelmatch, _) => Kind::Pixelmatch8,
        }
    }
}

/// Say how far two colours are apart.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup delta-e '#fbfcfd' '#f5f5f5'\n  trueup delta-e 'lab(50 2.6772 -79.7751)' 'lab(50 0 -82.7485)'"
)]
pub(crate) struct DeltaE {
    /// A CSS colour, lab(L a b) in CIELAB, or oklab(L a b).
    #[arg(value_name = "COLOR", allow_hyphen_values = true)]
    pub(crate) first: String,

    /// The other colour.
    #[arg(value_name = "COLOR", allow_hyphen_values = true)]
    pub(crate) second: String,

    /// The formula of colour difference.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) metric: Metric,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// A formula of colour difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// CIEDE2000: nearest to what people see; about 1 is just noticeable.
    #[default]
    Ciede2000,
    /// CIE 1994 for graphic arts.
    Cie94,
    /// The Euclidean distance in CIELAB.
    Cie76,
    /// HyAB in OKLab times 100, as pixelmatch 8 decides: its threshold 0.1 is oklab_hyab=10.
    OklabHyab,
    /// YIQ times 100, as pixelmatch 7 and odiff decide: their threshold 0.1 is yiq=10.
    Yiq,
    /// The largest difference of one sample, in levels of 8 bits.
    Channel,
}

impl Metric {
    pub(crate) const fn kind(self) -> MetricKind {
        match self {
            Self::Ciede2000 => MetricKind::Ciede2000,
            Self::Cie94 => MetricKind::Cie94,
            Self::Cie76 => MetricKind::Cie76,
            Self::OklabHyab => MetricKind::OklabHyab,
            Self::Yiq => MetricKind::Yiq,
            Self::Channel => MetricKind::Channel,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
