//! What is known of a picture before its first row.

use std::fmt;

use trueup_frame::{Alpha, ColorSpace, PixelFormat, Size};

/// Everything that the bands of a picture have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Size of the picture as it is given out, in device pixels: a turned picture is already turned.
    pub size: Size,
    /// Layout of one pixel as it is given out: that of the file, but that palettes are expanded, few bits are widened to 8,
    /// a transparent colour is an alpha channel, and samples that are converted from another gamma have 16 bits.
    pub format: PixelFormat,
    /// Meaning of the alpha sample.
    pub alpha: Alpha,
    /// Colour space of the samples.
    pub color: ColorSpace,
    /// Orientation that the file declares. It is already applied; this only tells that it was there.
    pub orientation: Orientation,
    /// Format of the file.
    pub file: FileFormat,
    /// What was left out or converted, for people to read. Empty for most files.
    pub notes: Vec<Note>,
}

/// Format of an image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FileFormat {
    /// Portable Network Graphics, with APNG (first frame).
    Png,
    /// JPEG, baseline and progressive. Decoders may differ by a level or two: prefer a lossless format for references.
    Jpeg,
    /// WebP, lossy and lossless.
    WebP,
    /// Windows bitmap.
    Bmp,
    /// Graphics Interchange Format.
    Gif,
    /// Tagged Image File Format.
    Tiff,
    /// Quite OK Image.
    Qoi,
}

impl FileFormat {
    /// Every format that can be read.
    pub const ALL: [Self; 7] =
        [Self::Png, Self::Jpeg, Self::WebP, Self::Bmp, Self::Gif, Self::Tiff, Self::Qoi];

    /// The name that people use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Bmp => "BMP",
            Self::Gif => "GIF",
            Self::Tiff => "TIFF",
            Self::Qoi => "QOI",
        }
    }

    /// Whether pixels may differ from those that were encoded because the format loses some. WebP may be lossless;
    /// it counts as lossy here.
    #[must_use]
    pub const fn is_lossy(self) -> bool {
        matches!(self, Self::Jpeg | Self::WebP)
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How stored rows relate to the picture that is meant, as in the EXIF tag `Orientation` (values 1 to 8, in order).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a rectangle has eight orientations")]
pub enum Orientation {
    /// 1: as stored.
    #[default]
    Upright,
    /// 2: mirrored left to right.
    FlipHorizontal,
    /// 3: turned by 180°.
    Rotate180,
    /// 4: mirrored top to bottom.
    FlipVertical,
    /// 5: mirrored along the diagonal from the upper left.
    Transpose,
    /// 6: to be turned by 90° clockwise.
    Rotate90,
    /// 7: mirrored along the diagonal from the upper right.
    Transverse,
    /// 8: to be turned by 270° clockwise.
    Rotate270,
}

impl Orientation {
    /// The orientation with this EXIF value, 1 to 8; `None` for others, which viewers ignore.
    #[must_use]
    pub const fn from_exif(value: u16) -> Option<Self> {
        Some(match value {
            1 => Self::Upright,
            2 => Self::FlipHorizontal,
            3 => Self::Rotate180,
            4 => Self::FlipVertical,
            5 => Self::Transpose,
            6 => Self::Rotate90,
            7 => Self::Transverse,
            8 => Self::Rotate270,
            _ => return None,
        })
    }

    /// Whether width and height change places.
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        matches!(self, Self::Transpose | Self::Rotate90 | Self::Transverse | Self::Rotate270)
    }

    /// The size of a picture of `stored` size once this is applied.
    #[must_use]
    pub const fn applied_to(self, stored: Size) -> Size {
        if self.swaps_sides() { Size::new(stored.height, stored.width) } else { stored }
    }
}

/// Something about a picture that its pixels do not show. Its display form is a sentence fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The file has a colour profile that is neither sRGB nor Display P3, or damaged. The samples are read as sRGB.
    ProfileIgnored {
        /// The profile, by its own name where it has one.
        profile: String,
    },
    /// The file holds several frames or pages; only the first was read.
    FirstFrameOnly {
        /// How many there are, where the file says.
        frames: Option<u64>,
    },
    /// The samples are not the ones that the file holds.
    Converted {
        /// What the file holds.
        from: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProfileIgnored { profile } => {
                write!(f, "the colour profile {profile} is ignored: colours are read as sRGB")
            }
            Self::FirstFrameOnly { frames: Some(frames) } => {
                write!(f, "only the first of {frames} frames is read")
            }
            Self::FirstFrameOnly { frames: None } => write!(f, "only the first frame is read"),
            Self::Converted { from } => write!(f, "the samples are converted from {from}"),
        }
    }
}
