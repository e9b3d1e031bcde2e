//! Replies read per second, and merging findings: up to 100 000, with a check of the growth.

#![allow(clippy::print_stdout, reason = "a bench says what it found")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use trueup_findings::{Evidence, EvidenceKind, Finding, Findings, Location, Severity};
use trueup_rubric::{Circumstances, ReadOptions, Rubric, preset, read_reply};

/// A reply that scores every axis of the rubric, with a sentence and an evidence each.
fn reply(rubric: &Rubric) -> String {
    let axes: Vec<String> = rubric
        .axes()
        .iter()
        .map(|axis| {
            let score = axis.best();
            format!(
                "\"{}\": {{\"score\": {score}, \"anchor\": {score}, \"rationale\": \"the meaning of this score applies, because nothing was found that it excludes\", \"evidence\": [{{\"kind\": \"file\", \"locator\": \"src/page.css:12\", \"quote\": \"gap: 12px\"}}]}}",
                axis.name()
            )
        })
        .collect();
    let conditions: Vec<String> =
        rubric.conditions().iter().map(|condition| format!("\"{}\": \"pass\"", condition.id())).collect();
    format!(
        "{{\"rubric\": {{{}}}, \"conditions\": {{{}}}, \"summary\": \"all in all it holds\", \"suggestions\": [\"none\"]}}",
        axes.join(", "),
        conditions.join(", ")
    )
}

fn replies(c: &mut Criterion) {
    let mut group = c.benchmark_group("replies");
    group.sample_size(30).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(1));
    let options = ReadOptions::default();
    for name in ["framesmith", "aep-code", "moai"] {
        let rubric = preset::named(name).expect("it is named");
        let plain = reply(&rubric);
        let wrapped = format!(
            "Here is what I found.\n```json\n{}\n```\nThe {{braces}} around \"it\" are prose.",
            plain.replace(", \"summary\"", ", // summed up\n \"summary\"")
        );
        for (form, text) in [("plain", &plain), ("fenced, commented, in prose", &wrapped)] {
            let read = read_reply(text, &rubric, &options).expect("it is an answer");
            assert!(
                read.axes()
                    .iter()
                    .all(|axis| axis.reading.score() == rubric.axis(&axis.axis).map(|axis| axis.best()))
            );
            group.bench_function(format!("{name}, {form}"), |b| {
                b.iter(|| black_box(read_reply(black_box(text), &rubric, &options)));
            });
        }
        group.bench_function(format!("{name}, read, settled and held"), |b| {
            b.iter(|| {
                let reply = read_reply(black_box(&plain), &rubric, &options).expect("it is an answer");
                black_box(rubric.hold(&rubric.settle(&reply, &Circumstances::new()).card))
            });
        });
    }
    group.finish();
}

/// Findings of one tool: `count`, in a tenth as many files, with a fifth of them found by the other tool as well.
fn findings(count: u32, tool: u32) -> Vec<Finding> {
    (0..count)
        .map(|number| {
            // Every fifth is the same for both tools.
            let own = if number % 5 == 0 { 0 } else { tool };
            Finding::new(
                format!("F{number}"),
                format!("issue {number} of {own}"),
                Severity::ALL[number as usize % 3],
            )
            .at(Location::file(format!("src/file_{}.rs", number % (count / 10).max(1)), Some(number + 1)))
            .caused_by(format!("cause {number} of {own}"))
            .with_fix(format!("change {number}"))
            .with_evidence(Evidence::new(EvidenceKind::Tool, format!("tool {tool}")))
            .found_also_by(format!("tool {tool}"))
        })
        .collect()
}

/// Both lists, merged and listed.
fn merge(a: Vec<Finding>, b: Vec<Finding>) -> Vec<Finding> {
    Findings::of(a).merge(Findings::of(b)).list()
}

/// The best of a few rounds of merging so many findings so many times, in seconds.
fn seconds(count: u32, times: usize) -> f64 {
    let round = |_| {
        let lists: Vec<_> = (0..times).map(|_| (findings(count / 2, 1), findings(count / 2, 2))).collect();
        let start = Instant::now();
        for (a, b) in lists {
            black_box(merge(a, b));
        }
        start.elapsed()
    };
    (0..5).map(round).min().unwrap_or_default().as_secs_f64()
}

fn merging(c: &mut Criterion) {
    let mut group = c.benchmark_group("merge");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(5));
    for count in [1_000u32, 10_000, 100_000] {
        let merged = merge(findings(count / 2, 1), findings(count / 2, 2));
        assert_eq!(merged.len(), (count - count / 10) as usize, "every fifth of a half is found by both");
        assert_eq!(
            merged.iter().filter(|finding| finding.found_by().count() == 2).count(),
            (count / 10) as usize
        );
        group.throughput(Throughput::Elements(u64::from(count)));
        group.bench_function(format!("{count} findings of two tools"), |b| {
            b.iter_batched(
                || (findings(count / 2, 1), findings(count / 2, 2)),
                |(a, b)| black_box(merge(a, b)),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
    // The same number of findings, in ten lists and in one: what else the machine does weighs on both alike. Linear growth
    // takes as long, the logarithm of a sort and worse caches somewhat longer, and quadratic growth ten times as long.
    let (ten, one) = (seconds(10_000, 10), seconds(100_000, 1));
    let growth = one / ten;
    println!(
        "merge: {ten:.3} s for ten times 10 000, {one:.3} s for 100 000 at once: {growth:.2} times as long"
    );
    assert!(growth < 3.0, "merging grows near-linearly: {growth:.2} times as long at once as in ten lists");
}

criterion_group!(benches, replies, merging);
criterion_main!(benches);
