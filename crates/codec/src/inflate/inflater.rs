//! The stream: its header, its blocks, and what they say.

use std::fmt;

use super::copy::{PLACES, STEP_BYTES, View, copy_back};
use super::table::{DISTANCE_BITS, DISTANCES, LENGTHS, NoCode, SYMBOL_BITS, SYMBOLS, Table};

/// Bytes that a match may begin before it.
pub(crate) const WINDOW_BYTES: usize = 1 << 15;
/// Bytes of room behind what was inflated, without which nothing is.
pub(crate) const ROOM_BYTES: usize = size_of::<View>();
/// Bytes that symbols may come to which are looked at together: four times three literals, one more, and the longest match.
const STRIDE_BYTES: usize = 4 * 3 + 1 + 258;
/// Where in the view no more symbols are begun.
const STOP: usize = PLACES - STRIDE_BYTES - STEP_BYTES;
/// Bytes of input of which a part is taken without looking at each.
const REFILL_BYTES: usize = 8;
/// Bytes of a block after which its literals are joined: making that table takes as long as some thousands of symbols.
const LONG_BLOCK_BYTES: usize = 1 << 13;

/// The order in which the lengths of the codes for lengths stand (RFC 1951, 3.2.7).
const ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Inflates a stream of RFC 1950, whose input and output come in pieces. Its checksum is read and not checked.
pub(crate) struct Inflater {
    /// Bits that were taken and not used, the first one lowest; those above `bit_count` are 0 between calls.
    bits: u64,
    bit_count: u32,
    state: State,
    is_last_block: bool,
    checksum: u32,
    symbols: Table<{ 1 << SYMBOL_BITS }>,
    /// Whether an entry may be of several literals.
    are_joined: bool,
    distances: Table<{ 1 << DISTANCE_BITS }>,
    lengths: Table<{ 1 << 7 }>,
    /// Lengths of the codes of the block that begins.
    code_lengths: [u8; 320],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Header,
    Block,
    /// Lengths of the codes for lengths, of which so many are known.
    Codes {
        symbols: usize,
        distances: usize,
        codes: usize,
        known: usize,
    },
    /// Lengths of the codes for symbols and distances, of which so many are known.
    Lengths {
        symbols: usize,
        distances: usize,
        known: usize,
    },
    Stored {
        left: usize,
    },
    /// Symbols, of a block that has come to so many bytes.
    Symbols {
        bytes: usize,
    },
    Checksum,
    Done,
}

/// What is wrong with a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InflateError {
    Header,
    BlockType,
    StoredLength,
    CodeCount,
    CodeLengths,
    Symbol,
    Distance,
    TooFarBack,
}

impl fmt::Display for InflateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "the compressed data has no zlib header",
            Self::BlockType => "a block is of no type that there is",
            Self::StoredLength => "the length of a stored block does not match its complement",
            Self::CodeCount => "a block has more codes than there are symbols",
            Self::CodeLengths => "the code lengths of a block make no code",
            Self::Symbol => "a block has bits that are no code of it",
            Self::Distance => "a match has bits that are no distance",
            Self::TooFarBack => "a match begins before the data",
        })
    }
}

impl std::error::Error for InflateError {}

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Bytes of the input that were taken.
    pub(crate) taken: usize,
    /// Bytes of the output that are inflated now, those before the call included.
    pub(crate) filled: usize,
    /// What is wrong behind them.
    pub(crate) failed: Option<InflateError>,
}

/// What there is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The next step.
    Done,
    /// To get more input.
    Starved,
}

/// The input of a call.
struct Source<'i> {
    input: &'i [u8],
    at: usize,
}

impl Source<'_> {
    fn left(&self) -> usize {
        self.input.len() - self.at
    }

    /// What there is to do where bits are missing.
    fn more(&self) -> Step {
        if self.left() == 0 { Step::Starved } else { Step::Done }
    }
}

