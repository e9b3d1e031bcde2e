//! What a model's answer is as a revision.

use std::sync::Arc;

use serde_json::json;
use trueup_contract::{Approach, FaultKind, LabelName, SkipClass, StateId};
use trueup_frame::{Frame, PixelFormat, Size};
use trueup_llm::{Model, ModelReviser};
use trueup_ports::{Capture, Fault, Ground, Pixels, Reviser, Revision, Snapshot};
use trueup_testkit::block_on;

use crate::provider::Provider;
use crate::server::Server;
use crate::setup::{assert_fault, cx, revise, revise_request, snapshot};

fn changed(name: &str, text: &str) -> String {
    json!({"result": "changed", "note": "blue is bluer", "parts": [{"name": name, "text": text}],
           "split": null, "landed": null, "class": null})
    .to_string()
}

/// What a reviser makes of one answer.
fn made_of(answer: &str) -> Result<Revision, Fault> {
    let server = Server::start(vec![Provider::OpenAi.says(answer)]);
    let reviser = ModelReviser::new(Provider::OpenAi.model(&server).with_reasks(0));
    revise(&reviser, revise_request()).0
}

#[test]
fn a_change_comes_back_and_the_request_says_what_is_open_and_what_there_is() {
    for provider in Provider::ALL {
        let server = Server::start(vec![
            provider.says(&format!("```json\n{}\n```", changed("css/tokens.css", "a{b:c}\n"))),
        ]);
        let look = Frame::new(vec![200; 12], Size::new(2, 2), PixelFormat::Rgb8).unwrap();
        let look = Capture::new(LabelName::new("card").unwrap(), Pixels::Frame(Arc::new(look)));
        let request = revise_request()
            .with_captures(Arc::new([look]))
            .with_focus(Some("the title".into()))
            .with_judged(vec!["clarity".to_owned()], Vec::new())
            .with_tried(vec![StateId::of_parts([("a", &b"b"[..])])])
            .with_approach(Approach::Reground)
            .with_ground(Some(Arc::new(Ground::new(
                Some("A calm card.".into()),
                Vec::new(),
                "| gate | 0 |".to_owned(),
            ))));
        let (revision, used) = revise(&ModelReviser::new(provider.model(&server)), request);
        let Ok(Revision::Parts { parts, note }) = revision else { panic!("{provider:?}: {revision:?}") };
        assert_eq!(parts, [("css/tokens.css".to_owned(), Arc::from(&b"a{b:c}\n"[..]))]);
        assert_eq!((note.as_str(), used.tokens), ("blue is bluer", provider.tokens()));
        let texts = provider.texts(&server.seen()[0].body);
        for part in [
            "card/3k1q color: 208×88 px at (16, 24), 15724 px differ",
            "the title",
            "- clarity",
            "1 other contents were tried",
            "Read the brief, the design and the contract again",
            "A calm card.",
            "| gate | 0 |",
            // A fence that the file cannot close, and where its end is.
            "## File card.svg\n\n````\n<svg fill=\"#3457b0\">\n```\n</svg>\n````\nThe file ends without a line break.",
            "## File css/tokens.css\n\n```\na{}\n```\n",
        ] {
            assert!(texts.contains(part), "{provider:?}: {part:?} in {texts}");
        }
        let body = server.seen()[0].body.to_string();
        assert!(body.contains("\"landed\""), "the schema is sent");
        assert!(
            texts.contains("The picture of card:") && body.contains("iVBORw0KGgo"),
            "the picture is sent"
        );
    }
}

#[test]
fn every_result_is_read() {
    let result = |result: &str, rest: serde_json::Value| {
        let mut document = json!({"result": result, "note": "why", "parts": null, "split": null, "landed": null, "class": null});
        document.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        made_of(&document.to_string())
    };
    assert!(matches!(result("nothing", json!({})), Ok(Revision::Nothing { note }) if note == "why"));
    assert!(matches!(result("dispute", json!({})), Ok(Revision::Dispute { .. })));
    let blocked = result("blocked", json!({"class": "missing-access"}));
    assert!(matches!(blocked, Ok(Revision::Blocked { class: SkipClass::MissingAccess, .. })));
    assert_fault(result("blocked", json!({"class": "tired"})), FaultKind::Rejected, "\"tired\" is no class");
    let slice =
        json!({"parts": [{"name": "css/tokens.css", "text": "b{}"}], "split": ["a", "b"], "landed": "a"});
    let Ok(Revision::Slice { parts, split, landed, .. }) = result("slice", slice) else { panic!() };
    assert_eq!((parts.len(), split.len(), landed.as_str()), (1, 2, "a"));
    // The same content is no change.
    assert!(matches!(made_of(&changed("css/tokens.css", "a{}\n")), Ok(Revision::Nothing { .. })));
}

