//! SVG rendered in process: the embedded capturer of trueup.
//!
//! [`Renderer::render`] turns an SVG document into a [`Frame`](trueup_frame::Frame) as a browser of a given viewport
//! and device pixel ratio would show it, with the boxes of its elements beside it. Rendering is done by `resvg`.
//! [`SvgCapturer`] is the same as a [`Capturer`](trueup_ports::Capturer) of a loop.
//!
//! ```
//! use trueup_capture_svg::{Options, Renderer};
//! use trueup_frame::{PixelRatio, Size};
//!
//! let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
//!   <style>:root { --brand: #0a6cff }</style>
//!   <rect id="button" x="4" y="2" width="32" height="16" fill="var(--brand)"/>
//! </svg>"##;
//! let renderer = Renderer::new(Options::default())?;
//! let rendered = renderer.render(svg, Size::new(40, 20), PixelRatio::ONE)?;
//! assert_eq!(rendered.frame.view().row(10)[3 * 20..][..3], [0x0a, 0x6c, 0xff]);
//! assert_eq!(rendered.boxes[0].id, "button");
//! # Ok::<(), trueup_capture_svg::RenderError>(())
//! ```
//!
//! # The same document gives the same bytes
//!
//! Fonts come from the crate (Noto Sans: regular, bold, and both italic) and from the bytes that a caller hands in,
//! never from the system. Nothing is read from files or the network. There are no threads, clocks or random numbers.
//! What remains is floating-point arithmetic: builds for the same processor family and platform agree to the last bit;
//! others may differ by a level in some pixels of curved edges.
//!
//! # Viewport
//!
//! The document is laid out as a browser does when it opens the file: a `width` or `height` in absolute units is kept,
//! one that is missing, `auto` or a percentage fills the viewport, and a `viewBox` is fitted into the result by
//! `preserveAspectRatio`. The frame always covers the whole viewport, from its upper left corner.
//!
//! # Custom properties
//!
//! `resvg` knows no CSS custom properties, so that they are resolved before it sees the document. Exactly this is
//! supported:
//!
//! - **Declarations** `--name: value` in rules of `<style>` elements whose selector is `:root` or `svg` (also in a list of
//!   both), and in the `style` attribute of the root element. The cascade holds: `!important`, then the attribute, then
//!   `:root` over `svg`, then the later one. At-rules such as `@media` are not read.
//! - **Uses** `var(--name)` and `var(--name, fallback)`, nested in any depth up to 64, in declarations of `<style>` rules,
//!   in `style` attributes, in the values of other custom properties, and in every attribute except `id`, `class`, links,
//!   `lang`, and those that begin with `aria-` or `data-`. Browsers accept it in fewer attributes: not in `transform`,
//!   `viewBox`, `d` and `points`, which are not CSS there.
//! - A name that is not declared, without a fallback, is an error. So is a cycle. So is a property that is used and
//!   also declared for another selector or element, because scoping is not supported and the wrong value would be shown.
//! - Where a `var()` was put into a coordinate attribute, `px` is taken off its numbers (`transform` and its kin, `d`,
//!   `points`, `viewBox`), and `deg` too in transforms, so that one token can be a CSS length and a coordinate. In the CSS
//!   property `transform` units are always taken off: `translate(0, 12px)` is valid there.
//! - `calc()` and other functions of numbers are not evaluated; where one is used in CSS, it is an error.
//! - `:root` works as a selector of ordinary declarations too.
//!
//! # What is never loaded
//!
//! `<image>`, `<feImage>` and `<use>` that refer to anything but the document itself or a `data:` URL are an error, because
//! the picture would lack a part. `@import` and `@font-face` are passed over with a [`Note`].

mod boxes;
mod capturer;
mod css;
mod custom_properties;
mod document;
mod error;
mod fonts;
mod note;
mod options;
mod renderer;

pub use boxes::ElementBox;
pub use capturer::SvgCapturer;
pub use error::{Position, RenderError, RenderErrorKind};
pub use note::Note;
pub use options::{Background, Options};
pub use renderer::{Rendered, Renderer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
