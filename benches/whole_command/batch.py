#!/usr/bin/env python3
"""Times trueup batch on 1 000 and on 10 000 pairs, interrupts it and goes on, and holds its memory against a bound.

    python3 benches/whole_command/batch.py [path of trueup]

Exits with 1 when memory grows by more than a tenth from 1 000 to 10 000 pairs, or when a pair is done twice.
"""

import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SIDE = 96


def png(pixels: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[y * SIDE * 3 : (y + 1) * SIDE * 3] for y in range(SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def pairs(folder: pathlib.Path, count: int) -> None:
    """One pair in ten has a block of another colour, the others differ invisibly."""
    dice = random.Random(1)
    for side in ("expected", "actual"):
        (folder / side).mkdir(parents=True)
    for number in range(count):
        pixels = bytearray(bytes([number % 256, number // 7 % 256, 90]) * (SIDE * SIDE))
        (folder / "expected" / f"{number:05}.png").write_bytes(png(bytes(pixels)))
        for _ in range(300):
            pixels[dice.randrange(len(pixels))] ^= 1
        if number % 10 == 0:
            for y in range(20, 50):
                for x in range(20, 50):
                    pixels[(y * SIDE + x) * 3] ^= 0x80
        (folder / "actual" / f"{number:05}.png").write_bytes(png(bytes(pixels)))


def run(command: list[str]) -> tuple[int, float, int, dict]:
    """Exit code, seconds, peak KiB and document of a call, in a process that has no other child."""
    began = time.monotonic()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        with os.fdopen(writer, "w") as pipe:
            json.dump([done.returncode, peak, json.loads(done.stdout)], pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        code, peak, document = json.load(pipe)
    os.waitpid(child, 0)
    return code, time.monotonic() - began, peak, document


def main() -> int:
    trueup = sys.argv[1] if len(sys.argv) > 1 else "target/release/trueup"
    peaks = {}
    with tempfile.TemporaryDirectory() as work:
        for count in (1_000, 10_000):
            folder = pathlib.Path(work) / str(count)
            pairs(folder, count)
            command = [trueup, "batch", "--format", "json", "-o", str(folder / "out")]
            command += ["--expected", str(folder / "expected/*.png"), "--actual", str(folder / "actual/*.png")]
            code, seconds, peaks[count], document = run(command)
            assert (code, document["pass"], document["fail"]) == (1, count * 9 // 10, count // 10), document
            print(f"{count:6} pairs: {seconds:6.2f} s, {peaks[count] / 1024:.1f} MiB")
        out = folder / "again"
        command[command.index("-o") + 1] = str(out)
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not (out / "results.jsonl").exists() or (out / "results.jsonl").read_bytes().count(b"\n") < 2_000:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        child.wait()
        kept = (out / "results.jsonl").read_bytes().count(b"\n")
        code, seconds, peak, document = run(command)
        print(f"interrupted after {kept}, gone on: {seconds:6.2f} s, {peak / 1024:.1f} MiB, {document['resumed']} not done again")
        lines = [json.loads(line)["name"] for line in (out / "results.jsonl").read_text().splitlines() if line]
        if len(lines) != 10_000 or len(set(lines)) != 10_000 or document["resumed"] != kept or kept >= 10_000:
            print(f"a pair was done twice or not at all: {len(lines)} lines, {kept} kept", file=sys.stderr)
            return 1
    growth = peaks[10_000] / peaks[1_000]
    print(f"memory at 10 000 pairs is {growth:.3f} of that at 1 000")
    if growth > 1.1:
        print("expected at most 1.1", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
