import asyncio

import pytest

from tests.client.conftest import HONEST, IMPATIENT, INVENTED, LISTING, TASK, says
from tests.conftest import API_SECRET
from verifyhub.embedded import AgentAnswer, AsyncLocalHub, AsyncVerifyHub, LocalHub


def test_an_async_agent_is_awaited():
    async def agent(attempt):
        await asyncio.sleep(0)
        text = INVENTED if attempt.number == 1 else HONEST
        return AgentAnswer(answer=text, tool_calls=[LISTING])

    result = asyncio.run(AsyncLocalHub().run_until_accepted(agent, TASK))

    assert [r.verdict.action for r in result.attempts] == ["retry", "accept"]


def test_a_plain_agent_does_not_hold_up_the_loop():
    async def run():
        ticks = []

        async def tick():
            while True:
                ticks.append(1)
                await asyncio.sleep(0.005)

        def agent(attempt):
            import time

            time.sleep(0.1)
            return AgentAnswer(answer=HONEST, tool_calls=[LISTING])

        clock = asyncio.create_task(tick())
        result = await AsyncLocalHub().run_until_accepted(agent, TASK)
        clock.cancel()
        return result, len(ticks)

    result, ticks = asyncio.run(run())

    assert result.accepted
    assert ticks > 2


def test_a_whole_run_against_a_server(server):
    async def run():
        agent, _ = says(INVENTED, HONEST)
        async with AsyncVerifyHub(server, API_SECRET, patience=IMPATIENT) as hub:
            result = await hub.run_until_accepted(agent, TASK, session="s")
            return result, await hub.context("s", task=TASK)

    result, context = asyncio.run(run())

    assert result.accepted
    assert '"shop/taxes.py"' in context


def test_an_async_agent_in_a_plain_hub_is_an_error():
    async def agent(attempt):
        return HONEST

    with pytest.raises(TypeError, match="asynchronous hub"):
        LocalHub().run_until_accepted(agent, TASK)
