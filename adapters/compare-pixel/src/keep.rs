//! Pixels that are kept while they stream by, for those who will want them whole.

use trueup_frame::Frame;
use trueup_pixel_diff::Layout;

use crate::walk::Band;

/// Both images, kept from the top for as long as most of them differs.
///
/// Where everything differs, both images are looked at again, whole, to tell what moved; to keep them is to copy them, and not to
/// inflate them once more. As soon as a band is mostly the same, they are not kept: that is what most comparisons
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

    /// Keeps the next rows.
    pub(crate) fn add(&mut self, band: &Band<'_>) {
        let Some(images) = &mut self.images else { return };
        for (image, view) in images.iter_mut().zip([band.expected, band.actual]) {
            view.rows().for_each(|row| image.bytes.extend_from_slice(row));
        }
    }

    /// Keeps nothing any more.
    pub(crate) fn give_up(&mut self) {
        self.images = None;
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

    #[test]
    fn images_are_kept_as_they_are_until_they_are_given_up() {
        let (dark, light): (Vec<u8>, Vec<u8>) = (0..120_u8).map(|i| (i, i + 100)).unzip();
        let view = |bytes| ImageView::packed(bytes, Size::new(5, 8), PixelFormat::Rgb8).unwrap();
        let (expected, actual) = (view(&dark), view(&light));
        for rows in [1, 3, 8] {
            let mut keeper = Keeper::new(Layout::of(&expected), Layout::of(&actual));
            for first_row in (0..8).step_by(rows) {
                let rows = Rect::new(0, first_row, 5, (rows as u32).min(8 - first_row));
                let (expected, actual) = (expected.crop(rows).unwrap(), actual.crop(rows).unwrap());
                keeper.add(&Band { first_row, expected, actual });
            }
            let [e, a] = keeper.into_frames().unwrap();
            assert_eq!((e.bytes(), a.bytes(), e.size()), (&dark[..], &light[..], Size::new(5, 8)));
        }
        let mut keeper = Keeper::new(Layout::of(&expected), Layout::of(&actual));
        keeper.add(&Band { first_row: 0, expected, actual });
        keeper.give_up();
        assert!(keeper.into_frames().is_none());
    }

    #[test]
    fn images_of_unlike_heights_are_not_kept() {
        let layout = |height| Layout::new(Size::new(2, height), PixelFormat::Gray8);
        assert!(Keeper::new(layout(2), layout(3)).images.is_none());
        assert!(Keeper::new(layout(3), layout(3)).into_frames().is_none(), "its rows never came");
    }
}
