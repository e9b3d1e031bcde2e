//! Tables by which codes are looked up.
//!
//! An entry says all that a loop has to know of the code that the next bits begin with. Its lowest 6 bits are the number of bits
//! that it takes, those behind the code included, and two bits above them the number of its literals:
//!
//! - **1 to 3 literals**: the literals, a byte each, from bit 8;
//! - **a length or a distance**: bits of the code alone from bit 9, and from bit 16 what the bits behind it are added to;
//! - **else**, with bit 8 set: the end of a block, a part of the table for longer codes (bits of its index from bit 12, where it
//!   begins from bit 16), or nothing that there is a code for.

/// Bits by which a literal or a length is looked up first.
pub(super) const SYMBOL_BITS: u32 = 12;
/// Bits by which a distance is looked up first.
pub(super) const DISTANCE_BITS: u32 = 9;

/// Bits of the longest code.
pub(super) const LONGEST: usize = 15;

const LITERALS: u32 = 0b1100_0000;
const ONE_LITERAL: u32 = 1 << 6;
const OTHER: u32 = 1 << 8;
const IS_PART: u32 = 1 << 9;
const IS_END: u32 = 1 << 10;
/// Where a length begins in an entry.
const LENGTH_AT: u32 = 22;
/// What there is no code for.
const NOTHING: u32 = OTHER;

/// One entry of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(pub(super) u32);

impl Entry {
    /// Bits that it takes, of which a shift takes no more than it needs.
    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0 & 63
    }

    /// Number of its literals.
    #[inline(always)]
    pub(super) const fn literals(self) -> usize {
        ((self.0 & LITERALS) >> 6) as usize
    }

    #[inline(always)]
    pub(super) const fn is_literal(self) -> bool {
        self.0 & LITERALS != 0
    }

    /// Its literals, the first one lowest.
    #[inline(always)]
    pub(super) const fn bytes(self) -> [u8; 4] {
        (self.0 >> 8).to_le_bytes()
    }

    /// Whether it is no length or distance, if it is no literal.
    #[inline(always)]
    pub(super) const fn is_other(self) -> bool {
        self.0 & OTHER != 0
    }

    pub(super) const fn is_end(self) -> bool {
        self.0 & IS_END != 0
    }

    /// Whether it is of a longer code.
    pub(super) const fn is_part(self) -> bool {
        self.0 & (LITERALS | OTHER | IS_PART) == OTHER | IS_PART
    }

    /// The distance that the bits say, of which the first belong to its code.
    #[inline(always)]
    pub(super) const fn distance(self, bits: u64) -> usize {
        (self.0 >> 16) as usize + self.behind(bits)
    }

    /// The length that the bits say, of which the first belong to its code.
    #[inline(always)]
    pub(super) const fn length(self, bits: u64) -> usize {
        (self.0 >> LENGTH_AT) as usize + self.behind(bits)
    }

    /// The literal that it begins with.
    pub(super) const fn first_literal(self) -> Option<u8> {
        if self.is_literal() {
            Some((self.0 >> 8) as u8)
        } else if !self.is_other() && self.before_count() == 1 {
            Some(self.before())
        } else {
            None
        }
    }

    /// The literal before a length, if there is one.
    #[inline(always)]
    pub(super) const fn before(self) -> u8 {
        (self.0 >> 14) as u8
    }

    /// Number of literals before a length: none or one.
    #[inline(always)]
    pub(super) const fn before_count(self) -> usize {
        (self.0 >> 13 & 1) as usize
    }

    /// What the bits behind the code say.
    #[inline(always)]
    const fn behind(self, bits: u64) -> usize {
        ((bits & ((1 << self.bits()) - 1)) >> (self.0 >> 9 & 15)) as usize
    }

    /// Where in the parts for longer codes the bits behind the first ones lead.
    const fn place(self, bits: u64) -> usize {
        (self.0 >> 16) as usize + (bits & ((1 << (self.0 >> 12 & 15)) - 1)) as usize
    }
}

