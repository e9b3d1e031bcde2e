//! The HTML report of a run folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use trueup_report::{AxisView, Fact, Image, Iteration, LabelView, RegionView, Report, VerdictView, render};

use crate::error::{AppError, AppErrorKind};
use crate::runs;

/// Bytes of pictures up to which those of every iteration become part of the page; beyond, only those of the first and
/// the last. 48 MiB open in a moment, and are as much as people send each other.
const INSIDE_BYTES: u64 = 48 << 20;

/// How a report is made.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReportOptions {
    /// Where it is written; `report.html` in the run folder by default.
    pub output: Option<PathBuf>,
    /// Whether pictures stay files beside the page. Only possible in the run folder itself.
    pub beside: bool,
}

/// Writes the report of the run in `folder`, or, where the folder holds runs, an index over them; gives its place.
///
/// # Errors
/// When the folder holds no run, or a file cannot be read or written.
pub fn report(folder: &Path, options: &ReportOptions) -> Result<PathBuf, AppError> {
    let summary = folder.join("summary.md");
    let Ok(text) = fs::read_to_string(&summary) else {
        return runs::index(folder, options.output.as_deref());
    };
    let mut report = of_summary(&text);
    report.contract = contract(folder);
    let pictures = if options.beside {
        Pictures::Beside
    } else {
        Pictures::Inside { all: bytes(folder) <= INSIDE_BYTES }
    };
    report.iterations = iterations(folder, pictures)?;
    report.verdicts = verdicts(folder)?;
    let output = options.output.clone().unwrap_or_else(|| folder.join("report.html"));
    fs::write(&output, render(&report)).map_err(|source| {
        AppError::new(AppErrorKind::File { what: "written", path: output.clone(), source })
    })?;
    Ok(output)
}

/// Where pictures are.
#[derive(Clone, Copy)]
enum Pictures {
    Inside {
        /// Those of every iteration.
        all: bool,
    },
    Beside,
}

/// What the first block of the summary, the sentence below it and its tables say.
pub(crate) fn of_summary(text: &str) -> Report {
    let mut lines = text.lines();
    let block: BTreeMap<&str, &str> = lines
        .by_ref()
        .skip_while(|line| *line != "---")
        .skip(1)
        .take_while(|line| *line != "---")
        .filter_map(|line| line.split_once(": "))
        .collect();
    let get = |key: &str| block.get(key).copied().unwrap_or_default().to_owned();
    let mut report = Report::new(get("run_id"), get("status"));
    for key in [
        "source",
        "stops",
        "iterations",
        "iteration_cap",
        "iteration_cap_source",
        "restarts",
        "channels",
        "residual_delta_ids",
        "best_state",
    ] {
        let value = get(key);
        if !value.is_empty() {
            report.facts.push(Fact::new(key.replace('_', " "), value));
        }
    }
    let mut section = "";
    for line in lines {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if section.is_empty()
            && !line.starts_with('#')
            && !line.trim().is_empty()
            && report.reason.is_empty()
        {
            report.reason = line.trim().to_owned();
        } else if section == "Spent" && line.starts_with('|') {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            if let [name, spent, of] = cells.as_slice()
                && !name.is_empty()
                && !name.starts_with('-')
            {
                report.budgets.push(Fact::new(*name, format!("{spent} of {of}")));
            }
        } else if section == "Notes"
            && let Some(note) = line.strip_prefix("- ")
        {
            report.notes.push(note.to_owned());
        }
    }
    report
}

/// The contract's table; empty where it cannot be read.
fn contract(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("contract/loop.json")).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    value["table"].as_str().unwrap_or_default().to_owned()
}

/// The verdicts that were kept under `evaluation/`, in order.
fn verdicts(folder: &Path) -> Result<Vec<VerdictView>, AppError> {
    let mut verdicts = Vec::new();
    for number in 1u32.. {
        let path = folder.join(format!("evaluation/report-{number}.json"));
        if !path.is_file() {
            break;
        }
        let value = parsed(&path)?;
        let (card, text) =
            (&value["scorecard"], |value: &Value| value.as_str().unwrap_or_default().to_owned());
        let mut verdict = VerdictView::default();
        verdict.number = number;
        verdict.status = text(&card["status"]);
        verdict.reason = text(&card["reason"]);
        verdict.judge = value["judge"].as_str().unwrap_or("a judge").to_owned();
        verdict.rubric = text(&card["rubric"]);
        verdict.state = text(&value["state"]);
        verdict.overall =
            Some(&card["overall"]).filter(|overall| !overall.is_null()).map(ToString::to_string);
        verdict.summary = text(&card["summary"]);
        let failing: Vec<&str> =
            card["failing_axes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        verdict.axes =
            card["axes"].as_array().into_iter().flatten().map(|axis| axis_view(axis, &failing)).collect();
        let conditions = card["conditions"].as_array().into_iter().flatten();
        verdict.conditions =
            conditions.map(|one| Fact::new(text(&one["id"]), text(&one["status"]))).collect();
        verdicts.push(verdict);
    }
    Ok(verdicts)
}

fn axis_view(axis: &Value, failing: &[&str]) -> AxisView {
    let text = |key: &str| axis[key].as_str().unwrap_or_default();
    let mut view = AxisView::default();
    view.name = text("axis").to_owned();
    view.score =
        Some(&axis["score"]).filter(|score| !score.is_null()).map(ToString::to_string).unwrap_or_default();
    view.fails = failing.contains(&text("axis"));
    let parts = [text("rationale"), text("why")];
    view.rationale = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" — ");
    let evidence = axis["evidence"].as_array().into_iter().flatten();
    view.evidence = evidence
        .map(|one| {
            let place = one["locator"].as_str().unwrap_or_default();
            one["quote"].as_str().map_or_else(|| place.to_owned(), |quote| format!("{place}: “{quote}”"))
        })
        .collect();
    view
}

