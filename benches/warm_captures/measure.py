"""Times warm captures by trueup and by Playwright, interleaved, and prints a Markdown table.

    measure.py ROUNDS NAME=PROGRAM,ARGUMENT,... ...

Each program captures as many labels as a line of its standard input says, and answers with milliseconds and a hash."""

import os
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = [("static", "static.html"), ("script", "script.html")]
VIEWPORT = "1280x720"
LABELS = 50


class Contender:
    def __init__(self, name, command, page, folder):
        self.name, self.picture = name, os.path.join(folder, f"{name}-{page}.png")
        arguments = [*command, os.path.join(HERE, "pages"), page, VIEWPORT, self.picture]
        if name == "trueup":
            arguments.append("-")
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times, self.hashes, self.peak = [], set(), 0

    def capture(self, labels):
        self.process.stdin.write(f"{labels}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            sys.exit(f"{self.name} ended: {self.process.wait()}")
        self.hashes.add(answer[1])
        return float(answer[0])

    def end(self):
        self.process.stdin.close()
        self.process.wait()

    def check(self):
        """The same page has to give the same bytes, in the size that was asked for."""
        with open(self.picture, "rb") as file:
            size = struct.unpack(">II", file.read(24)[16:24])
        if size != (1280, 720) or len(self.hashes) != 1:
            sys.exit(f"{self.name} gives {size} and {len(self.hashes)} different pictures of one page")

    def watch(self, stop):
        """The most memory that the process and all that it started hold: proportional shares, so that nothing counts twice."""
        while not stop.is_set():
            self.peak = max(self.peak, sum(share(pid) for pid in tree(self.process.pid)))
            time.sleep(0.1)


def tree(root):
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(pid))
        except OSError:
            continue
    found, left = [], [root]
    while left:
        pid = left.pop()
        found.append(pid)
        left += parents.get(pid, [])
    return found


def share(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Pss:")), 0)
    except OSError:
        return 0


def main():
    rounds = int(sys.argv[1])
    commands = [(name, rest.split(",")) for name, rest in (text.split("=", 1) for text in sys.argv[2:])]
    print("| page | contender | warm capture, ms (quartiles) | ÷ Playwright | 50 labels, s | ÷ Playwright | peak, MiB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for title, page in PAGES:
            contenders = [Contender(name, command, page, folder) for name, command in commands]
            for contender in contenders:
                for _ in range(3):
                    contender.capture(1)
            for at in range(rounds):
                for contender in contenders if at % 2 == 0 else reversed(contenders):
                    contender.times.append(contender.capture(1))
            many = {}
            for contender in contenders:
                stop = threading.Event()
                watcher = threading.Thread(target=contender.watch, args=(stop,))
                watcher.start()
                many[contender.name] = min(contender.capture(LABELS) for _ in range(3)) / 1000
                stop.set()
                watcher.join()
                contender.end()
                contender.check()
            medians = {contender.name: statistics.median(contender.times) for contender in contenders}
            peer = medians.get("playwright")
            for contender in contenders:
                low, _, high = statistics.quantiles(contender.times, n=4)
                ratio = f"{medians[contender.name] / peer:.2f}" if peer else "–"
                whole = f"{many[contender.name] / many['playwright']:.2f}" if peer else "–"
                print(
                    f"| {title} | {contender.name} | {medians[contender.name]:.0f} ({low:.0f}–{high:.0f}) | {ratio} "
                    f"| {many[contender.name]:.2f} | {whole} | {contender.peak / 1024:.0f} |"
                )


main()
