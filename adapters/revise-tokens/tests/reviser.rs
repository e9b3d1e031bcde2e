//! What the reviser proposes, against a bench whose scores are known.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use trueup_contract::{
    Color, DeltaId, FaultKind, LabelMeasurement, LabelName, Measurement, OpenRegion, StateId, Swatch,
};
use trueup_frame::Rect;
use trueup_ports::{
    CancelToken, Cx, Fault, ReviseRequest, Reviser, Revision, Snapshot, TrialBench, TrialError,
    TrialErrorKind, Trials,
};
use trueup_revise_tokens::{Bounds, Place, Token, TokenKind, TokenReviser};
use trueup_score::Points;
use trueup_testkit::{SimulatedTime, block_on};

/// What the design says; the score is how far a state is from it, each value on its own.
const DESIGN: [(&str, i64); 2] = [("--space", 16), ("--radius", 20)];
const BRAND: &str = "#2563eb";

fn property(text: &str, name: &str) -> String {
    let rest = &text[text.find(&format!("{name}:")).unwrap() + name.len() + 1..];
    rest[..rest.find(';').unwrap()].trim().to_owned()
}

fn score(state: &Snapshot) -> Points {
    let text = String::from_utf8(state.part("a.css").unwrap().to_vec()).unwrap();
    let off: i64 = DESIGN
        .iter()
        .map(|(name, design)| {
            (property(&text, name).trim_end_matches("px").parse::<i64>().unwrap() - design).abs()
        })
        .sum();
    Points::from_whole(off + i64::from(property(&text, "--brand") != BRAND) * 5)
}

#[derive(Debug)]
struct Bench {
    left: AtomicU32,
    tried: Mutex<Vec<StateId>>,
}

#[async_trait]
impl TrialBench for Bench {
    async fn measure(&self, state: Snapshot) -> Result<Option<Points>, TrialError> {
        if self.left.load(Ordering::SeqCst) == 0 {
            return Err(TrialError::new(TrialErrorKind::Exhausted));
        }
        self.left.fetch_sub(1, Ordering::SeqCst);
        self.tried.lock().unwrap().push(state.state().clone());
        Ok(Some(score(&state)))
    }

    fn left(&self) -> u32 {
        self.left.load(Ordering::SeqCst)
    }
}

fn css(brand: &str, space: u32, radius: u32) -> Snapshot {
    let text = format!(":root {{ --brand: {brand}; --space: {space}px; --radius: {radius}px; }}\n");
    Snapshot::new([("a.css".to_owned(), Arc::from(text.into_bytes()))])
}

fn tokens() -> Vec<Token> {
    let token = |name: &str, kind| Token::new(name, "a.css", Place::CustomProperty(name.to_owned()), kind);
    vec![
        token("--brand", TokenKind::Color),
        token("--space", TokenKind::Length),
        token("--radius", TokenKind::Length),
    ]
}

fn color(hex: u32) -> Color {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color { red, green, blue, alpha: 255 }
}

fn request(base: Snapshot) -> ReviseRequest {
    let mut region = OpenRegion::new(DeltaId::new("card/r1").unwrap(), Rect::new(0, 0, 9, 9), score(&base));
    region.swatches = vec![
        Swatch::new(color(0xff_ffff), color(0x1d_4ed8), 50),
        Swatch::new(color(0x25_63eb), color(0x1d_4ed8), 40),
    ];
    let open = if score(&base) > Points::ZERO { vec![region] } else { vec![] };
    let label = LabelMeasurement::compared(LabelName::new("card").unwrap(), open);
    ReviseRequest::new(1, base, Measurement::new(vec![label]))
}

fn revise(
    tokens: Vec<Token>,
    request: ReviseRequest,
    trials: u32,
) -> (Result<Revision, Fault>, Vec<StateId>) {
    let bench = Arc::new(Bench { left: AtomicU32::new(trials), tried: Mutex::default() });
    let cx = Cx::new(Arc::new(SimulatedTime::new()), CancelToken::new());
    let revision = block_on(TokenReviser::new(tokens).revise(request, Trials::new(bench.clone()), &cx));
    let tried = bench.tried.lock().unwrap().clone();
    (revision, tried)
}

