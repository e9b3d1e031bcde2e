//! One state scored twice, to see whether the judge is steady.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use trueup_rubric::panel::Calibration;
use trueup_rubric::{Circumstances, Fault, ReadOptions, Rubric, Scorecard, read_reply};
use trueup_score::Truth;

use crate::error::{AppError, AppErrorKind};
use crate::number::Number;
use crate::rubric::{find_rubric, read_text};
use crate::run_folder::now;

/// Two independent scorings of one state, as a JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CalibrationDocument {
    /// `trueup.calibration/1`.
    pub schema: &'static str,
    /// When, in UTC.
    pub at: String,
    /// The rubric.
    pub rubric: String,
    /// Names the rubric by its content.
    pub rubric_fingerprint: String,
    /// `pass` when the scorings agree, `fail` when they are too far apart, `undetermined` when one of them is no answer.
    pub status: String,
    /// The distance, as a share of a scale's span, above which a warning is due.
    pub warns_above: Number,
    /// Axes that both scored.
    pub axes: Vec<CalibrationAxisDocument>,
    /// Axes that only one of them scored.
    pub one_sided: Vec<String>,
    /// Why a scoring is no answer.
    pub faults: Vec<String>,
}

/// One axis of two scorings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CalibrationAxisDocument {
    /// The axis.
    pub axis: String,
    /// The first score.
    pub first: Number,
    /// The second score.
    pub second: Number,
    /// Their distance as a share of the scale's span.
    pub apart: Number,
    /// Whether that is too far.
    pub warns: bool,
}

/// What two scorings came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CalibrationOutcome {
    /// The document.
    pub document: CalibrationDocument,
    /// The exit code: 0 steady, 1 too far apart, 3 when one of them is no answer.
    pub exit_code: u8,
}

/// Compares two replies to the same request, and appends what came of it to `evaluation/calibration-log.json` below `keep`,
/// where one is given.
///
/// # Errors
/// When a file cannot be read or written, or the rubric cannot be used.
pub fn calibrate_replies(
    rubric: &str,
    first: &Path,
    second: &Path,
    keep: Option<&Path>,
) -> Result<CalibrationOutcome, AppError> {
    let rubric = find_rubric(rubric).map_err(AppError::from)?.rubric;
    let texts = (read_text(first)?, read_text(second)?);
    let cards = (card(&rubric, &texts.0), card(&rubric, &texts.1));
    let mut document = CalibrationDocument {
        schema: "trueup.calibration/1",
        at: now(),
        rubric: rubric.name().to_owned(),
        rubric_fingerprint: rubric.fingerprint().to_string(),
        status: Truth::Undetermined.to_string(),
        warns_above: Number(Calibration::WARNS_ABOVE),
        axes: Vec::new(),
        one_sided: Vec::new(),
        faults: Vec::new(),
    };
    let exit_code = match cards {
        (Ok(a), Ok(b)) => {
            let found = Calibration::of(&rubric, &a, &b);
            document.status = Truth::from(!found.warns()).to_string();
            let exit_code = u8::from(found.warns());
            document.one_sided = found.one_sided;
            document.axes = found
                .axes
                .into_iter()
                .map(|axis| CalibrationAxisDocument {
                    axis: axis.axis,
                    first: Number(axis.first),
                    second: Number(axis.second),
                    // Cut upwards: what is too far apart never shows the limit itself.
                    apart: Number(axis.apart.ceiling()),
                    warns: axis.warns,
                })
                .collect();
            exit_code
        }
        (a, b) => {
            document.faults =
                [a.err(), b.err()].into_iter().flatten().map(|fault| fault.to_string()).collect();
            3
        }
    };
    if let Some(folder) = keep {
        append(folder, &document)?;
    }
    Ok(CalibrationOutcome { document, exit_code })
}

/// The scores as the judge gave them: whether they are deserved is another question.
fn card(rubric: &Rubric, text: &str) -> Result<Scorecard, Fault> {
    let reply = read_reply(text, rubric, &ReadOptions::default())?;
    let lenient = rubric.clone().with_requirements(trueup_rubric::Requirements::NONE);
    Ok(lenient.settle(&reply, &Circumstances::new()).card)
}

fn append(folder: &Path, document: &CalibrationDocument) -> Result<(), AppError> {
    let folder = folder.join("evaluation");
    let path = folder.join("calibration-log.json");
    let failed = |what, source| AppError::new(AppErrorKind::File { what, path: path.clone(), source });
    let mut list: Vec<Value> = match fs::read(&path) {
        // What cannot be read is not written over.
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| failed("read", error.into()))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(failed("read", source)),
    };
    list.push(serde_json::to_value(document).map_err(|error| failed("written", error.into()))?);
    let text = serde_json::to_string_pretty(&list).map_err(|error| failed("written", error.into()))?;
    let fresh = folder.join(format!("calibration-log.json.{}.new", std::process::id()));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&fresh, text + "\n"))
        .and_then(|()| fs::rename(&fresh, &path))
        .map_err(|source| failed("written", source))
}
