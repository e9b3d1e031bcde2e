//! Generated pictures as PNG files.

use std::io::Write as _;

use png::{ColorType, Compression, Encoder, EncodingError, Filter};

use crate::canvas::Canvas;

/// How hard a file is compressed. The two give different files of the same pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are two")]
pub enum Effort {
    /// As most tools write screenshots: deflate at its usual level behind adaptive filters.
    Usual,
    /// As tools in a hurry write them.
    Quick,
}

/// Writes a picture as an RGB PNG.
///
/// # Errors
/// When the encoder refuses; it has no reason to for pictures that this crate draws.
pub fn encode(canvas: &Canvas, effort: Effort) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, canvas.size().width, canvas.size().height);
    encoder.set_color(ColorType::Rgb);
    match effort {
        Effort::Usual => encoder.set_compression(Compression::Balanced),
        Effort::Quick => {
            encoder.set_compression(Compression::Fast);
            encoder.set_filter(Filter::Up);
        }
    }
    let mut writer = encoder.write_header()?;
    // As a stream, because that cuts the data into chunks as other encoders do; one chunk of megabytes is unusual.
    let mut stream = writer.stream_writer_with_size(32 * 1024)?;
    stream.write_all(canvas.rgb())?;
    stream.finish()?;
    writer.finish()?;
    Ok(file)
}
