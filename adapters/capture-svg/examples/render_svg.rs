//! Renders an SVG file to a PNG file, with other values for some of its custom properties:
//!
//! ```text
//! cargo run --release -p trueup-capture-svg --example render_svg -- card.svg card.png --brand='#0a6cff' --space=12px
//! ```
//!
//! The picture has the size that the document gives itself. `--ratio=2` sets the device pixel ratio, so that a property
//! of that name cannot be overridden. Notes and the time that rendering took go to standard error.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs, io};

use trueup_capture_svg::{Options, Renderer};
use trueup_codec::encode_png;
use trueup_frame::PixelRatio;

const USAGE: &str = "expected FILE.svg FILE.png and any number of --name=value";

struct Arguments {
    input: PathBuf,
    output: PathBuf,
    ratio: PixelRatio,
    /// Custom properties, with their two dashes, and their values.
    overrides: Vec<(String, String)>,
}

fn arguments(given: impl Iterator<Item = OsString>) -> Result<Arguments, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut ratio = PixelRatio::ONE;
    let mut overrides = Vec::new();
    for argument in given {
        let Some(text) = argument.to_str().filter(|text| text.starts_with("--")) else {
            files.push(PathBuf::from(argument));
            continue;
        };
        let (name, value) = text.split_once('=').ok_or_else(|| format!("{text} has no value; {USAGE}"))?;
        if name == "--ratio" {
            let number: f64 = value.parse().map_err(|error| format!("--ratio {value:?}: {error}"))?;
            let thousandths = format!("{:.0}", number * 1000.0).parse().ok();
            ratio = thousandths
                .and_then(PixelRatio::from_thousandths)
                .ok_or_else(|| format!("--ratio {value:?} is not between 0.001 and 16"))?;
        } else {
            overrides.push((name.to_owned(), value.to_owned()));
        }
    }
    let [input, output] = <[PathBuf; 2]>::try_from(files).map_err(|_| USAGE)?;
    Ok(Arguments { input, output, ratio, overrides })
}

/// The document with a style sheet at its end that declares the properties anew.
fn overridden(document: &str, overrides: &[(String, String)]) -> Result<String, Box<dyn Error>> {
    let mut sheet = String::new();
    for (name, value) in overrides {
        // A misspelled name would change nothing, without a word.
        if !document.contains(&format!("{name}:")) {
            return Err(format!("the document declares no custom property {name}").into());
        }
        if value.contains(['<', '>', '&', ';', '{', '}']) {
            return Err(format!("the value {value:?} of {name} would not stay inside its declaration").into());
        }
        sheet.push_str(&format!("{name}: {value}; "));
    }
    let end = document.rfind("</svg>").ok_or("the document has no closing </svg>")?;
    Ok(format!("{}<style>:root {{ {sheet}}}</style>{}", &document[..end], &document[end..]))
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { input, output, ratio, overrides } = arguments(env::args_os().skip(1))?;
    let document =
        fs::read_to_string(&input).map_err(|error| format!("cannot read {}: {error}", input.display()))?;
    let document = overridden(&document, &overrides)?;

    let renderer = Renderer::new(Options::default())?;
    let name = |error| format!("{}: {error}", input.display());
    let size = renderer.natural_size(document.as_bytes()).map_err(name)?;
    let started = Instant::now();
    let rendered = renderer.render(document.as_bytes(), size, ratio).map_err(name)?;
    let took = started.elapsed();

    let file = encode_png(&rendered.frame.view())?;
    fs::write(&output, file).map_err(|error| format!("cannot write {}: {error}", output.display()))?;
    let mut log = io::stderr().lock();
    for note in &rendered.notes {
        writeln!(log, "note: {note}")?;
    }
    writeln!(log, "{}: {} device pixels in {took:.1?}", output.display(), rendered.frame.size())?;
    Ok(())
}
