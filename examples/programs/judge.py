#!/usr/bin/env python3
"""A judge: scores restraint by how many colours cover more than one pixel in two hundred.

It reads one request from standard input and prints one reply; see docs/protocol.md. It is deterministic, so that this
example ends the same way everywhere; a judge that asks a model looks just like it.
"""

import collections
import json
import struct
import sys
import zlib


def pixels(path):
    """The pixels of a PNG of 8-bit RGB or RGBA that is not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    at, stream, header = 8, b"", None
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if name == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif name == b"IDAT":
            stream += body
        at += 12 + length
    width, height, depth, color, _, _, interlaced = header
    if depth != 8 or color not in (2, 6) or interlaced:
        raise ValueError(f"{path}: expected 8-bit RGB or RGBA, not interlaced")
    size = 3 if color == 2 else 4
    raw, row = zlib.decompress(stream), bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        kind, line, above = raw[start], bytearray(raw[start + 1 : start + 1 + width * size]), row
        for i in range(len(line)):
            left = line[i - size] if i >= size else 0
            up, corner = above[i], above[i - size] if i >= size else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                distances = [(abs(guess - left), left), (abs(guess - up), up), (abs(guess - corner), corner)]
                line[i] = (line[i] + min(distances, key=lambda pair: pair[0])[1]) & 255
        row = line
        for x in range(width):
            yield bytes(row[x * size : x * size + 3])


def main() -> None:
    request = json.load(sys.stdin)
    most = 0
    for capture in request["captures"]:
        counts = collections.Counter(pixels(capture["file"]))
        total = sum(counts.values())
        most = max(most, sum(1 for count in counts.values() if count * 200 > total))
    score = 5 if most <= 4 else 4 if most <= 6 else 3 if most <= 8 else 2 if most <= 12 else 1
    rationale = f"{most} colours cover more than one pixel in two hundred"
    reply = {
        "schema": "trueup.reply/1",
        "state": request["state"],
        "rubric": {"restraint": {"score": score, "rationale": rationale}},
        "summary": rationale,
    }
    json.dump(reply, sys.stdout)


if __name__ == "__main__":
    main()
