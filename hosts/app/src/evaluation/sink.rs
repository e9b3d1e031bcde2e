//! The verdicts of a run, kept as they are made.

use std::io;
use std::path::PathBuf;

use trueup_driver::{Projection, RunFolder, Sink};

use super::keep::{Stamp, write};
use crate::rubric::ScorecardDocument;

/// A run folder that keeps every verdict in full under `evaluation/`, and a line of each in the log across runs.
#[derive(Debug)]
pub(crate) struct KeepsVerdicts {
    inner: RunFolder,
    folder: PathBuf,
    log: PathBuf,
}

impl KeepsVerdicts {
    pub(crate) const fn new(inner: RunFolder, folder: PathBuf, log: PathBuf) -> Self {
        Self { inner, folder, log }
    }
}

impl Sink for KeepsVerdicts {
    fn write(&self, projection: Projection<'_>) -> io::Result<()> {
        if let Projection::Judged { number, state, judgement, contract, .. } = &projection
            && let Some(scorecard) = ScorecardDocument::of_judgement(contract, judgement)
        {
            let stamp = Stamp {
                judge: judgement.judge.clone(),
                model: None,
                contract: Some(contract.digest().to_string()),
                state: Some(state.to_string()),
            };
            write(&scorecard, &stamp, &self.folder, &self.log, *number).map_err(|(path, error)| {
                io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        self.inner.write(projection)
    }
}
