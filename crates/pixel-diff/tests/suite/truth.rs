//! How much of what is known to have happened is found, and called by its name.

use std::io::Write;

use trueup_frame::{ImageView, PixelFormat, Rect, Size};
use trueup_pixel_diff::{Options, Region, Relating, Tolerance, diff, relate};

#[path = "../../../../testdata/related/scoring.rs"]
mod scoring;

use crate::pairs::{self, Area, Pair, Picture, SEEDS};
use scoring::{KINDS, Score};

fn view(picture: &Picture) -> ImageView<'_> {
    ImageView::packed(&picture.rgb, Size::new(picture.width, picture.height), PixelFormat::Rgb8).unwrap()
}

fn found(pair: &Pair) -> Vec<(&'static str, Area)> {
    // Faint noise is within the default tolerance; to be named it must be looked at.
    let is_strict = pair.name.starts_with("noise");
    let options =
        if is_strict { Options::default().with_tolerance(Tolerance::strict()) } else { Options::default() };
    let [expected, actual] = [view(&pair.before), view(&pair.after)];
    let plain = diff(&expected, &actual, &options).unwrap();
    let related = relate(plain, &expected, &actual, &options, &Relating::default()).unwrap();
    assert!(!related.is_match(), "{}", pair.name);
    assert!(!related.relation().unwrap().is_cut, "{}", pair.name);
    let area = |Rect { x, y, width, height }: Rect| [x, y, width, height];
    related.open_regions().map(|region: &Region| (region.kind().name(), area(region.rect()))).collect()
}

fn score(seed: u64) {
    let all = pairs::pairs(seed);
    assert!(all.len() >= 300);
    let mut scores = [Score::default(); 6];
    let mut said = String::new();
    for pair in &all {
        let wrong = scoring::add(&mut scores, &pair.truth, &found(pair));
        if !wrong.is_empty() {
            said.push_str(&format!("{}: {}\n", pair.name, wrong.join("; ")));
        }
    }
    let table = scoring::table(&scores);
    // What the table of the benches' README is made from.
    let _ = write!(std::io::stderr(), "{table}\n{said}");
    for (kind, score) in KINDS.iter().zip(&scores) {
        assert!(score.hits > 0 && score.f1() >= 0.95, "{kind}\n{table}\n{said}");
    }
}

#[test]
fn what_happened_is_found_and_called_by_its_name() {
    score(SEEDS[0]);
}

#[test]
fn what_happened_on_screens_never_seen_before_is_found_as_well() {
    score(SEEDS[1]);
}
