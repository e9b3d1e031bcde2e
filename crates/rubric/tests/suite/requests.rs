//! What judges and roles are told.

use trueup_findings::{Evidence, EvidenceKind};
use trueup_rubric::request::{
    ArtifactKind, Criterion, FEW_SHOT, LeakKind, Prompt, ReviewMode, Role, RolePrompt, leaks, reply_schema,
};
use trueup_rubric::{ReadOptions, preset, read_reply};

use crate::support::two;

#[test]
fn r19_a_request_that_shows_earlier_judgements_is_refused() {
    for (text, kind) in [
        ("Score: 4", LeakKind::Score),
        ("the Feedback: was harsh", LeakKind::Feedback),
        ("Verdict: PASS", LeakKind::Verdict),
        ("Result: FAIL", LeakKind::Verdict),
        ("in Iteration 3 we", LeakKind::Iteration),
        ("after round 12", LeakKind::Iteration),
        ("the PREVIOUS evaluator said", LeakKind::Evaluator),
        ("a prior evaluation", LeakKind::Evaluator),
        ("## Known issues", LeakKind::SelfAssessment),
        ("\"negotiation_history\": []", LeakKind::Negotiation),
    ] {
        assert_eq!(leaks(text).iter().map(|leak| leak.kind).collect::<Vec<_>>(), [kind], "{text}");
        let rubric = two();
        let error = Prompt::new(&rubric).with_brief(text).text().unwrap_err();
        assert_eq!((error.part(), error.leak().kind), ("brief", kind));
        let criterion = Criterion::new("AC-01", text, "look");
        assert_eq!(Prompt::new(&rubric).with_criterion(criterion).text().unwrap_err().part(), "criteria");
    }
    for text in [
        "a scoreboard shows Scores",
        "a background 3 px wide",
        "iterations are many",
        "rounded corners",
        "give feedback: never",
    ] {
        assert!(leaks(text).is_empty(), "{text}: {:?}", leaks(text));
    }
}

#[test]
fn a_prompt_has_every_axis_anchor_and_condition() {
    for name in preset::NAMES {
        let rubric = preset::named(name).unwrap();
        let text = Prompt::new(&rubric)
            .with_brief("a calm page")
            .with_criterion(Criterion::new("AC-01", "the headline has a contrast of 4.5", "measure it"))
            .with_artifact(Evidence::new(EvidenceKind::Image, "shot.png"))
            .with_echo("k7")
            .with_few_shot()
            .text()
            .unwrap();
        for axis in rubric.axes() {
            assert!(text.contains(&format!("\n### {}\n", axis.name())), "{name}");
            for anchor in axis.anchors() {
                assert!(text.contains(&format!("- {}: {}\n", anchor.score(), anchor.text())), "{name}");
            }
        }
        for condition in rubric.conditions() {
            assert!(text.contains(&format!("- {}: {}", condition.id(), condition.text())), "{name}");
        }
        for part in ["a calm page", "AC-01: the headline", "image shot.png", "\"echo\": \"k7\"", FEW_SHOT] {
            assert!(text.contains(part), "{name}: {part}");
        }
        // Echoing the prompt is no answer.
        assert!(read_reply(&text, &rubric, &ReadOptions::default()).is_err(), "{name}");
    }
}

#[test]
fn the_schema_of_a_reply_names_everything_and_allows_nothing_else() {
    for name in preset::NAMES {
        let rubric = preset::named(name).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&reply_schema(&rubric)).unwrap();
        let axes = &schema["properties"]["rubric"];
        assert_eq!(axes["additionalProperties"], false);
        assert_eq!(axes["required"].as_array().unwrap().len(), rubric.axes().len());
        for axis in rubric.axes() {
            let score = &axes["properties"][axis.name()]["properties"]["score"];
            if axis.is_only_anchors() {
                assert_eq!(score["enum"].as_array().unwrap().len(), axis.anchors().len() + 1, "{name}");
            } else {
                assert_eq!(score["maximum"].to_string(), axis.scale().max().to_string(), "{name}");
            }
        }
        let conditions = schema["properties"]
            .get("conditions")
            .map_or(0, |conditions| conditions["required"].as_array().unwrap().len());
        assert_eq!(conditions, rubric.conditions().len(), "{name}");
    }
}

#[test]
fn roles_are_told_apart() {
    for role in Role::ALL {
        assert_eq!(Role::from_name(role.as_str()), Some(*role));
        let text = RolePrompt::new(*role, "plan.md", "# Plan\n```\ncode\n```\n")
            .with_context("Consumer", "a build")
            .to_string();
        for task in role.tasks() {
            assert!(text.contains(task), "{role}");
        }
        assert!(text.contains("````\n# Plan"), "the content cannot end its fence: {text}");
        assert!(!role.never_sees().is_empty());
    }
    let text = |role| RolePrompt::new(role, "a", "b").to_string();
    assert!(
        text(Role::Generator).contains("can it be implemented")
            && !text(Role::Generator).contains("Score by")
    );
    assert!(text(Role::ProtocolChecker).contains("Say nothing of quality"));
}

#[test]
fn each_kind_of_artifact_has_its_budget_of_rounds() {
    let budgets: Vec<(&str, u32, (u32, u32), bool)> = ArtifactKind::ALL
        .iter()
        .map(|kind| {
            (kind.as_str(), kind.max_rounds(), kind.typical_rounds(), kind.mode() == ReviewMode::MultiRound)
        })
        .collect();
    assert_eq!(
        budgets,
        [
            ("implementation", 5, (2, 3), true),
            ("pull-request", 1, (1, 1), false),
            ("product-context", 1, (1, 1), false),
            ("design", 2, (1, 1), false),
            ("document", 1, (1, 1), false),
        ]
    );
    assert!(ArtifactKind::ALL.iter().all(|kind| ArtifactKind::from_name(kind.as_str()) == Some(*kind)));
}
