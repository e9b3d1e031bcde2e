//! What the bytes of a pixel mean.

/// Layout of one pixel in memory.
///
/// Samples stand in the order that the name gives. 16-bit samples are in the byte order of the machine and need no
/// alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PixelFormat {
    /// One 8-bit grey sample.
    Gray8,
    /// 8-bit grey, then alpha.
    GrayAlpha8,
    /// 8-bit red, green, blue.
    Rgb8,
    /// 8-bit red, green, blue, alpha.
    Rgba8,
    /// One 16-bit grey sample.
    Gray16,
    /// 16-bit grey, then alpha.
    GrayAlpha16,
    /// 16-bit red, green, blue.
    Rgb16,
    /// 16-bit red, green, blue, alpha.
    Rgba16,
}

impl PixelFormat {
    /// Samples in one pixel, 1 to 4.
    #[must_use]
    pub const fn channels(self) -> usize {
        match self {
            Self::Gray8 | Self::Gray16 => 1,
            Self::GrayAlpha8 | Self::GrayAlpha16 => 2,
            Self::Rgb8 | Self::Rgb16 => 3,
            Self::Rgba8 | Self::Rgba16 => 4,
        }
    }

    /// Bits in one sample: 8 or 16.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Gray8 | Self::GrayAlpha8 | Self::Rgb8 | Self::Rgba8 => 8,
            Self::Gray16 | Self::GrayAlpha16 | Self::Rgb16 | Self::Rgba16 => 16,
        }
    }

    /// Bytes in one pixel, 1 to 8.
    #[must_use]
    pub const fn bytes_per_pixel(self) -> usize {
        self.channels() * (self.bits() / 8) as usize
    }

    /// Whether a pixel carries an alpha sample.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha8 | Self::Rgba8 | Self::GrayAlpha16 | Self::Rgba16)
    }
}

/// How the alpha sample relates to the colour samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way to carry alpha")]
pub enum Alpha {
    /// There is none, or it is to be ignored: every pixel is opaque.
    Opaque,
    /// Colour samples are independent of alpha, as in PNG.
    Straight,
    /// Colour samples are already multiplied by alpha, as in canvas and renderer buffers.
    Premultiplied,
}

/// The RGB colour space of the samples. Grey samples use its transfer function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorSpace {
    /// IEC 61966-2-1 sRGB; also what an untagged image means.
    #[default]
    Srgb,
    /// Display P3: P3 primaries, D65 white, the sRGB transfer function.
    DisplayP3,
}
