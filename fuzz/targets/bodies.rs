//! What each fuzz target does with its bytes. The same code replays the corpora on stable.

use trueup::codec::{self, Limits};
use trueup::frame::{ImageView, PixelFormat, Rect, Size};
use trueup::pixel_diff::{Layout, Options, Scan, Tolerance, Window, diff};
use trueup::rubric::{ReadOptions, Reading, preset, read_reply};

/// Any bytes decode or are refused: never a panic, and never a picture that is not the one in the header.
pub(crate) fn decode(bytes: &[u8]) {
    let limits = Limits::default().with_max_pixels(1 << 20).with_max_bytes(1 << 24);
    let whole = codec::decode(bytes, &limits);
    if let Ok(decoded) = &whole {
        assert_eq!(decoded.frame.size(), decoded.header.size);
        assert_eq!(decoded.frame.format(), decoded.header.format);
    }
    // Band by band it is the same picture, or the same refusal.
    let mut streamed = Vec::new();
    let rows = codec::open(bytes, &limits).and_then(|mut rows| {
        while let Some(band) = rows.next_band(3)? {
            band.view().rows().for_each(|row| streamed.extend_from_slice(row));
        }
        Ok(())
    });
    assert_eq!(rows.is_ok(), whole.is_ok());
    if let Ok(decoded) = whole {
        assert!(streamed == decoded.frame.bytes(), "bands and whole differ");
    }
}

/// Any two pictures compare: equal to themselves, alike both ways round, the same streamed as in memory.
pub(crate) fn compare(bytes: &[u8]) {
    let [width, height, format, tolerance, mask, pixels @ ..] = bytes else { return };
    let formats = [
        PixelFormat::Gray8,
        PixelFormat::GrayAlpha8,
        PixelFormat::Rgb8,
        PixelFormat::Rgba8,
        PixelFormat::Gray16,
        PixelFormat::Rgba16,
    ];
    let format = formats[usize::from(*format) % formats.len()];
    let size = Size::new(u32::from(*width % 33), u32::from(*height % 33));
    let needed = size.width as usize * size.height as usize * format.bytes_per_pixel();
    let Some((first, second)) = pixels.get(..2 * needed).map(|pixels| pixels.split_at(needed)) else {
        return;
    };
    let view = |bytes| ImageView::packed(bytes, size, format).expect("exactly the bytes that it takes");
    let (a, b) = (view(first), view(second));
    let tolerance = Tolerance::new(f64::from(*tolerance) / 16.0).expect("within range");
    let side = u32::from(*mask % 16);
    let options =
        Options::default().with_tolerance(tolerance).with_ignored(Rect::new(side, side, side, side));

    assert!(diff(&a, &a, &options).expect("a picture compares with itself").is_identical());
    let forth = diff(&a, &b, &options).expect("two pictures of one layout compare");
    let back = diff(&b, &a, &options).expect("two pictures of one layout compare");
    assert_eq!(forth.differing_pixels(), back.differing_pixels());
    assert_eq!(forth.open_pixels(), back.open_pixels());

    let mut scan = Scan::new(Layout::of(&a), Layout::of(&b), &options).expect("the options were used before");
    let mut row = 0;
    while row < size.height {
        let rows = (1 + row % 5).min(size.height - row);
        let band = Rect::new(0, row, size.width, rows);
        let (a, b) = (a.crop(band).expect("inside"), b.crop(band).expect("inside"));
        scan.push(Window::new(a, b, row)).expect("the next rows");
        row += rows;
    }
    assert_eq!(scan.finish().expect("all rows were pushed"), forth);
}

/// Any text reads or is refused: never a panic, and nothing is accepted that does not stand in it.
pub(crate) fn reply(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut options = ReadOptions::default();
    options.text_scores = bytes.len().is_multiple_of(2);
    for name in ["framesmith", "moai", "aep-code"] {
        let rubric = preset::named(name).expect("it is named");
        let Ok(reply) = read_reply(&text, &rubric, &options) else { continue };
        assert_eq!(reply.axes().len(), rubric.axes().len());
        for axis in reply.axes() {
            let accepted = matches!(axis.reading, Reading::Scored(_) | Reading::Clamped { .. });
            assert_eq!(accepted, axis.written.is_some());
            if let Some(written) = &axis.written {
                assert!(text.contains(written.as_str()), "{written} is not in the input");
                assert!(text.to_ascii_lowercase().contains(&axis.axis.to_ascii_lowercase()));
            }
        }
    }
}

/// Any text reads as findings or is refused; what was read is written and read again as the same.
pub(crate) fn findings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(list) = trueup_findings::read(&text) else { return };
    let merged = trueup_findings::Findings::of(list);
    let written = merged.list();
    let again =
        trueup_findings::read(&trueup_findings::emit::json(&written)).expect("what we write, we read");
    assert_eq!(again, written);
    assert_eq!(merged.clone().merge(trueup_findings::Findings::of(again)).list(), written);
    for text in [
        trueup_findings::emit::markdown(&written),
        trueup_findings::emit::junit(&written),
        trueup_findings::emit::sarif(&written),
        trueup_findings::emit::rdjson(&written),
    ] {
        assert!(!text.is_empty());
    }
    let terminal = trueup_findings::emit::terminal(&written, |_| Some(text.to_string()));
    assert!(!terminal.contains('\u{1b}'), "nothing moves the cursor");
    assert!(trueup_findings::emit::github(&written).lines().all(|line| line.starts_with("::")));
}
