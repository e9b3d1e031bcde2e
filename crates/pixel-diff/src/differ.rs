//! Whole images in memory.

use trueup_frame::ImageView;

use crate::scan::{Scratch, push_images};
use crate::{Diff, DiffError, Layout, Options, Scan};

/// Compares two images in memory.
///
/// Images of different size are compared where they overlap, from the upper left corner; the rest is counted. For many
/// comparisons, a [`Differ`] keeps its working memory; for images that are decoded piece by piece, see [`Scan`].
///
/// # Errors
/// When a format or colour space is not supported, or an option is out of range.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, diff};
///
/// let expected = ImageView::packed(&[255, 255, 255, 10, 10, 10], Size::new(2, 1), PixelFormat::Rgb8)?;
/// let actual = ImageView::packed(&[255, 255, 255, 90, 10, 10], Size::new(2, 1), PixelFormat::Rgb8)?;
/// let found = diff(&expected, &actual, &Options::default())?;
/// assert_eq!((found.differing_pixels(), found.open_pixels()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff(expected: &ImageView<'_>, actual: &ImageView<'_>, options: &Options) -> Result<Diff, DiffError> {
    run(expected, actual, options, Scratch::default()).map(|(diff, _)| diff)
}

/// Compares many pairs of images under the same options, in the same working memory.
///
/// After its first comparison, one of equal images takes no further memory; others take that of their result and of the
/// regions on the way to it, and give it back.
#[derive(Debug)]
pub struct Differ {
    options: Options,
    /// Working memory; none before the first comparison, or after one that was refused.
    scratch: Option<Scratch>,
    result: Diff,
}

impl Differ {
    /// A differ with these options.
    ///
    /// # Errors
    /// When an option is out of range.
    pub fn new(options: Options) -> Result<Self, DiffError> {
        options.check()?;
        Ok(Self { options, scratch: None, result: Diff::default() })
    }

    /// The options that it compares under.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Compares two images in memory; the result is lent until the next comparison.
    ///
    /// # Errors
    /// When a format or colour space is not supported.
    pub fn diff(&mut self, expected: &ImageView<'_>, actual: &ImageView<'_>) -> Result<&Diff, DiffError> {
        let scratch = self.scratch.take().unwrap_or_default();
        // Two results are never held at a time.
        self.result = Diff::default();
        let (diff, scratch) = run(expected, actual, &self.options, scratch)?;
        (self.scratch, self.result) = (Some(scratch), diff);
        Ok(&self.result)
    }
}

/// A reference with its options, that many images are held against.
///
/// Checks, masks and working memory are kept from one comparison to the next; the reference itself is neither copied nor
/// converted, because rows that are equal cost no more than reading them.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, Reference};
///
/// let size = Size::new(2, 1);
/// let design = ImageView::packed(&[255, 10], size, PixelFormat::Gray8)?;
/// let mut reference = Reference::new(design, Options::default())?;
/// for (bytes, open) in [([255, 10], 0), ([255, 90], 1)] {
///     let found = reference.compare(&ImageView::packed(&bytes, size, PixelFormat::Gray8)?)?;
///     assert_eq!(found.open_pixels(), open);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reference<'a> {
    expected: ImageView<'a>,
    differ: Differ,
}

impl<'a> Reference<'a> {
    /// A reference under these options.
    ///
    /// # Errors
    /// When its format or colour space is not supported, or an option is out of range.
    pub fn new(expected: ImageView<'a>, options: Options) -> Result<Self, DiffError> {
        let layout = Layout::of(&expected);
        layout.reader()?;
        layout.primaries()?;
        Ok(Self { expected, differ: Differ::new(options)? })
    }

    /// The reference.
    #[must_use]
    pub const fn expected(&self) -> ImageView<'a> {
        self.expected
    }

    /// Compares an image with it; the result is lent until the next comparison.
    ///
    /// # Errors
    /// As [`Differ::diff`].
    pub fn compare(&mut self, actual: &ImageView<'_>) -> Result<&Diff, DiffError> {
        self.differ.diff(&self.expected, actual)
    }
}

fn run(
    expected: &ImageView<'_>,
    actual: &ImageView<'_>,
    options: &Options,
    scratch: Scratch,
) -> Result<(Diff, Scratch), DiffError> {
    let mut scan = Scan::with_scratch(Layout::of(expected), Layout::of(actual), options, scratch)?;
    push_images(&mut scan, expected, actual, Scan::push)?;
    scan.finish_with_scratch()
}
