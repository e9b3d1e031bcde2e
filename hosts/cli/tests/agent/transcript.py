"""Writes docs/mcp-transcript.md: what an agent says and hears in a real run of the card's example.

    python3 hosts/cli/tests/agent/transcript.py target/debug/trueup > docs/mcp-transcript.md

A test holds the file against what this prints. It speaks JSON-RPC line by line, as every client does under its library.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path(__file__).parents[4] / "examples/card"
DESIGN = [("--brand", "#4338ca"), ("--text", "#171a33"), ("--space", "12px"), ("--radius", "16px"), ("--title-size", "23px")]
DRIFTED = [("--brand", "#3f6fd9"), ("--text", "#3d4154"), ("--space", "9px"), ("--radius", "8px"), ("--title-size", "19px")]
RUN = {"config": "trueup.toml", "run_id": "r"}


class Session:
    def __init__(self, trueup: str, folder: pathlib.Path) -> None:
        self.folder, self.asked = folder, 0
        command = [trueup, "mcp", "--root", str(folder)]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        client = {"name": "agent", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict) -> None:
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def request(self, method: str, parameters: dict) -> dict:
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters})
        while True:
            answer = json.loads(self.server.stdout.readline())
            if answer.get("id") == self.asked:
                return answer["result"]

    def tool(self, name: str, arguments: dict) -> None:
        content = self.request("tools/call", {"name": name, "arguments": arguments})["content"]
        text = content[0]["text"].replace(str(self.folder), ".")
        try:
            text = json.dumps(short(json.loads(text)), indent=2, ensure_ascii=False)
        except json.JSONDecodeError:
            text = json.dumps(text, ensure_ascii=False)
        pictures = sum(part["type"] == "image" for part in content)
        answers = f"answers, with {pictures} pictures," if pictures else "answers"
        print(f"`{name}` with\n\n```json\n{json.dumps(arguments)}\n```\n\n{answers}\n\n```json\n{text}\n```\n")


def short(value):
    """The document with its long texts and lists cut."""
    if isinstance(value, str):
        return value if len(value) < 160 else value[:60] + "…"
    if isinstance(value, list):
        return [short(one) for one in value[:1]] + ([f"… {len(value) - 1} more"] if len(value) > 1 else [])
    if isinstance(value, dict):
        return {name: short(one) for name, one in value.items()}
    return value


def revise(folder: pathlib.Path, tokens: list) -> None:
    text = (folder / "card.svg").read_text()
    for name, value in tokens:
        begin = text.index(name + ":") + len(name) + 1
        text = text[:begin] + " " + value + text[text.index(";", begin) :]
    (folder / "card.svg").write_text(text)


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work).resolve() / "card"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("runs"))
        revise(folder, DRIFTED)
        session = Session(sys.argv[1], folder)
        print("# A loop over the Model Context Protocol\n")
        print("What an agent says and hears, in the order of a real run of [the card's example](../examples/card). Long texts and")
        print("lists are cut (`…`); pictures are counted. `hosts/cli/tests/agent/transcript.py` writes this file.\n")
        session.tool("loop_start", RUN)
        print("The agent sets three tokens in `card.svg` to what it was shown, and calls\n")
        revise(folder, DESIGN[:3])
        session.tool("loop_next", RUN)
        print("It sets the other two. What it tries beside that is refused:\n")
        revise(folder, DESIGN)
        session.tool("loop_next", RUN | {"status": "converged"})
        session.tool("diff", {"expected": "../outside.png", "actual": "reference/card.png"})
        print("What it did is measured:\n")
        session.tool("loop_next", RUN)
        session.server.stdin.close()
        session.server.wait()


if __name__ == "__main__":
    main()
