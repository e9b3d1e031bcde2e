//! Small numbers for pictures.

/// Columns and rows of a digit.
pub(crate) const WIDTH: u32 = 3;
pub(crate) const HEIGHT: u32 = 5;

/// The digits, a row of three bits each, from the top; the highest bit is left.
const DIGITS: [[u8; HEIGHT as usize]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// The decimal digits of a number, the highest first.
pub(crate) fn of(number: usize) -> Vec<u8> {
    number.to_string().bytes().map(|digit| digit - b'0').collect()
}

/// Whether a digit's pixel is set; nothing is set outside.
pub(crate) fn is_set(digit: u8, column: u32, row: u32) -> bool {
    let rows = DIGITS.get(usize::from(digit));
    let bits = rows.and_then(|rows| rows.get(row as usize)).copied().unwrap_or(0);
    column < WIDTH && bits >> (WIDTH - 1 - column) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_looks_unlike_every_other() {
        for (i, a) in DIGITS.iter().enumerate() {
            assert!(DIGITS[..i].iter().all(|b| a != b), "{i}");
        }
        assert_eq!(of(1207), [1, 2, 0, 7]);
        assert!(is_set(7, 0, 0) && !is_set(7, 0, 1) && !is_set(7, 3, 0) && !is_set(10, 0, 0));
    }
}
