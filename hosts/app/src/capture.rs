//! Capturing the labels of a configuration to files.

use std::fs;
use std::path::{Path, PathBuf};

use trueup_contract::FaultKind;
use trueup_driver::FileArtifact;
use trueup_ports::{Artifact, CancelToken, CaptureRequest, Cx, Fault, Pixels};

use crate::config::load;
use crate::error::{AppError, AppErrorKind};
use crate::progress::{Told, heard};
use crate::runtime::TokioRuntime;

/// Renders every label of the configuration at `path` and writes one PNG each into `folder`; gives the files. `told` hears of
/// every label that is rendered.
///
/// # Errors
/// When the configuration cannot be used, what renders fails, or a file cannot be written.
pub fn capture(
    path: &Path,
    folder: &Path,
    cancel: CancelToken,
    told: &Told,
) -> Result<Vec<PathBuf>, AppError> {
    let config = load(path)?;
    let artifact = FileArtifact::new(&config.folder, config.files.iter().cloned())
        .map_err(|error| AppError::new(AppErrorKind::Artifact(error)))?;
    let plan = config.plan;
    let ports = config.filled.into_ports(&config.folder, config.settings, config.tokens);
    let cx = Cx::new(std::sync::Arc::new(TokioRuntime::new()), cancel);
    let cx = heard(&cx, "label", plan.labels().len(), told);
    let captured = TokioRuntime::block_on(async {
        let snapshot = artifact.snapshot(&cx).await.map_err(|fault| ("artifact", fault))?;
        let request = CaptureRequest::new(snapshot, plan.labels().into());
        ports.capturer.capture(request, &cx).await.map_err(|fault: Fault| ("capturer", fault))
    });
    let captures = captured
        .map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?
        .map_err(|(port, fault)| AppError::new(AppErrorKind::Port { port, fault }))?;
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |source| AppError::new(AppErrorKind::File { what: "written", path, source })
    };
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let unusable = |error: trueup_codec::CodecError| {
        let fault = Fault::new(FaultKind::Rejected, error.to_string());
        AppError::new(AppErrorKind::Port { port: "capturer", fault })
    };
    let mut files = Vec::new();
    for capture in captures {
        let file = folder.join(format!("{}.png", capture.label));
        let encoded;
        let bytes: &[u8] = match &capture.pixels {
            Pixels::Encoded(bytes) => bytes,
            Pixels::Frame(frame) => {
                encoded = trueup_codec::encode_png(&frame.view()).map_err(unusable)?;
                &encoded
            }
            _ => continue,
        };
        fs::write(&file, bytes).map_err(unwritable(&file))?;
        files.push(file);
    }
    Ok(files)
}
