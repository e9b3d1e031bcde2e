//! What `tracing` hears of a run.
#![cfg(feature = "tracing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod world;

use std::sync::{Arc, Mutex};

use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Level, Metadata, Subscriber, dispatcher};
use trueup_driver::Tracing;
use trueup_testkit::block_on;
use world::World;

#[derive(Clone, Default)]
struct Levels(Arc<Mutex<Vec<Level>>>);

impl Subscriber for Levels {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.0.lock().unwrap().push(*event.metadata().level());
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

#[test]
fn every_step_and_every_record_is_an_event() {
    let levels = Levels::default();
    let world = World::at(10);
    let journal = world.journal.clone();
    let (driver, cancel) = world.driver();
    let driver = driver.with_observer(Arc::new(Tracing));
    dispatcher::with_default(&Dispatch::new(levels.clone()), || block_on(driver.drive(cancel)).unwrap());
    let heard = levels.0.lock().unwrap().clone();
    let records =
        journal.lines().iter().filter(|line| String::from_utf8_lossy(line).contains("\"record\"")).count();
    assert_eq!(heard.iter().filter(|level| **level == Level::DEBUG).count(), records);
    assert!(heard.contains(&Level::INFO) && heard.contains(&Level::WARN), "a run has both");
}
