//! What a provider that does not answer is to the loop.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use trueup_contract::FaultKind;
use trueup_llm::Model;
use trueup_ports::{CancelToken, Cx, Judge};
use trueup_testkit::{SimulatedTime, block_on};

use crate::provider::Provider;
use crate::server::{Act, Server};
use crate::setup::{GOOD, assert_fault, judge, judge_request, quick};

/// The fault of a judge whose provider does this once.
fn fault(provider: Provider, act: Act, kind: FaultKind, part: &str) -> trueup_ports::Fault {
    let server = Server::start(vec![act]);
    let (result, used) = judge(&quick(provider.model(&server)), judge_request());
    assert_eq!(used.tokens, 0, "{provider:?}: an answer that never came costs nothing");
    let fault = assert_fault(result, kind, part);
    assert_eq!(server.seen().len(), 1, "whoever drives the loop tries again, and counts it");
    fault
}

#[test]
fn a_provider_that_asks_to_be_asked_later_says_when() {
    for provider in Provider::ALL {
        let act = provider.refuses(429, "rate_limit_error", "This request would exceed your rate limit");
        let fault = fault(
            provider,
            act,
            FaultKind::Transient,
            "asks to be asked later (429); it says: This request would",
        );
        assert_eq!(fault.retry_after(), Some(Duration::from_secs(7)), "{provider:?}");
    }
    for (header, wait) in [
        ("1.5", Some(1_500)),
        ("-1", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("NaN", None),
        ("1e400", None),
    ] {
        let act = Act::Answer(429, vec![("retry-after", header.to_owned())], "{}".to_owned());
        let fault = fault(Provider::Compatible, act, FaultKind::Transient, "(429)");
        assert_eq!(fault.retry_after(), wait.map(Duration::from_millis), "{header}");
    }
}

#[test]
fn a_provider_that_fails_is_worth_a_retry() {
    for provider in Provider::ALL {
        for (status, kind) in [(500, "api_error"), (503, "server_error"), (529, "overloaded_error")] {
            let fault = fault(
                provider,
                provider.refuses(status, kind, "Overloaded"),
                FaultKind::Transient,
                "Overloaded",
            );
            assert_eq!(fault.retry_after(), None);
        }
    }
    let page = vec![("content-type", "text/html".to_owned())];
    let act = Act::Answer(502, page, "<html><h1>Bad\n Gateway</h1></html>".to_owned());
    fault(
        Provider::OpenAi,
        act,
        FaultKind::Transient,
        "cannot answer now (502); it says: <html><h1>Bad Gateway</h1></html>",
    );
}

#[test]
fn a_connection_that_breaks_is_worth_a_retry() {
    for provider in Provider::ALL {
        let body = provider.body(GOOD, "stop").to_string();
        fault(provider, Act::CutOff(body), FaultKind::Transient, "the connection to http://127.0.0.1");
        fault(provider, Act::Close, FaultKind::Transient, "the connection to http://127.0.0.1");
    }
    // Nobody listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = Model::at(&format!("http://127.0.0.1:{port}/v1"), "x").unwrap();
    assert_fault(judge(&quick(model), judge_request()).0, FaultKind::Transient, "cannot be reached");
}

#[test]
fn a_provider_that_does_not_answer_is_left_when_the_time_is_up() {
    for provider in Provider::ALL {
        let server = Server::start(vec![Act::Hang]);
        let model = provider.model(&server).with_time_limit(Duration::from_millis(200));
        let began = Instant::now();
        let (result, _) = judge(&trueup_llm::ModelJudge::new(model), judge_request());
        let fault = assert_fault(result, FaultKind::TimedOut, "did not answer in time");
        assert!(fault.kind().is_worth_a_retry());
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[test]
fn a_call_that_is_called_off_ends_at_once() {
    let server = Server::start(vec![Act::Hang]);
    let cancel = CancelToken::new();
    let cx = Cx::new(Arc::new(SimulatedTime::new()), cancel.clone());
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let began = Instant::now();
    let result = block_on(quick(Provider::OpenAi.model(&server)).judge(judge_request(), &cx));
    assert_fault(result, FaultKind::Cancelled, "told to stop");
    assert!(began.elapsed() < Duration::from_secs(5));
    canceller.join().unwrap();
    // A deadline that has passed is no wish of a person.
    let server = Server::start(Vec::new());
    let late = crate::setup::cx().with_limit(Duration::ZERO);
    let result = block_on(quick(Provider::OpenAi.model(&server)).judge(judge_request(), &late));
    assert_fault(result, FaultKind::TimedOut, "did not answer in time");
    assert!(server.seen().is_empty(), "nobody is asked");
}

#[test]
fn what_a_person_has_to_mend_says_how() {
    for provider in Provider::ALL {
        for status in [401, 403] {
            let act = provider.refuses(status, "authentication_error", "invalid x-api-key");
            let what_to_do = match provider {
                Provider::Compatible => "asks for a key",
                _ => "set PLANTED_KEY to a key that may use",
            };
            fault(provider, act, FaultKind::Unavailable, what_to_do);
        }
        let act = provider.refuses(404, "not_found_error", "model: claude-nope");
        fault(provider, act, FaultKind::Unavailable, "correct the model's name or the endpoint");
        let act = provider.refuses(400, "invalid_request_error", "messages: too many pictures");
        fault(
            provider,
            act,
            FaultKind::Rejected,
            "refuses the question (400); it says: messages: too many pictures",
        );
        fault(
            provider,
            provider.refuses(413, "request_too_large", "too big"),
            FaultKind::Rejected,
            "is too large",
        );
    }
    let spent = Provider::OpenAi.refuses(429, "insufficient_quota", "You exceeded your current quota");
    fault(Provider::OpenAi, spent, FaultKind::Unavailable, "has nothing left to spend");
    let page =
        Act::Answer(200, vec![("content-type", "text/html".to_owned())], "<html>Sign in</html>".to_owned());
    fault(
        Provider::OpenAi,
        page,
        FaultKind::Unavailable,
        "answers with text/html and not with JSON: correct the endpoint",
    );
}

#[test]
fn a_redirection_is_not_followed() {
    let elsewhere = Server::start(Vec::new());
    let to = vec![("location", format!("{}/messages", elsewhere.address()))];
    let act = Act::Answer(307, to, String::new());
    fault(Provider::Anthropic, act, FaultKind::Unavailable, "points to another address (307)");
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn an_answer_of_another_form_is_refused_without_repeating_the_question() {
    let act = Act::Answer(200, Vec::new(), r#"{"type": "message", "content": 3}"#.to_owned());
    let fault = fault(Provider::Anthropic, act, FaultKind::Rejected, "has another form than expected");
    assert!(fault.to_string().len() < 400, "{fault}");
    let act = Act::Answer(200, Vec::new(), r#"{"choices": [{"mess"#.to_owned());
    self::fault(Provider::OpenAi, act, FaultKind::Transient, "broke off");
}
