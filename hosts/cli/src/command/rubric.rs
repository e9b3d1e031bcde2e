//! `trueup rubric`.

use std::path::PathBuf;

use clap::Subcommand;
use trueup_app::{
    AppError, AxisDocument, EvidenceKind, PromptRequest, ReadRequest, RubricDocument, ScorecardDocument,
    Stamp, calibrate_replies, judge_request, keep_evaluation, list_rubrics, load_rubric, read_reply_file,
    show_rubric,
};

use crate::args::Format;
use crate::error::CliError;
use crate::{output, style};

/// List, show and check rubrics, and read judges' replies by them.
///
/// A rubric says what a judge scores (axes, each with anchors that say what a score means) and what it takes to pass.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric show framesmith")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(List),
    Show(Show),
    Check(Check),
    Read(Box<Read>),
    Request(Request),
    Calibrate(Calibrate),
}

/// List the named rubrics.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric list")]
struct List {
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Show a rubric with every axis, anchor, floor, cap and must-pass condition.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric show framesmith")]
struct Show {
    /// A named rubric, or a rubric's file.
    #[arg(value_name = "NAME|FILE")]
    rubric: String,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Check a rubric's file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric check rubric.toml")]
struct Check {
    /// The file: TOML, or JSON where its name ends in .json.
    file: PathBuf,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Read a judge's reply by a rubric, and say whether it is a pass.
///
/// Exit codes: 0 pass, 1 fail, 2 a file cannot be used, 3 undetermined, or the reply is no answer.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric read --rubric framesmith reply.txt --format json")]
struct Read {
    /// The file with what the judge wrote; - is standard input.
    #[arg(value_name = "REPLY_FILE")]
    reply: PathBuf,

    /// A named rubric, or a rubric's file; without one the reply is printed as observations.
    #[arg(long, value_name = "NAME|FILE")]
    rubric: Option<String>,

    /// A floor for every axis; else TRUEUP_FLOOR, else the rubric's own.
    #[arg(long, value_name = "SCORE", allow_hyphen_values = true)]
    floor: Option<String>,

    /// The folder in which files are looked up that the reply gives as evidence.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// The output of a tool that the reply may give as evidence; may be given several times.
    #[arg(long, value_name = "NAME=FILE")]
    tool: Vec<Attachment>,

    /// A picture that the judge was shown; may be given several times.
    #[arg(long, value_name = "FILE")]
    image: Vec<PathBuf>,

    /// What trueup probe wrote as JSON: conditions that it saw are not talked away by the reply.
    #[arg(long, value_name = "FILE")]
    probes: Option<PathBuf>,

    /// Take a decimal in quotes for a score, and flag it.
    #[arg(long)]
    text_scores: bool,

    /// What the answer must say under "echo", so that nothing quoted is taken for it.
    #[arg(long, value_name = "TEXT")]
    echo: Option<String>,

    /// Keep the verdict in full as evaluation/report-N.json in this folder, and as a line in the log.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// The log across runs; see trueup log.
    #[arg(long, value_name = "FILE", default_value = "trueup-log.jsonl", requires = "keep")]
    log: PathBuf,

    /// Who judged, for the record.
    #[arg(long, value_name = "NAME", requires = "keep")]
    judge: Option<String>,

    /// By which model, for the record.
    #[arg(long, value_name = "NAME", requires = "keep")]
    model: Option<String>,

    /// The hash of the contract, for the record.
    #[arg(long, value_name = "HASH", requires = "keep")]
    contract: Option<String>,

    /// The hash of the state that was judged, for the record.
    #[arg(long, value_name = "HASH", requires = "keep")]
    state: Option<String>,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Print what a judge is asked by a rubric, and the JSON Schema of its reply.
///
/// A request that shows earlier scores, verdicts or what the reviser says of its own work is refused.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup rubric request framesmith --brief brief.md --artifact image=home.png"
)]
struct Request {
    /// A named rubric, or a rubric's file.
    #[arg(value_name = "NAME|FILE")]
    rubric: String,

    /// A file with what the work is meant to be.
    #[arg(long, value_name = "FILE")]
    brief: Option<PathBuf>,

    /// A part of the artifact, such as image=home.png or file=src/page.css; may be given several times.
    #[arg(long, value_name = "KIND=LOCATOR")]
    artifact: Vec<Part>,

    /// What the answer must say under "echo".
    #[arg(long, value_name = "TEXT")]
    echo: Option<String>,

    /// Add a lenient and a calibrated evaluation to compare.
    #[arg(long)]
    few_shot: bool,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Compare two independent replies to one request, and warn where they are more than a tenth of a scale apart.
///
/// Exit codes: 0 steady, 1 too far apart, 2 a file cannot be used, 3 one of them is no answer.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup rubric calibrate first.json second.json --rubric framesmith")]
struct Calibrate {
    /// One reply.
    first: PathBuf,

    /// The other.
    second: PathBuf,

    /// A named rubric, or a rubric's file.
    #[arg(long, value_name = "NAME|FILE")]
    rubric: String,

