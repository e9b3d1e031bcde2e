#!/usr/bin/env bash
# Times whole processes of `trueup diff` beside `odiff` and `blazediff` on generated PNG pairs, in one run.
#
#   benches/whole_command/run.sh [ROUNDS]
#
# Needs cargo, npm, python3, and for blazediff cmake and a C compiler. The peers go into a temporary folder, or into
# $BENCH_FOLDER, where they and the pairs are found again by the next run. A peer that cannot be installed is left out,
# and that is said.
set -euo pipefail

rounds=${1:-9}
here=$(cd "$(dirname "$0")" && pwd)
workspace=$(cd "$here/../.." && pwd)
if [[ -n ${BENCH_FOLDER:-} ]]; then
    folder=$BENCH_FOLDER
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

cd "$workspace"
cargo build --release --quiet -p trueup-cli
cargo build --release --quiet -p trueup-benches --bin make-pairs
built=${CARGO_TARGET_DIR:-$workspace/target}/release

[[ -f $folder/pairs/answers.txt ]] || {
    mkdir -p "$folder/pairs"
    "$built/make-pairs" "$folder/pairs" >"$folder/answers.txt"
    mv "$folder/answers.txt" "$folder/pairs/answers.txt"
}

tools=("trueup=$built/trueup")

# The native program, not the script around it: starting node would count against it.
odiff() { find "$folder/npm/node_modules/@odiff" -type f -name 'odiff*' -perm -u+x 2>/dev/null | head -n 1; }
if [[ -z $(odiff) ]]; then
    npm install --silent --no-audit --no-fund --prefix "$folder/npm" odiff-bin@4.5.0 >&2 || true
fi
if [[ -n $(odiff) ]]; then
    tools+=("odiff=$(odiff)")
else
    echo "odiff is left out: npm did not give its program" >&2
fi

if [[ ! -x $folder/cargo/bin/blazediff ]]; then
    cargo install --quiet --locked --root "$folder/cargo" --version 6.0.2 blazediff >&2 || true
fi
if [[ -x $folder/cargo/bin/blazediff ]]; then
    tools+=("blazediff=$folder/cargo/bin/blazediff")
else
    echo "blazediff is left out: it could not be built (it needs cmake and a C compiler)" >&2
fi

# A copy without its history has no commit to name.
if commit=$(git rev-parse --short HEAD 2>/dev/null); then
    git diff --quiet HEAD -- crates adapters hosts || commit="$commit with changes"
    echo "commit $commit"
fi
python3 "$here/measure.py" "$folder/pairs" "$rounds" "${tools[@]}"
