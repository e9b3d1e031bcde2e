//! The engine: what an event costs, what a restore costs, and how both grow with the history.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should stop where it is")]
#![allow(clippy::print_stdout, reason = "a bench says what it measured")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use trueup_contract::{
    DeltaId, LabelMeasurement, LabelName, LabelReadiness, LimitSource, Limits, LoopContract, Measurement,
    OpenRegion, Preset, StateId,
};
use trueup_frame::Rect;
use trueup_loop_core::{Command, Engine, Event, Record, Step, TrialReading};
use trueup_score::Points;

/// Counts what is allocated and not given back.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator as it is.
#[expect(unsafe_code, reason = "an allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as for the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as for the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn state(number: u64) -> StateId {
    StateId::of_parts([("number", &number.to_le_bytes()[..])])
}

/// Twenty open regions whose score falls by one each iteration.
fn measured(iteration: u32) -> Measurement {
    let label = LabelName::new("card").unwrap();
    let open = (0..20).map(|region| {
        let id = DeltaId::of(&label, &format!("r{region}")).unwrap();
        OpenRegion::new(id, Rect::new(region, 0, 1, 1), Points::from_whole(1_000 - i64::from(iteration)))
    });
    Measurement::new(vec![LabelMeasurement::compared(label.clone(), open.collect())])
}

fn answer(command: &Command) -> Event {
    match command {
        Command::Read { .. } => Event::Read {
            state: state(0),
            labels: vec![LabelReadiness::ready(LabelName::new("card").unwrap())],
        },
        Command::Restore { .. } => Event::Restored,
        Command::Reload { .. } => Event::Reloaded,
        Command::Revise { iteration, .. } => {
            Event::Revised { state: state(u64::from(*iteration)), note: String::new() }
        }
        Command::Capture { .. } => Event::Captured,
        Command::Compare { iteration, .. } => Event::Compared { measurement: measured(*iteration) },
        other => panic!("nobody asked for {other:?}"),
    }
}

fn contract() -> LoopContract {
    let mut limits = Limits::of(Preset::Trueup);
    limits.iterations = Preset::Trueup.iteration_range().resolve([(LimitSource::Config, Some("100"))]);
    limits.trials = Limits::TRIALS.resolve([(LimitSource::Config, Some("100000"))]);
    LoopContract::trueup().with_limits(limits)
}

/// Carries one command out.
fn step(engine: &mut Engine, records: &mut Vec<Record>) -> bool {
    let Step::Persist(charge) = engine.step() else { return false };
    records.push(charge.record());
    let attempt = charge.attempt();
    let command = engine.commit(charge).unwrap();
    records.push(engine.apply(attempt, answer(&command)).unwrap().record);
    true
}

/// A run after this many iterations, at the point where the next one is asked for.
fn after(iterations: u32) -> (Engine, Vec<Record>) {
    let (mut engine, mut records) = (Engine::new(contract()), Vec::new());
    while engine.history().iterations().len() <= iterations as usize {
        assert!(step(&mut engine, &mut records), "the run goes on");
    }
    (engine, records)
}

/// The records of a run with so many trials that it has a hundred thousand.
fn long_run() -> Vec<Record> {
    let (mut engine, mut records) = after(90);
    let Step::Persist(charge) = engine.step() else { panic!("a revision is asked for") };
    records.push(charge.record());
    engine.commit(charge).unwrap();
    let mut number = 1_000;
    while records.len() < 100_000 {
        let charge = engine.charge_trial(state(number)).unwrap();
        records.push(charge.record());
        let attempt = charge.attempt();
        engine.commit(charge).unwrap();
        let reading = TrialReading::Scored(Points::from_whole(5));
        records.push(engine.apply(attempt, Event::Tried { reading }).unwrap().record);
        number += 1;
    }
    records
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("engine");
    let (_, whole) = after(99);
    group.throughput(Throughput::Elements(whole.len() as u64));
    group.bench_function("apply, a run of 99 iterations, per record", |b| {
        b.iter(|| black_box(after(99).1.len()));
    });
    group.throughput(Throughput::Elements(1));
    for iterations in [5, 50, 95] {
        let (engine, _) = after(iterations);
        group.bench_function(format!("one iteration after {iterations}"), |b| {
            b.iter_batched(
                || (engine.clone(), Vec::with_capacity(16)),
                |(mut engine, mut records)| {
                    while engine.history().iterations().len() <= iterations as usize + 1 {
                        step(&mut engine, &mut records);
                    }
                    black_box((engine, records))
                },
                BatchSize::SmallInput,
            );
        });
    }
    let records = long_run();
    group.sample_size(10).throughput(Throughput::Elements(records.len() as u64));
    group.bench_function("restore, per record of 100 000", |b| {
        b.iter(|| black_box(Engine::restore(contract(), &records).unwrap().budget().trials.spent));
    });
    group.finish();
    for iterations in [5, 50, 95] {
        let before = LIVE.load(Ordering::Relaxed);
        let engine = after(iterations).0;
        let bytes = LIVE.load(Ordering::Relaxed) - before;
        println!(
            "memory of a run after {iterations} iterations: {bytes} bytes, {} of history",
            engine.history().iterations().len()
        );
    }
}

criterion_group!(all, benches);
criterion_main!(all);
