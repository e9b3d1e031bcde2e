"""Times whole commands interleaved and prints Markdown tables: measure.py PAIRS ROUNDS NAME=PROGRAM..."""

import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PICTURES = ["app", "landing", "photo"]
CASES = ["copy", "same", "few", "all"]
OURS = "trueup"


def commands(tools):
    """Name of each contender, its program, and its environment."""
    found = [(name, program, {}) for name, program in tools]
    blaze = [program for name, program in tools if name == "blazediff"]
    # Its own PNG decoder is faster than the one that it uses by default.
    found += [("blazediff, own codec", program, {"BLAZEDIFF_PNG_ENABLED": "1"}) for program in blaze]
    return found


def arguments(name, program, first, second, picture):
    if name == OURS:
        return [program, "diff", first, second, "--format", "json"] + (["-o", picture] if picture else [])
    extra = [picture] if picture else []
    if name == "odiff":
        return [program, first, second, *extra, "--parsable-stdout"]
    return [program, first, second, *extra]


def check(name, done, differing, areas, case):
    """A fast wrong answer is worth nothing: equal means equal, and a difference is seen."""
    out = done.stdout.decode()
    if name == OURS:
        document = json.loads(out)
        regions = sum(region["open"] for region in document["regions"])
        right = document["differing_pixels"] == differing and done.returncode == (1 if differing else 0)
        # Words fall apart into several regions; flat areas do not.
        right = right and (regions >= areas if case == "few" else (regions > 0) == (differing > 0))
    elif name == "odiff":
        count = int(re.match(r"\d+", out).group())
        right = (count > 0) == (differing > 0) and count <= differing and done.returncode == (22 if count else 0)
    else:
        count = json.loads(out)["diffCount"]
        right = (count > 0) == (differing > 0) and count <= differing and done.returncode == (1 if count else 0)
    if not right:
        sys.exit(f"{name} gives a wrong answer for {case}: exit code {done.returncode}, {out[:300]}")


def milliseconds(arguments, environment):
    start = time.perf_counter()
    subprocess.run(arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


def megabytes(arguments, environment):
    """Peak memory by GNU time: a process that this one starts would inherit this one's peak."""
    timer = shutil.which("time")
    if timer is None:
        return None
    done = subprocess.run([timer, "-f", "%M", *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    lines = done.stderr.decode().split()
    return int(lines[-1]) / 1024 if lines and lines[-1].isdigit() else None


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
        with open("/proc/cpuinfo") as file:
            flags = file.read()
        level = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "neither AVX2 nor AVX-512"
    except (OSError, StopIteration):
        model, level = platform.processor(), "unknown"
    return f"{model}, {os.cpu_count()} cores, {level}"


def table(title, contenders, rows):
    print(f"\n### {title}\n")
    names = [name for name, _, _ in contenders]
    peers = [name for name in names if name != OURS]
    print("| pair | " + " | ".join(names) + " | " + " | ".join(f"ours ÷ {name}" for name in peers) + " |")
    print("|---" * (1 + len(names) + len(peers)) + "|")
    for pair, values in rows:
        cells = ["–" if values[name] is None else f"{values[name]:.1f}" for name in names]
        for name in peers:
            known = values[OURS] is not None and values[name]
            cells.append(f"{values[OURS] / values[name]:.2f}" if known else "–")
        print(f"| {pair} | " + " | ".join(cells) + " |")


def main():
    pairs, rounds = sys.argv[1], int(sys.argv[2])
    contenders = commands([tool.split("=", 1) for tool in sys.argv[3:]])
    with open(os.path.join(pairs, "answers.txt")) as file:
        answers = {name: (int(differing), int(areas)) for name, differing, areas in map(str.split, file)}
    print(f"{time.strftime('%Y-%m-%d')}, {processor()}, {rounds} rounds, medians")
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "diff.png")
        for title, output, cases in [("Answer only (ms)", None, CASES), ("With the picture (ms)", picture, ["few", "all"])]:
            jobs = []
            for name in PICTURES:
                for case in cases:
                    first, second = (os.path.join(pairs, f"{file}.png") for file in (name, f"{name}-{case}"))
                    for contender, program, variables in contenders:
                        line = arguments(contender, program, first, second, output)
                        environment = {**os.environ, **variables}
                        done = subprocess.run(line, env=environment, capture_output=True)
                        check(contender, done, *answers[f"{name}-{case}"], case)
                        jobs.append((f"{name} {case}", contender, line, environment))
            times = {(pair, contender): [] for pair, contender, _, _ in jobs}
            # Interleaved, so that whatever else the machine does falls on all of them.
            for _ in range(rounds):
                for pair, contender, line, environment in jobs:
                    times[pair, contender].append(milliseconds(line, environment))
            medians = {key: statistics.median(values) for key, values in times.items()}
            labels = list(dict.fromkeys(pair for pair, *_ in jobs))
            table(title, contenders, [(pair, {name: medians[pair, name] for name, *_ in contenders}) for pair in labels])
            peaks = {(pair, contender): megabytes(line, environment) for pair, contender, line, environment in jobs}
            heading = title.replace("(ms)", "— peak memory (MiB)")
            table(heading, contenders, [(pair, {name: peaks[pair, name] for name, *_ in contenders}) for pair in labels])
        if os.path.exists(picture):
            print("\nSizes of the pictures of `landing few`:", end="")
            for contender, program, variables in contenders:
                first, second = (os.path.join(pairs, f"{file}.png") for file in ("landing", "landing-few"))
                line = arguments(contender, program, first, second, picture)
                subprocess.run(line, env={**os.environ, **variables}, capture_output=True)
                print(f" {contender} {os.path.getsize(picture) // 1024} KiB;", end="")
            print()


main()
