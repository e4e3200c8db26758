"""A question in subtasks: each is checked, then the answer made of them.

    python examples/orchestrated.py                       # checked in this process
    python examples/orchestrated.py https://hub.example   # key: VERIFYHUB_API_KEY

With a server, the whole run stands under Runs as a tree.
"""

import asyncio
import os
import sys
from pathlib import Path

from verifyhub.embedded import (
    AgentAnswer,
    AsyncLocalHub,
    AsyncOrchestrator,
    AsyncVerifyHub,
    Attempt,
)

FOLDER = Path(__file__).parent
TASK = "What do the examples show, and how long are they?"
SUBTASKS = ["Which example runs subtasks?", "How many lines has `ask_a_folder.py`?"]


async def agent(attempt: Attempt) -> AgentAnswer:
    """Answer a subtask with a real look at the folder."""
    name = "orchestrated.py" if attempt.task == SUBTASKS[0] else "ask_a_folder.py"
    text = await asyncio.to_thread((FOLDER / name).read_text)
    lines = len(text.splitlines())
    call = {
        "tool": "read_file",
        "input": {"path": f"examples/{name}"},
        "output": f"{text}\n[{lines} lines]",
        "status": "ok",
    }
    answers = {
        SUBTASKS[0]: "`examples/orchestrated.py` does, through `AsyncOrchestrator`.",
        SUBTASKS[1]: f"`examples/ask_a_folder.py` has {lines} lines.",
    }
    return AgentAnswer(answer=answers[attempt.task], tool_calls=[call])


async def synthesize(attempt: Attempt) -> str:
    """Make one answer; `attempt.prompt` holds the results, parted by quality."""
    return (
        "`examples/orchestrated.py` runs subtasks with `AsyncOrchestrator`;"
        " `examples/ask_a_folder.py` asks about a folder."
    )


async def run(hub: AsyncVerifyHub | AsyncLocalHub) -> int:
    orchestrator = AsyncOrchestrator(hub, agent=agent, synthesizer=synthesize)
    result = await orchestrator.run(TASK, subtasks=SUBTASKS)
    for subtask in result.subtasks:
        print(f"{subtask.outcome}: {subtask.task} {subtask.answer}")
    print(f"{result.outcome}: {result.answer}")
    return 0 if result.accepted else 1


async def main() -> int:
    if len(sys.argv) > 1:
        key = os.environ["VERIFYHUB_API_KEY"]
        async with AsyncVerifyHub(sys.argv[1], key) as hub:
            return await run(hub)
    return await run(AsyncLocalHub())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
