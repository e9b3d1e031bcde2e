//! Three judges score four states of a page; a panel makes one verdict of each, and statistics say how far they agree.
//!
//!     cargo run --example judge_panel
//!
//! The replies are written down here, so that the example ends the same way everywhere; a program or a model that judges
//! says just the same.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;
use std::error::Error;

use trueup::rubric::panel::{Panel, PanelRule, fleiss_kappa, krippendorffs_alpha, standard_error};
use trueup::rubric::{Circumstances, ReadOptions, Scorecard, preset, read_reply};
use trueup::score::Points;

/// What each judge said of each state: hierarchy, execution, specificity, restraint and variety, 1 to 5.
const SAID: [(&str, [[u8; 5]; 3]); 4] = [
    ("draft", [[2, 2, 3, 3, 2], [2, 3, 3, 2, 2], [3, 2, 3, 3, 2]]),
    ("second", [[3, 3, 3, 4, 3], [3, 3, 4, 4, 3], [4, 3, 3, 4, 3]]),
    ("third", [[4, 4, 4, 4, 3], [4, 4, 4, 5, 4], [4, 3, 4, 4, 4]]),
    ("final", [[5, 4, 4, 4, 4], [4, 4, 5, 5, 4], [5, 4, 4, 4, 4]]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let rubric = preset::framesmith();
    let panel = Panel::new(PanelRule::Median, 2);
    let mut by_axis: BTreeMap<String, Vec<Vec<Points>>> = BTreeMap::new();
    for (state, replies) in SAID {
        let mut cards: Vec<Scorecard> = Vec::new();
        for scores in replies {
            let axes: Vec<String> = rubric
                .axes()
                .iter()
                .zip(scores)
                .map(|(axis, score)| {
                    format!(r#""{}": {{"score": {score}, "rationale": "as seen"}}"#, axis.name())
                })
                .collect();
            let text = format!("```json\n{{\"rubric\": {{{}}}}}\n```", axes.join(", "));
            let reply = read_reply(&text, &rubric, &ReadOptions::default())?;
            cards.push(rubric.settle(&reply, &Circumstances::new()).card);
        }
        let verdict = rubric.hold(&panel.combine(&rubric, &cards).card);
        let overall: Vec<Points> =
            cards.iter().filter_map(|card| rubric.hold(card).displayed_overall()).collect();
        println!(
            "{state:<7} {:<4} failing {:?}, standard error of the overall {}",
            verdict.truth().to_string(),
            verdict.failing(),
            standard_error(&overall).map_or_else(|| "unknown".to_owned(), |error| error.to_string()),
        );
        for axis in rubric.axes() {
            let scores = cards.iter().filter_map(|card| card.reading(axis.name()).score()).collect();
            by_axis.entry(axis.name().to_owned()).or_default().push(scores);
        }
    }
    println!("\nagreement beyond chance, over {} states", SAID.len());
    for (axis, items) in &by_axis {
        let labels = fleiss_kappa(items).map_or(f64::NAN, |kappa| kappa.coefficient);
        let distances = krippendorffs_alpha(items).map_or(f64::NAN, |alpha| alpha.coefficient);
        println!(
            "  {axis:<12} Fleiss' kappa {labels:>5.2} · Krippendorff's alpha (interval) {distances:>5.2}"
        );
    }
    Ok(())
}