/// Bytes of all pictures of a run.
fn bytes(folder: &Path) -> u64 {
    let mut folders = vec![folder.join("diff"), folder.join("reference")];
    let mut sum = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "png") {
                sum += entry.metadata().map_or(0, |meta| meta.len());
            }
        }
    }
    sum
}

fn iterations(folder: &Path, pictures: Pictures) -> Result<Vec<Iteration>, AppError> {
    let diff = folder.join("diff");
    let mut files: Vec<PathBuf> = fs::read_dir(&diff)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    let last = files.len().saturating_sub(1);
    let mut iterations = Vec::new();
    for (place, file) in files.iter().enumerate() {
        let text = read(file)?;
        let fields: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(": ")).collect();
        let field = |key: &str| fields.get(key).copied().unwrap_or_default();
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let number: u32 = stem.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        let mut iteration = Iteration::new(number, field("kind")).with_score(field("score").parse().ok());
        field("truth").clone_into(&mut iteration.truth);
        field("state").clone_into(&mut iteration.state);
        let wanted = match pictures {
            Pictures::Inside { all: false } if place != 0 && place != last => None,
            pictures => Some(pictures),
        };
        iteration.labels = labels(folder, &format!("diff/{number:02}"), wanted)?;
        iterations.push(iteration);
    }
    Ok(iterations)
}

fn labels(run: &Path, relative: &str, pictures: Option<Pictures>) -> Result<Vec<LabelView>, AppError> {
    let mut reports: Vec<PathBuf> = fs::read_dir(run.join(relative))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".report.json"))
        .collect();
    reports.sort();
    let mut labels = Vec::new();
    for path in reports {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = file.trim_end_matches(".report.json");
        let value = parsed(&path)?;
        let mut label = LabelView::new(name, value["status"].as_str().unwrap_or("undetermined"));
        let side = |key: &str| {
            value["expected"][key].as_u64().and_then(|side| u32::try_from(side).ok()).unwrap_or(0)
        };
        label.size = [side("width"), side("height")];
        label.regions = value["regions"].as_array().into_iter().flatten().map(region).collect();
        if let Some(pictures) = pictures {
            label.reference = image(run, &format!("reference/{name}.png"), pictures)?;
            label.render = image(run, &format!("{relative}/{name}.render.png"), pictures)?;
            label.diff = image(run, &format!("{relative}/{name}.diff.png"), pictures)?;
            label.heatmap = image(run, &format!("{relative}/{name}.heatmap.png"), pictures)?;
        }
        labels.push(label);
    }
    Ok(labels)
}

fn region(value: &Value) -> RegionView {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let whole = |key: &str| value[key].as_u64().unwrap_or(0);
    let side = |key: &str| u32::try_from(whole(key)).unwrap_or(u32::MAX);
    let number = |key: &str| value[key].as_f64().unwrap_or(0.0);
    let mut region = RegionView::default();
    region.id = text("id");
    region.kind = text("kind");
    region.open = value["open"].as_bool().unwrap_or(false);
    region.area = [side("x"), side("y"), side("width"), side("height")];
    region.pixels = whole("pixels");
    region.delta_e = [number("mean_delta_e"), number("p95_delta_e"), number("max_delta_e")];
    region.signed = [number("delta_l"), number("delta_c"), number("delta_h")];
    region.element = value["element"].as_str().map(str::to_owned);
    region
}

fn image(run: &Path, relative: &str, pictures: Pictures) -> Result<Option<Image>, AppError> {
    let path = run.join(relative);
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(match pictures {
        Pictures::Beside => Image::Beside(relative.to_owned()),
        Pictures::Inside { .. } => {
            let bytes = fs::read(&path)
                .map_err(|source| AppError::new(AppErrorKind::File { what: "read", path, source }))?;
            Image::Inside(bytes.into())
        }
    }))
}

fn parsed(path: &Path) -> Result<Value, AppError> {
    serde_json::from_str(&read(path)?).map_err(|error| {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidData, error);
        AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source })
    })
}

fn read(path: &Path) -> Result<String, AppError> {
    fs::read_to_string(path)
        .map_err(|source| AppError::new(AppErrorKind::File { what: "read", path: path.to_owned(), source }))
}
