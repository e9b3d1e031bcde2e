//! Showing the picture of a difference.

use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trueup_codec::CodecError;

use super::choice::{Preview, protocol_of};
use super::protocol::Protocol;
use super::reduced::Reduced;
use crate::args::Format;
use crate::output;

/// A picture that is going to be shown.
#[derive(Debug)]
pub(crate) struct Shown {
    protocol: Protocol,
    picture: PathBuf,
    /// Where the picture is that nobody else wants.
    _folder: Option<TempDir>,
}

/// A picture cannot be shown.
#[derive(Debug)]
pub(crate) enum PreviewError {
    /// There are many.
    Folders,
    /// The output is a document.
    Json,
    /// It cannot be written or read again.
    File {
        /// The picture.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no picture.
    Picture {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CodecError,
    },
}

impl fmt::Display for PreviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folders => f.write_str("--preview shows one picture, and folders have many"),
            Self::Json => f.write_str("--preview cannot show a picture inside a JSON document"),
            Self::File { path, source } => {
                write!(f, "the picture to show cannot be kept in {}: {source}", path.display())
            }
            Self::Picture { path, source } => write!(f, "{} cannot be shown: {source}", path.display()),
        }
    }
}

impl PreviewError {
    /// What to do.
    pub(crate) const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Folders => Some("compare one pair, or write all pictures to a folder with --output"),
            Self::Json => {
                Some("leave out --preview, or --format json; --output writes the picture to a file")
            }
            Self::File { .. } | Self::Picture { .. } => None,
        }
    }
}

impl Shown {
    /// What is to be shown, where something is; the picture is the one at `output`, or one of its own.
    ///
    /// # Errors
    /// When a protocol is asked for by name and there is nowhere to show a picture.
    pub(crate) fn of(
        preview: Preview,
        format: Format,
        is_of_folders: bool,
        output: Option<&Path>,
    ) -> Result<Option<Self>, PreviewError> {
        let protocol = match preview {
            Preview::Off => None,
            Preview::Auto if format == Format::Json || !io::stdout().is_terminal() => None,
            Preview::Auto => {
                let found = protocol_of(|name| std::env::var(name).ok());
                if found.is_none() {
                    output::error_line(
                        "note: this terminal does not say that it shows pictures; --preview=kitty, =iterm or =sixel tries",
                    );
                }
                found
            }
            Preview::Kitty => Some(Protocol::Kitty),
            Preview::Iterm => Some(Protocol::Iterm),
            Preview::Sixel => Some(Protocol::Sixel),
        };
        let Some(protocol) = protocol else { return Ok(None) };
        if format == Format::Json {
            return Err(PreviewError::Json);
        }
        if is_of_folders {
            return Err(PreviewError::Folders);
        }
        if let Some(output) = output {
            return Ok(Some(Self { protocol, picture: output.to_owned(), _folder: None }));
        }
        let folder = tempfile::tempdir()
            .map_err(|source| PreviewError::File { path: std::env::temp_dir(), source })?;
        let picture = folder.path().join("diff.png");
        Ok(Some(Self { protocol, picture, _folder: Some(folder) }))
    }

    /// Where the picture is to be written.
    pub(crate) fn picture(&self) -> &Path {
        &self.picture
    }

    /// Shows it on standard output.
    ///
    /// # Errors
    /// When the picture cannot be read; what cannot be written is the second one's.
    pub(crate) fn show(&self) -> Result<io::Result<()>, PreviewError> {
        let path = || self.picture.clone();
        let bytes = fs::read(&self.picture).map_err(|source| PreviewError::File { path: path(), source })?;
        let picture = Reduced::of(bytes).map_err(|source| PreviewError::Picture { path: path(), source })?;
        let mut out = io::stdout().lock();
        Ok(out.write_all(&self.protocol.bytes(&picture)).and_then(|()| out.flush()))
    }
}
