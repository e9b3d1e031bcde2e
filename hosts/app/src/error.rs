//! Why a use case could not be carried out at all.

use std::fmt;
use std::io;
use std::path::PathBuf;

use trueup_codec::CodecError;
use trueup_compare_pixel::{CompareError, ToleranceError};
use trueup_contract::Stop;
use trueup_driver::{DriveError, FileArtifactError, RunLockError};
use trueup_frame::Size;
use trueup_ports::Fault;

use crate::{BatchError, ColorError, ConfigError, FindingsFileError, RegionsError, RubricFileError};

/// A use case could not be carried out. The text says what, why, and what to do.
#[derive(Debug)]
pub struct AppError {
    kind: AppErrorKind,
}

/// Why a use case could not be carried out.
#[derive(Debug)]
#[non_exhaustive]
pub enum AppErrorKind {
    /// The configuration cannot be used.
    Config(ConfigError),
    /// A rubric's file, name or floor cannot be used.
    Rubric(RubricFileError),
    /// A request would show a judge what it may not see.
    Prompt(trueup_rubric::request::PromptError),
    /// A file of findings cannot be used.
    Findings(FindingsFileError),
    /// A tolerance list cannot be used.
    Tolerance(ToleranceError),
    /// An area names elements, and files have none.
    ElementsOfFile,
    /// A text is no colour that can be compared.
    Color(ColorError),
    /// A file of boxes cannot be used.
    Regions(RegionsError),
    /// The artifact's files cannot be what the configuration says.
    Artifact(FileArtifactError),
    /// A run id cannot be a folder's name.
    RunId {
        /// The id.
        id: String,
    },
    /// A file cannot be read or written.
    File {
        /// What was to be done with it: `read` or `written`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A path is a folder and should be a file.
    Folder {
        /// The path.
        path: PathBuf,
    },
    /// What was to be written would take the place of an image that is compared.
    Overwrites {
        /// The file.
        path: PathBuf,
    },
    /// A file was written while it was compared.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The run folder cannot be locked.
    Lock(RunLockError),
    /// The run could not be driven.
    Drive {
        /// The run folder.
        folder: PathBuf,
        /// Why not.
        source: DriveError,
    },
    /// Two images cannot be compared.
    Compare {
        /// The image that is to blame, when one is.
        path: Option<PathBuf>,
        /// Why not.
        source: CompareError,
    },
    /// A drawing of masks cannot be read.
    Mask {
        /// The drawing.
        path: PathBuf,
        /// Why not.
        source: CodecError,
    },
    /// A drawing of masks has the size of neither image.
    MaskSize {
        /// The drawing.
        path: PathBuf,
        /// Its size.
        size: Size,
        /// Those of the images.
        sizes: [Size; 2],
    },
    /// A port failed where nothing can be said without it.
    Port {
        /// Which one.
        port: &'static str,
        /// How.
        fault: Fault,
    },
    /// There is a configuration already.
    ConfigExists {
        /// The configuration.
        path: PathBuf,
    },
    /// A folder has nothing that a configuration could be made of.
    NothingToInit {
        /// The folder.
        folder: PathBuf,
    },
    /// No drawing in a folder has a reference.
    NoReference {
        /// The folder.
        folder: PathBuf,
        /// A drawing in it.
        drawing: String,
    },
    /// A folder holds no run.
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// This build shows no pages.
    NoBrowser {
        /// The page that was to be shown.
        page: String,
    },
    /// A viewport cannot be used.
    BadViewport {
        /// What was given.
        text: String,
    },
    /// A page, or what pages are held against, cannot be used.
    ProbeFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A batch cannot be begun.
    Batch(BatchError),
    /// No runtime could be started.
    Runtime(io::Error),
}

impl AppError {
    pub(crate) const fn new(kind: AppErrorKind) -> Self {
        Self { kind }
    }

    /// Why it could not be carried out.
    #[must_use]
    pub const fn kind(&self) -> &AppErrorKind {
        &self.kind
    }

    /// The status that the run ends with, where the failure itself is one.
    #[must_use]
    pub fn status(&self) -> Option<Stop> {
        match &self.kind {
            AppErrorKind::Drive { source, .. } if source.is_journal_corrupt() => Some(Stop::JournalCorrupt),
            _ => None,
        }
    }

    /// The exit code of a command that ends with it: 3 when the journal cannot be trusted, else 2.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.status().map_or(2, Stop::exit_code)
    }

