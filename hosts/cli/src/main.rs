//! The command `trueup`.

mod args;
mod command;
mod error;
mod interrupt;
mod output;
mod preview;
mod progress;
mod style;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match usage::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let result = match &args.command {
        args::Command::Run(run) => command::run::execute(run),
        args::Command::Next(next) => command::next::execute(next),
        args::Command::Diff(diff) => command::diff::execute(diff),
        args::Command::Batch(batch) => command::batch::execute(batch),
        args::Command::DeltaE(colors) => command::delta_e::execute(colors),
        args::Command::Findings(findings) => command::findings::execute(findings),
        args::Command::Init(init) => command::init::execute(init),
        args::Command::Capture(capture) => command::capture::execute(capture),
        args::Command::Completions(shell) => command::completions::execute(shell),
        args::Command::Man(man) => command::completions::man(man),
        #[cfg(feature = "mcp")]
        args::Command::Mcp(mcp) => command::mcp::execute(mcp),
        args::Command::Probe(probe) => command::probe::execute(probe),
        args::Command::Report(report) => command::report::execute(report),
        args::Command::Judge(judge) => command::judge::execute(judge),
        args::Command::Doctor(doctor) => command::doctor::execute(doctor),
        args::Command::Log(log) => command::log::execute(log),
        args::Command::Review(review) => command::review::execute(review),
        args::Command::Rubric(rubric) => command::rubric::execute(rubric),
    };
    ExitCode::from(result.unwrap_or_else(|error| error.report()))
}
