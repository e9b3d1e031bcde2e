//! A reviser that is a model.

use std::sync::Arc;

use async_trait::async_trait;
use genai::chat::ContentPart;
use trueup_contract::{FaultKind, SkipClass};
use trueup_ports::{Cx, Fault, ReviseRequest, Reviser, Revision, Snapshot, Trials};

use crate::ask::{Question, Unread, ask};
use crate::model::Model;
use crate::pictures::Picture;
use crate::reply::{PartReply, ReviseReply, read};
use crate::request::{SYSTEM, Told, tell};
use crate::schema::of_reviser;

/// Pictures that a reviser is shown: providers take about twenty, and the first labels say most.
const MAX_PICTURES: usize = 12;

/// A model that writes parts of the artifact anew.
///
/// It is shown the parts as text, and what is open. It keeps no memory, so a fresh one is no other. A part comes back whole; one that
/// the artifact does not have, or that was not shown whole, is a fault, and nothing is written.
#[derive(Clone, Debug)]
pub struct ModelReviser {
    model: Model,
    max_shown_bytes: usize,
}

impl ModelReviser {
    /// The reviser that `model` is.
    #[must_use]
    pub fn new(model: Model) -> Self {
        // Some 60 000 tokens: what models read well, with room for an answer of the same length.
        Self { model, max_shown_bytes: 192 << 10 }
    }

    /// The reviser with a limit for what it is shown of the artifact, 192 KiB by default. Parts are shown in the order of their names;
    /// one that there is no room for is cut and cannot be changed.
    #[must_use]
    pub fn with_max_shown_bytes(self, max_shown_bytes: usize) -> Self {
        Self { max_shown_bytes, ..self }
    }

    fn revision(&self, request: &ReviseRequest, cx: &Cx) -> Result<Revision, Fault> {
        let told = tell(request, self.max_shown_bytes);
        let mut parts = vec![ContentPart::from_text(told.text.clone())];
        for capture in request.captures.iter().take(MAX_PICTURES) {
            parts.extend(Picture::of(capture)?.parts());
        }
        let question = Question { system: SYSTEM.to_owned(), parts, schema: of_reviser() };
        let read = |text: &str| {
            let reply = read(text).map_err(Unread::Again)?;
            of_reply(reply, &request.base, &told).map_err(Unread::Final)
        };
        ask(&self.model, question, cx, read).map(|(revision, _)| revision)
    }
}

#[async_trait]
impl Reviser for ModelReviser {
    async fn revise(&self, request: ReviseRequest, _trials: Trials, cx: &Cx) -> Result<Revision, Fault> {
        let (reviser, inner) = (self.clone(), cx.clone());
        cx.run_blocking(move || reviser.revision(&request, &inner)).await
    }

    /// Whether its key is there. Whether the provider takes it only a question shows, and that costs.
    async fn probe(&self, _cx: &Cx) -> Result<(), Fault> {
        self.model.key().map(|_| ())
    }
}

fn of_reply(reply: ReviseReply, base: &Snapshot, told: &Told) -> Result<Revision, Fault> {
    Ok(match reply {
        ReviseReply::Changed { parts, note } => {
            let parts = parts_of(parts, base, told)?;
            if parts.is_empty() { Revision::Nothing { note } } else { Revision::Parts { parts, note } }
        }
        ReviseReply::Slice { parts, note, split, landed } => {
            Revision::Slice { parts: parts_of(parts, base, told)?, note, split, landed }
        }
        ReviseReply::Nothing { note } => Revision::Nothing { note },
        ReviseReply::Dispute { note } => Revision::Dispute { note },
        ReviseReply::Blocked { class, note } => Revision::Blocked { class: class_of(&class)?, note },
    })
}

fn class_of(class: &str) -> Result<SkipClass, Fault> {
    Ok(match class {
        "security" => SkipClass::Security,
        "spec-contradiction" => SkipClass::SpecContradiction,
        "missing-access" => SkipClass::MissingAccess,
        other => {
            let why = format!(
                "{other:?} is no class of what only a person can give: expected security, spec-contradiction or missing-access"
            );
            return Err(Fault::new(FaultKind::Rejected, why));
        }
    })
}

type Parts = Vec<(String, Arc<[u8]>)>;

/// The parts that are not what they were.
fn parts_of(said: Vec<PartReply>, base: &Snapshot, told: &Told) -> Result<Parts, Fault> {
    let refuse = |why: String| Err(Fault::new(FaultKind::NotApplied, why));
    let mut parts = Parts::new();
    for PartReply { name, text } in said {
        let Some(before) = base.part(&name) else {
            let known: Vec<&str> = base.parts().map(|(name, _)| name).collect();
            return refuse(format!(
                "{name:?} is no part of the artifact: expected one of {}",
                known.join(", ")
            ));
        };
        if !told.whole.contains(&name) {
            return refuse(format!("{name:?} was not shown whole, so nobody knows what would be lost"));
        }
        if parts.iter().any(|(other, _)| *other == name) {
            return refuse(format!("the answer has two contents for {name:?}"));
        }
        if **before != *text.as_bytes() {
            parts.push((name, text.into_bytes().into()));
        }
    }
    Ok(parts)
}
