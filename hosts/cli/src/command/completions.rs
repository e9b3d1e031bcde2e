//! `trueup completions` and `trueup man`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::error::CliError;
use crate::output;

/// Print the completions of a shell.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup completions bash > ~/.local/share/bash-completion/completions/trueup"
)]
pub(crate) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let mut script = Vec::new();
    generate(args.shell, &mut crate::args::Args::command(), "trueup", &mut script);
    output::line(String::from_utf8_lossy(&script).trim_end())?;
    Ok(0)
}

/// Write the manual pages, one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  trueup man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder that they go into.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn man(args: &Man) -> Result<u8, CliError> {
    fs::create_dir_all(&args.folder)?;
    write(&args.folder, "trueup", crate::args::Args::command())?;
    Ok(0)
}

/// Writes the page of a command, and those of the commands below it.
fn write(folder: &Path, name: &str, command: clap::Command) -> io::Result<()> {
    let mut page = Vec::new();
    let shown: &'static str = name.to_owned().leak();
    clap_mangen::Man::new(command.clone().name(shown)).render(&mut page)?;
    fs::write(folder.join(format!("{name}.1")), page)?;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        write(folder, &format!("{name}-{}", below.get_name()), below.clone())?;
    }
    Ok(())
}
