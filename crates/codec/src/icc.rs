//! Recognising the two ICC profiles that matter on screens: sRGB and Display P3.
//!
//! A profile is recognised by what it does, not by its name: three colorants and one tone curve per channel, compared
//! with those of the colour space within the precision of the file. Profiles with lookup tables are not recognised.
//! Layout of tags and types after ICC.1:2022.

use trueup_frame::ColorSpace;

use crate::header::Note;

/// Red, green and blue in XYZ relative to D50: the sRGB and P3 primaries with white D65, adapted by Bradford.
const SRGB_COLORANTS: [[f64; 3]; 3] =
    [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]];
const P3_COLORANTS: [[f64; 3]; 3] =
    [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]];
/// Profiles in the wild differ by rounding and by the exact white that was adapted.
const COLORANT_TOLERANCE: f64 = 0.002;
/// A gamma of 2.2 is 0.004 away from the sRGB curve at its worst; tables of it stay within a tenth of that.
const CURVE_TOLERANCE: f64 = 0.001;
/// Longest name that is repeated in a note, in characters.
const LONGEST_NAME: usize = 60;

/// The colour space of a profile, or sRGB with a note. `name` is used when the profile has none of its own.
pub(crate) fn color_space(profile: &[u8], name: &str) -> (ColorSpace, Option<Note>) {
    if let Some(color) = recognize(profile) {
        return (color, None);
    }
    let name = description(profile).unwrap_or_else(|| name.to_owned());
    let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let profile =
        if name.trim().is_empty() { "without a name".to_owned() } else { format!("{:?}", name.trim()) };
    (ColorSpace::Srgb, Some(Note::ProfileIgnored { profile }))
}

fn recognize(profile: &[u8]) -> Option<ColorSpace> {
    match profile.get(16..20)? {
        b"RGB " => {
            // With tables, colorants are only a fallback.
            if tag(profile, b"A2B0").is_some() {
                return None;
            }
            for curve in [b"rTRC", b"gTRC", b"bTRC"] {
                if !is_srgb_curve(tag(profile, curve)?) {
                    return None;
                }
            }
            let [r, g, b] = [b"rXYZ", b"gXYZ", b"bXYZ"].map(|name| tag(profile, name).and_then(xyz));
            let colorants = [r?, g?, b?];
            let near = |known: &[[f64; 3]; 3]| {
                let pairs = colorants.as_flattened().iter().zip(known.as_flattened());
                pairs.into_iter().all(|(a, b)| (a - b).abs() <= COLORANT_TOLERANCE)
            };
            if near(&SRGB_COLORANTS) {
                Some(ColorSpace::Srgb)
            } else if near(&P3_COLORANTS) {
                Some(ColorSpace::DisplayP3)
            } else {
                None
            }
        }
        // Grey has no primaries: its curve alone decides.
        b"GRAY" => is_srgb_curve(tag(profile, b"kTRC")?).then_some(ColorSpace::Srgb),
        _ => None,
    }
}

fn tag<'a>(profile: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    let count = number(profile, 128)?;
    let table = profile.get(132..)?;
    let entry = table.chunks_exact(12).take(count as usize).find(|entry| entry.starts_with(name))?;
    let start = number(entry, 4)? as usize;
    profile.get(start..start.checked_add(number(entry, 8)? as usize)?)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_be_bytes(*b))
}

/// A signed number with 16 bits after the point.
fn fixed(bytes: &[u8], at: usize) -> Option<f64> {
    bytes.get(at..)?.first_chunk().map(|b| f64::from(i32::from_be_bytes(*b)) / 65_536.0)
}

fn xyz(data: &[u8]) -> Option<[f64; 3]> {
    data.starts_with(b"XYZ ").then_some(())?;
    Some([fixed(data, 8)?, fixed(data, 12)?, fixed(data, 16)?])
}

/// Steps of a tone curve that are looked at.
const STEPS: u32 = 64;

