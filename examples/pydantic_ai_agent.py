"""A Pydantic AI agent that is asked again when it names what no tool returned.

    export VERIFYHUB_MODEL_URL=http://127.0.0.1:8080/v1 VERIFYHUB_MODEL_SMALL=some-model
    python examples/pydantic_ai_agent.py                       # checked in this process
    python examples/pydantic_ai_agent.py https://hub.example   # key: VERIFYHUB_API_KEY

Any endpoint that speaks chat completions and calls tools will do.
"""

import os
import sys
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from verifyhub.embedded import LocalHub, VerifyHub
from verifyhub_client.adapters.pydantic_ai import answer_check

TASK = "Which examples are there? Name their files."


def list_files() -> str:
    """List the files of the folder."""
    return "\n".join(sorted(path.name for path in Path(__file__).parent.glob("*.py")))


def main() -> int:
    provider = OpenAIProvider(
        base_url=os.environ["VERIFYHUB_MODEL_URL"],
        api_key=os.environ.get("VERIFYHUB_MODEL_KEY", "none"),
    )
    model = OpenAIChatModel(os.environ["VERIFYHUB_MODEL_SMALL"], provider=provider)
    if len(sys.argv) > 1:
        hub = VerifyHub(sys.argv[1], os.environ["VERIFYHUB_API_KEY"])
    else:
        hub = LocalHub()
    agent = Agent(model, name="helper", tools=[list_files])
    agent.output_validator(answer_check(hub, session="examples"))
    try:
        result = agent.run_sync(TASK)
    except UnexpectedModelBehavior as error:
        print(f"held back: {error}")
        return 1
    print(f"passed after {result.usage.requests} requests: {result.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
