//! Twenty seeded drifts of the card, each brought back from the reference alone.

use std::thread;

use crate::{Card, DESIGN, code, stdout};

/// A small generator with a fixed sequence (SplitMix64), so that every machine sees the same drifts.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    fn color(&mut self) -> String {
        format!("#{:06x}", self.next() & 0xff_ffff)
    }
}

/// Drifts the card by a seed, runs it, and says what went wrong.
fn failure(seed: u64) -> Option<String> {
    let mut seeded = Seeded(seed);
    let tokens = [
        ("--brand", seeded.color()),
        ("--text", seeded.color()),
        ("--space", format!("{}px", seeded.between(4, 20))),
        ("--radius", format!("{}px", seeded.between(0, 28))),
        ("--title-size", format!("{}px", seeded.between(15, 30))),
    ];
    let drift: Vec<(&str, &str)> = tokens.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let card = Card::with(&drift);
    let output = card.run(&[]);
    let right = DESIGN.iter().all(|(name, value)| card.svg().contains(&format!("{name}: {value};")));
    (code(&output) != 0 || !right).then(|| format!("seed {seed}: {tokens:?}\n{}", stdout(&output)))
}

#[test]
fn twenty_seeded_drifts_converge_from_the_reference_alone() {
    let seeds: Vec<u64> = (1..=20).collect();
    let failures: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = seeds
            .chunks(5)
            .map(|seeds| scope.spawn(|| seeds.iter().filter_map(|seed| failure(*seed)).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} of 20 failed\n{}", failures.len(), failures.join("\n"));
}
