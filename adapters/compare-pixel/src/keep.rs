//! Pixels that are kept while they stream by, for those who will want them whole.

use trueup_frame::Frame;
use trueup_pixel_diff::Layout;

use crate::walk::Band;

/// Both images, kept from the top for as long as most rows differ.
///
/// Where everything differs, both images are looked at again, whole, to tell what moved; to keep them takes a third of the time
/// that it takes to decode them twice. As soon as a band is mostly the same, they are not kept: that is what most comparisons
/// are like, and they need no memory then.
pub(crate) struct Keeper {
    images: Option<[Image; 2]>,
}

struct Image {
    layout: Layout,
    bytes: Vec<u8>,
}

impl Keeper {
    /// Keeps nothing.
    pub(crate) const fn none() -> Self {
        Self { images: None }
    }

    /// Keeps images of these layouts, if they are equally high: the rows that only one has do not stream by.
    pub(crate) fn new(expected: Layout, actual: Layout) -> Self {
        if expected.size().height != actual.size().height {
            return Self::none();
        }
        Self { images: Image::new(expected).zip(Image::new(actual)).map(<[_; 2]>::from) }
    }

    /// Keeps the next rows, or gives up.
    pub(crate) fn add(&mut self, band: &Band<'_>) {
        let Some(images) = &mut self.images else { return };
        let rows = band.expected.rows().zip(band.actual.rows());
        let differing = rows.filter(|(expected, actual)| expected != actual).count();
        if 2 * differing < band.expected.size().height as usize {
            self.images = None;
            return;
        }
        for (image, view) in images.iter_mut().zip([band.expected, band.actual]) {
            view.rows().for_each(|row| image.bytes.extend_from_slice(row));
        }
    }

    /// Both images, if they were kept to the end.
    pub(crate) fn into_frames(self) -> Option<[Frame; 2]> {
        let [expected, actual] = self.images?;
        expected.into_frame().zip(actual.into_frame()).map(<[_; 2]>::from)
    }
}

impl Image {
    /// `None` where there is no room for it: then it is decoded again, or that says so.
    fn new(layout: Layout) -> Option<Self> {
        let len = layout.size().area().checked_mul(layout.format().bytes_per_pixel() as u64)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(len).ok()?).ok()?;
        Some(Self { layout, bytes })
    }

    /// `None` when rows are missing.
    fn into_frame(self) -> Option<Frame> {
        let Self { layout, bytes } = self;
        let frame = Frame::new(bytes, layout.size(), layout.format()).ok()?;
        Some(frame.with_alpha(layout.alpha()).ok()?.with_color(layout.color()))
    }
}

#[cfg(test)]
mod tests {
    use trueup_frame::{ImageView, PixelFormat, Rect, Size};

    use super::*;

    fn keep(expected: &ImageView<'_>, actual: &ImageView<'_>, rows: u32) -> Option<[Frame; 2]> {
        let mut keeper = Keeper::new(Layout::of(expected), Layout::of(actual));
        for y in (0..expected.size().height).step_by(rows as usize) {
            let height = rows.min(expected.size().height - y);
            let rows = Rect::new(0, y, expected.size().width, height);
            let (expected, actual) = (expected.crop(rows).unwrap(), actual.crop(rows).unwrap());
            keeper.add(&Band { first_row: y, expected, actual });
        }
        keeper.into_frames()
    }

    #[test]
    fn images_that_differ_are_kept_as_they_are_and_others_are_not() {
        let (dark, light): (Vec<u8>, Vec<u8>) = (0..120_u8).map(|i| (i, i + 100)).unzip();
        let view = |bytes| ImageView::packed(bytes, Size::new(5, 8), PixelFormat::Rgb8).unwrap();
        let (expected, actual) = (view(&dark), view(&light));
        for rows in [1, 3, 8, 9] {
            let [e, a] = keep(&expected, &actual, rows).unwrap();
            assert_eq!((e.bytes(), a.bytes(), e.size()), (&dark[..], &light[..], Size::new(5, 8)));
        }
        assert!(keep(&expected, &expected, 3).is_none());
        // Five rows of eight are the same, in one of the bands or over all of the image.
        let mixed: Vec<u8> =
            (0..8).flat_map(|y| if y < 5 { &dark[..15] } else { &light[..15] }).copied().collect();
        let mut other = dark[..15].repeat(8);
        other[100] = 255;
        assert!(keep(&view(&mixed), &view(&other), 4).is_none());
    }

    #[test]
    fn images_of_unlike_heights_are_not_kept() {
        let layout = |height| Layout::new(Size::new(2, height), PixelFormat::Gray8);
        assert!(Keeper::new(layout(2), layout(3)).images.is_none());
        assert!(Keeper::new(layout(3), layout(3)).into_frames().is_none(), "its rows never came");
    }
}
