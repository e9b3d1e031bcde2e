//! A picture at a size that a terminal has room for.

use trueup_codec::{CodecError, Limits};
use trueup_frame::{ImageView, PixelFormat, Size};

/// Pixels at most: about what a window of 100 columns and 60 rows has. kitty and sixels cut off what is wider than that.
const MOST: Size = Size::new(800, 1200);

/// A picture that is small enough, as samples and as a file.
#[derive(Debug)]
pub(super) struct Reduced {
    pub(super) size: Size,
    /// Red, green and blue of every pixel.
    pub(super) samples: Vec<u8>,
    pub(super) png: Vec<u8>,
}

impl Reduced {
    /// Takes a picture as it is where it fits, and a mean of so many pixels for one where it does not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(png: Vec<u8>) -> Result<Self, CodecError> {
        let frame = trueup_codec::decode(&png, &Limits::default())?.frame;
        let view = frame.view();
        let samples: Vec<u8> = (0..view.size().height).flat_map(|y| rgb(&view, y)).collect();
        let size = view.size();
        let by = size.width.div_ceil(MOST.width).max(size.height.div_ceil(MOST.height)).max(1);
        if by == 1 {
            return Ok(Self { size, samples, png });
        }
        let (size, samples) = reduced(size, &samples, by);
        let png = trueup_codec::encode_png(
            &ImageView::packed(&samples, size, PixelFormat::Rgb8)
                .unwrap_or_else(|error| unreachable!("there are as many samples as the size says: {error}")),
        )?;
        Ok(Self { size, samples, png })
    }
}

/// The samples of a row of a picture of ours, which is in three or four samples of 8 bits.
fn rgb<'v>(view: &ImageView<'v>, y: u32) -> impl Iterator<Item = u8> + use<'v> {
    let bytes = view.format().bytes_per_pixel();
    view.row(y).chunks_exact(bytes).flat_map(move |pixel| {
        let last = bytes - 1;
        [pixel[0], pixel[1.min(last)], pixel[2.min(last)]]
    })
}

/// One pixel for each square of `by` by `by`, less at the right and at the bottom.
fn reduced(size: Size, samples: &[u8], by: u32) -> (Size, Vec<u8>) {
    let small = Size::new(size.width.div_ceil(by), size.height.div_ceil(by));
    let mut out = Vec::with_capacity(small.area() as usize * 3);
    for y in 0..small.height {
        for x in 0..small.width {
            let columns = x * by..((x + 1) * by).min(size.width);
            let (mut sums, mut count) = ([0_u32; 3], 0);
            for row in y * by..((y + 1) * by).min(size.height) {
                for column in columns.clone() {
                    let at = 3 * (row as usize * size.width as usize + column as usize);
                    for (sum, sample) in sums.iter_mut().zip(&samples[at..at + 3]) {
                        *sum += u32::from(*sample);
                    }
                    count += 1;
                }
            }
            out.extend(sums.map(|sum| ((sum + count / 2) / count) as u8));
        }
    }
    (small, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(size: Size, samples: &[u8]) -> Vec<u8> {
        trueup_codec::encode_png(&ImageView::packed(samples, size, PixelFormat::Rgb8).unwrap()).unwrap()
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let samples = [1, 2, 3, 250, 251, 252];
        let file = png(Size::new(2, 1), &samples);
        let kept = Reduced::of(file.clone()).unwrap();
        assert_eq!((kept.size, kept.samples.as_slice(), kept.png), (Size::new(2, 1), &samples[..], file));
    }

    #[test]
    fn what_does_not_fit_is_the_mean_of_its_pixels() {
        // Columns by turns black and 200; the last one stands alone.
        let size = Size::new(1601, 3);
        let samples: Vec<u8> =
            (0..size.height).flat_map(|_| (0..size.width).flat_map(|x| [(x % 2 * 200) as u8; 3])).collect();
        let small = Reduced::of(png(size, &samples)).unwrap();
        assert_eq!(small.size, Size::new(534, 1), "three of both for one");
        assert_eq!(small.samples[..6], [67, 67, 67, 133, 133, 133]);
        assert_eq!(small.samples[small.samples.len() - 3..], [100; 3], "two columns are left: 200 and 0");
        let again = Reduced::of(small.png).unwrap();
        assert_eq!((again.size, again.samples), (small.size, small.samples));
    }
}
