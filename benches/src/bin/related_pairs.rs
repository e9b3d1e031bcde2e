//! The ground truth of what moved, as files, and the scores of another program on it.
//!
//! - `related-pairs write FOLDER` writes every pair as `SET-NUMBER-before.png` and `SET-NUMBER-after.png`. Both have the size
//!   of the larger one, the smaller filled up with its last pixel, because most programs refuse images of two sizes. A line of
//!   each on the standard output says what was done: `SET-NUMBER CATEGORY`.
//! - `related-pairs score` reads lines `SET-NUMBER KIND X Y WIDTH HEIGHT` of what was found, and prints the table of the README.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;

#[path = "../../../testdata/related/pairs.rs"]
mod pairs;
#[path = "../../../testdata/related/scoring.rs"]
mod scoring;

use pairs::{Area, Pair, Picture, SEEDS};
use scoring::{KINDS, Score};
use trueup_benches::{Canvas, Effort, encode};
use trueup_frame::{Rect, Size};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder)),
        ["score"] => score(),
        _ => Err("usage: related-pairs write FOLDER, or related-pairs score".into()),
    }
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut out = io::stdout().lock();
    for (set, seed) in SEEDS.into_iter().enumerate() {
        for (number, pair) in pairs::pairs(seed).iter().enumerate() {
            let (width, height) =
                (pair.before.width.max(pair.after.width), pair.before.height.max(pair.after.height));
            for (name, picture) in [("before", &pair.before), ("after", &pair.after)] {
                let file = encode(&filled(picture, width, height), Effort::Quick)?;
                fs::write(folder.join(format!("{set}-{number:03}-{name}.png")), file)?;
            }
            writeln!(out, "{set}-{number:03} {}", pair.name)?;
        }
    }
    Ok(())
}

/// A picture in a size that holds it, the rest of the colour of its last pixel.
fn filled(picture: &Picture, width: u32, height: u32) -> Canvas {
    let last = picture.at(picture.width - 1, picture.height - 1);
    let mut on = Canvas::new(Size::new(width, height), last);
    on.map(Rect::new(0, 0, picture.width, picture.height), |x, y, _| picture.at(x, y));
    on
}

/// A box drawn in to the pixels of it that differ; the box where none does.
fn tight(pair: &Pair, area: Area) -> Area {
    let [x, y, width, height] = area;
    let part = |picture: &Picture| {
        let mut part = Picture::new(width, height, [0; 3]);
        let inside = (0..height).flat_map(|dy| (0..width).map(move |dx| (dx, dy)));
        for (dx, dy) in inside.filter(|(dx, dy)| x + dx < picture.width && y + dy < picture.height) {
            part.set(dx, dy, picture.at(x + dx, y + dy));
        }
        part
    };
    let found = pairs::differing(&part(&pair.before), &part(&pair.after));
    found.map_or(area, |[dx, dy, width, height]| [x + dx, y + dy, width, height])
}

fn score() -> Result<(), Box<dyn Error>> {
    let mut found: HashMap<String, Vec<(&'static str, Area)>> = HashMap::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let bad = || format!("{line:?}: expected SET-NUMBER KIND X Y WIDTH HEIGHT");
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [pair, kind, ref area @ ..] = parts[..] else { return Err(bad().into()) };
        let area: Vec<u32> =
            area.iter().map(|side| side.parse()).collect::<Result<_, _>>().map_err(|_| bad())?;
        let area: Area = area.try_into().map_err(|_| bad())?;
        let kind = KINDS.into_iter().find(|known| *known == kind).ok_or_else(bad)?;
        found.entry(pair.to_owned()).or_default().push((kind, area));
    }
    let mut out = io::stdout().lock();
    for (set, seed) in SEEDS.into_iter().enumerate() {
        // As it was told, and with the boxes drawn in: some tools tell them with a margin.
        let mut scores = [[Score::default(); 6]; 2];
        for (number, pair) in pairs::pairs(seed).iter().enumerate() {
            let told = found.get(&format!("{set}-{number:03}")).map_or(&[][..], Vec::as_slice);
            let drawn: Vec<_> = told.iter().map(|&(kind, area)| (kind, tight(pair, area))).collect();
            scoring::add(&mut scores[0], &pair.truth, told);
            scoring::add(&mut scores[1], &pair.truth, &drawn);
        }
        for (how, scores) in ["as told", "boxes drawn in"].into_iter().zip(&scores) {
            let head = format!("| set {}, {how} | precision | recall | F1 |\n|---|---|---|---|", set + 1);
            writeln!(out, "{head}\n{}", scoring::table(scores))?;
        }
    }
    Ok(())
}
