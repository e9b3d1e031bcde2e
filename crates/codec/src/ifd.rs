//! The few tags of a TIFF directory that say how pixels are to be read; EXIF blocks have the same form.

use crate::header::Orientation;

const ORIENTATION: u16 = 0x112;
const EXTRA_SAMPLES: u16 = 0x152;
/// Value of `ExtraSamples` for colours that are already multiplied by alpha.
const ASSOCIATED_ALPHA: u64 = 1;
const SHORT: u16 = 3;

/// What the first directory says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    pub(crate) orientation: Orientation,
    pub(crate) premultiplied: bool,
    pub(crate) more_pages: bool,
}

/// The orientation in an EXIF block; upright where it says nothing readable, as viewers do.
pub(crate) fn exif_orientation(block: &[u8]) -> Orientation {
    // Some writers keep the marker that introduces EXIF in a JPEG.
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    tags(block).unwrap_or_default().orientation
}

/// The tags of the first directory of a TIFF or BigTIFF; `None` when there is none to read.
pub(crate) fn tags(bytes: &[u8]) -> Option<Tags> {
    let little = match bytes.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let reader = Reader { bytes, little };
    let big = match reader.number(2, 2)? {
        42 => false,
        43 => true,
        _ => return None,
    };
    // BigTIFF has the same parts with wider numbers: count, entry, and where its value stands.
    let (offset_at, word, count_bytes, entry_bytes) = if big { (8, 8, 8, 20) } else { (4, 4, 2, 12) };
    let start = usize::try_from(reader.number(offset_at, word)?).ok()?;
    let count = usize::try_from(reader.number(start, count_bytes)?).ok()?;
    let entries = start.checked_add(count_bytes)?;
    let mut tags = Tags::default();
    for i in 0..count {
        let at = entries.checked_add(i.checked_mul(entry_bytes)?)?;
        // A directory that runs out of the file is read as far as it goes; the decoder judges the rest.
        let (Some(tag), Some(kind)) = (reader.number(at, 2), reader.number(at + 2, 2)) else { break };
        if kind != u64::from(SHORT) {
            continue;
        }
        let Some(value) = reader.number(at + entry_bytes - word, 2) else { break };
        if tag == u64::from(ORIENTATION) {
            let known = u16::try_from(value).ok().and_then(Orientation::from_exif);
            tags.orientation = known.unwrap_or_default();
        } else if tag == u64::from(EXTRA_SAMPLES) {
            tags.premultiplied = value == ASSOCIATED_ALPHA;
        }
    }
    let next = entries.checked_add(count.checked_mul(entry_bytes)?)?;
    tags.more_pages = reader.number(next, word).is_some_and(|offset| offset != 0);
    Some(tags)
}

struct Reader<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl Reader<'_> {
    /// The unsigned number in the `len` (at most eight) bytes at `at`, if they are there.
    fn number(&self, at: usize, len: usize) -> Option<u64> {
        let bytes = self.bytes.get(at..at.checked_add(len)?)?;
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(if self.little { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders() {
        let little = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        let big = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0";
        assert_eq!(exif_orientation(little), Orientation::Rotate90);
        assert_eq!(exif_orientation(big), Orientation::Rotate270);
        assert_eq!(exif_orientation(&[b"Exif\0\0", &little[..]].concat()), Orientation::Rotate90);
    }

    #[test]
    fn nonsense_is_upright() {
        assert_eq!(exif_orientation(b""), Orientation::Upright);
        assert_eq!(exif_orientation(b"II*\0\xff\xff\xff\xff"), Orientation::Upright);
        let nine = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x09\0\0\0\0\0\0\0";
        assert_eq!(exif_orientation(nine), Orientation::Upright);
    }
}
