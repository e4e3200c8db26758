"""`verifyhub ask`, from the command line to its exit code."""

import json

import pytest

from tests.cli.in_process import verifyhub
from tests.client.conftest import server  # noqa: F401 - a fixture
from tests.client.executor.chat_server import calls, chat_server
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction

LOOK = calls(("list_files", {"path": "."}))
QUESTION = "Where are prices computed?"
GOOD = "In `shop/pricing.py`, called by `shop/cart.py`."
BAD = "In `a1.py`, `a2.py`, `a3.py`, `a4.py` and `a5.py`."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop").mkdir()
    for name in ("pricing", "cart"):
        (tmp_path / "shop" / f"{name}.py").write_text(f"# {name}\n")
    return tmp_path


def ask(folder, *options: str, **environment: str):
    return verifyhub("ask", str(folder), QUESTION, *options, settings=environment)


def test_an_accepted_answer_is_printed_with_its_verdict(folder):
    with chat_server(LOOK, GOOD) as model:
        done = ask(folder, "--model-url", model.base_url, "--model", "tiny")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(GOOD)
    assert "ACCEPTED (checks_passed)" in done.stdout
    assert "attempts: 1\n- first: accept, accept, 1 tool calls" in done.stdout


def test_as_json_it_holds_every_attempt(folder):
    with chat_server(LOOK, BAD, LOOK, GOOD) as model:
        done = ask(
            folder,
            "--json",
            VERIFYHUB_MODEL_URL=model.base_url,
            VERIFYHUB_MODEL_SMALL="tiny",
        )

    document = json.loads(done.stdout)
    assert (done.returncode, document["accepted"]) == (0, True)
    assert [a["verdict"]["decision"]["action"] for a in document["attempts"]] == [
        "retry",
        "accept",
    ]
    assert document["attempts"][0]["tool_calls"][0]["tool"] == "list_files"


def test_an_answer_that_stays_wrong_ends_with_1_and_its_names(folder):
    with chat_server(LOOK, BAD, LOOK, BAD, LOOK, BAD) as model:
        done = ask(folder, "--model-url", model.base_url, "--model", "tiny")

    assert done.returncode == 1
    assert "FAILED (max_retries_exceeded)" in done.stdout
    assert "✗ a4.py" in done.stdout


def test_a_terminal_is_told_nothing_by_an_answer(folder):
    with chat_server(LOOK, f"\x1b[2J{GOOD}\x07") as model:
        done = ask(folder, "--model-url", model.base_url, "--model", "tiny")

    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


@pytest.mark.django_db(transaction=True)
def test_a_server_checks_it_and_keeps_every_attempt(folder, server):  # noqa: F811
    with chat_server(LOOK, BAD, LOOK, GOOD) as model:
        done = ask(
            folder,
            *("--model-url", model.base_url, "--model", "tiny"),
            *("--server", server, "--session", "prices"),
            VERIFYHUB_API_KEY=API_SECRET,
        )

    assert done.returncode == 0, done.stderr
    first, second = Interaction.objects.order_by("created_at")
    assert second.parent == first.client_id
    assert {row.session.key for row in (first, second)} == {"prices"}
    assert (first.metadata["model"], first.run_input_tokens) == ("tiny", 200)


def test_without_the_server_it_is_unverified_and_says_so(folder):
    with chat_server(LOOK, GOOD) as model:
        done = ask(
            folder,
            *("--model-url", model.base_url, "--model", "tiny"),
            *("--server", "http://127.0.0.1:9", "--key", "k"),
        )

    assert done.returncode == 3
    assert "UNVERIFIED (hub_unavailable)\nThis answer was not verified" in done.stdout


def test_without_the_model_there_is_no_answer(folder):
    done = ask(folder, "--model-url", "http://127.0.0.1:9", "--model", "tiny")

    assert (done.returncode, done.stdout) == (3, "")
    assert "no verdict" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--model", "tiny"],
        ["--model-url", "http://127.0.0.1:9"],
        ["--model-url", "http://127.0.0.1:9", "--model", "m", "--server", "ftp://x"],
        ["--max-attempts", "0"],
    ],
)
def test_arguments_that_cannot_be_used_end_with_2(folder, options):
    assert ask(folder, *options).returncode == 2


def test_a_folder_that_is_not_there_too(tmp_path):
    done = ask(tmp_path / "absent", "--model-url", "http://127.0.0.1:9", "--model", "m")

    assert done.returncode == 2
    assert "No such file" in done.stderr
