//! Which colour space a PNG means, by the order of precedence of PNG 3: cICP, iCCP, sRGB, gAMA with cHRM.
//!
//! What gAMA and cHRM say is left open there. This is what Chromium makes of them (`SkPngRustCodec` in Skia; version 148 was looked at
//! pixel by pixel):
//!
//! - gAMA alone: samples of that gamma, however absurd. Within 5 % of 1/2.2 it says nothing, since most writers mean sRGB by it.
//! - gAMA with cHRM is believed to the letter. So 1/2.2 with the primaries of sRGB is a power of 2.2, which is darker in the
//!   shadows than sRGB: a writer that means sRGB has the chunk sRGB for it.
//! - cHRM alone says nothing, since there is no light without a gamma; neither does it in Firefox and Safari.
//! - With primaries outside of 0 to 1, or that lie on one line, neither chunk is used. Of a white without luminance Chromium makes a
//!   black picture; here it counts among these.

use std::ops::RangeInclusive;

use trueup_frame::ColorSpace;

use super::chunks::Chunks;
use super::convert::{self, Chromaticities, Matrix};
use crate::header::Note;
use crate::icc;

/// Parts of 1/100 000 by which a primary may differ from that of sRGB: writers round differently.
const TOLERANCE: u32 = 300;

/// Gammas that say nothing by themselves, in 1/100 000: those of which 2.2 times is within 5 % of 1.
const NEUTRAL: RangeInclusive<u32> = 43_182..=47_727;

/// Colour code points of ITU-T H.273.
const PRIMARIES_BT709: u8 = 1;
const PRIMARIES_P3_D65: u8 = 12;
const TRANSFER_SRGB: u8 = 13;
const MATRIX_RGB: u8 = 0;

/// What the samples of a file mean.
#[derive(Debug, PartialEq)]
pub(super) struct Meaning {
    /// The colour space of the samples as they are given out.
    pub(super) color: ColorSpace,
    pub(super) note: Option<Note>,
    /// What they are converted from.
    pub(super) encoding: Option<Encoding>,
}

/// How samples that have to be converted are encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Encoding {
    /// In 1/100 000; not 0.
    pub(super) gamma: u32,
    /// From light of the file to light of sRGB, where the primaries differ.
    pub(super) matrix: Option<Matrix>,
}

impl Meaning {
    const SRGB: Self = Self { color: ColorSpace::Srgb, note: None, encoding: None };

    fn ignored(profile: impl Into<String>) -> Self {
        let note = Note::ProfileIgnored { profile: profile.into() };
        Self { note: Some(note), ..Self::SRGB }
    }

    fn converted(from: String, encoding: Encoding) -> Self {
        Self { note: Some(Note::Converted { from }), encoding: Some(encoding), ..Self::SRGB }
    }
}

pub(super) fn meaning(info: &::png::Info<'_>, found: &Chunks) -> Meaning {
    if let Some(code) = info.coding_independent_code_points {
        let full = code.is_video_full_range_image;
        return match (code.color_primaries, code.transfer_function, code.matrix_coefficients, full) {
            (PRIMARIES_BT709, TRANSFER_SRGB, MATRIX_RGB, true) => Meaning::SRGB,
            (PRIMARIES_P3_D65, TRANSFER_SRGB, MATRIX_RGB, true) => {
                Meaning { color: ColorSpace::DisplayP3, ..Meaning::SRGB }
            }
            (primaries, transfer, matrix, full) => {
                Meaning::ignored(format!("cICP {primaries}/{transfer}/{matrix}/{}", u8::from(full)))
            }
        };
    }
    if let Some(stored_name) = &found.profile_name {
        let profile = info.icc_profile.as_deref().unwrap_or_default();
        let (color, note) = icc::color_space(profile, stored_name);
        return Meaning { color, note, encoding: None };
    }
    if info.srgb.is_some() {
        return Meaning::SRGB;
    }
    let gamma = info.gama_chunk.map(::png::ScaledFloat::into_scaled).filter(|&gamma| gamma > 0);
    let primaries: Option<Chromaticities> = info
        .chrm_chunk
        .map(|c| [c.white, c.red, c.green, c.blue].map(|(x, y)| [x.into_scaled(), y.into_scaled()]));
    let Some(gamma) = gamma else {
        return if found.has_gamma_of_zero {
            Meaning::ignored("of gamma 0 (gAMA)")
        } else if primaries.is_some_and(|primaries| are_others(&primaries, info.color_type)) {
            Meaning::ignored("of other primaries without a gamma (cHRM)")
        } else {
            Meaning::SRGB
        };
    };
    let name = f64::from(gamma) / 1e5;
    match primaries {
        None if NEUTRAL.contains(&gamma) => Meaning::SRGB,
        None => Meaning::converted(format!("gamma {name} (gAMA)"), Encoding { gamma, matrix: None }),
        // Light of sRGB is no matter of rounding.
        Some(convert::SRGB) => {
            let from = format!("gamma {name} (gAMA, with the cHRM of sRGB)");
            Meaning::converted(from, Encoding { gamma, matrix: None })
        }
        Some(primaries) => match convert::to_srgb(&primaries) {
            None => Meaning::ignored(format!("of gamma {name} and impossible primaries (gAMA, cHRM)")),
            matrix => {
                let from = format!("gamma {name} and other primaries (gAMA, cHRM)");
                Meaning::converted(from, Encoding { gamma, matrix })
            }
        },
    }
}

/// Whether these are other primaries than those of sRGB; a grey picture has none to speak of.
fn are_others(primaries: &Chromaticities, color: ::png::ColorType) -> bool {
    let mut pairs = primaries.as_flattened().iter().zip(convert::SRGB.as_flattened());
    matches!(color, ::png::ColorType::Rgb | ::png::ColorType::Rgba | ::png::ColorType::Indexed)
        && pairs.any(|(a, b)| a.abs_diff(*b) > TOLERANCE)
}
