//! A key that is planted in the environment appears in nothing that is kept.

use std::sync::Arc;

use serde_json::json;
use trueup_contract::FaultKind;
use trueup_llm::{FolderVerdicts, ModelReviser};

use crate::provider::Provider;
use crate::server::{Act, Server};
use crate::setup::{GOOD, KEY, assert_fault, judge, judge_request, quick, revise, revise_request};

#[test]
fn a_provider_that_repeats_the_key_in_whatever_it_says_does_not_give_it_away() {
    for provider in [Provider::Anthropic, Provider::OpenAi] {
        for status in [400, 401, 403, 404, 413, 418, 429, 500] {
            // Near the place where long texts are cut, so that a half of it would be left.
            for filler in ["", &"x".repeat(290)] {
                let act =
                    provider.refuses(status, "error", &format!("{filler}Incorrect API key provided: {KEY}."));
                let server = Server::start(vec![act]);
                let fault = judge(&quick(provider.model(&server)), judge_request()).0.unwrap_err();
                assert!(!format!("{fault} {fault:?}").contains("sk-planted"), "{fault:?}");
                assert!(!filler.is_empty() || fault.to_string().contains("[redacted]"), "{fault}");
                assert_eq!(server.seen().len(), 1);
            }
        }
        let page = vec![("content-type", format!("text/{KEY}"))];
        for act in [
            Act::Answer(200, page, KEY.to_owned()),
            Act::Answer(500, Vec::new(), KEY.to_owned()),
            Act::Answer(200, Vec::new(), json!({"content": KEY, "choices": KEY}).to_string()),
            Act::Answer(200, Vec::new(), format!("{{{KEY}")),
        ] {
            let server = Server::start(vec![act]);
            let fault = judge(&quick(provider.model(&server).with_reasks(0)), judge_request()).0.unwrap_err();
            assert!(!format!("{fault} {fault:?}").contains("sk-planted"), "{fault:?}");
        }
    }
}

#[test]
fn an_answer_with_the_key_in_it_is_kept_without_it() {
    let folder = std::env::temp_dir().join(format!("trueup-llm-secrets-{}", std::process::id()));
    let store = Arc::new(FolderVerdicts::open(&folder).unwrap());
    for provider in [Provider::Anthropic, Provider::OpenAi] {
        let said = GOOD.replace("plain", &format!("the key is {KEY}"));
        let server = Server::start(vec![provider.says(&format!("{KEY} is no answer")), provider.says(&said)]);
        let asks = quick(provider.model(&server)).with_verdicts(store.clone());
        let (judgement, used) = judge(&asks, judge_request());
        let seen = server.seen();
        for kept in
            [format!("{judgement:?}"), format!("{used:?}"), format!("{asks:?}"), seen[1].body.to_string()]
        {
            assert!(!kept.contains("sk-planted"), "{kept}");
        }
        assert!(seen[1].body.to_string().contains("[redacted] is no answer"));
    }
    let mut files = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(text.contains("the key is [redacted]") && !text.contains("sk-planted"), "{text}");
        files += 1;
    }
    assert_eq!(files, 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reviser_that_writes_the_key_into_a_part_does_not() {
    let provider = Provider::OpenAi;
    let answer = json!({"result": "changed", "note": KEY, "parts": [{"name": "card.svg", "text": format!("<!-- {KEY} -->")}]});
    let foreign = json!({"result": "changed", "parts": [{"name": KEY, "text": ""}]});
    let server = Server::start(vec![provider.says(&answer.to_string()), provider.says(&foreign.to_string())]);
    let reviser = ModelReviser::new(provider.model(&server));
    let (revision, _) = revise(&reviser, revise_request());
    let revision = revision.unwrap();
    let trueup_ports::Revision::Parts { parts, note } = &revision else { panic!("{revision:?}") };
    assert_eq!((&*parts[0].1, note.as_str()), (&b"<!-- [redacted] -->"[..], "[redacted]"));
    assert_fault(revise(&reviser, revise_request()).0, FaultKind::NotApplied, "\"[redacted]\" is no part");
}

#[test]
fn a_value_that_cannot_be_a_key_is_not_repeated() {
    let server = Server::start(Vec::new());
    let model =
        Provider::OpenAi.model(&server).with_environment(|_| Some("sk planted 0123456789".to_owned()));
    let fault = assert_fault(
        judge(&quick(model), judge_request()).0,
        FaultKind::Unavailable,
        "PLANTED_KEY holds no key",
    );
    assert!(!fault.to_string().contains("sk planted"));
}
