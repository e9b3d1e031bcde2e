//! Captures as pictures that a model can look at.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use genai::chat::ContentPart;
use trueup_contract::{Digest, FaultKind};
use trueup_ports::{Capture, Fault, Pixels};

/// A capture, encoded.
pub(crate) struct Picture {
    pub(crate) label: String,
    media_type: &'static str,
    bytes: Vec<u8>,
}

impl Picture {
    /// Encodes a capture as a PNG, unless it is a picture already that providers take.
    pub(crate) fn of(capture: &Capture) -> Result<Self, Fault> {
        let refuse =
            |why: String| Fault::new(FaultKind::Rejected, format!("the capture of {} {why}", capture.label));
        let (media_type, bytes) = match &capture.pixels {
            Pixels::Encoded(bytes) => {
                let media_type = media_type(bytes).ok_or_else(|| {
                    refuse("is no PNG, JPEG, WebP or GIF, and no model looks at anything else".to_owned())
                })?;
                (media_type, bytes.to_vec())
            }
            Pixels::Frame(frame) => {
                let png = trueup_codec::encode_png(&frame.view());
                ("image/png", png.map_err(|error| refuse(format!("cannot be encoded: {error}")))?)
            }
            _ => return Err(refuse("has an unknown form".to_owned())),
        };
        Ok(Self { label: capture.label.to_string(), media_type, bytes })
    }

    /// Its name by its content, as evidence names it.
    pub(crate) fn hash(&self) -> String {
        Digest::of_parts([("picture", self.bytes.as_slice())]).to_string()
    }

    /// The picture as a part of a question, after the words that say what it is.
    pub(crate) fn parts(&self) -> [ContentPart; 2] {
        let name = format!("{}.{}", self.label, self.media_type.trim_start_matches("image/"));
        [
            ContentPart::from_text(format!("The picture of {}:", self.label)),
            ContentPart::from_binary_base64(self.media_type, STANDARD.encode(&self.bytes), Some(name)),
        ]
    }
}

fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
