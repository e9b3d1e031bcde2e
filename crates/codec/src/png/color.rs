//! Which colour space a PNG means, by the order of precedence of PNG 3: cICP, iCCP, sRGB, gAMA with cHRM.

use trueup_frame::ColorSpace;

use crate::header::Note;
use crate::icc;

/// Parts of 1/100 000 by which a gamma or a primary may differ from that of sRGB: writers round differently.
const TOLERANCE: u32 = 300;
const SRGB_GAMMA: u32 = 45_455;
/// White, red, green and blue of sRGB: x and y of each.
const SRGB_PRIMARIES: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

/// Colour code points of ITU-T H.273.
const PRIMARIES_BT709: u8 = 1;
const PRIMARIES_P3_D65: u8 = 12;
const TRANSFER_SRGB: u8 = 13;
const MATRIX_RGB: u8 = 0;

pub(super) fn color_space(info: &::png::Info<'_>, profile_name: Option<&str>) -> (ColorSpace, Option<Note>) {
    let ignored = |profile: String| (ColorSpace::Srgb, Some(Note::ProfileIgnored { profile }));
    if let Some(code) = info.coding_independent_code_points {
        let full = code.is_video_full_range_image;
        return match (code.color_primaries, code.transfer_function, code.matrix_coefficients, full) {
            (PRIMARIES_BT709, TRANSFER_SRGB, MATRIX_RGB, true) => (ColorSpace::Srgb, None),
            (PRIMARIES_P3_D65, TRANSFER_SRGB, MATRIX_RGB, true) => (ColorSpace::DisplayP3, None),
            (primaries, transfer, matrix, full) => {
                ignored(format!("cICP {primaries}/{transfer}/{matrix}/{}", u8::from(full)))
            }
        };
    }
    if let Some(stored_name) = profile_name {
        let profile = info.icc_profile.as_deref().unwrap_or_default();
        return icc::color_space(profile, stored_name);
    }
    if info.srgb.is_some() {
        return (ColorSpace::Srgb, None);
    }
    let gamma = info.gama_chunk.map(::png::ScaledFloat::into_scaled);
    let primaries = info.chrm_chunk.map(|c| {
        let pairs = [c.white, c.red, c.green, c.blue];
        pairs.map(|(x, y)| [x.into_scaled(), y.into_scaled()])
    });
    let gamma_differs = gamma.filter(|g| g.abs_diff(SRGB_GAMMA) > TOLERANCE);
    // A grey picture has no primaries to speak of.
    let colored =
        matches!(info.color_type, ::png::ColorType::Rgb | ::png::ColorType::Rgba | ::png::ColorType::Indexed);
    let primaries_differ = colored
        && primaries.is_some_and(|p| {
            p.as_flattened().iter().zip(SRGB_PRIMARIES).any(|(&a, b)| a.abs_diff(b) > TOLERANCE)
        });
    match (gamma_differs, primaries_differ) {
        (None, false) => (ColorSpace::Srgb, None),
        (Some(gamma), false) => ignored(format!("gamma {} (gAMA)", f64::from(gamma) / 1e5)),
        (None, true) => ignored("of other primaries (cHRM)".to_owned()),
        (Some(gamma), true) => {
            ignored(format!("of gamma {} and other primaries (gAMA, cHRM)", f64::from(gamma) / 1e5))
        }
    }
}
