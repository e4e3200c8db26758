"""An agent of the OpenAI Agents SDK whose invented answers trip a guardrail.

    export VERIFYHUB_MODEL_URL=http://127.0.0.1:8080/v1 VERIFYHUB_MODEL_SMALL=some-model
    python examples/openai_agents_sdk.py                       # checked in this process
    python examples/openai_agents_sdk.py https://hub.example   # key: VERIFYHUB_API_KEY

Any endpoint that speaks chat completions and calls tools will do.
"""

import asyncio
import os
import sys
from pathlib import Path

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OutputGuardrailTripwireTriggered,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from verifyhub.embedded import LocalHub, VerifyHub
from verifyhub_client.adapters.openai_agents import AnswerCheck

TASK = "Which examples are there? Name their files."


@function_tool
def list_files() -> str:
    """List the files of the folder."""
    return "\n".join(sorted(path.name for path in Path(__file__).parent.glob("*.py")))


async def main() -> int:
    set_tracing_disabled(True)
    client = AsyncOpenAI(
        base_url=os.environ["VERIFYHUB_MODEL_URL"],
        api_key=os.environ.get("VERIFYHUB_MODEL_KEY", "none"),
    )
    model = OpenAIChatCompletionsModel(os.environ["VERIFYHUB_MODEL_SMALL"], client)
    if len(sys.argv) > 1:
        hub = VerifyHub(sys.argv[1], os.environ["VERIFYHUB_API_KEY"])
    else:
        hub = LocalHub()
    check = AnswerCheck(hub, session="examples")
    agent = Agent(
        name="helper",
        model=model,
        tools=[list_files],
        output_guardrails=[check.guardrail],
    )
    try:
        result = await Runner.run(agent, TASK, hooks=check.hooks)
    except OutputGuardrailTripwireTriggered as tripped:
        print(f"held back: {tripped.guardrail_result.agent_output}")
        print(tripped.guardrail_result.output.output_info["feedback"])
        return 1
    print(f"passed: {result.final_output}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