    /// Append the result to evaluation/calibration-log.json in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A kind of evidence and a locator.
#[derive(Clone, Debug)]
struct Part(EvidenceKind, String);

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = text.split_once('=').and_then(|(kind, locator)| {
            EvidenceKind::from_name(kind)
                .filter(|_| !locator.is_empty())
                .map(|kind| Self(kind, locator.to_owned()))
        });
        part.ok_or_else(|| {
            "expected KIND=LOCATOR with file, image, tool, url or note, such as image=home.png".to_owned()
        })
    }
}

/// A name and a file.
#[derive(Clone, Debug)]
struct Attachment(String, PathBuf);

impl std::str::FromStr for Attachment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => {
                Ok(Self(name.to_owned(), PathBuf::from(path)))
            }
            _ => Err("expected NAME=FILE, such as axe=axe.json".to_owned()),
        }
    }
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    match &args.command {
        Command::List(list) => {
            let document = list_rubrics();
            if list.format == Format::Json {
                output::json(&document)?;
            } else {
                for rubric in &document.rubrics {
                    output::line(&format!("{:<24} {}", rubric.name, rubric.about))?;
                }
            }
            Ok(0)
        }
        Command::Show(show) => {
            let document = show_rubric(&show.rubric).map_err(AppError::from)?;
            match show.format {
                Format::Json => output::json(&document)?,
                Format::Text => output::line(text(&document).trim_end())?,
            }
            Ok(0)
        }
        Command::Check(check) => {
            let document = RubricDocument::of(&load_rubric(&check.file).map_err(AppError::from)?);
            if check.format == Format::Json {
                output::json(&document)?;
            } else {
                output::line(&format!(
                    "{}: {}, {}, {}",
                    document.name,
                    output::count(document.axes.len(), "axis", "axes"),
                    output::count(document.conditions.len(), "condition", "conditions"),
                    document.overall.as_ref().map_or("no overall", |overall| overall.aggregation),
                ))?;
                for advice in &document.advice {
                    output::line(&format!("  note: {advice}"))?;
                }
            }
            Ok(0)
        }
        Command::Read(read) => execute_read(read),
        Command::Request(request) => execute_request(request),
        Command::Calibrate(calibrate) => execute_calibrate(calibrate),
    }
}

fn execute_read(args: &Read) -> Result<u8, CliError> {
    let mut request = ReadRequest::default();
    request.reply = args.reply.clone();
    request.rubric = args.rubric.clone();
    request.floor = args.floor.clone();
    request.environment_floor =
        std::env::var_os("TRUEUP_FLOOR").map(|text| text.to_string_lossy().into_owned());
    request.root = Some(args.root.clone());
    request.tools = args.tool.iter().map(|Attachment(name, path)| (name.clone(), path.clone())).collect();
    request.images = args.image.clone();
    request.probes.clone_from(&args.probes);
    request.text_scores = args.text_scores;
    request.echo = args.echo.clone();
    let outcome = read_reply_file(&request)?;
    if let Some(folder) = &args.keep {
        let mut stamp = Stamp::default();
        stamp.judge.clone_from(&args.judge);
        stamp.model.clone_from(&args.model);
        stamp.contract.clone_from(&args.contract);
        stamp.state.clone_from(&args.state);
        let kept = keep_evaluation(&outcome.document, &stamp, folder, &args.log)?;
        output::error_line(&format!("kept: {}", kept.report.display()));
    }
    match args.format {
        Format::Json => output::json(&outcome.document)?,
        Format::Text => output::line(scorecard(&outcome.document).trim_end())?,
    }
    Ok(outcome.exit_code)
}

fn execute_request(args: &Request) -> Result<u8, CliError> {
    let mut request = PromptRequest::default();
    request.rubric.clone_from(&args.rubric);
    request.brief.clone_from(&args.brief);
    request.artifact = args.artifact.iter().map(|Part(kind, locator)| (*kind, locator.clone())).collect();
    request.echo.clone_from(&args.echo);
    request.few_shot = args.few_shot;
    let document = judge_request(&request)?;
    match args.format {
        Format::Json => output::json(&document)?,
        Format::Text => output::line(document.prompt.trim_end())?,
    }
    Ok(0)
}

fn execute_calibrate(args: &Calibrate) -> Result<u8, CliError> {
    let outcome = calibrate_replies(&args.rubric, &args.first, &args.second, args.keep.as_deref())?;
    let document = &outcome.document;
    if args.format == Format::Json {
        output::json(document)?;
        return Ok(outcome.exit_code);
    }
    output::line(&format!("{}: two scorings by {}", style::status(&document.status), document.rubric))?;
    for axis in &document.axes {
        let warns = if axis.warns { " · warning: too far apart" } else { "" };
        output::line(&format!(
            "  {}: {} and {}, {} of the scale apart{warns}",
            axis.axis, axis.first.0, axis.second.0, axis.apart.0
        ))?;
    }
    for axis in &document.one_sided {
        output::line(&format!("  {axis}: warning: only one of them scored it"))?;
    }
    for fault in &document.faults {
        output::line(&format!("  no answer: {fault}"))?;
    }
    Ok(outcome.exit_code)
}

