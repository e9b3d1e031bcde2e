//! What the tests share.

use trueup_rubric::{
    Axis, Circumstances, ReadOptions, Reading, Reply, Rubric, Scorecard, Verdict, read_reply,
};
use trueup_score::{Better, Points, Scale};

pub(crate) fn points(text: &str) -> Points {
    text.parse().unwrap()
}

pub(crate) fn scale(min: &str, max: &str) -> Scale {
    Scale::new(points(min), points(max), Better::Higher).unwrap()
}

/// Axes `a` and `b` from 1 to 5 in whole steps, with a floor of 3; `a` is must-pass.
pub(crate) fn two() -> Rubric {
    let axis = |name| {
        Axis::new(name, scale("1", "5").with_step(Points::ONE).unwrap()).with_floor(points("3")).unwrap()
    };
    Rubric::new([axis("a").must_pass(), axis("b")]).unwrap()
}

pub(crate) fn scored(score: i64) -> Reading {
    Reading::Scored(Points::from_whole(score))
}

pub(crate) fn card(a: i64, b: i64) -> Scorecard {
    Scorecard::new().with("a", scored(a)).with("b", scored(b))
}

pub(crate) fn read(text: &str, rubric: &Rubric) -> Result<Reply, trueup_rubric::Fault> {
    read_reply(text, rubric, &ReadOptions::default())
}

/// The stable name of the fault that the text must be.
pub(crate) fn fault(text: &str, rubric: &Rubric) -> &'static str {
    read(text, rubric).unwrap_err().code()
}

/// The verdict on a reply of which nothing else is known.
pub(crate) fn verdict(text: &str, rubric: &Rubric) -> Verdict {
    rubric.hold(&rubric.settle(&read(text, rubric).unwrap(), &Circumstances::new()).card)
}

/// A reply that scores the five axes of framesmith.
pub(crate) fn five(scores: [&str; 5]) -> String {
    let names = ["hierarchy", "execution", "specificity", "restraint", "variety"];
    let axes: Vec<String> = names
        .iter()
        .zip(scores)
        .map(|(name, score)| format!("\"{name}\": {{\"score\": {score}, \"rationale\": \"because\"}}"))
        .collect();
    format!("{{\"rubric\": {{{}}}, \"summary\": \"s\", \"suggestions\": [\"t\"]}}", axes.join(", "))
}
