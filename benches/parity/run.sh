#!/usr/bin/env bash
# Holds `trueup diff` in the modes of pixelmatch 7 and 8 against pixelmatch itself, and beside odiff, on generated pairs.
#
#   benches/parity/run.sh
#
# Needs cargo, node and npm. The peers go into a temporary folder, or into $BENCH_FOLDER, where the next run finds them.
# Exits with 1 when a count of ours is not that of pixelmatch.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
workspace=$(cd "$here/../.." && pwd)
if [[ -n ${BENCH_FOLDER:-} ]]; then
    folder=$BENCH_FOLDER/parity
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

cd "$workspace"
cargo build --release --quiet -p trueup-cli
built=${CARGO_TARGET_DIR:-$workspace/target}/release

if [[ ! -d $folder/node_modules/pixelmatch8 ]]; then
    npm install --silent --no-audit --no-fund --prefix "$folder" \
        pixelmatch7@npm:pixelmatch@7.2.0 pixelmatch8@npm:pixelmatch@8.0.0 odiff-bin@4.5.0 pngjs@7.0.0 >&2
fi
# Modules are looked for beside the script that imports them.
cp "$here/parity.mjs" "$folder/parity.mjs"
node "$folder/parity.mjs" "$built/trueup" "$folder"
