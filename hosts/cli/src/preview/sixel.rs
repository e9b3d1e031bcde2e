//! Sixels: rows in bands of six, one colour after the other.

use std::collections::{BTreeMap, BTreeSet};

use trueup_frame::Size;

/// Colours that every terminal with sixels has.
const COLORS: usize = 256;
/// Rows of a band.
const BAND: usize = 6;
/// Equal columns from which a count takes less than they do.
const COUNTED: usize = 4;

/// A picture of red, green and blue samples.
///
/// Up to 256 colours stay apart; of more, the lowest bits go until so many are left. Pictures of a difference have few: greys,
/// and the colours of a mark or of a scale.
pub(super) fn encode(size: Size, samples: &[u8]) -> Vec<u8> {
    let pixels = samples.as_chunks::<3>().0;
    let (palette, keep) = palette(pixels);
    let place: BTreeMap<[u8; 3], usize> =
        palette.iter().enumerate().map(|(at, color)| (*color, at)).collect();
    // Pixels are square, and what no colour covers stays as it was.
    let mut out = format!("\x1bP0;1;0q\"1;1;{};{}", size.width, size.height);
    for (at, color) in palette.iter().enumerate() {
        let [red, green, blue] = color.map(|sample| percent(shown(sample, keep)));
        out.push_str(&format!("#{at};2;{red};{green};{blue}"));
    }
    let width = (size.width as usize).max(1);
    for band in pixels.chunks(width * BAND) {
        // Of every colour in the band, its bits column by column.
        let mut columns: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (row, line) in band.chunks(width).enumerate() {
            for (x, pixel) in line.iter().enumerate() {
                let color = place.get(&pixel.map(|sample| sample & keep)).copied().unwrap_or(0);
                columns.entry(color).or_insert_with(|| vec![0; width])[x] |= 1 << row;
            }
        }
        for (index, (color, bits)) in columns.iter().enumerate() {
            // Back to the left for the next colour.
            out.push_str(&format!("{}#{color}", if index > 0 { "$" } else { "" }));
            runs(bits, &mut out);
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
    out.into_bytes()
}

/// At most 256 colours, and which bits of a sample tell them apart.
fn palette(pixels: &[[u8; 3]]) -> (Vec<[u8; 3]>, u8) {
    let mut colors: BTreeSet<[u8; 3]> = pixels.iter().copied().collect();
    let mut keep = u8::MAX;
    while colors.len() > COLORS {
        keep <<= 1;
        colors = colors.into_iter().map(|color| color.map(|sample| sample & keep)).collect();
    }
    (colors.into_iter().collect(), keep)
}

/// The sample that stands for all those that have the same bits: the one in their middle.
const fn shown(sample: u8, keep: u8) -> u8 {
    sample | (!keep >> 1)
}

/// A sample in hundredths of the whole.
fn percent(sample: u8) -> u32 {
    (u32::from(sample) * 100 + 127) / 255
}

/// Columns as characters, equal ones with their count. Blank columns at the end say nothing.
fn runs(bits: &[u8], out: &mut String) {
    let end = bits.iter().rposition(|&column| column != 0).map_or(0, |last| last + 1);
    for run in bits[..end].chunk_by(|a, b| a == b) {
        let character = char::from(b'?' + run[0]);
        if run.len() >= COUNTED {
            out.push_str(&format!("!{}{character}", run.len()));
        } else {
            out.extend(run.iter().map(|_| character));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal makes of sixels: its pixels in hundredths, `None` where nothing was drawn.
    fn drawn(bytes: &[u8]) -> (usize, usize, Vec<Option<[u32; 3]>>) {
        let text = std::str::from_utf8(bytes).unwrap();
        let body = text.strip_prefix("\x1bP0;1;0q\"1;1;").unwrap().strip_suffix("\x1b\\").unwrap();
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
        let (width, rest) = body.split_at(digits(body));
        let (height, mut rest) = rest[1..].split_at(digits(&rest[1..]));
        let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
        let mut pixels = vec![None; width * height];
        let (mut palette, mut color, mut x, mut band) = (BTreeMap::new(), 0_u32, 0, 0);
        while let Some(character) = rest.chars().next() {
            rest = &rest[1..];
            let number = |rest: &mut &str| {
                let (number, after) = rest.split_at(digits(rest));
                *rest = after;
                number.parse::<u32>().unwrap()
            };
            let mut count = 1;
            let mut column = Some(character);
            match character {
                '#' => {
                    color = number(&mut rest);
                    if rest.starts_with(';') {
                        let mut numbers = [0; 4];
                        for one in &mut numbers {
                            rest = &rest[1..];
                            *one = number(&mut rest);
                        }
                        assert_eq!(numbers[0], 2, "in red, green and blue");
                        palette.insert(color, [numbers[1], numbers[2], numbers[3]]);
                    }
                    column = None;
                }
                '$' => (x, column) = (0, None),
                '-' => (x, band, column) = (0, band + 1, None),
                '!' => {
                    count = number(&mut rest);
                    column = rest.chars().next();
                    rest = &rest[1..];
                }
                _ => {}
            }
            for _ in 0..column.map_or(0, |_| count) {
                let bits = column.unwrap() as u32 - u32::from(b'?');
                assert!(bits < 64);
                for row in (0..BAND).filter(|row| bits >> row & 1 == 1) {
                    pixels[(band * BAND + row) * width + x] = Some(palette[&color]);
                }
                x += 1;
            }
        }
        (width, height, pixels)
    }

    #[test]
    fn few_colours_arrive_as_they_are() {
        // Thirteen rows are two bands and one row of a third.
        let size = Size::new(9, 13);
        let color = |x: u32, y: u32| [[255, 0, 0], [0, 128, 255], [200; 3]][((x / 5 + y) % 3) as usize];
        let samples: Vec<u8> =
            (0..size.height).flat_map(|y| (0..size.width).flat_map(move |x| color(x, y))).collect();
        let (width, height, pixels) = drawn(&encode(size, &samples));
        assert_eq!((width, height), (9, 13));
        for (at, pixel) in pixels.iter().enumerate() {
            let wanted = color(at as u32 % 9, at as u32 / 9).map(percent);
            assert_eq!(*pixel, Some(wanted), "{at}");
        }
    }

    #[test]
    fn many_colours_become_at_most_256_that_are_near() {
        let size = Size::new(64, 64);
        let color = |at: u32| [(at % 64 * 4) as u8, (at / 64 * 4) as u8, (at % 7 * 30) as u8];
        let samples: Vec<u8> = (0..64 * 64).flat_map(color).collect();
        let bytes = encode(size, &samples);
        let (_, _, pixels) = drawn(&bytes);
        let mut seen = BTreeSet::new();
        for (at, pixel) in (0..).zip(&pixels) {
            let pixel = pixel.expect("every pixel is drawn");
            seen.insert(pixel);
            for (shown, wanted) in pixel.iter().zip(color(at).map(percent)) {
                assert!(shown.abs_diff(wanted) <= 14, "{at}: {pixel:?}");
            }
        }
        // Three bits of every sample are left of a picture as varied as this one.
        assert!((30..=256).contains(&seen.len()), "{}", seen.len());
    }

    #[test]
    fn equal_columns_are_counted() {
        let bytes = encode(Size::new(12, 1), &[255; 36]);
        assert_eq!(String::from_utf8(bytes).unwrap(), "\x1bP0;1;0q\"1;1;12;1#0;2;100;100;100#0!12@-\x1b\\");
    }
}
