//! `trueup review`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use trueup_app::{
    ArtifactKind, FindingsFormat, ReviewRequest, Role, format_findings, review_file, role_prompt,
};

use crate::args::Format;
use crate::error::CliError;
use crate::{output, style};

/// Let several roles look at an artifact once, side by side, and print what they find as one list.
///
/// No model is built in: a role is played by a reply that is there, by a program, or, for the protocol checker, by a protocol
/// file. Nothing is changed: findings are presented first, what blocks before the rest.
///
/// Exit codes: 0 nothing blocks, 1 something does, 2 a file cannot be used, 3 a role did not answer.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  trueup review plan.md --command generator=./ask --reply evaluator=e.json\n  trueup review plan.toml --roles protocol-checker --protocol needs.toml"
)]
pub(crate) struct Args {
    /// The artifact.
    file: PathBuf,

    /// Who looks at it: generator, evaluator, protocol-checker.
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',', default_value = "generator,evaluator")]
    roles: Vec<NamedRole>,

    /// What kind of artifact it is: implementation, pull-request, product-context, design or document.
    #[arg(long, value_name = "KIND", default_value = "document")]
    kind: Kind,

    /// A reply that is there already; may be given several times.
    #[arg(long, value_name = "ROLE=FILE")]
    reply: Vec<Assignment>,

    /// A program that plays a role: the prompt on its standard input, a trueup.findings/1 document on its standard output.
    #[arg(long, value_name = "ROLE=PROGRAM")]
    command: Vec<Assignment>,

    /// What the consumer needs (TOML): required fields, references, files that must not be shared.
    #[arg(long, value_name = "FILE")]
    protocol: Option<PathBuf>,

    /// The original specification, for the evaluator.
    #[arg(long, value_name = "FILE")]
    specification: Option<PathBuf>,

    /// Who consumes the artifact, for the generator.
    #[arg(long, value_name = "TEXT")]
    consumer: Option<String>,

    /// How long a program may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout_seconds: u64,

    /// Write what each role is told to ROLE.prompt.md in this folder.
    #[arg(long, value_name = "FOLDER")]
    prompts: Option<PathBuf>,

    /// How the result is printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A role by its name.
#[derive(Clone, Copy, Debug)]
struct NamedRole(Role);

impl std::str::FromStr for NamedRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Role::ALL.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ");
        Role::from_name(text.trim()).map(Self).ok_or_else(|| format!("expected {}", known()))
    }
}

/// A kind by its name.
#[derive(Clone, Copy, Debug)]
struct Kind(ArtifactKind);

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || ArtifactKind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
        ArtifactKind::from_name(text).map(Self).ok_or_else(|| format!("expected {}", known()))
    }
}

/// What a role is given.
#[derive(Clone, Debug)]
struct Assignment(Role, String);

impl std::str::FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (role, value) =
            text.split_once('=').ok_or("expected ROLE=VALUE, such as evaluator=reply.json")?;
        let NamedRole(role) = role.parse()?;
        if value.is_empty() {
            Err("expected something after =".to_owned())
        } else {
            Ok(Self(role, value.to_owned()))
        }
    }
}

pub(crate) fn execute(args: &Args) -> Result<u8, CliError> {
    let mut request = ReviewRequest::default();
    request.file.clone_from(&args.file);
    for NamedRole(role) in &args.roles {
        if !request.roles.contains(role) {
            request.roles.push(*role);
        }
    }
    request.kind = args.kind.0;
    request.replies = args.reply.iter().map(|Assignment(role, file)| (*role, PathBuf::from(file))).collect();
    request.programs = args
        .command
        .iter()
        .map(|Assignment(role, program)| (*role, program.clone()))
        .collect::<BTreeMap<_, _>>();
    request.protocol.clone_from(&args.protocol);
    request.specification.clone_from(&args.specification);
    request.consumer.clone_from(&args.consumer);
    request.timeout_seconds = args.timeout_seconds;
    if let Some(folder) = &args.prompts {
        fs::create_dir_all(folder)?;
        for role in &request.roles {
            fs::write(folder.join(format!("{role}.prompt.md")), role_prompt(&request, *role)?)?;
        }
    }
    let outcome = review_file(&request)?;
    if args.format == Format::Json {
        output::json(&outcome.document)?;
        return Ok(outcome.exit_code);
    }
    let document = &outcome.document;
    output::line(&format!(
        "{}: {} by {}",
        style::status(&document.status),
        document.artifact,
        output::count(document.roles.len(), "role", "roles")
    ))?;
    for role in &document.roles {
        let why = role.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        output::line(&format!("  {} {}{why}", role.role, style::status(role.status)))?;
    }
    output::line("")?;
    output::line(
        format_findings(&outcome.list, FindingsFormat::Markdown, std::path::Path::new(".")).trim_end(),
    )?;
    output::line(&format!(
        "\nNothing was changed. Look at the findings first; a fix touches only {}, adds rather than replaces, and begins with what blocks.",
        document.artifact
    ))?;
    Ok(outcome.exit_code)
}
