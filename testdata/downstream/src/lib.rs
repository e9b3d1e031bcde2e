//! What a program of somebody else does with trueup, on its public API alone.
//!
//! - [`images_differ`]: a comparison in two lines.
//! - [`by_hand`]: a loop driven over `step` and `apply`, with storage of its own.
//! - `judge`: its own judge, held against what every judge must do, in ten lines.
//! - [`world`]: its own implementation of every port, in memory, driven to the end.

pub mod by_hand;
mod judge;
pub mod world;

use trueup::frame::ImageView;
use trueup::pixel_diff::{DiffError, Options, diff};

/// Whether two images differ by more than people see.
pub fn images_differ(expected: &ImageView<'_>, actual: &ImageView<'_>) -> Result<bool, DiffError> {
    let found = diff(expected, actual, &Options::default())?;
    Ok(!found.is_match())
}

#[cfg(test)]
mod tests {
    use trueup::frame::{PixelFormat, Size};

    use super::*;

    #[test]
    fn a_repainted_picture_differs() {
        let view = |pixels| ImageView::packed(pixels, Size::new(8, 8), PixelFormat::Gray8).unwrap();
        assert!(!images_differ(&view(&[90; 64]), &view(&[90; 64])).unwrap());
        assert!(images_differ(&view(&[90; 64]), &view(&[160; 64])).unwrap());
    }
}
