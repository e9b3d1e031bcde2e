//! Turning and mirroring packed pixels.

use trueup_frame::Size;

use crate::error::CodecError;
use crate::header::Orientation;
use crate::limits::resize;

/// The picture that `orientation` means, from pixels as stored. The caller has counted the second buffer.
pub(crate) fn apply(
    pixels: &[u8],
    stored: Size,
    pixel_bytes: usize,
    orientation: Orientation,
) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    resize(&mut out, pixels.len() as u64)?;
    match pixel_bytes {
        1 => turn::<1>(pixels, &mut out, stored, orientation),
        2 => turn::<2>(pixels, &mut out, stored, orientation),
        3 => turn::<3>(pixels, &mut out, stored, orientation),
        4 => turn::<4>(pixels, &mut out, stored, orientation),
        6 => turn::<6>(pixels, &mut out, stored, orientation),
        8 => turn::<8>(pixels, &mut out, stored, orientation),
        other => unreachable!("no pixel format has {other} bytes"),
    }
    Ok(out)
}

fn turn<const N: usize>(pixels: &[u8], out: &mut [u8], stored: Size, orientation: Orientation) {
    let (pixels, _) = pixels.as_chunks::<N>();
    let (out, _) = out.as_chunks_mut::<N>();
    let (w, h) = (stored.width as usize, stored.height as usize);
    let out_width = orientation.applied_to(stored).width as usize;
    for (y, row) in out.chunks_exact_mut(out_width.max(1)).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let (from_x, from_y) = match orientation {
                Orientation::Upright => (x, y),
                Orientation::FlipHorizontal => (w - 1 - x, y),
                Orientation::Rotate180 => (w - 1 - x, h - 1 - y),
                Orientation::FlipVertical => (x, h - 1 - y),
                Orientation::Transpose => (y, x),
                Orientation::Rotate90 => (y, h - 1 - x),
                Orientation::Transverse => (w - 1 - y, h - 1 - x),
                Orientation::Rotate270 => (w - 1 - y, x),
            };
            *pixel = pixels[from_y * w + from_x];
        }
    }
}

/// Mirrors one row in place.
pub(crate) fn mirror_row(row: &mut [u8], pixel_bytes: usize) {
    let count = row.len() / pixel_bytes;
    for x in 0..count / 2 {
        let (left, right) = row.split_at_mut((count - 1 - x) * pixel_bytes);
        left[x * pixel_bytes..(x + 1) * pixel_bytes].swap_with_slice(&mut right[..pixel_bytes]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_orientation_of_a_letter() {
        // Stored: "ab" over "cd" over "ef".
        let stored = Size::new(2, 3);
        let cases = [
            (1, "abcdef"),
            (2, "badcfe"),
            (3, "fedcba"),
            (4, "efcdab"),
            (5, "acebdf"),
            (6, "ecafdb"),
            (7, "fdbeca"),
            (8, "bdface"),
        ];
        for (exif, expected) in cases {
            let orientation = Orientation::from_exif(exif).unwrap();
            let turned = apply(b"abcdef", stored, 1, orientation).unwrap();
            assert_eq!(turned, expected.as_bytes(), "orientation {exif}");
        }
    }

    #[test]
    fn pixels_of_several_bytes_stay_whole() {
        let mut row = *b"abcdefghi";
        mirror_row(&mut row, 3);
        assert_eq!(&row, b"ghidefabc");
        let turned = apply(b"abcdef", Size::new(2, 1), 3, Orientation::Rotate90).unwrap();
        assert_eq!(turned, b"abcdef");
    }
}
