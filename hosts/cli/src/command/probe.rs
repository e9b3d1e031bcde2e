//! `trueup probe`.

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;
use trueup_app::{ProbeDocument, ProbeRequest, ProbedPageDocument, collecting_script, probe};

use crate::args::{Format, Theme};
use crate::error::CliError;
use crate::{interrupt, output, style};

/// Findings of a probe that are listed for people without --verbose.
const LISTED: usize = 5;

/// Measure pages: contrast, overflow, links, copy, tokens, type, states, and the tells of pages that nobody designed.
///
/// Nothing is scored and nothing is guessed: a probe whose page does not hold what it needs is unverified, which is not a
/// pass. Findings of minor severity do not fail a page.
///
/// Exit codes: 0 every page passes, 1 a page fails, 2 a file cannot be used, 3 nothing could be verified.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup probe pricing.html --copy copy.json --axe axe.min.js\n  \
                  trueup probe --script > collect.js  # or run it in a page, keep page.json")]
pub(crate) struct Args {
    /// Pages: .html files and addresses, opened in Chromium; collected pages, one JSON file each; - is standard input.
    #[arg(required_unless_present = "script", value_name = "PAGE")]
    pages: Vec<PathBuf>,

    /// Print the script that collects a page in any browser, and nothing else.
    #[arg(long, conflicts_with = "pages")]
    script: bool,

    /// How pages are shown that are opened, in CSS pixels; may be given several times. 1280x720 and 375x667 by default.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    viewport: Vec<String>,

    /// The theme that pages are asked for.
    #[arg(long, value_enum)]
    theme: Option<Theme>,

    /// Links and controls that are tried at most, each in the page freshly loaded. Trying means pressing: 0 tries none.
    #[arg(long, value_name = "N")]
    max_actions: Option<usize>,

    /// An accessibility tool to run in the page: the file of axe-core (axe.min.js).
    #[arg(long, value_name = "FILE")]
    axe: Option<PathBuf>,

    /// The agreed texts: a JSON object of texts, however deep, such as {"hero": {"title": "…"}}.
    #[arg(long, value_name = "FILE")]
    copy: Option<PathBuf>,

    /// Design tokens beside those that the page declares: a JSON object of values, or a file in the Design Tokens format.
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,

    /// The kind of design, whose own tells are not held against it.
    #[arg(long, value_enum)]
    genre: Option<Genre>,

    /// Print what passes and what is unverified as well, and every finding.
    #[arg(short, long)]
    verbose: bool,

    /// How the result is printed; trueup findings emit writes the JSON as SARIF, JUnit and more.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A kind of design in which some tells are not tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Genre {
    /// Material design: violet accents, pure black and white.
    Material,
    /// A dashboard: full of figures.
    #[value(alias = "data")]
    Dashboard,
}

impl Genre {
    const fn genre(self) -> trueup_app::Genre {
        match self {
            Self::Material => trueup_app::Genre::Material,
            Self::Dashboard => trueup_app::Genre::Dashboard,
        }
    }
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    if args.script {
        output::line(&collecting_script())?;
        return Ok(0);
    }
    let mut request = ProbeRequest::new(args.pages.clone());
    request.copy.clone_from(&args.copy);
    request.tokens.clone_from(&args.tokens);
    request.genre = args.genre.map(Genre::genre);
    request.viewports.clone_from(&args.viewport);
    request.theme = args.theme.map(|theme| theme.name().to_owned());
    request.max_actions = args.max_actions;
    request.scanner.clone_from(&args.axe);
    let outcome = probe(&request, interrupt::token()?)?;
    match args.format {
        Format::Json => output::json(&outcome.document)?,
        Format::Text => {
            for page in &outcome.document.pages {
                print(page, args.verbose)?;
            }
        }
    }
    Ok(match outcome.document.status {
        "pass" => 0,
        "fail" => 1,
        _ => 3,
    })
}

fn print(page: &ProbedPageDocument, verbose: bool) -> io::Result<()> {
    let status = style::status(page.status);
    output::line(&format!("{} at {}×{}: {status}", page.page, page.width, page.height))?;
    for probe in &page.probes {
        let found = probe.findings.as_array().map_or(&[][..], Vec::as_slice);
        if verbose || probe.status == "fail" || !found.is_empty() {
            // What passes with findings has only minor ones.
            let status = if probe.status == "pass" && !found.is_empty() { "minor" } else { probe.status };
            let status = style::status(&format!("{status:<10}"));
            output::line(&format!("  {status} {}: {}", probe.id, probe.measured))?;
        }
        let shown = if verbose { found.len() } else { LISTED };
        for finding in found.iter().take(shown) {
            let text = |key: &str| finding[key].as_str().unwrap_or_default();
            let place = finding["location"]["element"].as_str().unwrap_or("page");
            output::line(&format!("    {place}: {}; expected {}", text("actual"), text("expected")))?;
            output::line(&format!("      fix: {}", text("fix")))?;
        }
        if found.len() > shown {
            output::line(&format!("    … and {} more: --verbose lists them", found.len() - shown))?;
        }
        if let Some(genre) = probe.allowed_in {
            output::line(&format!("    --genre {genre} allows it"))?;
        }
    }
    output::line(&format!("  {}", summary(&page.probes)))
}

fn summary(probes: &[ProbeDocument]) -> String {
    let of = |status: &str| probes.iter().filter(|probe| probe.status == status).collect::<Vec<_>>();
    let unverified: Vec<&str> = of("unverified").iter().map(|probe| probe.id).collect();
    let counts = format!("{} of {} probes pass, {} fail", of("pass").len(), probes.len(), of("fail").len());
    if unverified.is_empty() { counts } else { format!("{counts}; unverified: {}", unverified.join(", ")) }
}
