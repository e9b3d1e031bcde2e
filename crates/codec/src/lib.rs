//! Image files as trueup reads and writes them.
//!
//! - [`open`] reads a file's header and gives out its pixels as [`Band`]s of rows, in the format that the file has:
//!   8-bit RGB stays 8-bit RGB, 16-bit stays 16-bit. A PNG that is not interlaced is never held whole.
//! - [`decode`] is the same in one call, for when the whole picture is wanted.
//! - [`Lockstep`] decodes two files together, row for row, on one thread or on several.
//! - [`same_file`] tells equal files that can be read, without decoding where that is sound.
//! - [`encode_png`] writes a picture, a [`PngWriter`] does so row by row.
//!
//! Formats are recognised by their content, never by a file name: PNG, JPEG, WebP, BMP, GIF, TIFF and QOI. What
//! cannot be read is refused with one [`CodecError`] that says what was found, what was expected and what to do;
//! damaged and truncated files are errors, never pictures with holes. A checksum that does not match is damage.
//!
//! [`Limits`] are checked against the header before memory is taken for pixels, so that a small file which claims to
//! be a huge picture costs nothing.
//!
//! ```
//! use trueup_codec::{Limits, encode_png, open};
//! use trueup_frame::{ImageView, PixelFormat, Size};
//!
//! let pixels = [255, 0, 0, 0, 255, 0];
//! let file = encode_png(&ImageView::packed(&pixels, Size::new(1, 2), PixelFormat::Rgb8)?)?;
//!
//! let mut rows = open(&file, &Limits::default())?;
//! assert_eq!(rows.header().size, Size::new(1, 2));
//! while let Some(band) = rows.next_band(1)? {
//!     println!("row {}: {:?}", band.first_row(), band.view().row(0));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What becomes of colour, alpha and orientation
//!
//! Palettes are expanded, grey stays grey, a transparent colour (`tRNS`) becomes an alpha channel, and grey of fewer
//! than 8 bits is widened to 8. An EXIF orientation is applied: sizes and rows are as a viewer shows them. sRGB and
//! untagged pictures are [`Srgb`](trueup_frame::ColorSpace::Srgb); a Display P3 `cICP` chunk or ICC profile gives
//! [`DisplayP3`](trueup_frame::ColorSpace::DisplayP3); any other profile is left out and the picture is read as sRGB, with a
//! [`Note`] that says so.
//!
//! A PNG of another gamma (`gAMA` where none of `cICP`, `iCCP` and `sRGB` comes first) is the only one whose pixel values are
//! converted, to what a browser shows: sample → light by the power 1/γ (PNG 3, "Decoder gamma handling") → primaries of sRGB where
//! `cHRM` has others, the white adapted by Bradford, each channel clipped to 0–1 → sample by the transfer function of IEC 61966-2-1.
//! Such a picture has samples of 16 bits, whatever the file has: at 8, neighbouring ones would fall together, and two files that
//! differ would be the same. It takes twice the bytes of its 8-bit file, which [`Limits`] count, and has a [`Note`]. The samples
//! are the same on every machine. What is done where a browser departs from the letter of the standard:
//!
//! | the file has | it is read as |
//! |---|---|
//! | `gAMA` within 5 % of 1/2.2 | sRGB, unchanged |
//! | any other `gAMA` but 0 | converted |
//! | `gAMA` with `cHRM` | converted, also at 1/2.2 with the primaries of sRGB: a pure power is darker in the shadows |
//! | `gAMA` with a `cHRM` that is impossible (outside of 0–1, on one line, a white without luminance) | sRGB, unchanged, with a note |
//! | `gAMA` of 0, `cHRM` alone | sRGB, unchanged, with a note |

mod error;
mod feed;
mod header;
mod icc;
mod ifd;
mod inflate;
mod input;
mod limits;
mod lockstep;
mod orient;
mod png;
mod rows;
mod same;
mod sniff;
mod whole;

pub use error::{CodecError, CodecErrorKind, Side};
pub use header::{FileFormat, Header, Note, Orientation};
pub use input::Input;
pub use limits::Limits;
pub use lockstep::{Lockstep, PairBand};
pub use png::{PngWriter, encode_png};
pub use rows::{Band, Decoded, Rows, decode, open};
pub use same::same_file;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
