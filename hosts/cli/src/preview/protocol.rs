//! The protocols by which terminals take pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::reduced::Reduced;
use super::sixel;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// kitty's graphics protocol: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
    Kitty,
    /// iTerm2's inline images: <https://iterm2.com/documentation-images.html>.
    Iterm,
    /// DEC's sixels: <https://vt100.net/docs/vt3xx-gp/chapter14.html>.
    Sixel,
}

/// Bytes of base64 in one command, as kitty asks for.
const CHUNK: usize = 4096;

impl Protocol {
    /// What is written to show a picture, with the line that ends it.
    pub(super) fn bytes(self, picture: &Reduced) -> Vec<u8> {
        let mut bytes = match self {
            Self::Kitty => kitty(&picture.png),
            Self::Iterm => iterm(&picture.png),
            Self::Sixel => sixel::encode(picture.size, &picture.samples),
        };
        bytes.push(b'\n');
        bytes
    }
}

/// A PNG, transmitted and shown at once (`a=T`, `f=100`), in pieces; the terminal is to say nothing of it (`q=2`).
fn kitty(png: &[u8]) -> Vec<u8> {
    let encoded = STANDARD.encode(png);
    let chunks: Vec<&[u8]> = encoded.as_bytes().chunks(CHUNK).collect();
    let mut bytes = Vec::with_capacity(encoded.len() + 32 * chunks.len());
    for (index, chunk) in chunks.iter().enumerate() {
        let first = if index == 0 { "a=T,f=100,q=2," } else { "" };
        let more = u8::from(index + 1 < chunks.len());
        bytes.extend_from_slice(format!("\x1b_G{first}m={more};").as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\x1b\\");
    }
    bytes
}

/// A PNG as a file that is shown in place; the terminal makes it smaller where it does not fit.
fn iterm(png: &[u8]) -> Vec<u8> {
    format!("\x1b]1337;File=inline=1;size={};preserveAspectRatio=1:{}\x07", png.len(), STANDARD.encode(png))
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kitty_gets_pieces_of_at_most_4096_bytes() {
        let png: Vec<u8> = (0..7000_u32).map(|i| (i * 31) as u8).collect();
        let text = String::from_utf8(kitty(&png)).unwrap();
        let commands: Vec<&str> = text.split("\x1b\\").collect();
        assert_eq!((commands.len(), commands[3]), (4, ""), "three commands, each of them ended");
        let mut sent = String::new();
        for (index, command) in commands[..3].iter().enumerate() {
            let (control, payload) = command.strip_prefix("\x1b_G").unwrap().split_once(';').unwrap();
            assert_eq!(control, ["a=T,f=100,q=2,m=1", "m=1", "m=0"][index]);
            assert!(payload.len() <= CHUNK && (index == 2 || payload.len() == CHUNK));
            sent.push_str(payload);
        }
        assert_eq!(STANDARD.decode(sent).unwrap(), png);
        assert!(String::from_utf8(kitty(b"small")).unwrap().starts_with("\x1b_Ga=T,f=100,q=2,m=0;c21hbGw="));
    }

    #[test]
    fn iterm_gets_one_file() {
        assert_eq!(iterm(b"small"), b"\x1b]1337;File=inline=1;size=5;preserveAspectRatio=1:c21hbGw=\x07");
    }
}
