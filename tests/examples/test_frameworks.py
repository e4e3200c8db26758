"""The examples that wire a framework to a hub, with a local model server."""

import pytest

from tests.client.conftest import server  # noqa: F401 - a fixture
from tests.client.executor.chat_server import calls, chat_server
from tests.conftest import API_SECRET
from tests.examples.test_examples import run
from verifyhub.ingest.models import Interaction

LOOK = calls(("list_files", {}))
INVENTED = "There are `start.py`, `basic.py`, `advanced.py` and `expert.py`."
HONEST = "There are `orchestrated.py` and `function_agent.py`."


def with_model(name, *turns, arguments=(), **environment):
    with chat_server(*turns) as model:
        return run(
            name,
            *arguments,
            VERIFYHUB_MODEL_URL=model.base_url,
            VERIFYHUB_MODEL_SMALL="tiny",
            **environment,
        )


def test_the_openai_agents_guardrail_holds_an_invented_answer_back():
    done = with_model("openai_agents_sdk.py", LOOK, INVENTED)

    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("held back: There are")
    assert '"start.py"' in done.stdout


def test_the_langgraph_agent_is_sent_back_and_gets_better():
    done = with_model("langgraph_agent.py", LOOK, INVENTED, HONEST)

    assert done.returncode == 0, done.stderr
    assert done.stdout == f"accept: {HONEST}\n"


def test_the_pydantic_ai_agent_is_asked_again_and_gets_better():
    done = with_model("pydantic_ai_agent.py", LOOK, INVENTED, HONEST)

    assert done.returncode == 0, done.stderr
    assert done.stdout == f"passed after 3 requests: {HONEST}\n"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "turns", "answers"),
    [
        ("openai_agents_sdk.py", (LOOK, HONEST), 1),
        ("langgraph_agent.py", (LOOK, INVENTED, HONEST), 2),
        # They share what talks to the server.
        pytest.param(
            *("pydantic_ai_agent.py", (LOOK, INVENTED, HONEST), 2),
            marks=pytest.mark.deep,
        ),
    ],
)
def test_they_do_so_against_a_server(server, name, turns, answers):  # noqa: F811
    done = with_model(name, *turns, arguments=[server], VERIFYHUB_API_KEY=API_SECRET)

    assert done.returncode == 0, done.stderr
    assert Interaction.objects.filter(session__key="examples").count() == answers


@pytest.mark.django_db(transaction=True)
def test_the_claude_code_hook_blocks_what_is_invented_and_nothing_else(
    server,  # noqa: F811
):
    invented = run("claude_code_hook.py", server, VERIFYHUB_API_KEY=API_SECRET)
    honest = run("claude_code_hook.py", server, HONEST, VERIFYHUB_API_KEY=API_SECRET)

    assert '"quickstart.py"' in invented.stdout
    assert honest.stdout == "the answer passes\n"
    assert (invented.returncode, honest.returncode) == (1, 0), invented.stderr
    assert honest.stderr == ""