/// Entries of the codes of one alphabet.
pub(super) struct Table<const SIZE: usize> {
    first: Box<[Entry; SIZE]>,
    /// Parts for codes that are longer than the index of `first`.
    parts: Vec<Entry>,
}

/// Lengths of codes that leave out some bits, or claim some twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoCode;

impl<const SIZE: usize> Table<SIZE> {
    const BITS: u32 = SIZE.ilog2();

    pub(super) fn new() -> Self {
        Self { first: Box::new([Entry(NOTHING); SIZE]), parts: Vec::new() }
    }

    /// The entry of the code that `bits` begin with, unless it is longer than the index.
    #[inline(always)]
    pub(super) fn first(&self, bits: u64) -> Entry {
        self.first[bits as usize % SIZE]
    }

    /// The entry of a longer code, by the bits behind the first ones.
    #[inline(always)]
    pub(super) fn longer(&self, entry: Entry, bits: u64) -> Entry {
        self.parts.get(entry.place(bits)).copied().unwrap_or(Entry(NOTHING))
    }

    /// Makes the table of a complete code by the lengths of its symbols' codes; 0 is a symbol without one. `symbols` are their
    /// entries with the bits behind the code alone.
    pub(super) fn make(&mut self, lengths: &[u8], symbols: &[Entry]) -> Result<(), NoCode> {
        let mut counts = [0_u16; LONGEST + 1];
        for &length in lengths {
            counts[usize::from(length) & LONGEST] += 1;
        }
        counts[0] = 0;
        let mut room = 1_i32;
        for &count in &counts[1..] {
            room = 2 * room - i32::from(count);
            if room < 0 {
                return Err(NoCode);
            }
        }
        if room > 0 {
            return Err(NoCode);
        }

        // Symbols by the lengths of their codes, which is the order of the codes themselves.
        let mut next = [0_u16; LONGEST + 2];
        for length in 1..=LONGEST {
            next[length + 1] = next[length] + counts[length];
        }
        let mut sorted = [0_u16; 320];
        for (symbol, &length) in lengths.iter().enumerate() {
            if length > 0 {
                let place = &mut next[usize::from(length) & LONGEST];
                sorted[usize::from(*place)] = symbol as u16;
                *place += 1;
            }
        }

        self.parts.clear();
        let mut sorted = sorted.iter().map(|&symbol| symbols[usize::from(symbol)]);
        // The first bit of a code is the lowest of the index, so codes are counted from their highest bit down.
        let mut code = 0_usize;
        // A table of so many entries is whole; for each bit more it is put behind itself once more.
        let mut size = 1;
        for length in 1..=Self::BITS {
            if size > 1 {
                self.first.copy_within(..size, size);
            }
            size *= 2;
            for symbol in sorted.by_ref().take(usize::from(counts[length as usize])) {
                self.first[code % SIZE] = with_code(symbol, length);
                code = after(code, length);
            }
        }
        for length in Self::BITS + 1..=LONGEST as u32 {
            let mut left = counts[length as usize];
            for symbol in sorted.by_ref().take(usize::from(left)) {
                let behind = length - Self::BITS;
                let mut part = self.first[code % SIZE];
                if code >> Self::BITS == 0 {
                    // The part holds all codes that begin like this one: it is as deep as they need.
                    let mut depth = behind;
                    let mut held = u32::from(left);
                    while held < 1 << depth && ((Self::BITS + depth) as usize) < LONGEST {
                        depth += 1;
                        held = 2 * held + u32::from(counts[(Self::BITS + depth) as usize]);
                    }
                    let begins = self.parts.len();
                    self.parts.resize(begins + (1 << depth), Entry(NOTHING));
                    part = Entry(Self::BITS | OTHER | IS_PART | depth << 12 | (begins as u32) << 16);
                    self.first[code % SIZE] = part;
                }
                let begins = (part.0 >> 16) as usize;
                let entries = self.parts.get_mut(begins..).unwrap_or_default();
                for entry in entries.iter_mut().skip(code >> Self::BITS).step_by(1 << behind) {
                    *entry = with_code(symbol, behind);
                }
                code = after(code, length);
                left -= 1;
            }
        }
        Ok(())
    }

