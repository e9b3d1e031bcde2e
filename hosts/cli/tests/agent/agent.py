"""An agent in another language: drives trueup over the Model Context Protocol with the protocol's own Python client.

    python3 agent.py TRUEUP|URL FOLDER TASK

FOLDER holds a copy of the card's example. Each task prints a JSON document of what it saw; assertions are in the tests that call.
"""

import asyncio
import json
import pathlib
import sys

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TRUEUP, FOLDER, TASK = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
DESIGN = [("--brand", "#4338ca"), ("--text", "#171a33"), ("--space", "12px"), ("--radius", "16px"), ("--title-size", "23px")]


def revise(tokens: int) -> None:
    """Sets the first so many tokens to what the design has."""
    text = (FOLDER / "card.svg").read_text()
    for name, value in DESIGN[:tokens]:
        before = text.index(name + ":") + len(name) + 1
        text = text[:before] + " " + value + text[text.index(";", before) :]
    (FOLDER / "card.svg").write_text(text)


def read(result) -> dict:
    """The document of an answer, its pictures counted, or the text of a refusal."""
    texts = [block.text for block in result.content if block.type == "text"]
    if getattr(result, "is_error", None) or getattr(result, "isError", None):
        return {"refused": " ".join(texts)}
    return json.loads(texts[0]) | {"pictures": sum(block.type == "image" for block in result.content)}


async def loop(session: ClientSession, run: str, told: list) -> dict:
    async def progress(step, total, message) -> None:
        told.append(message)

    arguments = {"config": "trueup.toml", "run_id": run}
    answer = read(await session.call_tool("loop_start", arguments))
    seen, tokens = [answer], 3
    while answer.get("next") == "revise":
        revise(tokens)
        tokens = 5
        answer = read(await session.call_tool("loop_next", arguments, progress_callback=progress))
        seen.append(answer)
    return {"answers": seen, "progress": told}


async def run(session: ClientSession) -> dict:
    arguments = {"config": "trueup.toml", "run_id": "r"}

    async def call(name: str, **more) -> dict:
        return read(await session.call_tool(name, more))

    if TASK == "loop":
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        found = await loop(session, "r", [])
        found["tools"] = sorted(tools)
        found["schemas"] = all(tool.input_schema["type"] == "object" for tool in tools.values())
        found["status"] = await call("run_status", **arguments)
        found["report"] = await call("report", **arguments)
        found["diff"] = await call("diff", expected="reference/card.png", actual="unreachable.png", picture=True)
        resources = [str(resource.uri) for resource in (await session.list_resources()).resources]
        found["resources"] = resources
        summary = next(uri for uri in resources if uri.endswith("summary.md"))
        found["summary"] = (await session.read_resource(summary)).contents[0].text
        return found
    if TASK == "begin":
        return await call("loop_start", **arguments)
    if TASK == "resume":
        revise(5)
        return await call("loop_next", **arguments)
    if TASK == "cancel":
        begun = asyncio.create_task(session.call_tool("loop_start", arguments, read_timeout_seconds=1.5))
        try:
            await begun
            cancelled = False
        except Exception as error:  # the client's own timeout: it calls the request off
            cancelled = type(error).__name__
        return {"cancelled": cancelled}
    if TASK == "forbidden":
        begun = await call("loop_start", **arguments)
        again = await call("loop_start", **arguments)
        acts = {
            "verdict": ("loop_next", arguments | {"status": "converged"}),
            "score": ("loop_next", arguments | {"score": 0}),
            "cap": ("loop_next", arguments | {"iteration_cap": 100}),
            "cap at the start": ("loop_start", {"config": "trueup.toml", "run_id": "c", "iteration_cap": 100}),
            "gate": ("loop_next", arguments | {"skip": "write-gate"}),
            "read outside": ("diff", {"expected": "../outside.png", "actual": "reference/card.png"}),
            "read by a full path": ("diff", {"expected": "/etc/hostname", "actual": "reference/card.png"}),
            "write outside": ("capture", {"config": "trueup.toml", "output": "../captures"}),
            "config outside": ("judge", {"config": "../outside.toml"}),
            "run outside": ("run_status", {"config": "trueup.toml", "run_id": "../../outside"}),
            "programs": ("judge", {"config": "programs.toml"}),
            "answer": ("loop_answer", arguments),
            "another run": ("loop_next", {"config": "trueup.toml", "run_id": "nobody"}),
            "unknown tool": ("set_verdict", {"status": "converged"}),
            "not a text": ("diff", {"expected": 7, "actual": []}),
            "huge": ("diff", {"expected": "a" * 2_000_000, "actual": "b"}),
            "resource": None,
        }
        refused = {}
        for name, act in acts.items():
            try:
                if act is None:
                    await session.read_resource("trueup://run/../outside/summary.md")
                    refused[name] = {"done": True}
                else:
                    refused[name] = read(await session.call_tool(*act))
            except Exception as error:
                refused[name] = {"refused": str(error)}
        # The server still serves.
        return {"begun": begun, "again": again, "acts": refused, "still": await call("run_status", **arguments)}
    if TASK == "answer":
        waits = await loop(session, "r", [])
        answered = await call("loop_answer", **arguments)
        return {"waits": waits["answers"][-1], "answered": answered}
    raise SystemExit(f"unknown task {TASK}")


async def elicited(context, params) -> types.ElicitResult:
    """The person in front of the client."""
    return types.ElicitResult(action="accept", content={"answer": "accept-as-is", "by": "ana"})


async def main() -> None:
    arguments = ["mcp", "--root", str(FOLDER)] + (["--allow-programs"] if TASK in ("answer", "cancel") else [])
    server = StdioServerParameters(command=TRUEUP, args=arguments)
    person = elicited if TASK == "answer" else None
    # A server that runs already is named by its address.
    streams = streamable_http_client(TRUEUP) if TRUEUP.startswith("http") else stdio_client(server)
    async with streams as (reader, writer, *_):
        async with ClientSession(reader, writer, elicitation_callback=person) as session:
            await session.initialize()
            print(json.dumps(await run(session)))


asyncio.run(main())
