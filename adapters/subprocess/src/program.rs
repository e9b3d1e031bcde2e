//! What is started, and how far it may go.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that fills a port.
///
/// ```
/// use std::time::Duration;
/// use trueup_subprocess::Program;
///
/// let program = Program::new("python3", ["judge.py"])
///     .in_folder("examples/python")
///     .with_variables(["MODEL_KEY"])
///     .with_time_limit(Duration::from_secs(120));
/// assert_eq!(program.name(), "python3 judge.py");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(crate) command: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// What relative paths of the command and of arguments that name files begin from.
    pub(crate) folder: PathBuf,
    pub(crate) variables: Vec<String>,
    pub(crate) time_limit: Duration,
    pub(crate) max_reply_bytes: usize,
}

/// Variables that every child gets where they are set: without them, hardly any program starts.
pub(crate) const ALWAYS: [&str; 8] =
    ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "SSL_CERT_FILE"];

impl Program {
    /// The program `command` with these arguments, each passed as it is: no shell takes part.
    #[must_use]
    pub fn new<A: Into<String>>(command: impl Into<PathBuf>, arguments: impl IntoIterator<Item = A>) -> Self {
        Self {
            command: command.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: PathBuf::new(),
            variables: Vec::new(),
            // A model with vision takes a minute or two, a coding agent several.
            time_limit: Duration::from_secs(600),
            // A reply is a page of text; with the parts of a large document in it, a few megabytes.
            max_reply_bytes: 16 << 20,
        }
    }

    /// The program with the folder that it belongs to. A command that is a path, and arguments that name files in that folder, are
    /// taken from there; the child itself works in a folder of its own, and finds this one in `TRUEUP_HOME`.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ..self }
    }

    /// The program with more variables of the environment that it may see, by name. By default it sees
    /// `PATH`, `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE`, `TMPDIR`, `TZ` and `SSL_CERT_FILE`.
    #[must_use]
    pub fn with_variables<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self { variables: names.into_iter().map(Into::into).collect(), ..self }
    }

    /// The program with a limit for each call, 10 minutes by default. The deadline of the call itself may be earlier.
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// The program with a limit for what it may print in reply, 16 MiB by default.
    #[must_use]
    pub fn with_max_reply_bytes(self, max_reply_bytes: usize) -> Self {
        Self { max_reply_bytes, ..self }
    }

    /// The command line, for people.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = self.command.display().to_string();
        for argument in &self.arguments {
            name.push(' ');
            name.push_str(argument);
        }
        name
    }

    /// Where it is: the file that would be started, if there is one that may be.
    #[must_use]
    pub fn locate(&self) -> Option<PathBuf> {
        let command = self.executable();
        if command.components().count() > 1 {
            return is_program(&command).then_some(command);
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(&command)).find(|file| is_program(file))
    }

    /// Variables that it may see and that are not set, or are empty.
    pub fn unset_variables(&self) -> impl Iterator<Item = &str> {
        let is_unset = |name: &&str| std::env::var_os(name).is_none_or(|value| value.is_empty());
        self.variables.iter().map(String::as_str).filter(is_unset)
    }

    /// The folder that it belongs to, absolute where that can be known.
    pub(crate) fn home(&self) -> PathBuf {
        std::path::absolute(if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder })
            .unwrap_or_else(|_| self.folder.clone())
    }

    /// What to start: a bare name is looked up on the path, a path begins in the program's folder.
    pub(crate) fn executable(&self) -> PathBuf {
        if self.command.components().count() > 1 {
            self.home().join(&self.command)
        } else {
            self.command.clone()
        }
    }

    /// The arguments; those that name a file in the program's folder as absolute paths.
    pub(crate) fn resolved_arguments(&self) -> Vec<OsString> {
        let home = self.home();
        let resolve = |argument: &String| {
            let path = home.join(argument);
            let is_file = !argument.is_empty() && !argument.starts_with('-') && path.is_file();
            if is_file { path.into_os_string() } else { argument.into() }
        };
        self.arguments.iter().map(resolve).collect()
    }

    /// The environment of a child: what it may see, as far as it is set.
    pub(crate) fn environment(&self) -> Vec<(OsString, OsString)> {
        let names = ALWAYS.iter().copied().chain(self.variables.iter().map(String::as_str));
        names.filter_map(|name| std::env::var_os(name).map(|value| (name.into(), value))).collect()
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
