//! A loop driven by hand.

use std::error::Error;

use trueup::contract::LoopContract;
use trueup::loop_core::{Command, Engine, Event, Outcome, Record, Step};

/// Drives a loop to its end: `keep` stores a record, `act` carries a command out.
pub fn drive(
    contract: LoopContract,
    mut keep: impl FnMut(&Record) -> Result<(), Box<dyn Error>>,
    mut act: impl FnMut(&Command) -> Event,
) -> Result<Outcome, Box<dyn Error>> {
    let mut engine = Engine::new(contract);
    loop {
        match engine.step() {
            Step::Persist(charge) => {
                keep(&charge.record())?;
                let attempt = charge.attempt();
                let event = act(&engine.commit(charge)?);
                keep(&engine.apply(attempt, event)?.record)?;
            }
            Step::Wait => return Err("a command was left unanswered".into()),
            Step::Done(outcome) => return Ok(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use trueup::contract::{LabelMeasurement, LabelName, LabelReadiness, Measurement, StateId, Stop};

    use super::*;

    #[test]
    fn it_converges_and_its_records_are_the_run() {
        let label = || LabelName::new("page").unwrap();
        let mut table: Vec<String> = Vec::new();
        let mut records = Vec::new();
        let outcome = drive(
            LoopContract::pixel_loop(),
            |record| {
                table.push(format!("{record:?}"));
                records.push(record.clone());
                Ok(())
            },
            |command| match command {
                Command::Read { .. } => Event::Read {
                    state: StateId::of_parts([("page", &b"hello"[..])]),
                    labels: vec![LabelReadiness::ready(label())],
                },
                Command::Capture { .. } => Event::Captured,
                Command::Compare { .. } => Event::Compared {
                    measurement: Measurement::new(vec![LabelMeasurement::compared(label(), vec![])]),
                },
                other => panic!("nothing is open, so nobody asks for {other:?}"),
            },
        )
        .unwrap();
        assert_eq!(outcome.status(), Stop::Converged);
        assert_eq!(table.len(), 6);
        assert_eq!(Engine::restore(LoopContract::pixel_loop(), &records).unwrap().step(), Step::Done(outcome));
    }
}
