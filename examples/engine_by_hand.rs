//! The whole loop by hand: no async, no driver, storage of one's own.
//!
//!     cargo run --example engine_by_hand
//!
//! The "design" is the number 40, the "artifact" a number that is revised towards it. Everything that a real program would
//! do stands in `carry_out`; the loop around it is the one that every embedder writes.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use trueup::contract::{
    DeltaId, LabelMeasurement, LabelName, LabelReadiness, LoopContract, Measurement, OpenRegion, StateId,
};
use trueup::frame::Rect;
use trueup::loop_core::{Command, Engine, Event, Record, Step};
use trueup::score::Points;

const DESIGN: i64 = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut artifact = 10i64;
    let mut journal: Vec<Record> = Vec::new(); // your storage: a file, a table, a queue

    let mut engine = Engine::new(LoopContract::trueup());
    let outcome = loop {
        match engine.step() {
            Step::Persist(charge) => {
                journal.push(charge.record()); // written before anything is done
                let attempt = charge.attempt();
                let command = engine.commit(charge)?;
                let event = carry_out(&command, &mut artifact)?;
                let applied = engine.apply(attempt, event)?;
                for note in applied.notes.iter().filter(|note| !note.text.is_empty()) {
                    println!("[{}] {:<13} {}", note.iteration, note.node, note.text);
                }
                journal.push(applied.record);
            }
            Step::Wait => return Err("every command was answered".into()),
            Step::Done(outcome) => break outcome,
        }
    };
    println!("{} with {artifact} after {} records", outcome.status(), journal.len());

    // A run is the fold of its records.
    let again = Engine::restore(LoopContract::trueup(), &journal)?;
    assert_eq!(again.step(), Step::Done(outcome));
    Ok(())
}

fn carry_out(command: &Command, artifact: &mut i64) -> Result<Event, Box<dyn Error>> {
    let label = LabelName::new("number")?;
    Ok(match command {
        Command::Read { .. } => {
            Event::Read { state: name(*artifact), labels: vec![LabelReadiness::ready(label)] }
        }
        Command::Restore { .. } => return Err("this reviser never makes it worse".into()),
        Command::Revise { .. } => {
            let before = *artifact;
            *artifact += (DESIGN - *artifact) / 2 + (DESIGN - *artifact) % 2;
            Event::Revised { state: name(*artifact), note: format!("{before} → {artifact}") }
        }
        Command::Reload { .. } => Event::Reloaded,
        Command::Capture { .. } => Event::Captured,
        Command::Compare { .. } => {
            let off = (*artifact - DESIGN).abs();
            let region =
                OpenRegion::new(DeltaId::of(&label, "off")?, Rect::new(0, 0, 1, 1), Points::from_whole(off));
            let open = if off == 0 { vec![] } else { vec![region] };
            Event::Compared { measurement: Measurement::new(vec![LabelMeasurement::compared(label, open)]) }
        }
        Command::Judge { .. } | Command::Trial { .. } | Command::Ask { .. } => {
            return Err("the contract asks for neither".into());
        }
    })
}

fn name(artifact: i64) -> StateId {
    StateId::of_parts([("number", artifact.to_string().as_bytes())])
}
