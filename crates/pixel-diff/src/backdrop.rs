//! What translucent pixels are seen on.

use crate::pixel::Pixel;

/// What translucent pixels are compared over. Opaque ones look the same over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Backdrop {
    /// Over black and over white, whichever shows more. Blending is affine in the backdrop, so what is the same over both
    /// is the same over every backdrop: no page can make a difference appear that was not reported.
    #[default]
    Any,
    /// White, as under a page without a background of its own.
    White,
    /// Black.
    Black,
    /// The pattern of pixelmatch up to 7.2 (and odiff and blazediff after it), which depends on the place of a pixel: light
    /// or dark by two of three channels.
    Pixelmatch7,
    /// The pattern of pixelmatch 8: one of eight colours by a hash of the pixel's place.
    Pixelmatch8,
}

impl Backdrop {
    /// Whether the same pair of pixels may look different elsewhere.
    pub(crate) const fn depends_on_place(self) -> bool {
        matches!(self, Self::Pixelmatch7 | Self::Pixelmatch8)
    }

    /// The pixel as it is seen, `index` pixels from the first one in reading order.
    pub(crate) fn under(self, pixel: Pixel, index: u64) -> Pixel {
        if self == Self::Any || pixel.is_opaque() { pixel } else { pixel.over(self.color(index)) }
    }

    /// The colour at a place, 0–255.
    pub(crate) fn color(self, index: u64) -> [u32; 3] {
        /// From the dark to the light of the patterns.
        const STEP: u32 = 159;
        const DARK: u32 = 48;
        match self {
            Self::Black => [0; 3],
            Self::Any | Self::White => [255; 3],
            Self::Pixelmatch7 => {
                // By the offset of the pixel in RGBA bytes, which is even, so that red is always dark.
                let offset = (4 * index) as f64;
                #[expect(clippy::cast_sign_loss, reason = "a quotient of offsets")]
                let odd = |quotient: f64| (quotient as u64 % 2) as u32;
                [
                    DARK,
                    DARK + STEP * odd(offset / 1.618_033_988_749_895),
                    DARK + STEP * odd(offset / 2.618_033_988_749_895),
                ]
            }
            Self::Pixelmatch8 => {
                let hash = (index as u32).wrapping_mul(0x9E37_79B1);
                [31, 30, 29].map(|bit| DARK + STEP * (hash >> bit & 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_pixelmatch() {
        // Computed by its own expressions in JavaScript.
        let seven: Vec<_> = (0..6).map(|i| Backdrop::Pixelmatch7.color(i)).collect();
        assert_eq!(
            seven,
            [[48, 48, 48], [48, 48, 207], [48, 48, 207], [48, 207, 48], [48, 207, 48], [48, 48, 207]]
        );
        let eight: Vec<_> = (0..6).map(|i| Backdrop::Pixelmatch8.color(i)).collect();
        assert_eq!(
            eight,
            [[48, 48, 48], [207, 48, 48], [48, 48, 207], [207, 207, 48], [48, 207, 207], [48, 48, 48]]
        );
    }

    #[test]
    fn half_black_over_white_is_127() {
        let half = Pixel { over_black: [0; 3], alpha: 128 * 257 };
        assert_eq!(Backdrop::White.under(half, 0).opaque8(), Some([127; 3]));
        assert_eq!(Backdrop::Any.under(half, 0), half);
    }
}
