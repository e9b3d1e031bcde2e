//! The engine that drives capture → compare → judge → revise, and nothing else.
//!
//! [`Engine`] is a plain state machine. It does no I/O, reads no clock, draws no random number and awaits nothing: it
//! says what to do next, and is told what came of it. Whoever embeds it brings storage, an executor and the ports.
//!
//! What it guarantees, whatever the ports do:
//!
//! - **It ends.** [`Engine::rank`] strictly falls with every charge and every event that it accepts.
//! - **Nothing is free.** A [`Command`] is only given out for a [`Charge`] that the caller has written down.
//! - **Nothing is lost.** [`Engine::restore`] folds the written records back into the same engine.
//! - **The best state is kept.** Every revision starts from it, and every exit returns to it.
//! - **The unseen never passes.** A fault, a missing reading and an unknown score are not numbers.
//!
//! A whole loop by hand:
//!
//! ```
//! use trueup_contract::{LabelName, LabelReadiness, LoopContract, LabelMeasurement, Measurement, StateId, Stop};
//! use trueup_loop_core::{Command, Engine, Event, Step};
//!
//! let label = LabelName::new("card")?;
//! let state = StateId::of_parts([("card.svg", &b"<svg/>"[..])]);
//! let mut journal = Vec::new();
//! let mut engine = Engine::new(LoopContract::trueup());
//! let outcome = loop {
//!     match engine.step() {
//!         Step::Persist(charge) => {
//!             journal.push(charge.record()); // write-ahead: before anything is done
//!             let attempt = charge.attempt();
//!             let event = match engine.commit(charge)? {
//!                 Command::Read { .. } => Event::Read {
//!                     state: state.clone(),
//!                     labels: vec![LabelReadiness::ready(label.clone())],
//!                 },
//!                 Command::Capture { .. } => Event::Captured,
//!                 Command::Compare { .. } => Event::Compared {
//!                     measurement: Measurement::new(vec![LabelMeasurement::compared(label.clone(), vec![])]),
//!                 },
//!                 other => panic!("nothing is open, so {other:?} makes no sense"),
//!             };
//!             journal.push(engine.apply(attempt, event)?.record);
//!         }
//!         Step::Wait => unreachable!("every command was answered"),
//!         Step::Done(outcome) => break outcome,
//!     }
//! };
//! assert_eq!(outcome.status(), Stop::Converged);
//! assert_eq!(Engine::restore(LoopContract::trueup(), &journal)?.step(), Step::Done(outcome));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod decide;
mod ending;
mod engine;
mod error;
mod event;
mod judging;
mod note;
mod outcome;
mod phase;
mod rank;
mod record;
mod standing;
#[cfg(feature = "proptest")]
mod strategy;
mod work;

pub use command::{Attempt, Charge, Command, JudgeWhy, Rung, Step};
pub use engine::{Applied, Engine};
pub use error::{ProtocolError, ProtocolErrorKind, RestoreError};
pub use event::{Event, PortFault, Rejection, TrialReading};
pub use note::{Node, Note};
pub use outcome::{Best, Outcome, Split};
pub use rank::Rank;
pub use record::Record;
pub use trueup_contract::{Budget, Spent};
