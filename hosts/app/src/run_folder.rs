//! Where runs are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trueup_contract::LabelName;

use crate::error::{AppError, AppErrorKind};

/// The id and the folder of a run that exists on disk.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
}

/// The time as RFC 3339 text in UTC, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The folder of the run `id` below `runs`, made where it does not exist; a new one for no id.
pub(crate) fn open(runs: &Path, id: Option<&str>) -> Result<Place, AppError> {
    let make = |folder: &Path| {
        let failed = |source| AppErrorKind::File { what: "written", path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(|source| AppError::new(failed(source)))
    };
    if let Some(id) = id {
        // A run id is a folder's name, like a label's.
        LabelName::new(id).map_err(|_| AppError::new(AppErrorKind::RunId { id: id.to_owned() }))?;
        let folder = runs.join(id);
        make(&folder)?;
        return Ok(Place { id: id.to_owned(), folder });
    }
    make(runs)?;
    let minute = jiff::Timestamp::now().strftime("%Y%m%d-%H%M").to_string();
    let mut number = 1u32;
    loop {
        let id = if number == 1 { minute.clone() } else { format!("{minute}-{number}") };
        let folder = runs.join(&id);
        // Making it is what claims the name, so two runs of one minute never share a folder.
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(Place { id, folder }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(source) => {
                return Err(AppError::new(AppErrorKind::File { what: "written", path: folder, source }));
            }
        }
    }
}
