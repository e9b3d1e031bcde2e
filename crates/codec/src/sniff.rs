//! Which format some bytes are in, by content alone.

use crate::error::{CodecError, CodecErrorKind};
use crate::header::FileFormat;

pub(crate) const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Sizes that the second header of a BMP may have; they tell a bitmap from text that begins with "BM".
const BMP_HEADERS: [u32; 8] = [12, 16, 40, 52, 56, 64, 108, 124];

/// Bytes from the beginning of a file that are enough to recognise it as well as all of them do.
pub(crate) const HEAD_BYTES: usize = 1 << 10;

/// The format, or why there is none. Of a file that is longer than [`HEAD_BYTES`], these are enough.
pub(crate) fn recognize(bytes: &[u8]) -> Result<FileFormat, CodecError> {
    if bytes.is_empty() {
        return Err(CodecErrorKind::Empty.into());
    }
    if let Some(format) = signature(bytes) {
        return Ok(format);
    }
    if let Some(format) = cut_signature(bytes) {
        return Err(CodecError::truncated(format, bytes.len() as u64));
    }
    if bytes.starts_with(b"\x89PNG") {
        let detail = "its signature is altered, as a transfer in text mode does";
        return Err(CodecError::damaged(FileFormat::Png, detail));
    }
    if let Some(what) = known_unreadable(bytes) {
        return Err(CodecErrorKind::Unsupported { what: what.to_owned() }.into());
    }
    if bytes.starts_with(b"version https://git-lfs") {
        return Err(CodecErrorKind::LfsPointer { size: lfs_size(bytes) }.into());
    }
    if let Some(looks_like) = text(bytes) {
        return Err(CodecErrorKind::Text { looks_like }.into());
    }
    Err(CodecErrorKind::Unrecognized { start: bytes[..bytes.len().min(8)].to_vec() }.into())
}

fn signature(bytes: &[u8]) -> Option<FileFormat> {
    let starts = |prefix: &[u8]| bytes.starts_with(prefix);
    if starts(PNG_SIGNATURE) {
        Some(FileFormat::Png)
    } else if starts(b"\xff\xd8\xff") {
        Some(FileFormat::Jpeg)
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        Some(FileFormat::Gif)
    } else if starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(FileFormat::WebP)
    } else if starts(b"II*\0") || starts(b"MM\0*") || starts(b"II+\0") || starts(b"MM\0+") {
        Some(FileFormat::Tiff)
    } else if starts(b"qoif") {
        Some(FileFormat::Qoi)
    } else if starts(b"BM") && dib_size(bytes).is_some_and(|size| BMP_HEADERS.contains(&size)) {
        Some(FileFormat::Bmp)
    } else {
        None
    }
}

fn dib_size(bytes: &[u8]) -> Option<u32> {
    bytes.get(14..18)?.try_into().ok().map(u32::from_le_bytes)
}

/// A file that ends inside its signature. Formats whose signature is readable text need enough of it to be sure.
fn cut_signature(bytes: &[u8]) -> Option<FileFormat> {
    if PNG_SIGNATURE.starts_with(bytes) {
        Some(FileFormat::Png)
    } else if b"\xff\xd8\xff".starts_with(bytes) {
        Some(FileFormat::Jpeg)
    } else if bytes.len() >= 3 && (b"GIF87a".starts_with(bytes) || b"GIF89a".starts_with(bytes)) {
        Some(FileFormat::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.len() < 12 && b"WEBP".starts_with(bytes.get(8..)?) {
        Some(FileFormat::WebP)
    } else if bytes.starts_with(b"BM") && bytes.len() < 18 && text(bytes).is_none() {
        Some(FileFormat::Bmp)
    } else {
        None
    }
}

fn known_unreadable(bytes: &[u8]) -> Option<&'static str> {
    let brand = bytes.get(4..12).filter(|b| b.starts_with(b"ftyp")).map(|b| &b[4..]);
    match brand {
        Some(b"avif" | b"avis") => return Some("an AVIF image"),
        Some(b"heic" | b"heix" | b"mif1" | b"msf1" | b"hevc") => return Some("an HEIF image"),
        Some(_) => return Some("a video or media file"),
        None => {}
    }
    const KNOWN: [(&[u8], &str); 11] = [
        (b"\xff\x0a", "a JPEG XL image"),
        (b"\0\0\0\x0cJXL ", "a JPEG XL image"),
        (b"\0\0\0\x0cjP  ", "a JPEG 2000 image"),
        (b"8BPS", "a Photoshop document"),
        (b"%PDF", "a PDF document"),
        (b"\0\0\x01\0", "a Windows icon"),
        (b"DDS ", "a DirectDraw surface"),
        (b"\x76\x2f\x31\x01", "an OpenEXR image"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip file"),
        (b"\x8aMNG", "an MNG animation"),
    ];
    KNOWN.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, what)| what)
}