/// A rubric for people.
fn text(rubric: &RubricDocument) -> String {
    let mut text = format!("{}\n", rubric.name);
    if let Some(overall) = &rubric.overall {
        let threshold = overall.threshold.map(|threshold| format!(", at least {}", threshold.0));
        text.push_str(&format!(
            "  overall: {} ({}){}\n",
            overall.aggregation,
            overall.stated,
            threshold.unwrap_or_else(|| ", no threshold".to_owned())
        ));
        for (axis, weight) in &overall.weights {
            text.push_str(&format!("    weight {weight} {axis}\n"));
        }
    } else {
        text.push_str("  overall: none; floors decide\n");
    }
    if let Some(at_least) = rubric.threshold_at_least {
        text.push_str(&format!("  threshold: never below {}\n", at_least.0));
    }
    if !rubric.requires.is_empty() {
        text.push_str(&format!("  a score needs: {}\n", rubric.requires.join(", ")));
    }
    if let Some(step) = rubric.regression_step {
        text.push_str(&format!("  a lost criterion costs its axis: {}\n", step.0));
    }
    if rubric.floors_only_rise {
        text.push_str("  floors may only be raised\n");
    }
    if let Some(neutral) = rubric.neutral {
        text.push_str(&format!("  displayed where nothing was scored: {} (counts for nothing)\n", neutral.0));
    }
    for axis in &rubric.axes {
        text.push_str(&axis_text(axis));
    }
    for (effect, title) in
        [("must-pass", "must pass, or everything fails"), ("caps", "caps"), ("fails", "fails its axis")]
    {
        let mut of = rubric.conditions.iter().filter(|condition| condition.effect == effect).peekable();
        if of.peek().is_some() {
            text.push_str(&format!("\n{title}:\n"));
        }
        for condition in of {
            let bears = match (&condition.axis, condition.at) {
                (Some(axis), Some(at)) => format!(" [{axis} at most {}]", at.0),
                (Some(axis), None) => format!(" [{axis}]"),
                _ => String::new(),
            };
            text.push_str(&format!("  {}{bears}: {}\n", condition.id, condition.text));
        }
    }
    for advice in &rubric.advice {
        text.push_str(&format!("\nnote: {advice}\n"));
    }
    text
}

fn axis_text(axis: &AxisDocument) -> String {
    let scale = &axis.scale;
    let step = scale.step.map(|step| format!(" in steps of {}", step.0)).unwrap_or_default();
    let mut text = format!("\n{}: {}\n", axis.name, axis.text);
    text.push_str(&format!("  {} to {}{step}, {} is better", scale.min.0, scale.max.0, scale.better));
    if scale.only_anchors {
        text.push_str(", only the anchors");
    }
    if let Some(floor) = axis.floor {
        text.push_str(&format!(", floor {}", floor.0));
    }
    if let Some(floor) = axis.hard_floor {
        text.push_str(&format!(", hard fail below {}", floor.0));
    }
    if axis.must_pass {
        text.push_str(", must pass");
    }
    text.push('\n');
    for anchor in &axis.anchors {
        let label = anchor.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
        text.push_str(&format!("  {:>6}{label}  {}\n", anchor.score.0.to_string(), anchor.text));
    }
    text
}

/// A scorecard for people.
fn scorecard(card: &ScorecardDocument) -> String {
    let mut text = format!("{}: {}\n", style::status(&card.status), card.reason);
    let width = card.axes.iter().map(|axis| axis.axis.chars().count()).max().unwrap_or(0);
    for axis in &card.axes {
        let score = match axis.score {
            Some(score) => score.0.to_string(),
            None if axis.flags.iter().any(|flag| flag == "defaulted") => "3?".to_owned(),
            None => "-".to_owned(),
        };
        let flags: Vec<&str> = axis.flags.iter().map(String::as_str).collect();
        let flags = if flags.is_empty() { String::new() } else { format!(" [{}]", flags.join(", ")) };
        let said = axis.why.as_deref().unwrap_or(&axis.rationale);
        text.push_str(&format!("  {:<width$} {score:>5} {}{flags} {said}\n", axis.axis, axis.reading));
    }
    for condition in card.conditions.iter().filter(|condition| condition.status != "pass") {
        let why = condition.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        text.push_str(&format!("  {} {}{why}\n", condition.id, style::status(&condition.status)));
    }
    if let Some(overall) = card.overall {
        text.push_str(&format!("  overall {}\n", overall.0));
    }
    if !card.summary.is_empty() {
        text.push_str(&format!("  summary: {}\n", card.summary));
    }
    for suggestion in &card.suggestions {
        text.push_str(&format!("  suggestion: {suggestion}\n"));
    }
    if !card.flags.is_empty() {
        text.push_str(&format!("  flags: {}\n", card.flags.join(", ")));
    }
    for note in &card.notes {
        text.push_str(&format!("  note: {note}\n"));
    }
    text
}