    /// What to do about it, where that is not plain from the text.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &self.kind {
            AppErrorKind::Lock(RunLockError::Held { .. }) => {
                Some("wait until it has ended, or start another run without --run-id".to_owned())
            }
            AppErrorKind::Drive { folder, source } if source.is_journal_corrupt() => Some(format!(
                "nothing was changed; keep {} for inspection and start a new run without --run-id",
                folder.join("journal.jsonl").display()
            )),
            AppErrorKind::Drive { source, .. } => match source.kind() {
                trueup_driver::DriveErrorKind::ForeignJournal { what: "run", .. } => None,
                trueup_driver::DriveErrorKind::ForeignJournal { .. } => Some(
                    "the configuration has changed since the run began: start a new run without --run-id"
                        .to_owned(),
                ),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<ConfigError> for AppError {
    fn from(error: ConfigError) -> Self {
        Self::new(AppErrorKind::Config(error))
    }
}

impl From<FindingsFileError> for AppError {
    fn from(error: FindingsFileError) -> Self {
        Self::new(AppErrorKind::Findings(error))
    }
}

impl From<RubricFileError> for AppError {
    fn from(error: RubricFileError) -> Self {
        Self::new(AppErrorKind::Rubric(error))
    }
}

impl From<RegionsError> for AppError {
    fn from(error: RegionsError) -> Self {
        Self::new(AppErrorKind::Regions(error))
    }
}

impl From<ColorError> for AppError {
    fn from(error: ColorError) -> Self {
        Self::new(AppErrorKind::Color(error))
    }
}

impl From<ToleranceError> for AppError {
    fn from(error: ToleranceError) -> Self {
        Self::new(AppErrorKind::Tolerance(error))
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            AppErrorKind::Config(error) => error.fmt(f),
            AppErrorKind::Rubric(error) => error.fmt(f),
            AppErrorKind::Prompt(error) => error.fmt(f),
            AppErrorKind::Findings(error) => error.fmt(f),
            AppErrorKind::Tolerance(error) => error.fmt(f),
            AppErrorKind::ElementsOfFile => f.write_str(
                "image files have no elements: expected areas by X,Y,WIDTH,HEIGHT, polygon(…) or a picture",
            ),
            AppErrorKind::Color(error) => error.fmt(f),
            AppErrorKind::Regions(error) => error.fmt(f),
            AppErrorKind::Artifact(error) => error.fmt(f),
            AppErrorKind::RunId { id } => write!(
                f,
                "{id:?} cannot be a run id: expected 1 to 120 ASCII letters, digits, '-', '_', ':' or '.', not starting with '.'"
            ),
            AppErrorKind::File { what, path, source } => {
                write!(f, "{} cannot be {what}: {source}", path.display())
            }
            AppErrorKind::Folder { path } => {
                write!(f, "{} is a folder: expected an image file", path.display())
            }
            AppErrorKind::Overwrites { path } => write!(
                f,
                "{} is one of the images that are compared: give the picture another name",
                path.display()
            ),
            AppErrorKind::Changed { path } => write!(
                f,
                "{} was written while it was compared: compare it again once it is complete",
                path.display()
            ),
            AppErrorKind::Mask { path, source } => write!(f, "{}: {source}", path.display()),
            AppErrorKind::MaskSize { path, size, sizes: [expected, actual] } => write!(
                f,
                "{} is {size}, and the images are {expected} and {actual}: a mask has the size of one of them",
                path.display()
            ),
            AppErrorKind::Lock(error) => chain(f, error),
            AppErrorKind::Drive { folder, source } => {
                write!(f, "{}: ", folder.display())?;
                chain(f, source)
            }
            AppErrorKind::Compare { path: Some(path), source } => {
                write!(f, "{}: {}", path.display(), blame(source))
            }
            AppErrorKind::Compare { path: None, source } => source.fmt(f),
            AppErrorKind::Port { port, fault } => write!(f, "the {port} failed ({}): {fault}", fault.kind()),
            AppErrorKind::ConfigExists { path } => {
                write!(f, "{} is there already, and is not replaced: move it away first", path.display())
            }
            AppErrorKind::NoBrowser { page } => write!(
                f,
                "{page} is a page, and this build shows none: build it with the feature browser, or give pictures of pages"
            ),
            AppErrorKind::BadViewport { text } => {
                write!(
                    f,
                    "{text:?} is no viewport: expected WIDTHxHEIGHT in CSS pixels, such as 1280x720 or 375x667@2"
                )
            }
            AppErrorKind::NothingToInit { folder } => write!(
                f,
                "{} has no SVG file: trueup init goes by the drawings in a folder",
                folder.display()
            ),
            AppErrorKind::NoReference { folder, drawing } => write!(
                f,
                "no drawing in {} has a reference: expected for instance reference/{}.png beside {drawing}",
                folder.display(),
                drawing.trim_end_matches(".svg")
            ),
            AppErrorKind::NoRun { folder } => {
                write!(f, "{} holds no run: expected a folder with a summary.md", folder.display())
            }
            AppErrorKind::Batch(error) => error.fmt(f),
            AppErrorKind::ProbeFile { path, why } => write!(f, "{}: {why}", path.display()),
            AppErrorKind::Runtime(error) => write!(f, "no runtime could be started: {error}"),
        }
    }
}

/// The cause without the words that say which image it is: its path does.
fn blame(error: &CompareError) -> String {
    match error.kind() {
        trueup_compare_pixel::CompareErrorKind::Expected(cause)
        | trueup_compare_pixel::CompareErrorKind::Actual(cause) => cause.to_string(),
        _ => error.to_string(),
    }
}

/// An error and everything underneath it, on one line.
fn chain(f: &mut fmt::Formatter<'_>, error: &dyn std::error::Error) -> fmt::Result {
    write!(f, "{error}")?;
    let mut source = error.source();
    while let Some(cause) = source {
        write!(f, ": {cause}")?;
        source = cause.source();
    }
    Ok(())
}

impl std::error::Error for AppError {}