fn lfs_size(pointer: &[u8]) -> Option<u64> {
    let text = str::from_utf8(pointer).ok()?;
    text.lines().find_map(|line| line.strip_prefix("size "))?.trim().parse().ok()
}

/// What kind of text it is, judged by its first half kilobyte; `None` for binary data.
fn text(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some("UTF-16 text");
    }
    let head = &bytes[..bytes.len().min(512)];
    let valid = match str::from_utf8(head) {
        Ok(text) => text,
        // A character that the cut went through is no reason against text; a wrong byte is.
        Err(error) if error.error_len().is_none() && head.len() < bytes.len() => {
            str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    if valid.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c')) {
        return None;
    }
    let start = valid.trim_start_matches('\u{feff}').trim_start();
    let lower = start.to_ascii_lowercase();
    Some(if lower.starts_with("<svg") || (lower.starts_with("<?xml") && lower.contains("<svg")) {
        "an SVG document (render it first)"
    } else if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        "an HTML page"
    } else if lower.starts_with('{') || lower.starts_with('[') {
        "JSON or similar text"
    } else if lower.starts_with("data:image/") {
        "a data URL (decode its base64 first)"
    } else {
        "text"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &[u8]) -> CodecErrorKind {
        recognize(bytes).unwrap_err().kind().clone()
    }

    #[test]
    fn what_is_no_image_is_named() {
        assert_eq!(kind(b""), CodecErrorKind::Empty);
        assert_eq!(kind(b"hello"), CodecErrorKind::Text { looks_like: "text" });
        assert_eq!(kind(b"BMW is a car maker, and more"), CodecErrorKind::Text { looks_like: "text" });
        assert_eq!(
            kind(b"<?xml version='1.0'?>\n<svg/>"),
            CodecErrorKind::Text { looks_like: "an SVG document (render it first)" }
        );
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 132735\n";
        assert_eq!(kind(pointer), CodecErrorKind::LfsPointer { size: Some(132_735) });
        assert_eq!(kind(b"\0\x01\x02"), CodecErrorKind::Unrecognized { start: vec![0, 1, 2] });
        assert!(matches!(kind(b"\0\0\0\x1cftypavif....."), CodecErrorKind::Unsupported { .. }));
        assert!(matches!(kind(b"\x89PNG\n\x1a\n"), CodecErrorKind::Damaged { file: FileFormat::Png, .. }));
    }

    #[test]
    fn a_cut_signature_is_a_cut_file() {
        for n in 1..PNG_SIGNATURE.len() {
            assert_eq!(
                kind(&PNG_SIGNATURE[..n]),
                CodecErrorKind::Truncated { file: FileFormat::Png, len: n as u64 }
            );
        }
        assert!(matches!(
            kind(b"RIFF\x10\0\0\0WE"),
            CodecErrorKind::Truncated { file: FileFormat::WebP, .. }
        ));
        assert!(matches!(kind(b"BM\x10\0\0\0"), CodecErrorKind::Truncated { file: FileFormat::Bmp, .. }));
    }

    #[test]
    fn text_that_is_cut_inside_a_character_is_text() {
        let long = "é".repeat(400);
        assert_eq!(kind(format!("a{long}").as_bytes()), CodecErrorKind::Text { looks_like: "text" });
    }

    #[test]
    fn the_message_lists_what_can_be_read() {
        let message = recognize(b"\0\x01").unwrap_err().to_string();
        assert!(message.ends_with("convert it to PNG, JPEG, WebP, BMP, GIF, TIFF or QOI"), "{message}");
        assert!(message.contains("00 01"), "{message}");
    }
}
