//! A driven loop inside another program: its own executor, its own storage, the adapters of trueup.
//!
//!     cargo run --release --example embed_in_harness
//!
//! The artifact is an SVG in memory and the journal a vector; nothing is written but the reference, which the comparer reads
//! from a file.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::Arc;

use trueup::codec::encode_png;
use trueup::contract::{Label, LabelName, LoopContract, Plan};
use trueup::driver::{Driver, Observer, Ports, RunSpec};
use trueup::frame::{PixelRatio, Size};
use trueup::loop_core::Note;
use trueup::pixel_diff::Tolerance;
use trueup::ports::CancelToken;
use trueup_capture_svg::{Options, Renderer, SvgCapturer};
use trueup_compare_pixel::{PixelComparer, Settings};
use trueup_revise_tokens::{Place, Token, TokenKind, TokenReviser};
use trueup_testkit::{MemoryArtifact, MemoryJournal, SimulatedTime, block_on};

const BADGE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">
  <style>:root { --fill: #1d4ed8; --round: 4px }</style>
  <rect x="10" y="10" width="100" height="40" rx="var(--round)" fill="var(--fill)"/>
</svg>"#;

#[derive(Debug)]
struct Print;

impl Observer for Print {
    fn note(&self, note: &Note) {
        println!("[{}] {} {}", note.iteration, note.node, note.text);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // The design: the same badge in another colour, with rounder corners.
    let renderer = Renderer::new(Options::default())?;
    let design = BADGE.replace("#1d4ed8", "#7c3aed").replace("4px", "12px");
    let reference = renderer.render(design.as_bytes(), Size::new(120, 60), PixelRatio::ONE)?;
    let folder = std::env::temp_dir().join(format!("trueup-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("badge.png"), encode_png(&reference.frame.view())?)?;

    let label = Label::new(LabelName::new("badge")?, "badge.svg", "120x60".parse()?, "badge.png");
    let token =
        |name: &str, kind| Token::new(name, "badge.svg", Place::CustomProperty(format!("--{name}")), kind);
    let artifact = MemoryArtifact::new("badge.svg", BADGE);
    let ports = Ports::new(
        Arc::new(artifact.clone()),
        Arc::new(SvgCapturer::new(renderer)),
        Arc::new(PixelComparer::new(&folder, Settings::new(Tolerance::default()))),
        Arc::new(TokenReviser::new([token("fill", TokenKind::Color), token("round", TokenKind::Length)])),
        Arc::new(MemoryJournal::new()),
        Arc::new(SimulatedTime::new()),
    );
    let spec = RunSpec::new("example", "svg", Arc::new(Plan::new([label])?), LoopContract::trueup());
    let driver = Driver::new(spec, ports).with_observer(Arc::new(Print));
    let report = block_on(driver.drive(CancelToken::new()))?;

    std::fs::remove_dir_all(&folder)?;
    println!("{}", report.status);
    assert_eq!(artifact.text("badge.svg"), design);
    Ok(())
}
