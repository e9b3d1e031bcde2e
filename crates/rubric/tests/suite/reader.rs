//! The reader makes nothing up, whatever it is given.

use proptest::prelude::*;
use trueup_rubric::{ReadOptions, Reading, Rubric, preset, read_reply};
use trueup_score::Points;

use crate::support::{five, two};

/// What was accepted stands in the input: the axis, but for case and blanks, and the score, letter for letter.
fn literal(text: &str, rubric: &Rubric) -> Result<(), TestCaseError> {
    let mut options = ReadOptions::default();
    options.text_scores = true;
    let Ok(reply) = read_reply(text, rubric, &options) else { return Ok(()) };
    for axis in reply.axes() {
        let Some(_) = axis.reading.score() else {
            prop_assert_eq!(&axis.written, &None);
            continue;
        };
        let written = axis.written.as_deref().unwrap();
        prop_assert!(text.contains(written), "{written} is not in {text}");
        prop_assert!(text.to_ascii_lowercase().contains(&axis.axis.to_ascii_lowercase()));
        let raw = match &axis.reading {
            Reading::Scored(raw) | Reading::Clamped { raw, .. } => *raw,
            other => return Err(TestCaseError::fail(format!("{other:?} is no reading of a reader"))),
        };
        // The exponent form aside, the number is the text.
        if !written.contains(['e', 'E']) {
            prop_assert_eq!(written.parse::<Points>().unwrap(), raw);
        }
    }
    Ok(())
}

fn score() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u8..=6).prop_map(|score| score.to_string()),
        (10u8..=60).prop_map(|tenths| format!("{}.{}", tenths / 10, tenths % 10)),
        prop::sample::select(vec![
            "null",
            "true",
            "NaN",
            "-0",
            "4e0",
            "90",
            "1e999",
            "\"4\"",
            "\"N/A\"",
            "\"CI\"",
            "3.3333333333",
            "[4]",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn every_accepted_axis_and_value_stands_in_the_input(
        scores in prop::array::uniform5(score()), before in "[a-z {}\"`]{0,12}", after in "[a-z {}\"`]{0,12}",
    ) {
        let scores = scores.each_ref().map(String::as_str);
        let text = format!("{before}{}{after}", five(scores));
        literal(&text, &preset::framesmith())?;
    }

    #[test]
    fn a_reply_with_anything_done_to_it_is_read_or_refused(
        scores in prop::array::uniform5(score()),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(
            vec!["", "{", "}", "\"", ",", ":", "\\", "/*", "//", "\n", "é", "rubric", "5", "```"])), 1..6),
    ) {
        let mut text = five(scores.each_ref().map(String::as_str));
        for (place, piece) in edits {
            let at = place.index(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..=at, piece);
            }
        }
        literal(&text, &preset::framesmith())?;
        literal(&text, &two())?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        literal(&text, &two())?;
    }
}

#[test]
fn time_stays_in_proportion_to_the_text() {
    // Each would take minutes if every brace were tried to the end of the text.
    for piece in ["{", "{\"a\":", "{\"a\":[", "[{", "{\"a\":{},", "{\"a\":1}", "{\"rubric\":"] {
        let text = piece.repeat((1 << 20) / piece.len());
        assert!(read_reply(&text, &two(), &ReadOptions::default()).is_err(), "{piece}");
        let text = format!("{text}!");
        let mut options = ReadOptions::default();
        options.max_bytes *= 2;
        assert!(read_reply(&text, &two(), &options).is_err(), "{piece}");
    }
}

#[test]
fn what_is_spelt_in_escapes_is_not_accepted() {
    let options = ReadOptions::default();
    let escaped = r#"{"rubric": {"\u0061": 4, "b": 4}}"#;
    assert_eq!(read_reply(escaped, &two(), &options).unwrap_err().code(), "outside-contract");
    let mut lenient = ReadOptions::default();
    lenient.text_scores = true;
    let reply = read_reply(r#"{"rubric": {"a": "\u0034", "b": "4"}}"#, &two(), &lenient).unwrap();
    assert!(matches!(reply.axes()[0].reading, Reading::Invalid { .. }));
    assert!(matches!(reply.axes()[1].reading, Reading::Scored(_)));
}
