//! What the framing of a file says that its decoder does not: whether it is complete, and whether there is more than
//! one picture in it.
//!
//! Decoders fill in what is missing at the end of a JPEG or GIF, which would turn a download that broke off into a
//! picture with a grey bottom. The walks here refuse such files before they are decoded.

use crate::error::CodecError;
use crate::header::{FileFormat, Note};
use crate::ifd;

/// What was found besides the picture.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Framing {
    pub(super) notes: Vec<Note>,
    /// Colours are already multiplied by alpha.
    pub(super) premultiplied: bool,
}

pub(super) fn walk(file: FileFormat, bytes: &[u8]) -> Result<Framing, CodecError> {
    let truncated = || CodecError::truncated(file, bytes.len() as u64);
    match file {
        FileFormat::Jpeg => jpeg(bytes).ok_or_else(truncated),
        FileFormat::Gif => gif(bytes).ok_or_else(truncated),
        FileFormat::WebP => webp(bytes).ok_or_else(truncated),
        FileFormat::Bmp => Ok(bmp(bytes)),
        FileFormat::Qoi => qoi(bytes).ok_or_else(truncated),
        FileFormat::Tiff => {
            let tags = ifd::tags(bytes).unwrap_or_default();
            let notes =
                if tags.more_pages { vec![Note::FirstFrameOnly { frames: None }] } else { Vec::new() };
            Ok(Framing { notes, premultiplied: tags.premultiplied })
        }
        // Has its own reader.
        FileFormat::Png => Ok(Framing::default()),
    }
}

/// From marker to marker up to the end of the image; `None` when the file ends first.
fn jpeg(bytes: &[u8]) -> Option<Framing> {
    const END_OF_IMAGE: u8 = 0xd9;
    let mut framing = Framing::default();
    let mut at = 2;
    loop {
        // Between segments, and inside a scan, everything up to the next marker is skipped. Zero after 0xff is a
        // stuffed byte, 0xff is padding, and the restart markers belong to the scan.
        let marker = loop {
            let pair = bytes.get(at..at + 2)?;
            match pair {
                [0xff, 0x00 | 0x01 | 0xd0..=0xd8] => at += 2,
                [0xff, marker] if *marker != 0xff => break *marker,
                _ => at += 1,
            }
        };
        at += 2;
        if marker == END_OF_IMAGE {
            return Some(framing);
        }
        let len = usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let segment = bytes.get(at..at.checked_add(len)?)?;
        // Start of frame, in every variant: precision, height, width, then the number of components.
        let starts_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if starts_frame && segment.get(7) == Some(&4) {
            framing.notes.push(Note::Converted { from: "CMYK, without a profile".to_owned() });
        }
        // Behind a scan's header its data follow, which the loop above skips over.
        at += len.max(2);
    }
}

/// From block to block up to the trailer; `None` when the file ends first.
fn gif(bytes: &[u8]) -> Option<Framing> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3usize << ((flags & 7) + 1) };
    let mut at = 13 + table(*bytes.get(10)?);
    let mut frames = 0;
    loop {
        match *bytes.get(at)? {
            // Image: descriptor, its colour table, the size of the first code, and sub-blocks.
            0x2c => {
                frames += 1;
                at = skip_blocks(bytes, at + 11 + table(*bytes.get(at + 9)?))?;
            }
            0x21 => at = skip_blocks(bytes, at + 2)?,
            // The trailer. Anything else is damage, which the decoder names.
            _ => break,
        }
    }
    let notes = if frames > 1 { vec![Note::FirstFrameOnly { frames: Some(frames) }] } else { Vec::new() };
    Some(Framing { notes, premultiplied: false })
}

/// Behind a chain of sub-blocks: each is its length and as many bytes, and the last is empty.
fn skip_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let len = usize::from(*bytes.get(at)?);
        at += 1 + len;
        if len == 0 {
            return Some(at);
        }
    }
}

fn webp(bytes: &[u8]) -> Option<Framing> {
    let number = |at: usize| bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b));
    let end = (number(4)? as usize).checked_add(8)?;
    bytes.get(..end)?;
    let mut frames = 0;
    let mut at = 12;
    // Chunks are padded to an even length.
    while at + 8 <= end {
        frames += u64::from(bytes[at..].starts_with(b"ANMF"));
        let len = number(at + 4)? as usize;
        at = at.checked_add(8)?.checked_add(len)?.checked_add(len & 1)?;
    }
    let notes = if frames > 1 { vec![Note::FirstFrameOnly { frames: Some(frames) }] } else { Vec::new() };
    Some(Framing { notes, premultiplied: false })
}

