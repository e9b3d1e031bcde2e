//! How errors are printed: one clear line, and what to do.

use std::io;

use trueup_app::AppError;

use crate::output;
use crate::preview::PreviewError;

/// A command could not be carried out.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The use case failed.
    App(Box<AppError>),
    /// The result cannot be printed.
    Output(io::Error),
    /// A picture cannot be shown in the terminal.
    Preview(PreviewError),
    /// A server could not serve.
    #[cfg(feature = "mcp")]
    Serve(trueup_mcp::ServeError),
}

impl From<AppError> for CliError {
    fn from(error: AppError) -> Self {
        Self::App(Box::new(error))
    }
}

impl From<PreviewError> for CliError {
    fn from(error: PreviewError) -> Self {
        Self::Preview(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl CliError {
    /// Prints the error and gives the exit code.
    pub(crate) fn report(&self) -> u8 {
        match self {
            // Whoever reads our output has seen enough; that is not worth a word.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 2,
            Self::Output(error) => {
                output::error_line(&format!("error: the result cannot be printed: {error}"));
                2
            }
            Self::Preview(error) => {
                output::error_line(&format!("error: {error}"));
                if let Some(hint) = error.hint() {
                    output::error_line(&format!("  hint: {hint}"));
                }
                2
            }
            #[cfg(feature = "mcp")]
            Self::Serve(error) => {
                output::error_line(&format!("error: {error}"));
                2
            }
            Self::App(error) => {
                output::error_line(&format!("error: {error}"));
                if let Some(hint) = error.hint() {
                    output::error_line(&format!("  hint: {hint}"));
                }
                if let Some(status) = error.status() {
                    output::error_line(&format!("status: {status}"));
                }
                error.exit_code()
            }
        }
    }
}
