//! A maker of PNG files that shares no code with the decoder under test: stored deflate blocks, no filters, every
//! colour type, depth and interlacing, and any chunk anywhere.

use std::fs::File;
use std::io::{Cursor, Write};

use image::{ExtendedColorType, ImageEncoder};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    Gray = 0,
    Rgb = 2,
    Palette = 3,
    GrayAlpha = 4,
    Rgba = 6,
}

impl Color {
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::Gray | Self::Palette => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    pub(crate) fn depths(self) -> &'static [u8] {
        match self {
            Self::Gray => &[1, 2, 4, 8, 16],
            Self::Palette => &[1, 2, 4, 8],
            _ => &[8, 16],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Png {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: Color,
    pub(crate) depth: u8,
    pub(crate) interlaced: bool,
    /// Samples of the stored depth, channels of a pixel together, rows from the top.
    pub(crate) samples: Vec<u16>,
    /// Chunks between header and pixels.
    pub(crate) before: Vec<([u8; 4], Vec<u8>)>,
    /// Chunks behind the pixels.
    pub(crate) after: Vec<([u8; 4], Vec<u8>)>,
    /// Most bytes of compressed pixels in one chunk.
    pub(crate) piece: usize,
}

impl Png {
    /// A picture with a different value in every sample, as far as the depth allows.
    pub(crate) fn new(width: u32, height: u32, color: Color, depth: u8, interlaced: bool) -> Self {
        let count = width as usize * height as usize * color.channels();
        let full = (1u32 << depth) - 1;
        let samples =
            (0..count as u32).map(|i| (i.wrapping_mul(40_503).wrapping_add(11) & full) as u16).collect();
        Self { width, height, color, depth, interlaced, samples, before: vec![], after: vec![], piece: 37 }
    }

    pub(crate) fn with(mut self, name: &[u8; 4], data: &[u8]) -> Self {
        self.before.push((*name, data.to_vec()));
        self
    }

    pub(crate) fn with_after(mut self, name: &[u8; 4], data: &[u8]) -> Self {
        self.after.push((*name, data.to_vec()));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut header = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        header.extend([self.depth, self.color as u8, 0, 0, u8::from(self.interlaced)]);
        let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut out, b"IHDR", &header);
        for (name, data) in &self.before {
            chunk(&mut out, name, data);
        }
        for piece in zlib(&self.scanlines()).chunks(self.piece) {
            chunk(&mut out, b"IDAT", piece);
        }
        for (name, data) in &self.after {
            chunk(&mut out, name, data);
        }
        chunk(&mut out, b"IEND", &[]);
        out
    }

    fn scanlines(&self) -> Vec<u8> {
        // First column and row of each pass, and the steps between its columns and rows.
        const ADAM7: [[u32; 4]; 7] = [
            [0, 0, 8, 8],
            [4, 0, 8, 8],
            [0, 4, 4, 8],
            [2, 0, 4, 4],
            [0, 2, 2, 4],
            [1, 0, 2, 2],
            [0, 1, 1, 2],
        ];
        let passes = if self.interlaced { &ADAM7[..] } else { &[[0, 0, 1, 1]][..] };
        let mut out = Vec::new();
        for &[x0, y0, dx, dy] in passes {
            if x0 >= self.width {
                continue;
            }
            for y in (y0..self.height).step_by(dy as usize) {
                out.push(0);
                let mut bits = Bits::default();
                for x in (x0..self.width).step_by(dx as usize) {
                    for &sample in self.pixel(x, y) {
                        bits.push(sample, self.depth);
                    }
                }
                out.extend(bits.finish());
            }
        }
        out
    }

    pub(crate) fn pixel(&self, x: u32, y: u32) -> &[u16] {
        let n = self.color.channels();
        let at = (y as usize * self.width as usize + x as usize) * n;
        &self.samples[at..at + n]
    }
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    word: u32,
    len: u8,
}

impl Bits {
    fn push(&mut self, value: u16, depth: u8) {
        self.word = self.word << depth | u32::from(value);
        self.len += depth;
        while self.len >= 8 {
            self.len -= 8;
            self.bytes.push((self.word >> self.len) as u8);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.len > 0 {
            self.bytes.push((self.word << (8 - self.len)) as u8);
        }
        self.bytes
    }
}

pub(crate) fn chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(name);
    out.extend(data);
    let sum = crc(&out[start..]);
    out.extend(sum.to_be_bytes());
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    })
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = data.chunks(65_535).peekable();
    while let Some(block) = blocks.next() {
        let len = block.len() as u16;
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(len.to_le_bytes());
        out.extend((!len).to_le_bytes());
        out.extend(block);
    }
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    out.extend((b << 16 | a).to_be_bytes());
    out
}

/// An EXIF block that only says how the picture is turned.
pub(crate) fn exif(orientation: u16) -> Vec<u8> {
    let mut out = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    out.extend(orientation.to_be_bytes());
    out.extend([0; 6]);
    out
}

/// A small picture that is not symmetric in any way, as RGB.
pub(crate) fn rgb(width: u32, height: u32) -> Vec<u8> {
    (0..width * height)
        .flat_map(|i| [(i * 37) as u8, (i * 11 + 90) as u8, 255u8.wrapping_sub((i * 5) as u8)])
        .collect()
}

/// The picture in every format that `image` writes, with its name.
pub(crate) fn all_formats(width: u32, height: u32) -> Vec<(&'static str, Vec<u8>)> {
    let pixels = rgb(width, height);
    let color = ExtendedColorType::Rgb8;
    let mut out: Vec<(&'static str, Vec<u8>)> = Vec::new();
    let mut add = |name, write: &dyn Fn(&mut Vec<u8>)| {
        let mut file = Vec::new();
        write(&mut file);
        out.push((name, file));
    };
    let encode = |encoder: &mut dyn FnMut() -> image::ImageResult<()>| encoder().unwrap();
    add("jpeg", &|file| {
        encode(&mut || {
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut *file, 95);
            encoder.write_image(&pixels, width, height, color)
        });
    });
    add("webp", &|file| {
        encode(&mut || {
            image::codecs::webp::WebPEncoder::new_lossless(&mut *file)
                .write_image(&pixels, width, height, color)
        });
    });
    add("bmp", &|file| {
        encode(&mut || {
            image::codecs::bmp::BmpEncoder::new(&mut *file).write_image(&pixels, width, height, color)
        });
    });
    add("gif", &|file| {
        encode(&mut || image::codecs::gif::GifEncoder::new(&mut *file).encode(&pixels, width, height, color));
    });
    add("tiff", &|file| {
        encode(&mut || {
            let mut cursor = Cursor::new(Vec::new());
            image::codecs::tiff::TiffEncoder::new(&mut cursor).write_image(&pixels, width, height, color)?;
            *file = cursor.into_inner();
            Ok(())
        });
    });
    add("qoi", &|file| {
        encode(&mut || {
            image::codecs::qoi::QoiEncoder::new(&mut *file).write_image(&pixels, width, height, color)
        });
    });
    add("png", &|file| {
        let mut encoder = png::Encoder::new(&mut *file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    });
    out
}

/// The bytes as an open file.
pub(crate) fn on_disk(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}
