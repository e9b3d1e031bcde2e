#!/usr/bin/env python3
"""A reviser: puts the colours that should be in place of those that are.

It reads one request from standard input and prints one reply; see docs/protocol.md. The request says for each open
region which colours stand where others should, the most frequent first. Where the colour that is stands literally in a
file of the artifact, it is replaced.
"""

import json
import sys


def main() -> None:
    request = json.load(sys.stdin)
    replacements = {}
    for label in request["labels"]:
        for region in label["regions"]:
            for swatch in region["swatches"][:1]:
                replacements.setdefault(swatch["actual"], swatch["expected"])
    parts, said = [], []
    for name in request["parts"]:
        # The working folder is a copy of the artifact.
        with open(name, encoding="utf-8") as file:
            before = file.read()
        after = before
        for actual, expected in sorted(replacements.items()):
            if actual in before:
                after = after.replace(actual, expected)
                said.append(f"{actual} → {expected}")
        if after != before:
            parts.append({"name": name, "text": after})
    result = "changed" if parts else "nothing"
    reply = {"schema": "trueup.reply/1", "result": result, "note": ", ".join(said) or "no colour stands literally in a file"}
    if parts:
        reply["parts"] = parts
    json.dump(reply, sys.stdout)


if __name__ == "__main__":
    main()
