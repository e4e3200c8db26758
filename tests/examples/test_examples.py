"""Every example runs as it is printed in its own first lines."""

import asyncio
import gc
import io
import os
import runpy
import subprocess
import warnings
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

import pytest

from tests.architecture.tree import CHECKOUT
from tests.client.conftest import server  # noqa: F401 - a fixture
from tests.client.executor.chat_server import calls, chat_server
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction

EXAMPLES = CHECKOUT / "examples"


def run(name: str, *arguments: str, **environment: str):
    """Run an example in this process, which has loaded what the frameworks need."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("VERIFYHUB_")}
    path, code = str(EXAMPLES / name), None
    with (
        mock.patch.dict(os.environ, {**kept, **environment}, clear=True),
        mock.patch("sys.argv", [path, *arguments]),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        warnings.catch_warnings(),
    ):
        # A program leaves connections and its loop to the end of its process.
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            code = end.code
        for one in gc.get_objects():
            # A lazy object would be evaluated to tell of which class it is.
            is_loop = issubclass(type(one), asyncio.BaseEventLoop)
            if is_loop and not one.is_running():
                one.close()
        asyncio.set_event_loop(None)
        gc.collect()
    return subprocess.CompletedProcess(path, code, out.getvalue(), err.getvalue())


def test_no_example_is_without_a_test():
    names = {path.name for path in EXAMPLES.glob("*.py")}

    assert names == {
        "function_agent.py",
        "orchestrated.py",
        "ask_a_folder.py",
        "mitigated.py",
        "openai_agents_sdk.py",
        "langgraph_agent.py",
        "pydantic_ai_agent.py",
        "claude_code_hook.py",
    }


def test_the_function_agent_gets_better():
    done = run("function_agent.py")

    assert done.returncode == 0, done.stderr
    assert "not found: start.py, basic.py, advanced.py, expert.py" in done.stdout
    assert done.stdout.endswith("accepted\n")


def test_the_mitigated_one_follows_the_advice():
    done = run("mitigated.py")

    assert done.returncode == 0, done.stderr
    first, second, *_ = done.stdout.splitlines()
    assert first == "first: advised request_sources"
    assert second == "mitigate: advised nothing"
    assert "whales" not in done.stdout


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "answers"),
    [("function_agent.py", 2), ("orchestrated.py", 3), ("mitigated.py", 2)],
)
def test_it_does_so_against_a_server(server, name, answers):  # noqa: F811
    done = run(name, server, VERIFYHUB_API_KEY=API_SECRET)

    assert done.returncode == 0, done.stderr
    assert Interaction.objects.count() == answers


def test_the_orchestrated_one_is_accepted_as_a_whole():
    done = run("orchestrated.py")

    assert done.returncode == 0, done.stderr + done.stdout
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["accepted"] * 3


def test_asking_about_a_folder_works_with_any_endpoint():
    look = calls(("list_files", {"path": "."}))
    with chat_server(look, "`orchestrated.py` and `function_agent.py`.") as model:
        done = run(
            "ask_a_folder.py",
            str(EXAMPLES),
            "Which examples are there?",
            VERIFYHUB_MODEL_URL=model.base_url,
            VERIFYHUB_MODEL_SMALL="tiny",
        )

    assert done.returncode == 0, done.stderr
    assert "accepted after 1 attempts" in done.stdout