fn revised(revision: Result<Revision, Fault>, base: &Snapshot) -> (Snapshot, String) {
    match revision.unwrap() {
        Revision::Parts { parts, note } => (base.with_parts(parts), note),
        other => panic!("expected new parts, found {other:?}"),
    }
}

#[test]
fn all_that_is_off_is_found_in_one_revision() {
    let base = css("#1d4ed8", 9, 24);
    let (revision, _) = revise(tokens(), request(base.clone()), 500);
    let (state, note) = revised(revision, &base);
    assert_eq!(state, css(BRAND, 16, 20));
    assert!(
        note.starts_with("--brand #1d4ed8 → #2563eb, --space 9px → 16px, --radius 24px → 20px ("),
        "{note}"
    );
}

#[test]
fn where_colours_explain_everything_nothing_is_searched() {
    let base = css("#1d4ed8", 16, 20);
    let (revision, tried) = revise(tokens(), request(base.clone()), 500);
    assert_eq!(revised(revision, &base).0, css(BRAND, 16, 20));
    assert!(tried.len() <= 3, "{} trials", tried.len());
}

#[test]
fn the_search_stays_within_its_bounds_and_its_trials() {
    let bounded = |token: Token| match token.kind() {
        TokenKind::Length => {
            let at = Points::from_whole;
            token.with_bounds(Bounds::new(at(8), at(12), Points::ONE).unwrap())
        }
        _ => token,
    };
    let base = css(BRAND, 9, 20);
    let (revision, _) = revise(tokens().into_iter().map(bounded).collect(), request(base.clone()), 500);
    assert_eq!(revised(revision, &base).0, css(BRAND, 12, 20), "as near as the bounds allow");

    let (revision, tried) = revise(tokens(), request(base.clone()), 4);
    assert_eq!(tried.len(), 4);
    let (state, _) = revised(revision, &base);
    assert!(score(&state) < score(&base), "what was found before the trials ran out counts");
}

#[test]
fn what_was_tried_for_these_regions_is_not_proposed_again() {
    let base = css(BRAND, 15, 20);
    let answer = css(BRAND, 16, 20);
    let (revision, tried) =
        revise(tokens(), request(base.clone()).with_tried(vec![answer.state().clone()]), 500);
    assert!(!tried.contains(answer.state()));
    match revision.unwrap() {
        Revision::Nothing { note } => assert!(note.contains("1.0"), "{note}"),
        other => panic!("nothing else is better: {other:?}"),
    }
}

#[test]
fn the_same_request_gives_the_same_trials_and_the_same_edit() {
    let base = css("#1d4ed8", 5, 31);
    let (a, tried_a) = revise(tokens(), request(base.clone()), 500);
    let (b, tried_b) = revise(tokens(), request(base.clone()), 500);
    assert_eq!(tried_a, tried_b);
    assert_eq!(revised(a, &base), revised(b, &base));
}

#[test]
fn a_token_that_is_not_there_is_a_fault_that_names_it() {
    let missing = Token::new("--gap", "a.css", Place::CustomProperty("--gap".to_owned()), TokenKind::Length);
    let elsewhere = Token::new("x", "b.css", Place::CustomProperty("--x".to_owned()), TokenKind::Length);
    let wrong = Token::new("s", "a.css", Place::CustomProperty("--space".to_owned()), TokenKind::Color);
    for (token, part) in
        [(missing, "--gap is not in a.css"), (elsewhere, "b.css"), (wrong, "\"9px\" is not a CSS colour")]
    {
        let fault = revise(vec![token], request(css(BRAND, 9, 20)), 9).0.unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Rejected);
        assert!(fault.message().contains(part), "{fault}");
    }
}
