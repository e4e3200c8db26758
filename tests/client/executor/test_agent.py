"""The folder's agent: real tools, an honest record, and a budget."""

from functools import partial

import pytest

from tests.client.executor.chat_server import calls, chat_server
from verifyhub.egress.policy import EgressPolicy, target_of
from verifyhub.embedded import Attempt, LocalHub
from verifyhub.embedded.executor import FolderAgent, NoAnswerError, Toolbox
from verifyhub.embedded.executor.folder import Folder
from verifyhub.embedded.executor.jail import can_isolate
from verifyhub.engine.llm.endpoint import ChatEndpoint
from verifyhub.engine.llm.models import chat_at

ASKED = Attempt(task="Where are prices?", prompt="Where are prices?")
LOOK = calls(("list_files", {"path": "."}), ("read_file", {"path": "shop/pricing.py"}))
needs_isolation = pytest.mark.skipif(
    not can_isolate(), reason="this kernel does not isolate commands"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "pricing.py").write_text("def price(cart): ...\n")
    return Folder(tmp_path)


def an_agent(server, folder, *, allow_run=(), **budget) -> FolderAgent:
    target = target_of(server.base_url)
    policy = EgressPolicy(allowed=frozenset({(target.host, target.port)}))
    endpoint = ChatEndpoint(base_url=server.base_url, model="tiny")
    toolbox = partial(Toolbox, folder, allow_run=allow_run)
    return FolderAgent(chat_at(endpoint, policy=policy), toolbox, **budget)


def test_it_looks_and_then_answers_and_all_it_saw_is_recorded(folder):
    with chat_server(LOOK, "In `shop/pricing.py`.") as server:
        answer = an_agent(server, folder)(ASKED)

    assert answer.answer == "In `shop/pricing.py`."
    assert [(c["tool"], c["output"], c["status"]) for c in answer.tool_calls] == [
        ("list_files", "shop/pricing.py", "ok"),
        ("read_file", "def price(cart): ...\n", "ok"),
    ]
    seen = [m for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert [m["content"] for m in seen] == [c["output"] for c in answer.tool_calls]
    assert answer.usage == {"input_tokens": 200, "output_tokens": 20}


def test_what_it_makes_up_is_caught_and_it_tries_again(folder):
    names = " ".join(f"`shop/page{i}.py`" for i in range(5))
    with chat_server(LOOK, f"In {names}.", LOOK, "In `shop/pricing.py`.") as server:
        result = LocalHub().run_until_accepted(an_agent(server, folder), ASKED.task)

    assert result.accepted
    assert [r.verdict.action for r in result.attempts] == ["retry", "accept"]
    assert '"shop/page4.py"' in server.requests[2]["messages"][1]["content"]


def test_a_tool_that_fails_or_is_not_there_is_told_and_goes_on(folder):
    wrong = calls(
        ("read_file", {"path": "../etc/passwd"}),
        ("read_file", {}),
        ("delete_file", {"path": "shop/pricing.py"}),
        ("run_command", {"argv": ["ls"]}),
    )
    with chat_server(wrong, "I do not know.") as server:
        answer = an_agent(server, folder)(ASKED)

    assert [call["status"] for call in answer.tool_calls] == ["error", "error"]
    told = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert told[2].startswith("There is no tool of this name")
    assert len(told) == 4


def test_malformed_arguments_are_told_the_model_and_not_recorded(folder):
    broken = calls(("read_file", {}))
    function = broken["choices"][0]["message"]["tool_calls"][0]["function"]
    function["arguments"] = "{not json"
    with chat_server(broken, "I do not know.") as server:
        answer = an_agent(server, folder)(ASKED)

    assert answer.tool_calls == []
    assert "no usable JSON" in server.requests[1]["messages"][-1]["content"]


def test_when_its_turns_are_spent_it_is_asked_for_its_answer(folder):
    with chat_server(LOOK, LOOK, "In `shop/pricing.py`.") as server:
        answer = an_agent(server, folder, max_turns=3)(ASKED)

    assert answer.answer
    assert "tools" in server.requests[1]
    assert "tools" not in server.requests[2]


def test_when_its_tokens_are_spent_too(folder):
    with chat_server(LOOK, "In `shop/pricing.py`.") as server:
        an_agent(server, folder, max_tokens=100)(ASKED)

    assert "tools" not in server.requests[1]


@pytest.mark.parametrize("last", [LOOK, ""])
def test_a_model_that_never_answers_is_an_error(folder, last):
    with chat_server(last) as server, pytest.raises(NoAnswerError):
        an_agent(server, folder, max_turns=4)(ASKED)

    assert len(server.requests) == 4


def test_no_command_is_offered_unless_allowed(folder):
    with chat_server("I do not know.") as server:
        an_agent(server, folder)(ASKED)
        an_agent(server, folder, allow_run=["python"])(ASKED)

    offered = [
        [tool["function"]["name"] for tool in request["tools"]]
        for request in server.requests
    ]
    assert offered[0] == ["list_files", "read_file", "search"]
    assert offered[1] == [*offered[0], "run_command"]


@needs_isolation
@pytest.mark.parametrize(
    ("argv", "status", "output"),
    [
        (["python", "-c", "print(6 * 7)"], "ok", "42\nexit code: 0"),
        (["python", "-c", "exit(3)"], "error", "exit code: 3"),
        (["python", "-c", "print('$HOME; ls')"], "ok", "$HOME; ls\nexit code: 0"),
        (["ls"], "refused", "ls: may not be run; allowed are python"),
        (["/usr/bin/python"], "refused", None),
        ("python -V", "refused", None),
        ([], "refused", None),
        (["python", 7], "refused", None),
    ],
)
def test_a_command_is_recorded_as_it_ended(folder, argv, status, output):
    toolbox = Toolbox(folder, allow_run=["python"])

    seen = toolbox.use("run_command", {"argv": argv})

    (call,) = toolbox.calls
    assert (call["status"], call["output"]) == (status, seen)
    assert output in (None, seen)
