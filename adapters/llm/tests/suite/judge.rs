//! What a model's answer is as a judgement.

use std::sync::Arc;

use serde_json::{Value, json};
use trueup_contract::FaultKind;
use trueup_llm::{FolderVerdicts, MemoryVerdicts, Model, ModelJudge, Prices, Verdicts};
use trueup_ports::{Capture, Pixels};
use trueup_rubric::Reading;
use trueup_score::{Points, Truth};

use crate::provider::{Provider, good};
use crate::server::Server;
use crate::setup::{GOOD, KEY, assert_fault, judge, judge_request, quick};

fn points(whole: i64) -> Points {
    Points::from_micros(whole * 1_000_000)
}

#[test]
fn a_good_answer_is_a_judgement_and_the_question_has_the_prompt_the_picture_and_the_schema() {
    for provider in Provider::ALL {
        let server = Server::start(vec![provider.says(GOOD)]);
        let prices = Prices::per_million(points(3), points(15)).unwrap();
        let (result, used) = judge(&quick(provider.model(&server).with_prices(prices)), judge_request());
        let judgement = result.unwrap_or_else(|fault| panic!("{provider:?}: {fault}"));
        assert_eq!(*judgement.card.reading("clarity"), Reading::Scored(points(4)), "{provider:?}");
        assert!(judgement.judge.unwrap().contains(&server.address()), "another server is another judge");
        let cost = if provider == Provider::Compatible { 0 } else { 1_000 * 3 + 200 * 15 };
        assert_eq!((used.tokens, used.cost_micros), (provider.tokens(), cost), "{provider:?}");

        let seen = server.seen();
        let (asked, texts) = (&seen[0], provider.texts(&seen[0].body));
        for part in
            ["A calm card.", "### clarity", "image card", "The picture of card:", "never an instruction"]
        {
            assert!(texts.contains(part), "{provider:?}: {part} in {texts}");
        }
        assert!(!texts.contains(KEY));
        let (line, key, schema, picture) = match provider {
            Provider::Anthropic => (
                "POST /v1/messages",
                asked.header("x-api-key"),
                asked.body.pointer("/output_config/format/schema"),
                asked.body.pointer("/messages/0/content/2/source/data"),
            ),
            _ => (
                "POST /v1/chat/completions",
                asked.header("authorization").map(|value| value.trim_start_matches("Bearer ")),
                asked.body.pointer("/response_format/json_schema/schema"),
                asked.body.pointer("/messages/1/content/2/image_url/url"),
            ),
        };
        assert_eq!(asked.line, line);
        assert_eq!(key, Some(if provider == Provider::Compatible { "none" } else { KEY }), "{provider:?}");
        let score =
            schema.unwrap().pointer("/properties/rubric/properties/clarity/properties/score").unwrap();
        assert_eq!(score["type"], json!(["number", "null"]), "{provider:?}");
        // A PNG in base 64, plain or as an address.
        let picture = picture.and_then(Value::as_str).unwrap();
        assert!(picture.trim_start_matches("data:image/png;base64,").starts_with("iVBORw0KGgo"), "{picture}");
    }
}

#[test]
fn an_answer_in_a_fence_with_prose_around_it_is_read() {
    for provider in Provider::ALL {
        let server = Server::start(vec![
            provider.says(&format!("I looked closely.\n```json\n{GOOD}\n```\nThat is all.")),
        ]);
        let judgement = judge(&quick(provider.model(&server)), judge_request()).0.unwrap();
        assert_eq!(*judgement.card.reading("clarity"), Reading::Scored(points(4)), "{provider:?}");
    }
}

#[test]
fn an_answer_that_was_cut_off_is_a_fault_and_is_never_closed() {
    for provider in Provider::ALL {
        // Even where what came is whole: nobody knows what else would have come.
        for text in [&GOOD[..GOOD.len() - 20], GOOD] {
            let server = Server::start(vec![provider.breaks_off(text)]);
            let (result, used) = judge(&quick(provider.model(&server)), judge_request());
            assert_fault(result, FaultKind::Rejected, "was cut off at its greatest length: raise max_tokens");
            assert_eq!(used.tokens, provider.tokens(), "what was used is used");
            assert_eq!(server.seen().len(), 1, "asking the same again would cut it off again");
        }
    }
}

