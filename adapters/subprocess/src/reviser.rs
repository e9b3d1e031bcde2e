//! A reviser that is a program.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::{FaultKind, SkipClass};
use trueup_ports::{Cx, Fault, ReviseRequest, Reviser, Revision, Snapshot, Trials};

use crate::exchange::{Finished, call};
use crate::program::Program;
use crate::scratch::Scratch;
use crate::wire::{PartReply, Request, ReviseBody, ReviseReply};

/// Bytes that a part may have when it comes back.
const MAX_PART_BYTES: u64 = 64 << 20;

/// How a program hands its changes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "it says them, or it makes them")]
pub enum Edits {
    /// It prints a reply: what it did, and the new content of parts, or that it changed them in its working folder.
    #[default]
    Reply,
    /// It changes files in its working folder, as a coding agent does; what it prints is only a note for people.
    Files,
}

/// A program that changes the artifact.
///
/// It works on a copy. Of that, the parts that the artifact has come back, as plain files; one that was deleted, or replaced
/// by a link, is a fault, and whatever else it wrote is gone with the folder.
#[derive(Clone, Debug)]
pub struct CommandReviser {
    program: Arc<Program>,
    edits: Edits,
}

impl CommandReviser {
    /// The reviser that `program` is.
    #[must_use]
    pub fn new(program: Program, edits: Edits) -> Self {
        Self { program: Arc::new(program), edits }
    }
}

#[async_trait]
impl Reviser for CommandReviser {
    async fn revise(&self, request: ReviseRequest, _trials: Trials, cx: &Cx) -> Result<Revision, Fault> {
        let (base, edits) = (request.base.clone(), self.edits);
        let ask = move |scratch: &Scratch| {
            scratch.put_parts(&request.base)?;
            let captures = scratch.put_captures(&request.captures)?;
            let crops = scratch.put_crops(&request.captures, &request.measured)?;
            let folder = scratch.work().display().to_string();
            let body = ReviseBody::new(&request, folder, captures, &crops);
            Ok(Request::new("reviser", "revise", body).to_bytes())
        };
        let read = move |scratch: &Scratch, finished: &Finished| match edits {
            Edits::Reply => of_reply(finished.json()?, &base, &scratch.work()),
            Edits::Files => {
                let parts = changed_files(&base, &scratch.work())?;
                let note = last_line(&finished.reply);
                Ok(if parts.is_empty() {
                    Revision::Nothing { note }
                } else {
                    Revision::Parts { parts, note }
                })
            }
        };
        call(&self.program, cx, ask, read).await
    }
}

type Parts = Vec<(String, Arc<[u8]>)>;

fn of_reply(reply: ReviseReply, base: &Snapshot, work: &Path) -> Result<Revision, Fault> {
    Ok(match reply {
        ReviseReply::Changed { parts, note, .. } => {
            let parts = parts_of(parts, base, work)?;
            if parts.is_empty() { Revision::Nothing { note } } else { Revision::Parts { parts, note } }
        }
        ReviseReply::Slice { parts, note, split, landed, .. } => {
            Revision::Slice { parts: parts_of(parts, base, work)?, note, split, landed }
        }
        ReviseReply::Nothing { note, .. } => Revision::Nothing { note },
        ReviseReply::Dispute { note, .. } => Revision::Dispute { note },
        ReviseReply::Blocked { class, note, .. } => {
            let class = match class.as_str() {
                "security" => SkipClass::Security,
                "spec-contradiction" => SkipClass::SpecContradiction,
                "missing-access" => SkipClass::MissingAccess,
                other => {
                    let why = format!(
                        "{other:?} is no class of what only a person can give: expected security, spec-contradiction or missing-access"
                    );
                    return Err(Fault::new(FaultKind::Rejected, why));
                }
            };
            Revision::Blocked { class, note }
        }
    })
}

fn parts_of(said: Option<Vec<PartReply>>, base: &Snapshot, work: &Path) -> Result<Parts, Fault> {
    let Some(said) = said else { return changed_files(base, work) };
    let mut parts = Parts::new();
    for PartReply { name, text } in said {
        let Some(before) = base.part(&name) else {
            let known: Vec<&str> = base.parts().map(|(name, _)| name).collect();
            let why = format!("{name:?} is no part of the artifact: expected one of {}", known.join(", "));
            return Err(Fault::new(FaultKind::NotApplied, why));
        };
        if parts.iter().any(|(other, _)| *other == name) {
            let why = format!("the reply has two contents for {name:?}");
            return Err(Fault::new(FaultKind::NotApplied, why));
        }
        if **before != *text.as_bytes() {
            parts.push((name, text.into_bytes().into()));
        }
    }
    Ok(parts)
}

/// The parts that are not what they were.
fn changed_files(base: &Snapshot, work: &Path) -> Result<Parts, Fault> {
    let mut parts = Parts::new();
    for (name, before) in base.parts() {
        let after = Scratch::take(work, name, MAX_PART_BYTES)
            .map_err(|fault| Fault::new(FaultKind::NotApplied, fault.message().to_owned()))?;
        if **before != *after {
            parts.push((name.to_owned(), after.into()));
        }
    }
    Ok(parts)
}

/// The last line that was printed, as far as it makes a note.
fn last_line(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("changed files");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
