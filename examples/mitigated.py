"""An agent that answers from sources, and follows what is advised about its answers.

    python examples/mitigated.py                       # checked in this process
    python examples/mitigated.py https://hub.example   # key: VERIFYHUB_API_KEY

A real agent would put `attempt.prompt` to a model. This one first states something that
no source says. The advice asks it for sources; its next answer keeps to what there is.
"""

import os
import sys

from verifyhub.embedded import (
    AgentAnswer,
    AnswerBlockedError,
    Attempt,
    LocalHub,
    VerifyHub,
)

TASK = "What is known of the lighthouse at Cape Linden?"
SOURCES = [
    "The lighthouse at Cape Linden was built in 1871 of grey granite.",
    "Its lamp has been electric since 1934.",
]


def agent(attempt: Attempt) -> AgentAnswer:
    answer = SOURCES[0]
    if attempt.number == 1:
        answer += " Nine thousand tourists photograph whales there every summer."
    return AgentAnswer(answer=answer, sources=SOURCES)


def main() -> int:
    if len(sys.argv) > 1:
        with VerifyHub(sys.argv[1], os.environ["VERIFYHUB_API_KEY"]) as hub:
            result = hub.run_until_accepted(agent, TASK, mitigate=True)
    else:
        result = LocalHub().run_until_accepted(agent, TASK, mitigate=True)
    for record in result.attempts:
        advice = record.verdict.mitigation if record.verdict else None
        print(
            f"{record.attempt.kind}: advised {advice.action if advice else 'nothing'}"
        )
    try:
        print(result.shown)
    except AnswerBlockedError as error:
        print(error)
    print(result.outcome)
    return 0 if result.outcome in {"accepted", "uncertain"} else 1


if __name__ == "__main__":
    sys.exit(main())
