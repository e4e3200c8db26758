"""The smallest agent: a function that looks, answers, and is asked again.

    python examples/function_agent.py                       # checked in this process
    python examples/function_agent.py https://hub.example   # key: VERIFYHUB_API_KEY

A real agent would put `attempt.prompt` to a model. This one shows what happens when an
answer names what no tool returned: the next prompt says so, and the answer gets better.
"""

import os
import sys
from pathlib import Path

from verifyhub.embedded import AgentAnswer, Attempt, LocalHub, VerifyHub

FOLDER = Path(__file__).parent
TASK = "Which examples are there?"


def agent(attempt: Attempt) -> AgentAnswer:
    names = sorted(path.name for path in FOLDER.glob("*.py"))
    call = {
        "tool": "list_files",
        "input": {"path": "examples"},
        "output": "\n".join(names),
        "status": "ok",
    }
    if attempt.number == 1:
        answer = "There are `start.py`, `basic.py`, `advanced.py` and `expert.py`."
    else:
        answer = "There are " + ", ".join(f"`{name}`" for name in names) + "."
    return AgentAnswer(answer=answer, tool_calls=[call])


def main() -> int:
    if len(sys.argv) > 1:
        with VerifyHub(sys.argv[1], os.environ["VERIFYHUB_API_KEY"]) as hub:
            result = hub.run_until_accepted(agent, TASK, session="examples")
    else:
        result = LocalHub().run_until_accepted(agent, TASK)
    for record in result.attempts:
        print(f"{record.attempt.kind}: {record.answer.answer}")
        if record.verdict:
            flagged = ", ".join(name.text for name in record.verdict.flagged)
            print(f"  {record.verdict.verdict}; not found: {flagged or 'nothing'}")
    print(result.outcome)
    return 0 if result.accepted else 1


if __name__ == "__main__":
    sys.exit(main())
