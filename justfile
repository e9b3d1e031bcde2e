# The checks of the project; CI calls the same ones.

default:
    @just --list

# Formatting, checked.
fmt:
    cargo fmt --all --check

# Clippy on everything but the peers of the benches, warnings are errors.
lint:
    cargo clippy --workspace --exclude trueup-benches --all-targets --all-features -- -D warnings
    cargo clippy -p trueup-benches --all-targets -- -D warnings

# Documentation, warnings are errors; nothing public is undocumented.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The test command of the README.
test:
    cargo test --workspace

# The checks that go through every case of a cube; minutes without optimisation, seconds with it.
exhaustive:
    cargo test --release -p trueup-pixel-diff --lib -- --ignored
    TRUEUP_CASES=10000 cargo test --release -p trueup-loop-core --test laws --test exhaustive

# The properties of the diff core, of what moved and of what is the same as before, at 10 000 cases each: three minutes on two
# cores, where most screens are a part of one; without optimisation it would be an hour. The cases are the same every time; to look at
# others, name a seed: `just properties 7`.
properties seed="1":
    PROPTEST_CASES=10000 PROPTEST_RNG_SEED={{seed}} cargo test --release -p trueup-pixel-diff --lib --test suite

# The crate outside the workspace that uses public API only.
downstream:
    CARGO_TARGET_DIR=target/downstream cargo test --manifest-path testdata/downstream/Cargo.toml

# Every example, run.
examples:
    cargo run --quiet --example engine_by_hand
    cargo run --quiet --example embed_in_harness
    cargo run --quiet --example judge_panel

# The card converges, on a copy.
card:
    rm -rf target/card
    cp -r examples/card target/card
    cargo run --release -p trueup-cli -- run target/card/trueup.toml --run-id check
    grep -qx 'status: converged' target/card/runs/check/summary.md

# The screenshots that reports are held against, recorded again; look at them before they are committed.
baselines:
    TRUEUP_BASELINES=record cargo test -p trueup-cli --test suite -- report_baselines::the_report_looks_as_it_did

# The book, into target/book; its commands and links are checked by the tests of the command.
book:
    mdbook build docs

# Licences and sources of dependencies.
deny:
    cargo deny check licenses bans sources

# What CI runs, but for the README's main command in place.
ci: fmt lint doc book test exhaustive properties downstream examples card

# The tests that reach `unsafe` code, under Miri; needs a nightly compiler with miri. The baseline of the target is what it
# runs: it knows no wider instructions.
miri:
    cargo +nightly miri test -p trueup-pixel-diff --lib -- arch

# Mutants of the decision function; none may survive (needs `cargo install cargo-mutants`).
mutants:
    cargo mutants -p trueup-loop-core -f crates/loop-core/src/decide.rs -f crates/loop-core/src/standing.rs

# What it finds interesting goes to fuzz/found, so that the corpora, which are replayed on every test run, stay small.
#
# Fuzzes a target (decode, diff, reply, findings) for a minute; needs a nightly compiler and `cargo install cargo-fuzz`.
fuzz target:
    mkdir -p fuzz/found/{{target}}
    cargo +nightly fuzz run --fuzz-dir fuzz {{target}} fuzz/found/{{target}} fuzz/corpus/{{target}} -- -max_total_time=60
