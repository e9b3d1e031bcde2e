//! The rulings that are this crate's to keep.

use std::collections::{BTreeMap, BTreeSet};

use trueup_rubric::{
    Aggregation, Anchor, Axis, Baseline, Circumstances, Condition, Exhibits, Overall, ReadOptions, Reading,
    Requirements, Rubric, RubricErrorKind, Scorecard, Stated, preset, read_reply,
};
use trueup_score::{Better, Points, Ratio, Scale, Truth};

use crate::support::{card, fault, five, points, read, scale, scored, two, verdict};

#[test]
fn r07_direction_is_the_scales() {
    let scale = Scale::new(Points::ZERO, points("10"), Better::Lower).unwrap();
    let rubric = Rubric::new([Axis::new("defects", scale).with_floor(points("2")).unwrap()]).unwrap();
    let rubric = rubric.with_overall(Overall::new(Aggregation::Min).with_threshold(points("3"))).unwrap();
    let hold = |score| rubric.hold(&Scorecard::new().with("defects", scored(score)));
    assert_eq!((hold(1).truth(), hold(3).truth()), (Truth::Pass, Truth::Fail));
    assert!(hold(1).beats(&hold(2)) && !hold(2).beats(&hold(1)));
}

#[test]
fn r08_a_missing_axis_is_never_a_number() {
    let verdict = two().hold(&Scorecard::new().with("a", scored(5)));
    assert_eq!((verdict.truth(), verdict.unscored()), (Truth::Undetermined, &["b".to_owned()][..]));
    assert_eq!(two().hold(&Scorecard::new()).truth(), Truth::Undetermined);
    // The neutral 3 of framesmith may be displayed. It neither passes at floor 3 nor fails at floor 4.
    let text = five(["5", "5", "5", "5", "null"]);
    for floor in ["3", "4"] {
        let rubric = preset::framesmith().with_floors(points(floor)).unwrap();
        let reply = read(&text, &rubric).unwrap();
        assert_eq!(reply.axis("variety").unwrap().reading, Reading::Missing);
        let verdict = rubric.hold(&rubric.settle(&reply, &Circumstances::new()).card);
        assert_eq!(verdict.truth(), Truth::Undetermined, "floor {floor}");
        assert!(verdict.failing().is_empty() && verdict.overall().is_none());
    }
}

#[test]
fn r08_within_a_step_clamps_and_further_out_is_scale_confusion() {
    let rubric = preset::framesmith();
    for (score, to) in [("0", "1"), ("6", "5"), ("5.5", "5"), ("0.5", "1")] {
        let reply = read(&five([score, "4", "4", "4", "4"]), &rubric).unwrap();
        let expected = Reading::Clamped { raw: points(score), to: points(to) };
        assert_eq!(reply.axis("hierarchy").unwrap().reading, expected);
    }
    for score in ["90", "99", "-1", "6.000001", "7", "1000000000000000000000"] {
        assert_eq!(fault(&five([score, "4", "4", "4", "4"]), &rubric), "scale-confusion", "{score}");
    }
}

#[test]
fn r09_without_aggregation_there_is_no_overall_and_floors_decide() {
    // Splendid on one axis makes up for nothing on another.
    let verdict = two().hold(&card(5, 2));
    assert_eq!((verdict.truth(), verdict.failing()), (Truth::Fail, &["b".to_owned()][..]));
    assert_eq!((two().hold(&card(3, 3)).truth(), verdict.overall()), (Truth::Pass, None));
    // Weights are given for every axis, or not at all.
    let weighted = |weights: &[(&str, u32)]| {
        let weights = weights.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect();
        two().with_overall(Overall::new(Aggregation::Weighted(weights)))
    };
    assert!(weighted(&[("a", 3), ("b", 1)]).is_ok());
    let kind = |weights| weighted(weights).unwrap_err().kind().clone();
    assert!(matches!(kind(&[("a", 3)]), RubricErrorKind::MissingWeight { .. }));
    assert!(matches!(kind(&[("a", 3), ("b", 1), ("c", 1)]), RubricErrorKind::UnknownAxis { .. }));
    assert!(matches!(kind(&[("a", 0), ("b", 0)]), RubricErrorKind::ZeroWeights));
}