    /// Makes the table of no code, or of a code of one bit, of which the other one is nothing: what there may be for distances.
    pub(super) fn make_sparse(&mut self, only: Option<Entry>) {
        self.parts.clear();
        self.first.fill(Entry(NOTHING));
        if let Some(symbol) = only {
            self.first.iter_mut().step_by(2).for_each(|entry| *entry = with_code(symbol, 1));
        }
    }

    /// Joins codes that stand in an index together: up to three literals, or one and the length that follows it.
    pub(super) fn join(&mut self) {
        let single = self.first.clone();
        for (index, entry) in self.first.iter_mut().enumerate() {
            while entry.is_literal() && entry.literals() < 3 {
                let used = entry.bits();
                let next = single[(index >> used) % SIZE];
                let count = entry.literals() as u32;
                if next.is_literal() {
                    let bits = used + next.bits();
                    if bits > Self::BITS {
                        break;
                    }
                    *entry =
                        Entry(bits | (count + 1) << 6 | (entry.0 & !255 | (next.0 >> 8) << (8 + 8 * count)));
                } else {
                    let code = used + (next.0 >> 9 & 15);
                    if !next.is_other() && count == 1 && code <= Self::BITS {
                        let (bits, length) = (used + next.bits(), next.0 >> LENGTH_AT);
                        let literal = entry.0 >> 8 & 255;
                        *entry =
                            Entry(bits | (code << 9) | (1 << 13) | (literal << 14) | (length << LENGTH_AT));
                    }
                    break;
                }
            }
        }
    }
}

/// The next code of so many bits, the first of which is the lowest.
const fn after(code: usize, bits: u32) -> usize {
    // The last code is of ones alone; what follows it is never asked for.
    let zeros = !code & ((1 << bits) - 1);
    if zeros == 0 {
        return 0;
    }
    let highest = 1 << zeros.ilog2();
    code & (highest - 1) | highest
}

const fn with_code(symbol: Entry, bits: u32) -> Entry {
    let is_value = symbol.0 & (LITERALS | OTHER) == 0;
    Entry(symbol.0 + bits + if is_value { bits << 9 } else { 0 })
}

/// Entries of literals, of the end of a block, and of lengths (RFC 1951, 3.2.5).
pub(super) static SYMBOLS: [Entry; 288] = symbols();
/// Entries of distances (RFC 1951, 3.2.5).
pub(super) static DISTANCES: [Entry; 32] = distances();
/// Entries of the lengths of codes, as if they were literals.
pub(super) static LENGTHS: [Entry; 19] = lengths();

const fn symbols() -> [Entry; 288] {
    let mut entries = [Entry(NOTHING); 288];
    let mut symbol = 0;
    while symbol < 256 {
        entries[symbol] = Entry(ONE_LITERAL | (symbol as u32) << 8);
        symbol += 1;
    }
    entries[256] = Entry(OTHER | IS_END);
    let (mut symbol, mut length) = (257, 3);
    while symbol < 285 {
        let step = (symbol - 257) / 4;
        let behind = if step > 1 { step as u32 - 1 } else { 0 };
        entries[symbol] = Entry(behind | length << LENGTH_AT);
        length += 1 << behind;
        symbol += 1;
    }
    entries[285] = Entry(258 << LENGTH_AT);
    entries
}

const fn distances() -> [Entry; 32] {
    let mut entries = [Entry(NOTHING); 32];
    let (mut symbol, mut distance) = (0, 1);
    while symbol < 30 {
        let step = symbol / 2;
        let behind = if step > 1 { step as u32 - 1 } else { 0 };
        entries[symbol] = Entry(behind | distance << 16);
        distance += 1 << behind;
        symbol += 1;
    }
    entries
}

const fn lengths() -> [Entry; 19] {
    let mut entries = [Entry(NOTHING); 19];
    let mut symbol = 0;
    while symbol < 19 {
        entries[symbol] = Entry(ONE_LITERAL | (symbol as u32) << 8);
        symbol += 1;
    }
    entries
}
