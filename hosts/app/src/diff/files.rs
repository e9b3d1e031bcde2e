//! Comparing two image files.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use trueup_compare_pixel::{CompareError, CompareErrorKind, DiffDocument, ImagePair, parse_tolerance};
use trueup_pixel_diff::{
    Antialiasing, Backdrop, Diff, Mask, MatchLevel, MetricKind, Options, Region, Relating,
};

use super::areas::AreaSource;
use super::masks::MaskSource;
use super::regions::NamedBox;
use crate::error::{AppError, AppErrorKind};

/// Two image files, and how strictly they are compared.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DiffRequest {
    /// The reference.
    pub expected: PathBuf,
    /// The other image.
    pub actual: PathBuf,
    /// A tolerance list such as `color_delta_e=2`.
    pub tolerance: Option<String>,
    /// Whether every differing pixel is open.
    pub strict: bool,
    /// The formula of ΔE.
    pub metric: MetricKind,
    /// Areas that are not compared.
    pub ignored: Vec<MaskSource>,
    /// What is tolerated where no area says otherwise.
    pub level: MatchLevel,
    /// Areas with a level of their own; where they overlap, the last one counts.
    pub areas: Vec<AreaSource>,
    /// Which differences count as antialiasing.
    pub antialiasing: Antialiasing,
    /// What translucent pixels are compared over.
    pub backdrop: Backdrop,
    /// Boxes that get statistics of their own; each region is attributed to the tightest one.
    pub boxes: Vec<NamedBox>,
    /// Where to write a picture of the difference.
    pub picture: Option<PathBuf>,
    /// What that picture shows.
    pub picture_kind: DiffPicture,
    /// Threads at most; as many as the machine has where it pays, by default.
    pub threads: Option<NonZeroUsize>,
}

/// What a picture of a difference shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffPicture {
    /// The reference dimmed, what differs in red, open regions outlined and numbered.
    #[default]
    Outline,
    /// The ΔE of every pixel as a colour, with a legend.
    Heatmap,
}

/// What a comparison of two files came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DiffOutcome {
    /// The document.
    pub document: DiffDocument,
    /// The exit code: 0 pass, 1 fail, 3 when there was nothing to compare.
    pub exit_code: u8,
    /// The open regions, in the order of the document's.
    pub(super) open: Vec<Region>,
}

/// Compares two image files.
///
/// # Errors
/// When a file cannot be read or written, is no image, or the tolerance cannot be used.
pub fn diff_files(request: &DiffRequest) -> Result<DiffOutcome, AppError> {
    let rules = rules(request)?;
    let (expected, actual) = read_both(request)?;
    let diff = compare(request, &rules, &expected, &actual)?;
    let document = document(request, &rules, &diff);
    let exit_code = exit_code(&document);
    let open = diff.open_regions().cloned().collect();
    Ok(DiffOutcome { document, exit_code, open })
}

/// The exit code of a command that ends with a comparison.
pub(super) fn exit_code(document: &DiffDocument) -> u8 {
    match document.status {
        "pass" => 0,
        "fail" => 1,
        _ => 3,
    }
}

/// The document of a comparison.
pub(super) fn document(request: &DiffRequest, rules: &Rules, diff: &Diff) -> DiffDocument {
    let names: Vec<&str> = request.boxes.iter().map(|named| named.name.as_str()).collect();
    DiffDocument::with_boxes(diff, &names).with_pixel(rules.placement_px)
}

/// How strictly is compared, and what excuses what.
pub(super) struct Rules {
    options: Options,
    relating: Relating,
    placement_px: u32,
}

/// The rules of a request.
pub(super) fn rules(request: &DiffRequest) -> Result<Rules, AppError> {
    let text = request.tolerance.as_deref().unwrap_or_default();
    let tolerances = parse_tolerance(text, request.metric.default_tolerance(), request.metric)?;
    let (tolerance, placement_px) = (tolerances.color, tolerances.placement_px.unwrap_or(0));
    let tolerance = tolerance.with_strict(tolerance.is_strict() || request.strict);
    let options = Options::default().with_tolerance(tolerance).with_metric(request.metric);
    let options = options.with_antialiasing(request.antialiasing).with_backdrop(request.backdrop);
    let mut options = options.with_boxes(request.boxes.iter().map(NamedBox::rect).collect());
    for mask in &request.ignored {
        options = options.with_ignored(mask.load()?);
    }
    let mut relating = Relating::default().with_level(request.level).with_placement_px(placement_px);
    for area in &request.areas {
        // A file has no elements: a rule for some would be one for nothing.
        let rule = area.rule()?.ok_or_else(|| AppError::new(AppErrorKind::ElementsOfFile))?;
        relating = relating.with_rule(rule);
    }
    Ok(Rules { options, relating, placement_px })
}

/// Compares two encoded images, and draws the difference where a picture of it is wanted.
pub(super) fn compare(
    request: &DiffRequest,
    rules: &Rules,
    expected: &[u8],
    actual: &[u8],
) -> Result<Diff, AppError> {
    let pair = ImagePair::new(expected, actual);
    let pair = request.threads.map_or(pair, |threads| pair.with_threads(threads));
    let blame = |source: CompareError| {
        let path = match source.kind() {
            CompareErrorKind::Expected(_) => Some(request.expected.clone()),
            CompareErrorKind::Actual(_) => Some(request.actual.clone()),
            _ => None,
        };
        AppError::new(AppErrorKind::Compare { path, source })
    };
    let diff = pair.relate(&rules.options, &rules.relating).map_err(blame)?;
    masks_fit(&rules.options, &diff, request)?;
    if let Some(path) = &request.picture {
        let picture = match request.picture_kind {
            DiffPicture::Outline => pair.picture(&diff),
            DiffPicture::Heatmap => pair.heatmap(&diff, &rules.options),
        };
        let picture = picture.map_err(blame)?;
        fs::write(path, picture).map_err(|source| {
            AppError::new(AppErrorKind::File { what: "written", path: path.clone(), source })
        })?;
    }
    Ok(diff)
}

/// Refuses a drawing of masks that has the size of neither image: it was made for another one.
fn masks_fit(options: &Options, diff: &Diff, request: &DiffRequest) -> Result<(), AppError> {
    let sizes = [diff.expected_size(), diff.actual_size()];
    for (mask, source) in options.ignored.iter().zip(&request.ignored) {
        if let (Mask::Bits(bits), MaskSource::File(path)) = (mask, source)
            && !sizes.contains(&bits.size())
        {
            let (path, size) = (path.clone(), bits.size());
            return Err(AppError::new(AppErrorKind::MaskSize { path, size, sizes }));
        }
    }
    Ok(())
}

/// Both files, read at the same time where they are large enough for that to pay.
fn read_both(request: &DiffRequest) -> Result<(Vec<u8>, Vec<u8>), AppError> {
    /// Below this a thread takes longer to start than the file to read.
    const LARGE_BYTES: u64 = 1 << 20;
    let (expected, actual) = (&request.expected, &request.actual);
    let is_large = fs::metadata(actual).is_ok_and(|file| file.len() >= LARGE_BYTES);
    if !is_large || request.threads.is_some_and(|threads| threads.get() == 1) {
        return Ok((read(expected)?, read(actual)?));
    }
    thread::scope(|scope| {
        let other = scope.spawn(|| read(actual));
        let expected = read(expected);
        let actual = other.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
        Ok((expected?, actual?))
    })
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, AppError> {
    if path.is_dir() {
        return Err(AppError::new(AppErrorKind::Folder { path: path.to_owned() }));
    }
    fs::read(path)
        .map_err(|source| AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source }))
}