impl Inflater {
    pub(crate) fn new() -> Self {
        Self {
            bits: 0,
            bit_count: 0,
            state: State::Header,
            is_last_block: false,
            checksum: 0,
            symbols: Table::new(),
            are_joined: false,
            distances: Table::new(),
            lengths: Table::new(),
            code_lengths: [0; 320],
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// The checksum (Adler-32) of all that was inflated, as the stream has it at its end.
    pub(crate) fn checksum(&self) -> Option<u32> {
        self.is_done().then_some(self.checksum)
    }

    /// Inflates on behind the first `filled` bytes of the output, which are what was inflated last: all of it, or 32 KiB and
    /// more. It stops when all input is taken, less than [`ROOM_BYTES`] of room are left, or the stream is at its end. Bytes behind
    /// what is said to be filled are overwritten, too.
    pub(crate) fn inflate(&mut self, input: &[u8], output: &mut [u8], mut filled: usize) -> Progress {
        let mut source = Source { input, at: 0 };
        let mut step = Ok(Step::Done);
        while step == Ok(Step::Done) && self.state != State::Done && output.len() >= filled + ROOM_BYTES {
            step = match self.state {
                State::Symbols { bytes } => self.symbols(bytes, &mut source, output, &mut filled),
                State::Stored { left } => Ok(self.stored(left, &mut source, output, &mut filled)),
                _ => self.head(&mut source),
            };
        }
        Progress { taken: source.at, filled, failed: step.err() }
    }

    /// Takes whole bytes of the input, until there are 56 to 63 bits or it is at its end.
    fn fill(&mut self, source: &mut Source<'_>) {
        while self.bit_count < 56
            && let Some(&byte) = source.input.get(source.at)
        {
            self.bits |= u64::from(byte) << self.bit_count;
            self.bit_count += 8;
            source.at += 1;
        }
    }

    fn drop_bits(&mut self, count: u32) {
        self.bits >>= count;
        self.bit_count -= count;
    }

    fn low(&self, from: u32, count: u32) -> usize {
        (self.bits >> from & ((1 << count) - 1)) as usize
    }

    /// One step of what stands before the bytes of a block.
    fn head(&mut self, source: &mut Source<'_>) -> Result<Step, InflateError> {
        self.fill(source);
        match self.state {
            State::Header => self.header(),
            State::Block => self.block(),
            State::Codes { symbols, distances, codes, known } => {
                self.codes(symbols, distances, codes, known, source)
            }
            State::Lengths { symbols, distances, known } => self.lengths(symbols, distances, known, source),
            State::Checksum => Ok(self.end()),
            State::Stored { .. } | State::Symbols { .. } | State::Done => Ok(Step::Done),
        }
    }

    fn end(&mut self) -> Step {
        let left_out = self.bit_count % 8;
        if self.bit_count < left_out + 32 {
            return Step::Starved;
        }
        self.checksum = (self.low(left_out, 32) as u32).swap_bytes();
        self.drop_bits(left_out + 32);
        self.state = State::Done;
        Step::Done
    }

    fn header(&mut self) -> Result<Step, InflateError> {
        if self.bit_count < 16 {
            return Ok(Step::Starved);
        }
        let (method, flags) = (self.low(0, 8), self.low(8, 8));
        let is_header = method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0;
        if !is_header || (method << 8 | flags) % 31 != 0 {
            return Err(InflateError::Header);
        }
        self.drop_bits(16);
        self.state = State::Block;
        Ok(Step::Done)
    }

    fn block(&mut self) -> Result<Step, InflateError> {
        if self.bit_count < 3 {
            return Ok(Step::Starved);
        }
        let is_last = self.low(0, 1) == 1;
        match self.low(1, 2) {
            0 => {
                // The length stands at the next whole byte; so many bits of this one are left out.
                let left_out = (self.bit_count - 3) % 8;
                if self.bit_count < 3 + left_out + 32 {
                    return Ok(Step::Starved);
                }
                let (length, complement) = (self.low(3 + left_out, 16), self.low(19 + left_out, 16));
                if length != complement ^ 0xFFFF {
                    return Err(InflateError::StoredLength);
                }
                self.drop_bits(3 + left_out + 32);
                self.state = State::Stored { left: length };
            }
            1 => {
                self.drop_bits(3);
                self.code_lengths[..144].fill(8);
                self.code_lengths[144..256].fill(9);
                self.code_lengths[256..280].fill(7);
                self.code_lengths[280..288].fill(8);
                self.code_lengths[288..].fill(5);
                self.make_tables(288, 32)?;
            }
            2 => {
                if self.bit_count < 17 {
                    return Ok(Step::Starved);
                }
                let (symbols, distances) = (257 + self.low(3, 5), 1 + self.low(8, 5));
                let codes = 4 + self.low(13, 4);
                if symbols > 286 || distances > 30 {
                    return Err(InflateError::CodeCount);
                }
                self.drop_bits(17);
                self.state = State::Codes { symbols, distances, codes, known: 0 };
            }
            _ => return Err(InflateError::BlockType),
        }
        self.is_last_block = is_last;
        Ok(Step::Done)
    }

    fn codes(
        &mut self,
        symbols: usize,
        distances: usize,
        codes: usize,
        known: usize,
        source: &Source<'_>,
    ) -> Result<Step, InflateError> {
        if known == 0 {
            self.code_lengths[..ORDER.len()].fill(0);
        }
        for (index, &code) in ORDER[..codes].iter().enumerate().skip(known) {
            if self.bit_count < 3 {
                self.state = State::Codes { symbols, distances, codes, known: index };
                return Ok(source.more());
            }
            self.code_lengths[usize::from(code)] = self.low(0, 3) as u8;
            self.drop_bits(3);
        }
        let lengths = &self.code_lengths[..ORDER.len()];
        self.lengths.make(lengths, &LENGTHS).map_err(|NoCode| InflateError::CodeLengths)?;
        self.state = State::Lengths { symbols, distances, known: 0 };
        Ok(Step::Done)
    }

    fn lengths(
        &mut self,
        symbols: usize,
        distances: usize,
        mut known: usize,
        source: &Source<'_>,
    ) -> Result<Step, InflateError> {
        while known < symbols + distances {
            let entry = self.lengths.first(self.bits);
            let [code, ..] = entry.bytes();
            let behind = match code {
                16 => 2,
                17 => 3,
                18 => 7,
                _ => 0,
            };
            if self.bit_count < entry.bits() + behind {
                self.state = State::Lengths { symbols, distances, known };
                return Ok(source.more());
            }
            let more = self.low(entry.bits(), behind);
            let (length, repeats) = match code {
                16 if known == 0 => return Err(InflateError::CodeLengths),
                16 => (self.code_lengths[known - 1], 3 + more),
                17 => (0, 3 + more),
                18 => (0, 11 + more),
                length => (length, 1),
            };
            if known + repeats > symbols + distances {
                return Err(InflateError::CodeLengths);
            }
            self.code_lengths[known..known + repeats].fill(length);
            known += repeats;
            self.drop_bits(entry.bits() + behind);
        }
        self.make_tables(symbols, distances)?;
        Ok(Step::Done)
    }

    /// The tables of a block, of whose codes the lengths are known: first those of the symbols, then those of the distances.
    fn make_tables(&mut self, symbols: usize, distances: usize) -> Result<(), InflateError> {
        let (symbols, distances) = self.code_lengths[..symbols + distances].split_at(symbols);
        if symbols[256] == 0 {
            return Err(InflateError::CodeLengths);
        }
        self.symbols.make(symbols, &SYMBOLS).map_err(|NoCode| InflateError::CodeLengths)?;
        let mut used = distances.iter().zip(&DISTANCES).filter(|&(&length, _)| length > 0);
        match (used.next(), used.next()) {
            (None, _) => self.distances.make_sparse(None),
            (Some((1, only)), None) => self.distances.make_sparse(Some(*only)),
            _ => self.distances.make(distances, &DISTANCES).map_err(|NoCode| InflateError::CodeLengths)?,
        }
        self.are_joined = false;
        self.state = State::Symbols { bytes: 0 };
        Ok(())
    }

    fn stored(
        &mut self,
        mut left: usize,
        source: &mut Source<'_>,
        output: &mut [u8],
        filled: &mut usize,
    ) -> Step {
        // Whole bytes that were taken as bits come first.
        while left > 0 && self.bit_count >= 8 && *filled < output.len() {
            output[*filled] = self.low(0, 8) as u8;
            self.drop_bits(8);
            (left, *filled) = (left - 1, *filled + 1);
        }
        let (input, room) = (&source.input[source.at..], &mut output[*filled..]);
        let count = left.min(input.len()).min(room.len());
        room[..count].copy_from_slice(&input[..count]);
        (left, *filled, source.at) = (left - count, *filled + count, source.at + count);
        self.state = match left {
            0 if self.is_last_block => State::Checksum,
            0 => State::Block,
            _ => State::Stored { left },
        };
        if left > 0 { source.more() } else { Step::Done }
    }

    fn symbols(
        &mut self,
        bytes: usize,
        source: &mut Source<'_>,
        output: &mut [u8],
        filled: &mut usize,
    ) -> Result<Step, InflateError> {
        if bytes >= LONG_BLOCK_BYTES && !self.are_joined {
            self.symbols.join();
            self.are_joined = true;
        }
        let base = filled.saturating_sub(WINDOW_BYTES);
        let Some(view) = output[base..].first_chunk_mut::<{ size_of::<View>() }>() else {
            return Ok(Step::Done);
        };
        let before = *filled - base;
        // A block that may become a long one is looked at again when it is.
        let stretch = if self.are_joined { STOP } else { LONG_BLOCK_BYTES - bytes };
        let stop = STOP.min(before + stretch);
        let mut to = before;
        let mut result = self.many_symbols(source, view, &mut to, stop).map(|is_end| (Step::Done, is_end));
        while result == Ok((Step::Done, false)) && to < stop && source.left() < 2 * REFILL_BYTES {
            result = self.one_symbol(source, view, &mut to);
        }
        *filled = base + to;
        let (step, is_end) = result?;
        if is_end {
            self.state = if self.is_last_block { State::Checksum } else { State::Block };
        } else {
            self.state = State::Symbols { bytes: bytes + (to - before) };
        }
        Ok(step)
    }

    /// A symbol with what belongs to it, if its bits are there, and whether it is the end of the block.
    fn one_symbol(
        &mut self,
        source: &mut Source<'_>,
        output: &mut View,
        to: &mut usize,
    ) -> Result<(Step, bool), InflateError> {
        self.fill(source);
        let starved = Ok((Step::Starved, false));
        let (mut bits, mut used) = (self.bits, 0);
        let mut entry = self.symbols.first(bits);
        if entry.is_part() {
            bits >>= entry.bits();
            used += entry.bits();
            entry = self.symbols.longer(entry, bits);
        }
        // Of several symbols the first one, which may be the last that there are bits for.
        if let Some(literal) = entry.first_literal() {
            used = u32::from(self.code_lengths[usize::from(literal)]);
            if used > self.bit_count {
                return starved;
            }
            output[*to] = literal;
            *to += 1;
            self.drop_bits(used);
            return Ok((Step::Done, false));
        }
        used += entry.bits();
        if used > self.bit_count {
            return starved;
        }
        if entry.is_other() {
            if !entry.is_end() {
                return Err(InflateError::Symbol);
            }
            self.drop_bits(used);
            return Ok((Step::Done, true));
        }
        let length = entry.length(bits);
        bits >>= entry.bits();
        let mut entry = self.distances.first(bits);
        if entry.is_part() {
            bits >>= entry.bits();
            used += entry.bits();
            entry = self.distances.longer(entry, bits);
        }
        used += entry.bits();
        if used > self.bit_count {
            return starved;
        }
        if entry.is_other() {
            return Err(InflateError::Distance);
        }
        let distance = entry.distance(bits);
        if distance > *to {
            return Err(InflateError::TooFarBack);
        }
        copy_back(output, *to, distance, length);
        *to += length;
        self.drop_bits(used);
        Ok((Step::Done, false))
    }

    /// Symbols while there is much input and much room, and whether the last one is the end of the block.
    fn many_symbols(
        &mut self,
        source: &mut Source<'_>,
        output: &mut View,
        filled: &mut usize,
        stop: usize,
    ) -> Result<bool, InflateError> {
        let (mut bits, mut count, mut at, mut to) = (self.bits, self.bit_count, source.at, *filled);
        let input = source.input;
        macro_rules! refill {
            () => {
                let Some(next) = input.get(at..).and_then(|rest| rest.first_chunk::<REFILL_BYTES>()) else {
                    break;
                };
                bits |= u64::from_le_bytes(*next) << count;
                at += (63 - count) as usize >> 3;
                count |= 56;
            };
        }
        macro_rules! take {
            ($entry:expr) => {
                bits >>= $entry.bits();
                count -= $entry.bits();
            };
        }
        macro_rules! literals {
            ($entry:expr) => {
                debug_assert!(to < PLACES);
                if let Some(room) = output[to % PLACES..].first_chunk_mut::<4>() {
                    // The fourth is the last one's neighbour's place, and is written over.
                    *room = $entry.bytes();
                }
                to += $entry.literals();
                take!($entry);
            };
        }
        let mut result = Ok(false);
        while to < stop {
            refill!();
            let mut entry = self.symbols.first(bits);
            if entry.is_literal() {
                literals!(entry);
                entry = self.symbols.first(bits);
                if entry.is_literal() {
                    literals!(entry);
                    entry = self.symbols.first(bits);
                    if entry.is_literal() {
                        literals!(entry);
                        entry = self.symbols.first(bits);
                        if entry.is_literal() {
                            literals!(entry);
                            continue;
                        }
                    }
                }
                refill!();
            }
            if entry.is_other() {
                if entry.is_part() {
                    take!(entry);
                    entry = self.symbols.longer(entry, bits);
                    if entry.is_literal() {
                        literals!(entry);
                        continue;
                    }
                }
                if entry.is_other() {
                    if entry.is_end() {
                        take!(entry);
                        result = Ok(true);
                    } else {
                        result = Err(InflateError::Symbol);
                    }
                    break;
                }
            }
            output[to % PLACES] = entry.before();
            to += entry.before_count();
            let length = entry.length(bits);
            take!(entry);
            let mut entry = self.distances.first(bits);
            if entry.is_other() {
                if entry.is_part() {
                    take!(entry);
                    entry = self.distances.longer(entry, bits);
                }
                if entry.is_other() {
                    result = Err(InflateError::Distance);
                    break;
                }
            }
            let distance = entry.distance(bits);
            take!(entry);
            if distance > to {
                result = Err(InflateError::TooFarBack);
                break;
            }
            copy_back(output, to, distance, length);
            to += length;
        }
        self.bits = bits & ((1 << count) - 1);
        (self.bit_count, source.at, *filled) = (count, at, to);
        result
    }
}
