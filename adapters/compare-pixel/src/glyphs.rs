//! Small numbers and words for pictures.

/// Columns and rows of a glyph.
pub(crate) const WIDTH: u32 = 3;
pub(crate) const HEIGHT: u32 = 5;

/// A glyph: a row of three bits each, from the top; the highest bit is left. Only what pictures say is there; anything else is
/// blank.
const fn glyph(character: char) -> [u8; HEIGHT as usize] {
    match character {
        '0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        '1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        '2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        '3' => [0b111, 0b001, 0b111, 0b001, 0b111],
        '4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        '5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        '6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        '7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        '8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        '9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        'A' => [0b010, 0b101, 0b111, 0b101, 0b101],
        'B' => [0b110, 0b101, 0b110, 0b101, 0b110],
        'C' => [0b011, 0b100, 0b100, 0b100, 0b011],
        'D' => [0b110, 0b101, 0b101, 0b101, 0b110],
        'E' => [0b111, 0b100, 0b110, 0b100, 0b111],
        'H' => [0b101, 0b101, 0b111, 0b101, 0b101],
        'I' => [0b111, 0b010, 0b010, 0b010, 0b111],
        'K' => [0b101, 0b101, 0b110, 0b101, 0b101],
        'L' => [0b100, 0b100, 0b100, 0b100, 0b111],
        'N' => [0b110, 0b101, 0b101, 0b101, 0b101],
        'O' => [0b010, 0b101, 0b101, 0b101, 0b010],
        'Q' => [0b010, 0b101, 0b101, 0b110, 0b011],
        'R' => [0b110, 0b101, 0b110, 0b101, 0b101],
        'T' => [0b111, 0b010, 0b010, 0b010, 0b010],
        'Y' => [0b101, 0b101, 0b010, 0b010, 0b010],
        'Δ' => [0b010, 0b010, 0b101, 0b101, 0b111],
        '≥' => [0b110, 0b001, 0b110, 0b000, 0b111],
        '-' => [0b000, 0b000, 0b111, 0b000, 0b000],
        '.' => [0b000, 0b000, 0b000, 0b000, 0b010],
        _ => [0; HEIGHT as usize],
    }
}

/// Columns of a text, without the one that follows it.
pub(crate) fn width(text: &str) -> u32 {
    let count = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    count.saturating_mul(WIDTH + 1).saturating_sub(1)
}

/// Whether a pixel of a text is set; nothing is set outside.
pub(crate) fn is_set(text: &str, column: u32, row: u32) -> bool {
    let (index, within) = (column / (WIDTH + 1), column % (WIDTH + 1));
    let Some(character) = text.chars().nth(index as usize) else { return false };
    let bits = glyph(character).get(row as usize).copied().unwrap_or(0);
    within < WIDTH && bits >> (WIDTH - 1 - within) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_looks_unlike_every_other() {
        let known: Vec<char> = "0123456789ABCDEHIKLNOQRTYΔ≥-.".chars().collect();
        for (i, &a) in known.iter().enumerate() {
            assert_ne!(glyph(a), glyph(' '), "{a}");
            for &b in &known[..i] {
                assert_ne!(glyph(a), glyph(b), "{a} {b}");
            }
        }
        assert!(is_set("07", 4, 0) && !is_set("07", 4, 1) && !is_set("07", 7, 0) && !is_set("07", 8, 0));
        assert!(!is_set("07", 3, 0), "a blank column lies between two");
        assert_eq!((width("07"), width("")), (7, 0));
    }
}