#[test]
fn r09_a_reported_overall_counts_only_where_the_rubric_takes_it() {
    let text = r#"{"rubric": {"a": {"score": 5}, "b": {"score": 5}}, "overall": 2}"#;
    let reported =
        two().with_overall(Overall::new(Aggregation::Reported).with_threshold(points("4"))).unwrap();
    assert_eq!(verdict(text, &reported).truth(), Truth::Fail);
    assert_eq!(verdict(text, &two()).truth(), Truth::Pass);
    // Nothing reported, or something off the scale, is no overall: undetermined, and not zero.
    for text in [
        r#"{"rubric": {"a": {"score": 5}, "b": {"score": 5}}}"#,
        r#"{"rubric": {"a": {"score": 5}, "b": {"score": 5}}, "overall": 90}"#,
        r#"{"rubric": {"a": {"score": 5}, "b": {"score": 5}}, "overall": NaN}"#,
    ] {
        let verdict = verdict(text, &reported);
        assert_eq!((verdict.truth(), verdict.overall()), (Truth::Undetermined, None), "{text}");
    }
}

#[test]
fn r10_thresholds_are_met_exactly_or_missed() {
    // 0.15/0.35/0.20/0.30 on four scores of 0.75 give 0.7499999999999999 in f64.
    let axes = ["a", "b", "c", "d"].map(|name| Axis::new(name, scale("0", "1")));
    let weights = ["a", "b", "c", "d"].map(str::to_owned).into_iter().zip([15, 35, 20, 30]).collect();
    let overall = Overall::new(Aggregation::Weighted(weights)).with_threshold(points("0.75"));
    let rubric = Rubric::new(axes).unwrap().with_overall(overall).unwrap();
    let all =
        |scores: [&str; 4]| {
            let names = ["a", "b", "c", "d"].iter().zip(scores);
            rubric.hold(&names.fold(Scorecard::new(), |card, (name, score)| {
                card.with(*name, Reading::Scored(points(score)))
            }))
        };
    assert_eq!(all(["0.75"; 4]).truth(), Truth::Pass);
    let missed = all(["0.75", "0.75", "0.75", "0.749999"]);
    assert_eq!(missed.truth(), Truth::Fail);
    assert_eq!(missed.displayed_overall(), Some(points("0.749999")), "it does not show what it missed");
}

