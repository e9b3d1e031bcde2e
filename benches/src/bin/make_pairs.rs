//! Writes the pairs as PNG files into a folder: `make-pairs FOLDER`.
//!
//! For each picture there are `NAME.png`, an equal file `NAME-copy.png`, equal pixels in another file `NAME-same.png`,
//! `NAME-few.png` and `NAME-all.png`. A line of each on the standard output says how many pixels differ from `NAME.png`
//! and in how many areas (0 when everything differs), for the caller to hold answers against.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use trueup_benches::{Change, Effort, Picture, encode};

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = env::args_os().nth(1).ok_or("usage: make-pairs FOLDER")?.into();
    fs::create_dir_all(&folder)?;
    let mut out = io::stdout().lock();
    for picture in Picture::ALL {
        let name = picture.name();
        let drawn = picture.draw();
        let file = encode(&drawn, Effort::Usual)?;
        fs::write(folder.join(format!("{name}.png")), &file)?;
        fs::write(folder.join(format!("{name}-copy.png")), &file)?;
        writeln!(out, "{name}-copy 0 0")?;
        fs::write(folder.join(format!("{name}-same.png")), encode(&drawn, Effort::Quick)?)?;
        writeln!(out, "{name}-same 0 0")?;
        for change in [Change::Few, Change::All] {
            let pair = picture.pair(change);
            let path = folder.join(format!("{name}-{}.png", change.name()));
            fs::write(path, encode(&pair.actual, Effort::Usual)?)?;
            writeln!(out, "{name}-{} {} {}", change.name(), pair.differing, pair.areas.len())?;
        }
    }
    Ok(())
}
