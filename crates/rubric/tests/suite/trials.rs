//! Failures of other systems, as public reports describe them. Each name says what went wrong elsewhere.

use trueup_rubric::{
    Aggregation, Anchor, Axis, Overall, ReadOptions, Reading, Rubric, Scorecard, Stated, Verdict, observe,
    preset, read_reply,
};
use trueup_score::{Points, Truth};

use crate::support::{card, fault, five, points, read, scale, scored, two, verdict};

/// One axis with a menu of labels: C is right, P is partly right, I is wrong.
fn graded() -> Rubric {
    let anchor = |score, label| Anchor::new(points(score), label).with_label(label);
    let axis = Axis::new("grade", scale("0", "1"))
        .with_anchors([anchor("0", "I"), anchor("0.5", "P"), anchor("1", "C")])
        .only_anchors();
    Rubric::new([axis.with_floor(points("0.5")).unwrap()]).unwrap()
}

#[test]
fn a_label_off_the_menu_is_no_verdict() {
    // Elsewhere `CI` was read as C, and `Correct` scored 0.
    for label in ["CI", "Correct", "c", "C.", " C"] {
        let verdict = verdict(&format!(r#"{{"rubric": {{"grade": {{"score": "{label}"}}}}}}"#), &graded());
        assert_eq!((verdict.truth(), verdict.unscored().len()), (Truth::Undetermined, 1), "{label}");
    }
    for (label, truth) in [("C", Truth::Pass), ("P", Truth::Pass), ("I", Truth::Fail)] {
        let verdict = verdict(&format!(r#"{{"rubric": {{"grade": {{"score": "{label}"}}}}}}"#), &graded());
        assert_eq!(verdict.truth(), truth, "{label}");
    }
}

#[test]
fn an_unparseable_label_is_not_the_lowest_score() {
    let reply = read(r#"{"rubric": {"grade": {"score": "¯\\_(ツ)_/¯"}}}"#, &graded()).unwrap();
    assert!(matches!(reply.axis("grade").unwrap().reading, Reading::Invalid { .. }));
}

#[test]
fn fenced_json_with_a_comment_and_a_raw_newline_is_read() {
    let text = "Here you are:\n```json\n{\"rubric\": { // scores\n \"a\": {\"score\": 4, \"rationale\": \"two\nlines\"},\n \"b\": {\"score\": 3},\n}}\n```\n";
    let reply = read(text, &two()).unwrap();
    let flags: Vec<&str> = reply.flags().iter().map(|flag| flag.as_str()).collect();
    assert_eq!(
        flags,
        ["fenced", "prose", "repaired:trailing-comma", "repaired:comment", "repaired:raw-line-break"]
    );
    assert_eq!(reply.axis("a").unwrap().rationale, "two\nlines");
}

#[test]
fn a_pass_flag_never_decides() {
    let with = |scores: &str, claim: &str| format!(r#"{{"rubric": {scores}, {claim}}}"#);
    let rubric = two();
    for claim in [r#""pass": true"#, r#""verdict": "PASS""#, r#""needsRevision": false"#] {
        let text = with(r#"{"a": {"score": 2}, "b": {"score": 4}}"#, claim);
        assert_eq!(verdict(&text, &rubric).truth(), Truth::Fail, "{claim}");
        assert!(read(&text, &rubric).unwrap().contradicts(Truth::Fail), "{claim}");
    }
    let text = with(r#"{"a": {"score": 4}, "b": {"score": 4}}"#, r#""pass": false"#);
    assert_eq!(verdict(&text, &rubric).truth(), Truth::Pass);
    assert!(read(&text, &rubric).unwrap().contradicts(Truth::Pass));
    let agreeing =
        read(&with(r#"{"a": {"score": 4}, "b": {"score": 4}}"#, r#""pass": true"#), &rubric).unwrap();
    assert!(!agreeing.contradicts(Truth::Pass) && agreeing.contradicts(Truth::Undetermined));
}

#[test]
fn a_score_of_zero_without_a_pass_key_fails_and_no_score_is_undetermined() {
    let axis = Axis::new("quality", scale("0", "1")).with_floor(points("0.5")).unwrap();
    let rubric = Rubric::new([axis]).unwrap();
    assert_eq!(verdict(r#"{"rubric": {"quality": {"score": 0}}}"#, &rubric).truth(), Truth::Fail);
    assert_eq!(verdict(r#"{"rubric": {"quality": {}}}"#, &rubric).truth(), Truth::Undetermined);
    assert_eq!(verdict(r#"{"rubric": {}}"#, &rubric).truth(), Truth::Undetermined);
    assert_eq!(fault(r#"{"score": 0}"#, &rubric), "no-answer");
}

#[test]
fn without_a_threshold_nothing_passes() {
    // Elsewhere the default threshold is 0, so everything passes.
    let rubric = Rubric::new([Axis::new("quality", scale("0", "1"))]).unwrap();
    assert!(!rubric.can_fail());
    assert!(rubric.advice()[0].contains("nothing could ever fail"));
    assert_eq!(verdict(r#"{"rubric": {"quality": {"score": 1}}}"#, &rubric).truth(), Truth::Undetermined);
}

#[test]
fn one_to_five_normalised_is_zero_to_one() {
    // Elsewhere 1 became 0.25 and 5 became 1.25.
    let axis = Axis::new("q", scale("1", "5"));
    let rubric = Rubric::new([axis]).unwrap();
    let rubric = rubric.with_overall(Overall::new(Aggregation::Mean).stated(Stated::ShareOfSpan)).unwrap();
    let overall =
        |score| rubric.hold(&Scorecard::new().with("q", scored(score))).overall().unwrap().to_string();
    assert_eq!((overall(1), overall(3), overall(5)), ("0".to_owned(), "0.5".to_owned(), "1".to_owned()));
}

#[test]
fn a_scale_without_width_is_refused_when_it_is_made() {
    let same = trueup_score::Scale::new(Points::ONE, Points::ONE, trueup_score::Better::Higher);
    assert!(same.is_err());
}

#[test]
fn an_echo_of_the_rubric_is_not_the_answer() {
    // Elsewhere the template "Score 5: …" was matched, and everything was a 5.
    let echo = "Score 5: faultless. Score 1: broken. {score: 5}\n";
    let text = format!("{echo}{}", five(["2", "4", "4", "4", "4"]));
    assert_eq!(verdict(&text, &preset::framesmith()).failing(), ["hierarchy"]);
    // An example object and then an answer: which one is meant is not guessed.
    let text = format!("For example {} but I say {}", five(["5"; 5]), five(["2"; 5]));
    assert_eq!(fault(&text, &preset::framesmith()), "ambiguous");
    // The same twice says one thing.
    let twice = format!("{} {}", five(["4"; 5]), five(["4"; 5]));
    let reply = read(&twice, &preset::framesmith()).unwrap();
    assert!(reply.flags().iter().any(|flag| flag.as_str() == "repeated"));
    // With an echo asked for, only the answer that carries it counts.
    let mut options = ReadOptions::default();
    options.echo = Some("k7".to_owned());
    let marked = five(["2"; 5]).replacen('{', "{\"echo\": \"k7\", ", 1);
    let text = format!("{} {marked}", five(["5"; 5]));
    let reply = read_reply(&text, &preset::framesmith(), &options).unwrap();
    assert_eq!(reply.axis("variety").unwrap().reading, scored(2));
    assert!(read_reply(&five(["5"; 5]), &preset::framesmith(), &options).is_err());
}

#[test]
fn nothing_applicable_is_not_a_perfect_score() {
    let verdict = verdict(&five(["\"N/A\""; 5]), &preset::framesmith());
    assert_eq!((verdict.truth(), verdict.unscored().len()), (Truth::Undetermined, 5));
}

#[test]
fn an_absent_dimension_is_missing_and_neither_one_nor_zero() {
    let reply = read(r#"{"rubric": {"a": {"score": 5}}}"#, &two()).unwrap();
    assert_eq!(reply.axis("b").unwrap().reading, Reading::Missing);
    let overall = two().with_overall(Overall::new(Aggregation::Mean).with_threshold(points("1.5"))).unwrap();
    let verdict = verdict(r#"{"rubric": {"a": {"score": 5}}}"#, &overall);
    assert_eq!((verdict.truth(), verdict.overall()), (Truth::Undetermined, None));
}

#[test]
fn no_overall_or_one_that_is_no_number_is_undetermined() {
    // Elsewhere a missing overall passes, and NaN clamps to the top.
    let rubric = two().with_overall(Overall::new(Aggregation::Reported).with_threshold(points("3"))).unwrap();
    for overall in ["", r#", "overall": NaN"#, r#", "overall": 1e999"#, r#", "overall": "5""#] {
        let text = format!(r#"{{"rubric": {{"a": {{"score": 5}}, "b": {{"score": 5}}}}{overall}}}"#);
        assert_eq!(verdict(&text, &rubric).truth(), Truth::Undetermined, "{overall}");
    }
}

#[test]
fn a_gate_is_not_moved_by_what_is_displayed() {
    for (score, threshold) in [("3.49758", "3.50"), ("0.7966", "0.80"), ("4.999999", "5")] {
        let axis = Axis::new("q", scale("0", "5"));
        let overall = Overall::new(Aggregation::Mean).with_threshold(points(threshold));
        let rubric = Rubric::new([axis]).unwrap().with_overall(overall).unwrap();
        let verdict = rubric.hold(&Scorecard::new().with("q", Reading::Scored(points(score))));
        assert_eq!(verdict.truth(), Truth::Fail, "{score}");
        assert_eq!(verdict.displayed_overall(), Some(points(score)));
    }
}

#[test]
fn an_outage_is_not_ranked() {
    // Elsewhere the outage of the judge scored 0, and the worse candidate won.
    let (outage, low) = (Verdict::default(), two().hold(&card(1, 1)));
    assert!(!outage.beats(&low) && low.beats(&outage));
    let unknown = two().hold(&Scorecard::new().with("a", scored(5)));
    assert!(!unknown.beats(&low) && low.beats(&unknown));
}

#[test]
fn what_is_outside_the_contract_is_refused() {
    // Elsewhere unknown criteria push the total above 1.
    assert_eq!(fault(r#"{"rubric": {"a": 4, "b": 4, "charm": 5}}"#, &two()), "outside-contract");
    assert_eq!(
        fault(r#"{"rubric": {"a": 4, "b": 4}, "conditions": {"x": "pass"}}"#, &two()),
        "outside-contract"
    );
    let verdict = two().hold(&card(4, 4).with("charm", scored(5)));
    assert_eq!((verdict.truth(), verdict.outside()), (Truth::Undetermined, &["charm".to_owned()][..]));
}

#[test]
fn what_is_truncated_is_never_closed() {
    let text = five(["4"; 5]);
    for end in 1..text.len() {
        let cut = &text[..end];
        let code = fault(cut, &preset::framesmith());
        assert!(code == "truncated" || (end == 1 && code == "no-answer"), "{cut}: {code}");
    }
    // A complete example before an answer that breaks off is not the answer.
    let text = format!("{} then {}", five(["5"; 5]), &text[..40]);
    assert_eq!(fault(&text, &preset::framesmith()), "truncated");
}

#[test]
fn keys_that_are_there_twice_and_differ_are_refused() {
    assert_eq!(fault(r#"{"rubric": {"a": 4, "a": 5, "b": 4}}"#, &two()), "duplicate-key");
    assert_eq!(fault(r#"{"rubric": {"a": {"score": 4, "score": 5}, "b": 4}}"#, &two()), "duplicate-key");
    assert_eq!(fault(r#"{"rubric": {"A": 4, " a ": 5, "b": 4}}"#, &two()), "duplicate-key");
    assert_eq!(fault(r#"{"rubric": {"a": 4, "b": 4}, "rubric": {"a": 5, "b": 5}}"#, &two()), "duplicate-key");
    assert!(read(r#"{"rubric": {"a": 4, "a": 4, "b": 4}}"#, &two()).is_ok());
}

#[test]
fn what_is_no_number_is_no_score() {
    for score in [
        "true",
        "false",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "\"4\"",
        "\"4/5\"",
        "\"80%\"",
        "\"\"",
        "[4]",
        "{}",
    ] {
        let reply = read(&format!(r#"{{"rubric": {{"a": {{"score": {score}}}, "b": 4}}}}"#), &two()).unwrap();
        assert!(matches!(reply.axis("a").unwrap().reading, Reading::Invalid { .. }), "{score}");
    }
    let reply = read(r#"{"rubric": {"a": null, "b": {"score": null}}}"#, &two()).unwrap();
    assert!(reply.axes().iter().all(|axis| axis.reading == Reading::Missing));
    let mut options = ReadOptions::default();
    options.text_scores = true;
    let reply = read_reply(r#"{"rubric": {"a": "4", "b": "4/5"}}"#, &two(), &options).unwrap();
    assert_eq!(reply.axis("a").unwrap().reading, scored(4));
    assert!(matches!(reply.axis("b").unwrap().reading, Reading::Invalid { .. }));
    let reply = read(r#"{"rubric": {"a": -0, "b": 4.0e0}}"#, &preset_from_zero()).unwrap();
    assert_eq!((&reply.axes()[0].reading, &reply.axes()[1].reading), (&scored(0), &scored(4)));
}

fn preset_from_zero() -> Rubric {
    Rubric::new(["a", "b"].map(|name| Axis::new(name, scale("0", "5")))).unwrap()
}

#[test]
fn refusals_and_silence_are_faults_and_not_low_scores() {
    let code = |text: &str| fault(text, &two());
    assert_eq!(code(""), "empty");
    assert_eq!(code(" \n\t "), "empty");
    assert_eq!(code("I'm sorry, but I can't assess this image."), "refused");
    assert_eq!(code("I’m sorry, no."), "refused");
    assert_eq!(code("Looks good to me, 5/5!"), "no-answer");
    assert_eq!(code(r#"{"rubric": 5}"#), "shape");
    assert_eq!(code(r#"{"rubric": {"a" 4}}"#), "malformed");
    assert_eq!(code(r#"{'rubric': {'a': 4}}"#), "no-answer");
    let mut options = ReadOptions::default();
    options.max_bytes = 8;
    assert_eq!(read_reply(r#"{"rubric": {}}"#, &two(), &options).unwrap_err().code(), "too-long");
}

#[test]
fn without_a_rubric_a_reply_is_a_list_of_observations() {
    let seen = observe(&five(["5", "90", "\"C\"", "null", "true"]), &ReadOptions::default()).unwrap();
    let written: Vec<Option<&str>> = seen.iter().map(|seen| seen.written.as_deref()).collect();
    assert_eq!(written, [Some("5"), Some("90"), Some("C"), None, None]);
    assert!(observe("no", &ReadOptions::default()).is_err());
    assert!(observe(&format!("{} {}", five(["5"; 5]), five(["4"; 5])), &ReadOptions::default()).is_err());
}

#[test]
fn an_answer_in_a_wrapper_is_found_and_names_are_normalised() {
    let text = r#"{"result": [{"rubric": {" A ": {"score": 4, "rationale": "r"}, "B": {"score": 3, "rationale": "r"}}}]}"#;
    let reply = read(text, &two()).unwrap();
    assert_eq!(reply.axis("a").unwrap().reading, scored(4));
    assert_eq!(
        reply.axis("a").unwrap().flags.iter().map(|flag| flag.as_str()).collect::<Vec<_>>(),
        ["renamed"]
    );
}