fn bmp(bytes: &[u8]) -> Framing {
    // Version 5 of the header can name a profile or hold one.
    let profile = match bytes.get(14..18) {
        Some([124, 0, 0, 0]) => bytes.get(70..74),
        _ => None,
    };
    let notes = match profile {
        Some(b"DEBM" | b"KNIL") => vec![Note::ProfileIgnored { profile: "in the BMP header".to_owned() }],
        _ => Vec::new(),
    };
    Framing { notes, premultiplied: false }
}

/// From code to code until every pixel is there; `None` when the file ends first.
fn qoi(bytes: &[u8]) -> Option<Framing> {
    const LINEAR: u8 = 1;
    const END: usize = 8;
    let number = |at: usize| bytes.get(at..)?.first_chunk().map(|b| u64::from(u32::from_be_bytes(*b)));
    let mut missing = number(4)?.saturating_mul(number(8)?);
    let linear = *bytes.get(13)? == LINEAR;
    let mut at = 14;
    while missing > 0 {
        let (len, pixels) = match *bytes.get(at)? {
            0xfe => (4, 1),
            0xff => (5, 1),
            code if code >> 6 == 2 => (2, 1),
            code if code >> 6 == 3 => (1, u64::from(code & 0x3f) + 1),
            _ => (1, 1),
        };
        at += len;
        missing = missing.saturating_sub(pixels);
    }
    bytes.get(at..at + END)?;
    let notes = if linear {
        vec![Note::ProfileIgnored { profile: "linear (QOI header)".to_owned() }]
    } else {
        Vec::new()
    };
    Some(Framing { notes, premultiplied: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A JPEG of markers alone: a frame of so many components, a scan with stuffing and a restart, and the end.
    fn markers(components: u8) -> Vec<u8> {
        let mut out = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xd9];
        out.extend([0xff, 0xc2, 0, 9, 8, 0, 1, 0, 1, components, 0]);
        out.extend([0xff, 0xda, 0, 2, 1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xff, 0xd9]);
        out
    }

    #[test]
    fn a_jpeg_ends_at_its_own_end_marker() {
        let file = markers(3);
        assert_eq!(jpeg(&file), Some(Framing::default()));
        for n in 2..file.len() {
            // Not at the end marker that stands inside of a segment.
            assert_eq!(jpeg(&file[..n]), None, "cut at {n}");
        }
    }

    #[test]
    fn four_components_are_cmyk() {
        let framing = jpeg(&markers(4)).unwrap();
        assert_eq!(framing.notes, [Note::Converted { from: "CMYK, without a profile".to_owned() }]);
    }

    #[test]
    fn frames_of_a_webp_are_counted() {
        let chunk = |name: &[u8; 4], data: &[u8]| {
            let mut out = name.to_vec();
            out.extend((data.len() as u32).to_le_bytes());
            out.extend(data);
            out.resize(out.len().next_multiple_of(2), 0);
            out
        };
        let body = [chunk(b"ANIM", &[0; 6]), chunk(b"ANMF", &[1; 17]), chunk(b"ANMF", &[1; 20])].concat();
        let file = [b"RIFF".to_vec(), (body.len() as u32 + 4).to_le_bytes().to_vec(), b"WEBP".to_vec(), body]
            .concat();
        assert_eq!(webp(&file).unwrap().notes, [Note::FirstFrameOnly { frames: Some(2) }]);
        for n in 12..file.len() {
            assert_eq!(webp(&file[..n]), None, "cut at {n}");
        }
    }

    #[test]
    fn a_profile_in_a_bmp_header_is_noted() {
        let mut header = vec![0; 138];
        header[14] = 124;
        header[70..74].copy_from_slice(b"BGRs");
        assert_eq!(bmp(&header), Framing::default(), "sRGB, as Windows spells it");
        header[70..74].copy_from_slice(b"DEBM");
        assert!(matches!(&bmp(&header).notes[..], [Note::ProfileIgnored { .. }]));
    }
}
