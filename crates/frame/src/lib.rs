//! Pixels as trueup passes them around: where they are, how they are laid out, what they mean.
//!
//! This crate is the vocabulary that decoders, renderers and the diff core share. It never decodes, converts or
//! compares anything, and it depends on nothing.
//!
//! - [`Size`] and [`Rect`] are geometry in whole device pixels.
//! - [`PixelFormat`], [`Alpha`] and [`ColorSpace`] say what the bytes mean.
//! - [`ImageView`] borrows rows with a stride; [`Frame`] owns them tightly packed.
//!
//! Every constructor checks its arguments with overflow-safe arithmetic, so a view that exists can be read without
//! further checks.
//!
//! ```
//! use trueup_frame::{ImageView, PixelFormat, Size};
//!
//! let pixels = [255, 0, 0, 0, 255, 0];
//! let view = ImageView::packed(&pixels, Size::new(2, 1), PixelFormat::Rgb8)?;
//! assert_eq!(view.row(0), &pixels);
//! # Ok::<(), trueup_frame::ViewError>(())
//! ```

mod error;
mod format;
mod frame;
mod geometry;
mod view;

pub use error::{ViewError, ViewErrorKind};
pub use format::{Alpha, ColorSpace, PixelFormat};
pub use frame::{Frame, PixelRatio};
pub use geometry::{Rect, Size};
pub use view::ImageView;
