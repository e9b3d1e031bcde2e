//! A whole loop over the facade and the adapters, kept in a folder.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use trueup::codec::encode_png;
use trueup::contract::{Label, LabelName, LoopContract, Plan, Stop};
use trueup::driver::{Driver, FileArtifact, FileJournal, Ports, Report, RunFolder, RunSpec, StatusBlock};
use trueup::frame::{PixelRatio, Size};
use trueup::ports::CancelToken;
use trueup_capture_svg::{Options, Renderer, SvgCapturer};
use trueup_compare_pixel::{PixelComparer, Settings};
use trueup_revise_tokens::{Place, Token, TokenKind, TokenReviser};
use trueup_testkit::{SimulatedTime, block_on};

const BADGE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">
  <style>:root { --round: 4px }</style>
  <rect id="shape" x="10" y="10" width="100" height="40" rx="var(--round)" fill="#1d4ed8"/>
  <circle id="veil" cx="60" cy="30" r="12" fill="#ffffff" opacity="0.5"/>
</svg>"##;

/// Places of all three kinds: a custom property, attributes by selector, and a value in JSON that nothing renders.
fn tokens() -> [Token; 4] {
    let attribute = |selector: &str, attribute: &str| Place::Attribute {
        selector: selector.to_owned(),
        attribute: attribute.to_owned(),
    };
    [
        Token::new("fill", "badge.svg", attribute("rect", "fill"), TokenKind::Color),
        Token::new("opacity", "badge.svg", attribute("#veil", "opacity"), TokenKind::Number),
        Token::new("round", "badge.svg", Place::CustomProperty("--round".to_owned()), TokenKind::Length),
        Token::new("idle", "tokens.json", Place::Pointer("/size/idle".to_owned()), TokenKind::Number),
    ]
}

fn drive(folder: &Path) -> Report {
    let label = |name: &str, viewport: &str| {
        Label::new(
            LabelName::new(name).unwrap(),
            "badge.svg",
            viewport.parse().unwrap(),
            format!("{name}.png"),
        )
    };
    let plan = Plan::new([label("plain", "120x60"), label("retina", "120x60@2")]).unwrap();
    let files = ["badge.svg".to_owned(), "tokens.json".to_owned()];
    let run = folder.join("run");
    fs::create_dir_all(&run).unwrap();
    let ports = Ports::new(
        Arc::new(FileArtifact::new(folder, files).unwrap()),
        Arc::new(SvgCapturer::new(Renderer::new(Options::default()).unwrap())),
        Arc::new(PixelComparer::new(folder, Settings::default())),
        Arc::new(TokenReviser::new(tokens())),
        Arc::new(FileJournal::new(run.join("journal.jsonl"))),
        Arc::new(SimulatedTime::new()),
    );
    let spec = RunSpec::new("run-1", "svg", Arc::new(plan), LoopContract::trueup());
    let sink = RunFolder::new(run, || "2026-01-01T00:00:00Z".to_owned());
    block_on(Driver::new(spec, ports).with_sink(Arc::new(sink)).drive(CancelToken::new())).unwrap()
}

#[test]
fn a_badge_converges_on_two_labels_through_every_kind_of_place() {
    let folder = tempfile::tempdir().unwrap();
    let design = BADGE.replace("#1d4ed8", "#7c3aed").replace("4px", "12px").replace("0.5", "0.8");
    let renderer = Renderer::new(Options::default()).unwrap();
    for (name, ratio) in
        [("plain", PixelRatio::ONE), ("retina", PixelRatio::from_thousandths(2_000).unwrap())]
    {
        let frame = renderer.render(design.as_bytes(), Size::new(120, 60), ratio).unwrap().frame;
        fs::write(folder.path().join(format!("{name}.png")), encode_png(&frame.view()).unwrap()).unwrap();
    }
    fs::write(folder.path().join("badge.svg"), BADGE).unwrap();
    fs::write(folder.path().join("tokens.json"), "{ \"size\": { \"idle\": 7 } }\n").unwrap();

    let report = drive(folder.path());
    assert_eq!(report.outcome.status(), Stop::Converged, "{}", report.status);
    assert_eq!(fs::read_to_string(folder.path().join("badge.svg")).unwrap(), design);
    assert_eq!(
        fs::read_to_string(folder.path().join("tokens.json")).unwrap(),
        "{ \"size\": { \"idle\": 7 } }\n"
    );

    let summary = fs::read_to_string(folder.path().join("run/summary.md")).unwrap();
    assert_eq!(summary.parse::<StatusBlock>().unwrap().status, Stop::Converged);
    assert!(folder.path().join("run/diff/00/retina.diff.png").is_file());

    // Told again, the run says the same and writes nothing new.
    let journal = fs::read(folder.path().join("run/journal.jsonl")).unwrap();
    assert_eq!(drive(folder.path()).outcome, report.outcome);
    assert_eq!(fs::read(folder.path().join("run/journal.jsonl")).unwrap(), journal);
}
