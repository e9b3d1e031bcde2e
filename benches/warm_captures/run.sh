#!/usr/bin/env bash
# Warm captures of a 1280×720 page by trueup and by Playwright in one run; the only argument is the number of rounds.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-21}
folder=${BENCH_FOLDER:-$(mktemp -d)}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "Chromium is not there (Debian: apt install chromium)" >&2
    exit 2
}

cargo build --release --quiet -p trueup-capture-chromium --example capture_page
ours=$(cargo metadata --format-version 1 --no-deps | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
contenders=("trueup=$ours/release/examples/capture_page")
if npm install --silent --no-fund --no-audit --prefix "$folder" playwright-core@1 >/dev/null 2>&1; then
    # A module is looked for beside the program.
    cp capture.mjs "$folder/"
    contenders+=("playwright=node,$folder/capture.mjs,$browser,once" "playwright, same twice=node,$folder/capture.mjs,$browser,twice")
else
    echo "left out: playwright-core cannot be installed" >&2
fi
python3 measure.py "$rounds" "${contenders[@]}"
