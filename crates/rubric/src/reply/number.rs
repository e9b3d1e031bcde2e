//! Numbers as they are written, to exact points.

use trueup_score::Points;

/// Reads a JSON number exactly, exponents included; `None` when it has more than six decimals or is out of range.
pub(crate) fn points(text: &str) -> Option<Points> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('+').unwrap_or(exponent)),
        None => (text, "0"),
    };
    if exponent == "0" {
        return mantissa.parse().ok();
    }
    let negative = mantissa.starts_with('-');
    let (whole, fraction) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Points::ZERO);
    }
    // Beyond this no score fits, however many digits the exponent has.
    let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 64)?;
    let decimals = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let plain = match usize::try_from(decimals) {
        Ok(decimals) => {
            let padded = format!("{digits:0>width$}", width = decimals + 1);
            let (whole, fraction) = padded.split_at(padded.len() - decimals);
            if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
        }
        Err(_) => format!("{digits}{}", "0".repeat(decimals.unsigned_abs() as usize)),
    };
    let sign = if negative { "-" } else { "" };
    format!("{sign}{plain}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_or_nothing() {
        let read = |text: &str| points(text).map(|points| points.to_string());
        for (text, expected) in [
            ("4", "4"),
            ("-0", "0"),
            ("0.75", "0.75"),
            ("7.5e-1", "0.75"),
            ("4e0", "4"),
            ("40E-1", "4"),
            ("0.04e2", "4"),
            ("1e3", "1000"),
            ("-12.5e+1", "-125"),
            ("0e999", "0"),
            ("0.000001", "0.000001"),
            ("0.5000000000", "0.5"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["1e999", "1e-999", "0.0000001", "1e-7", "99999999999999999999", "3.3333333333"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