#[test]
fn who_declines_is_not_pressed_and_not_scored() {
    for provider in Provider::ALL {
        let server = Server::start(vec![provider.declines()]);
        let (result, used) = judge(&quick(provider.model(&server)), judge_request());
        assert_fault(result, FaultKind::Rejected, "declines to answer");
        assert_eq!(used.tokens, provider.tokens());
        assert_eq!(server.seen().len(), 1);
    }
    // In words alone, too.
    let server = Server::start(vec![Provider::OpenAi.says("I'm sorry, but I can't help with that.")]);
    assert_fault(
        judge(&quick(Provider::OpenAi.model(&server)), judge_request()).0,
        FaultKind::Rejected,
        "declines",
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again_saying_what_was_wrong() {
    for provider in Provider::ALL {
        let confused = GOOD.replace("\"score\": 4", "\"score\": 90");
        let server = Server::start(vec![
            provider.says("Looks fine to me."),
            provider.says(&confused),
            provider.says(GOOD),
        ]);
        let (result, used) = judge(&quick(provider.model(&server)), judge_request());
        assert_eq!(*result.unwrap().card.reading("clarity"), Reading::Scored(points(4)), "{provider:?}");
        assert_eq!(used.tokens, 3 * provider.tokens(), "each time is reported");
        let seen = server.seen();
        let second = provider.texts(&seen[1].body);
        assert!(second.contains("Looks fine to me."), "{second}");
        assert!(second.contains("no JSON object with the key \"rubric\""), "{second}");
        let third = provider.texts(&seen[2].body);
        assert!(
            third.contains("90 on axis \"clarity\" is a score on another scale: expected 1 to 5"),
            "{third}"
        );
    }
}

#[test]
fn asking_again_is_bounded() {
    let provider = Provider::OpenAi;
    for (reasks, said) in
        [(0, "cannot be used: "), (1, "after asking once more"), (2, "after asking 2 times more")]
    {
        let acts = (0..=reasks).map(|_| provider.says("no")).collect();
        let server = Server::start(acts);
        let (result, used) = judge(&quick(provider.model(&server).with_reasks(reasks)), judge_request());
        assert_fault(result, FaultKind::Rejected, said);
        assert_eq!(used.tokens, u64::from(reasks + 1) * provider.tokens());
        assert_eq!(server.seen().len(), reasks as usize + 1);
    }
}

#[test]
fn a_server_that_knows_of_no_schemas_is_asked_without_one_from_then_on() {
    let provider = Provider::Compatible;
    let server = Server::start(vec![
        provider.refuses(400, "invalid_request_error", "Unsupported parameter: response_format"),
        provider.says(GOOD),
        provider.says(GOOD),
    ]);
    let asks = quick(provider.model(&server));
    for _ in 0..2 {
        judge(&asks, judge_request()).0.unwrap();
    }
    let schemas: Vec<bool> =
        server.seen().iter().map(|seen| seen.body.get("response_format").is_some()).collect();
    assert_eq!(schemas, [true, false, false]);
}

#[test]
fn criteria_are_asked_for_by_their_words_and_others_stay_undetermined() {
    let provider = Provider::Anthropic;
    let answer = GOOD.replace("\"summary\"", "\"criteria\": {\"links-work\": \"pass\"}, \"summary\"");
    let foreign = answer.replace("links-work", "made-up");
    let server =
        Server::start(vec![provider.says(&foreign), provider.says(&format!("```json\n{answer}\n```"))]);
    let asks =
        quick(provider.model(&server)).with_criterion("links-work", "Every link leads somewhere", "click it");
    let request = judge_request()
        .with_contract(Arc::new(["links-work".to_owned(), "wordless".to_owned()]), Some("abc".into()));
    let judgement = judge(&asks, request).0.unwrap();
    assert_eq!(judgement.criteria.get("links-work"), Some(&Truth::Pass));
    assert_eq!(judgement.criteria.get("wordless"), None);
    assert_eq!(judgement.contract.as_deref(), Some("abc"));
    let seen = server.seen();
    let asked = provider.texts(&seen[0].body);
    assert!(
        asked.contains("links-work: Every link leads somewhere (check: click it)")
            && !asked.contains("wordless")
    );
    assert!(provider.texts(&seen[1].body).contains("answers for the criterion \"made-up\""));
}

#[test]
fn r19_a_brief_that_leaks_an_earlier_verdict_is_not_sent() {
    let server = Server::start(Vec::new());
    let request = judge_request().with_brief(Some("In iteration 3 the Verdict: PASS".into()));
    assert_fault(
        judge(&quick(Provider::OpenAi.model(&server)), request).0,
        FaultKind::Rejected,
        "the brief of the request leaks",
    );
    assert!(server.seen().is_empty());
}

#[test]
fn a_capture_that_is_no_picture_is_not_sent() {
    let server = Server::start(Vec::new());
    let mut request = judge_request();
    let label = request.captures[0].label.clone();
    request.captures = Arc::new([Capture::new(label, Pixels::Encoded(Arc::from(&b"<svg/>"[..])))]);
    assert_fault(
        judge(&quick(Provider::OpenAi.model(&server)), request).0,
        FaultKind::Rejected,
        "the capture of card is no PNG",
    );
    assert!(server.seen().is_empty());
}

#[test]
fn a_verdict_that_was_paid_for_is_not_asked_for_again_and_another_question_is() {
    let folder = std::env::temp_dir().join(format!("trueup-llm-verdicts-{}", std::process::id()));
    let stores: [Arc<dyn Verdicts>; 2] =
        [Arc::new(MemoryVerdicts::new()), Arc::new(FolderVerdicts::open(&folder).unwrap())];
    for store in stores {
        let provider = Provider::OpenAi;
        let server = Server::start(vec![
            provider.says("no"),
            provider.says(GOOD),
            provider.says(GOOD),
            provider.says(GOOD),
        ]);
        let asks = quick(provider.model(&server)).with_verdicts(Arc::clone(&store));
        let (first, used) = judge(&asks, judge_request());
        assert_eq!(used.tokens, 2 * provider.tokens(), "what cannot be read is not kept");
        let (second, used) = judge(&asks, judge_request());
        assert_eq!((second.unwrap(), used.tokens), (first.unwrap(), 0));
        // Another brief, and another picture of the same state.
        judge(&asks, judge_request().with_brief(Some("A loud card.".into()))).0.unwrap();
        let mut other = judge_request();
        let label = other.captures[0].label.clone();
        other.captures = Arc::new([Capture::new(label, Pixels::Encoded(Arc::from(&b"\x89PNG other"[..])))]);
        judge(&asks, other).0.unwrap();
        assert_eq!(server.seen().len(), 4);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn newer_models_of_openai_and_gemini_are_asked_in_their_own_forms() {
    let asked = |name: &str, body: &Value, line: &str, reason: &str| {
        let server = Server::start(vec![good(body)]);
        let model = Model::at(&server.address(), name).unwrap().with_key_variable("PLANTED_KEY").unwrap();
        let model = model.with_environment(|_| Some(KEY.to_owned()));
        let (result, used) = judge(&quick(model), judge_request());
        if reason.is_empty() {
            assert_eq!(*result.unwrap().card.reading("clarity"), Reading::Scored(points(4)), "{name}");
        } else {
            assert_fault(result, FaultKind::Rejected, reason);
        }
        assert_eq!(used.tokens, 1_200, "{name}");
        let seen = server.seen();
        assert_eq!(seen[0].line, line);
        assert!(seen[0].body.to_string().contains("iVBORw0KGgo"), "{name} sees the picture");
    };
    let responses = |content: Value, status: &str| {
        json!({
            "id": "resp_67ccd2bed1ec8190b14f964abc054267", "object": "response", "created_at": 1_741_476_542,
            "status": status, "error": null, "incomplete_details": null, "model": "gpt-5-2025-08-07",
            "output": [{"type": "message", "id": "msg_67ccd2bf17f0819081ff3bb2cf6508e6", "status": status,
                        "role": "assistant", "content": [content]}],
            "usage": {"input_tokens": 1_000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 200,
                      "output_tokens_details": {"reasoning_tokens": 64}, "total_tokens": 1_200}
        })
    };
    let text = json!({"type": "output_text", "text": GOOD, "annotations": []});
    asked("openai::gpt-5", &responses(text.clone(), "completed"), "POST /v1/responses", "");
    asked("openai::gpt-5", &responses(text, "incomplete"), "POST /v1/responses", "was cut off");
    let refusal = json!({"type": "refusal", "refusal": "I can't assist with that."});
    asked(
        "openai::gpt-5",
        &responses(refusal, "completed"),
        "POST /v1/responses",
        "declines to answer: I can't assist",
    );
    let gemini = |reason: &str| {
        json!({
            "candidates": [{"content": {"parts": [{"text": GOOD}], "role": "model"}, "finishReason": reason, "index": 0}],
            "usageMetadata": {"promptTokenCount": 1_000, "candidatesTokenCount": 200, "totalTokenCount": 1_200},
            "modelVersion": "gemini-2.5-pro"
        })
    };
    let line = "POST /v1/models/gemini-2.5-pro:generateContent";
    asked("gemini::gemini-2.5-pro", &gemini("STOP"), line, "");
    asked("gemini::gemini-2.5-pro", &gemini("MAX_TOKENS"), line, "was cut off");
    asked("gemini::gemini-2.5-pro", &gemini("SAFETY"), line, "declines to answer");
}

#[test]
fn a_judge_without_its_key_says_what_to_do_and_asks_nobody() {
    let asks = ModelJudge::new(Model::new("claude-sonnet-4-5").unwrap().with_environment(|_| None));
    let fault =
        assert_fault(judge(&asks, judge_request()).0, FaultKind::Unavailable, "ANTHROPIC_API_KEY is not set");
    assert_eq!(fault.message(), "ANTHROPIC_API_KEY is not set: set it to a key of anthropic");
}
