//! Areas that are not compared, as they are named from outside.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use trueup_codec::Limits;
use trueup_frame::Rect;
use trueup_pixel_diff::{BitMask, DiffError, Mask};

use super::files::read;
use crate::error::{AppError, AppErrorKind};

/// An area that is not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a rectangle, or any shape at all")]
pub enum MaskSource {
    /// A rectangle in device pixels.
    Rect(Rect),
    /// A picture of the size of the images: bright pixels of it are not compared.
    File(PathBuf),
}

impl MaskSource {
    pub(super) fn load(&self) -> Result<Mask, AppError> {
        match self {
            Self::Rect(rect) => Ok(Mask::Rect(*rect)),
            Self::File(path) => {
                let bytes = read(path)?;
                let unreadable = |source| AppError::new(AppErrorKind::Mask { path: path.clone(), source });
                let drawing = trueup_codec::decode(&bytes, &Limits::default()).map_err(unreadable)?;
                let refused = |source: DiffError| {
                    let (path, source) = (Some(path.clone()), source.into());
                    AppError::new(AppErrorKind::Compare { path, source })
                };
                Ok(BitMask::from_image(&drawing.frame.view()).map_err(refused)?.into())
            }
        }
    }
}

/// Four numbers are a rectangle, anything else is a file.
impl FromStr for MaskSource {
    type Err = MaskTextError;

    fn from_str(text: &str) -> Result<Self, MaskTextError> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_number =
            |part: &&str| !part.is_empty() && part.bytes().all(|byte| b"-+.0123456789".contains(&byte));
        if text.trim().is_empty() || parts.iter().all(is_number) {
            let numbers: Option<Vec<u32>> = parts.iter().map(|part| part.parse().ok()).collect();
            return match numbers.as_deref() {
                Some(&[x, y, width, height]) => Ok(Self::Rect(Rect::new(x, y, width, height))),
                _ => Err(MaskTextError { text: text.to_owned() }),
            };
        }
        Ok(Self::File(PathBuf::from(text)))
    }
}

/// A text is neither a rectangle nor a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskTextError {
    text: String,
}

impl fmt::Display for MaskTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        write!(
            f,
            "{text:?} is no mask: expected X,Y,WIDTH,HEIGHT in whole pixels, such as 0,0,200,40, or a picture"
        )
    }
}

impl std::error::Error for MaskTextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_four_whole_numbers_or_a_file() {
        assert_eq!("1, 2,3,4".parse(), Ok(MaskSource::Rect(Rect::new(1, 2, 3, 4))));
        assert_eq!("mask.png".parse(), Ok(MaskSource::File("mask.png".into())));
        assert_eq!("a,b.png".parse(), Ok(MaskSource::File("a,b.png".into())));
        for text in ["", "1,2,3", "1,2,3,4,5", "-1,2,3,4", "1.5,2,3,4"] {
            assert!(text.parse::<MaskSource>().is_err(), "{text:?}");
        }
    }
}
