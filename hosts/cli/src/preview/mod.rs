//! Showing a picture in the terminal, where it shows pictures.

mod choice;
mod protocol;
mod reduced;
mod show;
mod sixel;

pub(crate) use choice::Preview;
pub(crate) use show::{PreviewError, Shown};
