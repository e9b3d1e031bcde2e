#!/usr/bin/env bash
# Scores blazediff-interpret on the ground truth of what moved, and ours beside it.
#
#   benches/related/run.sh
#
# Needs cargo, python3 and pip. The peer goes into a temporary folder, or into $BENCH_FOLDER, where the next run finds it.
# A peer that cannot be installed is left out, and that is said.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
workspace=$(cd "$here/../.." && pwd)
if [[ -n ${BENCH_FOLDER:-} ]]; then
    folder=$BENCH_FOLDER/related
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

cd "$workspace"
cargo build --release --quiet -p trueup-benches --bin related-pairs
built=${CARGO_TARGET_DIR:-$workspace/target}/release
mkdir -p "$folder/pairs"
"$built/related-pairs" write "$folder/pairs" >"$folder/pairs/names.txt"

echo "trueup"
cargo test --release --quiet -p trueup-pixel-diff --test suite truth -- --test-threads 1 --nocapture 2>&1 | grep -o '|.*'

if [[ ! -d $folder/python/blazediff_interpret ]]; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$folder/python" \
        blazediff-interpret==6.4.1 >&2 || true
fi
if [[ -d $folder/python/blazediff_interpret ]]; then
    echo "blazediff-interpret 6.4.1"
    python3 "$here/found.py" "$folder/pairs" "$folder/python" >"$folder/found.txt"
    "$built/related-pairs" score <"$folder/found.txt"
else
    echo "blazediff-interpret is left out: pip did not give it" >&2
fi