#[test]
fn a_change_stays_inside_the_parts_that_were_shown_whole() {
    for name in ["../card.svg", "/etc/passwd", "css/../card.svg", "new.css", "", "card.svg\0"] {
        assert_fault(
            made_of(&changed(name, "x")),
            FaultKind::NotApplied,
            "is no part of the artifact: expected one of card.svg, css/tokens.css",
        );
    }
    let twice = json!({"result": "changed", "parts": [{"name": "card.svg", "text": "a"}, {"name": "card.svg", "text": "b"}]});
    assert_fault(made_of(&twice.to_string()), FaultKind::NotApplied, "two contents for \"card.svg\"");

    let provider = Provider::OpenAi;
    let server = Server::start(vec![
        provider.says(&changed("css/tokens.css", "x")),
        provider.says(&changed("binary.png", "x")),
    ]);
    let parts = snapshot().with_parts([("binary.png".to_owned(), Arc::from(&b"\x89PNG\xff"[..]))]);
    let request = || {
        let mut request = revise_request();
        request.base = Snapshot::clone(&parts);
        request
    };
    // Room for the first part and two bytes of the second.
    let room = snapshot().part("card.svg").unwrap().len() + 2;
    let reviser = ModelReviser::new(provider.model(&server)).with_max_shown_bytes(room);
    for name in ["css/tokens.css", "binary.png"] {
        assert_fault(
            revise(&reviser, request()).0,
            FaultKind::NotApplied,
            &format!("{name:?} was not shown whole"),
        );
    }
    let texts = provider.texts(&server.seen()[0].body);
    assert!(
        texts.contains(
            "## File css/tokens.css (only its beginning is shown, so it cannot be changed)\n\n```\na{\n```"
        ),
        "{texts}"
    );
    assert!(texts.contains("5 bytes that are no text. It cannot be changed."), "{texts}");
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again() {
    for provider in Provider::ALL {
        let server = Server::start(vec![
            provider.says("{\"result\": \"changed\"}"),
            provider.says(&changed("card.svg", "<svg/>")),
        ]);
        let (revision, used) = revise(&ModelReviser::new(provider.model(&server)), revise_request());
        assert!(matches!(revision, Ok(Revision::Parts { .. })), "{revision:?}");
        assert_eq!(used.tokens, 2 * provider.tokens());
        assert!(provider.texts(&server.seen()[1].body).contains("the result \"changed\" needs parts"));
    }
}

#[test]
fn a_revision_that_was_cut_off_or_declined_changes_nothing() {
    for provider in Provider::ALL {
        let server =
            Server::start(vec![provider.breaks_off(&changed("card.svg", "<svg/>")), provider.declines()]);
        let reviser = ModelReviser::new(provider.model(&server));
        assert_fault(revise(&reviser, revise_request()).0, FaultKind::Rejected, "was cut off");
        assert_fault(revise(&reviser, revise_request()).0, FaultKind::Rejected, "declines");
        assert_eq!(server.seen().len(), 2);
    }
}

#[test]
fn proof_of_life_is_the_key_and_costs_nothing() {
    let model = Model::new("claude-sonnet-4-5").unwrap();
    let keyless = ModelReviser::new(model.clone().with_environment(|_| Some("  ".to_owned())));
    assert_fault(block_on(keyless.probe(&cx())), FaultKind::Unavailable, "ANTHROPIC_API_KEY is not set");
    let keyed = ModelReviser::new(model.with_environment(|_| Some("sk-x".to_owned())));
    block_on(keyed.probe(&cx())).unwrap();
    assert!(keyed.fresh().is_none(), "it keeps no memory");
}
