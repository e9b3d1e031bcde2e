//! Comparing two image files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use trueup_codec::Input;
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
    overwrites_no_image(request)?;
    let rules = rules(request)?;
    let expected = Image::open(&request.expected)?;
    let actual = Image::open(&request.actual)?;
    let diff = compare(request, &rules, expected.input(), actual.input())?;
    expected.is_unchanged()?;
    actual.is_unchanged()?;
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
    expected: Input<'_>,
    actual: Input<'_>,
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

/// Refuses a picture that would take the place of an image, by whatever name.
pub(super) fn overwrites_no_image(request: &DiffRequest) -> Result<(), AppError> {
    let Some(picture) = &request.picture else { return Ok(()) };
    // What is not there, or cannot be looked at, is nothing that is overwritten; writing it says what is wrong.
    let is_picture = |path: &Path| same_file::is_same_file(path, picture).unwrap_or(false);
    if is_picture(&request.expected) || is_picture(&request.actual) {
        return Err(AppError::new(AppErrorKind::Overwrites { path: picture.clone() }));
    }
    Ok(())
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

/// An image file that is read as it is compared.
enum Image<'a> {
    /// A file, and when it was last written before it was read.
    File { path: &'a Path, file: File, before: Option<SystemTime> },
    /// What has no places, such as a pipe.
    Stream(Vec<u8>),
}

impl<'a> Image<'a> {
    fn open(path: &'a Path) -> Result<Self, AppError> {
        if path.is_dir() {
            return Err(AppError::new(AppErrorKind::Folder { path: path.to_owned() }));
        }
        let unreadable = |source| unreadable(path, source);
        let mut file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if about.is_file() && about.len() > 0 {
            let before = about.modified().ok();
            return Ok(Self::File { path, file, before });
        }
        // Out of the same opening: what a pipe gives, it gives once.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(Self::Stream(bytes))
    }

    fn input(&self) -> Input<'_> {
        match self {
            Self::File { file, .. } => file.into(),
            Self::Stream(bytes) => bytes.into(),
        }
    }

    /// Refuses what was found in a file that was written meanwhile: it may be about neither of its contents.
    fn is_unchanged(&self) -> Result<(), AppError> {
        match self {
            Self::File { path, file, before } => {
                let after = file.metadata().map_err(|source| unreadable(path, source))?.modified().ok();
                let changed = || AppError::new(AppErrorKind::Changed { path: path.to_path_buf() });
                if after == *before { Ok(()) } else { Err(changed()) }
            }
            Self::Stream(_) => Ok(()),
        }
    }
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, AppError> {
    if path.is_dir() {
        return Err(AppError::new(AppErrorKind::Folder { path: path.to_owned() }));
    }
    fs::read(path).map_err(|source| unreadable(path, source))
}

fn unreadable(path: &Path, source: io::Error) -> AppError {
    AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_file_that_is_written_while_it_is_compared_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("screen.png");
        fs::write(&path, b"first").unwrap();
        let image = Image::open(&path).unwrap();
        image.is_unchanged().unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();
        let error = image.is_unchanged().unwrap_err();
        assert!(matches!(error.kind(), AppErrorKind::Changed { .. }));
        assert!(error.to_string().contains("screen.png was written while it was compared"), "{error}");
    }
}
