//! Inflating: RFC 1950 and 1951, piece by piece, for pixels that hardly compress as much as for those that do.

mod copy;
mod inflater;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use inflater::{Inflater, ROOM_BYTES, WINDOW_BYTES};