fn is_srgb_curve(data: &[u8]) -> bool {
    (0..=STEPS).all(|step| {
        let x = f64::from(step) / f64::from(STEPS);
        let srgb = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
        curve_at(data, step).is_some_and(|y| (y - srgb).abs() <= CURVE_TOLERANCE)
    })
}

/// The tone curve at `step` of `STEPS`; `None` when it has a form that is not in the specification.
fn curve_at(data: &[u8], step: u32) -> Option<f64> {
    let x = f64::from(step) / f64::from(STEPS);
    if data.starts_with(b"curv") {
        let count = number(data, 8)?;
        let entry = |i: u64| -> Option<f64> {
            let at = usize::try_from(i).ok()?.checked_mul(2)?.checked_add(12)?;
            data.get(at..)?.first_chunk().map(|b| f64::from(u16::from_be_bytes(*b)))
        };
        return match count {
            0 => Some(x),
            1 => Some(x.powf(entry(0)? / 256.0)),
            _ => {
                // Between two entries, in whole numbers: the position is step × last / STEPS.
                let position = u64::from(step) * u64::from(count - 1);
                let low = (position / u64::from(STEPS)).min(u64::from(count - 2));
                let part = (position - low * u64::from(STEPS)) as f64 / f64::from(STEPS);
                let (a, b) = (entry(low)?, entry(low + 1)?);
                Some((a + (b - a) * part) / 65_535.0)
            }
        };
    }
    data.starts_with(b"para").then_some(())?;
    let kind = data.get(8..)?.first_chunk().map(|b| u16::from_be_bytes(*b))?;
    let p = |i: usize| fixed(data, 12 + 4 * i);
    let g = p(0)?;
    Some(match kind {
        0 => x.powf(g),
        1 => {
            let (a, b) = (p(1)?, p(2)?);
            if a * x + b >= 0.0 { (a * x + b).powf(g) } else { 0.0 }
        }
        2 => {
            let (a, b, c) = (p(1)?, p(2)?, p(3)?);
            if a * x + b >= 0.0 { (a * x + b).powf(g) + c } else { c }
        }
        3 => {
            let (a, b, c, d) = (p(1)?, p(2)?, p(3)?, p(4)?);
            if x >= d { (a * x + b).powf(g) } else { c * x }
        }
        4 => {
            let (a, b, c, d, e, f) = (p(1)?, p(2)?, p(3)?, p(4)?, p(5)?, p(6)?);
            if x >= d { (a * x + b).powf(g) + e } else { c * x + f }
        }
        _ => return None,
    })
}