#[test]
fn r11_regression_comes_before_caps() {
    let quarter = points("0.25");
    let axis = Axis::new("a", scale("0", "1").with_step(quarter).unwrap()).with_floor(quarter).unwrap();
    let rubric = Rubric::new([axis])
        .unwrap()
        .with_conditions([Condition::caps("stock", "no stock icons", "a", points("0.5"))])
        .unwrap()
        .with_regression_step(quarter)
        .unwrap();
    let lost: BTreeSet<String> = ["a".to_owned()].into();
    let score = |raw: &str, found: bool| {
        let result = if found { "fail" } else { "pass" };
        let text =
            format!(r#"{{"rubric": {{"a": {{"score": {raw}}}}}, "conditions": {{"stock": "{result}"}}}}"#);
        let reply = read(&text, &rubric).unwrap();
        let card = rubric.settle(&reply, &Circumstances::new().with_lost(&lost)).card;
        rubric.hold(&card).axes()[0].score.unwrap().to_string()
    };
    // Reduced, then capped: 0.5. The other way round it would be 0.25.
    assert_eq!(score("1.00", true), "0.5");
    assert_eq!(score("1.00", false), "0.75");
    assert_eq!(score("0.50", true), "0.25");
    assert_eq!(score("0.00", true), "0", "never past the worst end");
}

#[test]
fn r11_only_what_once_passed_can_be_lost() {
    let mut baseline = Baseline::new();
    baseline.record("AC-01", "Functionality", Truth::Pass);
    baseline.record("AC-02", "Originality", Truth::Fail);
    baseline.record("AC-01", "Functionality", Truth::Undetermined);
    let now = |one, two| BTreeMap::from([("AC-01".to_owned(), one), ("AC-02".to_owned(), two)]);
    assert_eq!(baseline.lost(&now(Truth::Fail, Truth::Fail)), [("AC-01", "Functionality")]);
    assert!(baseline.lost_axes(&now(Truth::Undetermined, Truth::Fail)).is_empty(), "not seen is not lost");
    assert!(baseline.lost(&BTreeMap::new()).is_empty());
}

#[test]
fn r12_every_axis_at_its_floor_outranks_an_overall_that_fell() {
    let rubric = preset::framesmith().with_floors(points("4")).unwrap();
    let of = |scores: [&str; 5]| verdict(&five(scores), &rubric);
    let (before, after) = (of(["5", "5", "5", "5", "2"]), of(["4", "4", "4", "4", "4"]));
    assert!(after.overall() < before.overall());
    assert!(after.beats(&before) && !before.beats(&after));
    // Then fewer hard fails, then the shortfall, then the overall; equal leaves the earlier one.
    let two = two();
    let hold = |a, b| two.hold(&card(a, b));
    assert!(hold(3, 1).beats(&hold(2, 3)), "a hard fail outweighs a larger shortfall");
    assert!(hold(3, 2).beats(&hold(3, 1)));
    assert!(of(["4", "4", "4", "4", "5"]).beats(&after));
    assert!(!after.beats(&after));
}

#[test]
fn r13_the_stricter_floor_wins_over_the_axes_that_there_are() {
    let floor = |rubric: &Rubric, axis: &str| {
        rubric
            .axis(axis)
            .map(|axis| (axis.floor().unwrap().to_string(), axis.hard_floor().unwrap().to_string()))
    };
    let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
    let sensitive = preset::security_sensitive();
    assert_eq!(
        floor(&sensitive, "Security"),
        pair("4", "4"),
        "the preset's own is stricter than the default 3"
    );
    assert_eq!(
        floor(&sensitive, "Completeness"),
        pair("4", "4"),
        "the default stands where the preset is silent"
    );
    assert_eq!(floor(&sensitive, "Code Quality"), pair("3", "2"));
    assert_eq!(floor(&sensitive, "UX Quality"), None, "no floor without its axis");
    assert_eq!(floor(&preset::mixed(), "Code Quality"), pair("3", "3"));
    assert_eq!(floor(&preset::data_pipeline(), "Data Integrity"), pair("4", "4"));
    // The order makes no difference.
    let floors = [("a", Some(points("4")), None), ("a", Some(points("2")), Some(points("3")))];
    let reversed: Vec<_> = floors.iter().rev().copied().collect();
    assert_eq!(two().united_with(floors).unwrap(), two().united_with(reversed).unwrap());
}

#[test]
fn r13_neither_a_hard_fail_nor_a_pass_is_a_fail() {
    let text = |ux: u8| {
        format!(
            r#"{{"rubric": {{"Completeness": 5, "Correctness": 5, "UX Quality": {ux}, "Security": 5, "Code Quality": 5}}}}"#
        )
    };
    let of = |ux| verdict(&text(ux), &preset::code());
    assert_eq!((of(2).truth(), of(2).hard_fails()), (Truth::Fail, 0));
    assert_eq!((of(1).truth(), of(1).hard_fails()), (Truth::Fail, 1));
    assert_eq!(of(3).truth(), Truth::Pass);
}

#[test]
fn floors_of_a_project_may_only_be_raised() {
    let code = preset::code();
    assert!(code.clone().with_floor("Security", points("4")).is_ok());
    let error = code.clone().with_floor("Completeness", points("3")).unwrap_err();
    assert!(matches!(error.kind(), RubricErrorKind::FloorLowered { .. }), "{error}");
    // For all axes at once the stricter of each pair wins.
    let raised = code.with_floors(points("3.5")).unwrap();
    let floors: Vec<String> = raised.axes().iter().map(|axis| axis.floor().unwrap().to_string()).collect();
    assert_eq!(floors, ["4", "3.5", "3.5", "3.5", "3.5"]);
    // framesmith's may be set to anything on the scale.
    assert!(preset::framesmith().with_floors(points("2")).is_ok());
    assert!(preset::framesmith().with_floors(points("6")).is_err());
}

#[test]
fn moai_never_passes_below_sixty_hundredths_nor_without_evidence() {
    let lax = Overall::new(Aggregation::Mean).with_threshold(points("0.5"));
    let error = preset::moai(Aggregation::Mean).unwrap().with_overall(lax).unwrap_err();
    assert!(matches!(error.kind(), RubricErrorKind::ThresholdTooLow { .. }));
    let rubric = preset::moai(Aggregation::Min).unwrap();
    let reply = |axis: &str| {
        let conditions: Vec<String> = rubric
            .conditions()
            .iter()
            .map(|condition| {
                format!(
                    r#""{}": {{"result": "pass", "evidence": [{{"kind": "tool", "locator": "axe"}}]}}"#,
                    condition.id()
                )
            })
            .collect();
        let axes: Vec<String> =
            rubric.axes().iter().map(|known| format!("\"{}\": {axis}", known.name())).collect();
        format!(r#"{{"rubric": {{{}}}, "conditions": {{{}}}}}"#, axes.join(", "), conditions.join(", "))
    };
    let exhibits = Exhibits::new().with_tool("axe", "0 violations");
    let hold = |text: &str| {
        let reply = read_reply(text, &rubric, &ReadOptions::default()).unwrap();
        rubric.hold(&rubric.settle(&reply, &Circumstances::new().with_look_up(&exhibits)).card)
    };
    let full = r#"{"score": 0.75, "anchor": 0.75, "rationale": "minor slips", "evidence": [{"kind": "tool", "locator": "axe"}]}"#;
    assert_eq!(hold(&reply(full)).truth(), Truth::Pass);
    for (axis, why) in [
        (
            r#"{"score": 0.75, "rationale": "r", "evidence": [{"kind": "tool", "locator": "axe"}]}"#,
            "no anchor cited",
        ),
        (
            r#"{"score": 0.75, "anchor": 1.0, "rationale": "r", "evidence": [{"kind": "tool", "locator": "axe"}]}"#,
            "another anchor",
        ),
        (r#"{"score": 0.75, "anchor": 0.75, "evidence": [{"kind": "tool", "locator": "axe"}]}"#, "no reason"),
        (r#"{"score": 0.75, "anchor": 0.75, "rationale": "r"}"#, "no evidence"),
        (
            r#"{"score": 0.75, "anchor": 0.75, "rationale": "r", "evidence": [{"kind": "tool", "locator": "lighthouse"}]}"#,
            "evidence that is not there",
        ),
        (
            r#"{"score": 0.75, "anchor": 0.75, "rationale": "r", "evidence": ["I looked at it"]}"#,
            "nothing that can be looked up",
        ),
        (
            r#"{"score": 0.8, "anchor": 0.75, "rationale": "r", "evidence": [{"kind": "tool", "locator": "axe"}]}"#,
            "off the anchors",
        ),
    ] {
        assert_eq!(hold(&reply(axis)).truth(), Truth::Undetermined, "{why}");
    }
    // A condition that the judge does not mention is not passed; one that fails, fails everything.
    let without = reply(full)
        .replace("\"links-work\": {\"result\": \"pass\"", "\"links-work\": {\"result\": \"unverified\"");
    assert_eq!(hold(&without).truth(), Truth::Undetermined);
    assert_eq!(hold(&without).unseen(), ["links-work"]);
    let broken = without.replace("unverified", "fail");
    assert_eq!(
        (hold(&broken).truth(), hold(&broken).broken()),
        (Truth::Fail, &["links-work".to_owned()][..])
    );
}

#[test]
fn a_probe_is_not_talked_away_by_a_judge() {
    let rubric = two().with_conditions([Condition::must_pass("links", "links work")]).unwrap();
    let hold = |probe: Option<Truth>, judge: &str| {
        let text = format!(r#"{{"rubric": {{"a": 4, "b": 4}}, "conditions": {{"links": "{judge}"}}}}"#);
        let seen: BTreeMap<String, Truth> =
            probe.map(|truth| ("links".to_owned(), truth)).into_iter().collect();
        rubric
            .hold(&rubric.settle(&read(&text, &rubric).unwrap(), &Circumstances::new().with_seen(&seen)).card)
            .truth()
    };
    assert_eq!(hold(Some(Truth::Fail), "pass"), Truth::Fail);
    assert_eq!(hold(Some(Truth::Pass), "unverified"), Truth::Pass);
    assert_eq!(hold(Some(Truth::Pass), "fail"), Truth::Fail);
    assert_eq!(hold(Some(Truth::Undetermined), "pass"), Truth::Pass);
    assert_eq!(hold(None, "unverified"), Truth::Undetermined);
}

#[test]
fn a_rule_fails_its_dimension_whatever_the_score() {
    let rule = Condition::fails("schemas", "every endpoint checks its input by a schema", "Security");
    let rubric = preset::api_only().with_conditions([rule]).unwrap();
    let text = |result: &str| {
        format!(
            r#"{{"rubric": {{"Completeness": 5, "Correctness": 5, "API Design": 5, "Security": 5, "Performance": 5}}, "conditions": {{"schemas": "{result}"}}}}"#
        )
    };
    let failed = verdict(&text("fail"), &rubric);
    assert_eq!((failed.truth(), failed.failing()), (Truth::Fail, &["Security".to_owned()][..]));
    assert_eq!(verdict(&text("pass"), &rubric).truth(), Truth::Pass);
}

#[test]
fn a_condition_that_was_not_seen_makes_no_pass_where_it_would_decide() {
    let overall = Overall::new(Aggregation::Mean).with_threshold(points("3.75"));
    let rubric = |at: &str| {
        two()
            .with_conditions([
                Condition::caps("stock", "no stock icons", "a", points(at)),
                Condition::fails("words", "the copy is the agreed one", "b"),
            ])
            .unwrap()
            .with_overall(overall.clone())
            .unwrap()
    };
    let held = |at: &str, conditions: &str| {
        let text = format!(r#"{{"rubric": {{"a": 4, "b": 4}}, "conditions": {{{conditions}}}}}"#);
        verdict(&text, &rubric(at))
    };
    let both = held("1", r#""stock": "pass", "words": "pass""#);
    assert_eq!((both.truth(), both.unseen().len()), (Truth::Pass, 0));
    // A cap that would take the axis below its floor, one that would take only the overall below its threshold, and one
    // that would change nothing.
    let (pass, open) = (Truth::Pass, Truth::Undetermined);
    for (at, axis, overall) in [("1", open, open), ("3", pass, open), ("4", pass, pass)] {
        let held = held(at, r#""words": "pass""#);
        assert_eq!((held.axes()[0].truth, held.overall_truth()), (axis, Some(overall)), "{at}");
        assert_eq!(held.truth(), axis.and(overall), "{at}");
        assert_eq!(held.unseen().is_empty(), held.truth().is_pass(), "{at}");
    }
    let unruled = held("4", r#""stock": "pass""#);
    assert_eq!((unruled.truth(), unruled.unseen()), (Truth::Undetermined, &["words".to_owned()][..]));
    assert_eq!(held("1", r#""stock": "fail", "words": "pass""#).truth(), Truth::Fail);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let axis = || Axis::new("x", scale("0", "1"));
    let kind = |axes: Vec<Axis>| Rubric::new(axes).unwrap_err().kind().clone();
    assert_eq!(kind(vec![]), RubricErrorKind::NoAxes);
    assert!(matches!(
        kind(vec![axis(), Axis::new(" X", scale("0", "1"))]),
        RubricErrorKind::DuplicateAxis { .. }
    ));
    assert!(matches!(kind(vec![Axis::new(" ", scale("0", "1"))]), RubricErrorKind::NoName { .. }));
    assert!(axis().with_floor(points("2")).is_err());
    let anchored =
        |scores: &[&str]| axis().with_anchors(scores.iter().map(|score| Anchor::new(points(score), "t")));
    assert!(matches!(kind(vec![anchored(&["0.5", "0.5"])]), RubricErrorKind::DuplicateAnchor { .. }));
    assert!(matches!(kind(vec![anchored(&["2"])]), RubricErrorKind::AnchorOffScale { .. }));
    assert!(matches!(kind(vec![axis().only_anchors()]), RubricErrorKind::NoAnchors { .. }));
    let unreachable = anchored(&["0.25", "0.75"]).only_anchors().with_floor(points("0.9")).unwrap();
    assert!(matches!(kind(vec![unreachable]), RubricErrorKind::FloorUnreachable { .. }));
    let cap = |axis: &str, at: &str| two().with_conditions([Condition::caps("c", "t", axis, points(at))]);
    assert!(matches!(cap("z", "2").unwrap_err().kind(), RubricErrorKind::UnknownAxis { .. }));
    assert!(matches!(cap("a", "9").unwrap_err().kind(), RubricErrorKind::CapOffScale { .. }));
    let twice = [Condition::must_pass("c", "t"), Condition::must_pass("c", "u")];
    assert!(matches!(
        two().with_conditions(twice).unwrap_err().kind(),
        RubricErrorKind::DuplicateCondition { .. }
    ));
    let threshold = |text| two().with_overall(Overall::new(Aggregation::Mean).with_threshold(points(text)));
    assert!(matches!(threshold("5.5").unwrap_err().kind(), RubricErrorKind::ThresholdOffScale { .. }));
    assert!(matches!(threshold("0.5").unwrap_err().kind(), RubricErrorKind::ThresholdOffScale { .. }));
    let mixed = Rubric::new([axis(), Axis::new("y", scale("1", "5"))]).unwrap();
    assert!(matches!(
        mixed.with_overall(Overall::new(Aggregation::Mean)).unwrap_err().kind(),
        RubricErrorKind::MixedScales { .. }
    ));
    assert!(two().with_regression_step(Points::ZERO).is_err());
    assert!(matches!(
        two().with_floor("z", points("3")).unwrap_err().kind(),
        RubricErrorKind::UnknownAxis { .. }
    ));
}

#[test]
fn a_floor_between_two_legal_scores_says_what_it_asks_for() {
    // With quarter steps, 0.70 means 0.75 and 0.80 means 1.
    let axis = |name, floor| {
        let axis = Axis::new(name, scale("0", "1").with_step(points("0.25")).unwrap());
        axis.with_floor(points(floor)).unwrap()
    };
    let rubric = Rubric::new([axis("a", "0.70"), axis("b", "0.80"), axis("c", "0.75")]).unwrap();
    let advice = rubric.advice();
    assert_eq!(advice.len(), 2, "{advice:?}");
    assert!(advice[0].ends_with("asks for 0.75") && advice[1].ends_with("asks for 1"), "{advice:?}");
}

#[test]
fn two_documented_maps_from_scores_to_an_overall() {
    let by = |stated| {
        let overall = Overall::new(Aggregation::Mean).stated(stated);
        two().with_overall(overall).unwrap()
    };
    let overall = |stated, score| by(stated).hold(&card(score, score)).overall().unwrap();
    let whole = |number| Ratio::from(Points::from_whole(number));
    assert_eq!(
        (overall(Stated::PercentOfMaximum, 1), overall(Stated::PercentOfMaximum, 5)),
        (whole(20), whole(100))
    );
    assert_eq!((overall(Stated::ShareOfSpan, 1), overall(Stated::ShareOfSpan, 5)), (whole(0), whole(1)));
    assert_eq!(overall(Stated::ShareOfSpan, 2), Ratio::from(points("0.25")));
}

#[test]
fn requirements_are_asked_for_by_nobody_but_the_rubric() {
    let lenient = two();
    assert_eq!(lenient.requirements(), Requirements::NONE);
    assert_eq!(verdict(r#"{"rubric": {"a": 4, "b": 4}}"#, &lenient).truth(), Truth::Pass);
}