/// The name that a profile gives itself: version 2 has ASCII, version 4 has UTF-16.
fn description(profile: &[u8]) -> Option<String> {
    let data = tag(profile, b"desc")?;
    if data.starts_with(b"desc") {
        let len = number(data, 8)? as usize;
        let text = data.get(12..12usize.checked_add(len)?)?;
        let text = text.split(|&b| b == 0).next().unwrap_or_default();
        return Some(text.iter().map(|&b| char::from(b)).collect());
    }
    data.starts_with(b"mluc").then_some(())?;
    let (len, at) = (number(data, 20)? as usize, number(data, 24)? as usize);
    let text = data.get(at..at.checked_add(len)?)?;
    let units: Vec<u16> = text.as_chunks::<2>().0.iter().map(|b| u16::from_be_bytes(*b)).collect();
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s15(value: f64) -> [u8; 4] {
        ((value * 65_536.0).round() as i32).to_be_bytes()
    }

    fn para_srgb() -> Vec<u8> {
        let mut data = b"para\0\0\0\0\0\x03\0\0".to_vec();
        for value in [2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045] {
            data.extend(s15(value));
        }
        data
    }

    fn profile(space: &[u8; 4], tags: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut out = vec![0; 128];
        out[16..20].copy_from_slice(space);
        out.extend((tags.len() as u32).to_be_bytes());
        let mut at = 132 + 12 * tags.len();
        for (name, data) in tags {
            out.extend(*name);
            out.extend((at as u32).to_be_bytes());
            out.extend((data.len() as u32).to_be_bytes());
            at += data.len();
        }
        for (_, data) in tags {
            out.extend(data);
        }
        out
    }

    fn rgb_profile(colorants: [[f64; 3]; 3], curve: Vec<u8>) -> Vec<u8> {
        let xyz = |c: [f64; 3]| [b"XYZ \0\0\0\0".to_vec(), c.map(s15).concat()].concat();
        let name = b"desc\0\0\0\0\0\0\0\x09Test RGB\0".to_vec();
        profile(
            b"RGB ",
            &[
                (b"rXYZ", xyz(colorants[0])),
                (b"gXYZ", xyz(colorants[1])),
                (b"bXYZ", xyz(colorants[2])),
                (b"rTRC", curve.clone()),
                (b"gTRC", curve.clone()),
                (b"bTRC", curve),
                (b"desc", name),
            ],
        )
    }

    #[test]
    fn srgb_and_p3_are_recognised_by_what_they_do() {
        let srgb = rgb_profile(SRGB_COLORANTS, para_srgb());
        assert_eq!(color_space(&srgb, "anything"), (ColorSpace::Srgb, None));
        let p3 = rgb_profile(P3_COLORANTS, para_srgb());
        assert_eq!(color_space(&p3, "anything"), (ColorSpace::DisplayP3, None));
    }

    #[test]
    #[expect(clippy::cast_sign_loss, reason = "the curve is from 0 to 1")]
    fn a_table_of_the_srgb_curve_is_the_srgb_curve() {
        let mut table = b"curv\0\0\0\0\0\0\x04\0".to_vec();
        for i in 0..1024 {
            let x = f64::from(i) / 1023.0;
            let y = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
            table.extend(((y * 65_535.0).round() as u16).to_be_bytes());
        }
        assert_eq!(color_space(&rgb_profile(SRGB_COLORANTS, table), ""), (ColorSpace::Srgb, None));
    }

    #[test]
    fn other_curves_and_primaries_are_named_in_a_note() {
        let gamma = b"curv\0\0\0\0\0\0\0\x01\x02\x33".to_vec();
        let expected = Note::ProfileIgnored { profile: "\"Test RGB\"".to_owned() };
        let srgb_with_gamma = rgb_profile(SRGB_COLORANTS, gamma);
        assert_eq!(color_space(&srgb_with_gamma, "x"), (ColorSpace::Srgb, Some(expected.clone())));
        let mut wide = SRGB_COLORANTS;
        wide[0][0] += 0.1;
        assert_eq!(color_space(&rgb_profile(wide, para_srgb()), "x"), (ColorSpace::Srgb, Some(expected)));
    }

    #[test]
    fn grey_profiles_are_judged_by_their_curve() {
        let grey = profile(b"GRAY", &[(b"kTRC", para_srgb())]);
        assert_eq!(color_space(&grey, "").1, None);
        let linear = profile(b"GRAY", &[(b"kTRC", b"curv\0\0\0\0\0\0\0\0".to_vec())]);
        assert!(color_space(&linear, "").1.is_some());
    }

    #[test]
    fn rubbish_is_not_a_profile() {
        let whole = rgb_profile(P3_COLORANTS, para_srgb());
        for n in 0..whole.len() {
            let (color, _) = color_space(&whole[..n], "cut");
            // The name stands last: without it the profile still works.
            assert!(color == ColorSpace::Srgb || n >= whole.len() - 21, "{n}");
        }
        let unnamed = Note::ProfileIgnored { profile: "without a name".to_owned() };
        assert_eq!(color_space(b"", ""), (ColorSpace::Srgb, Some(unnamed)));
    }
}
