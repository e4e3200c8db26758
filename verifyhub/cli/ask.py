"""`verifyhub ask`: ask a model about a folder, and verify its answer."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

from verifyhub.cli.claim_options import settings_of
from verifyhub.cli.pipes import hush_stdout
from verifyhub.cli.verify_text import as_text, visible
from verifyhub.common.env import SettingError
from verifyhub.embedded import HubError, LocalHub, RunOutcome, RunResult, VerifyHub
from verifyhub.embedded.executor import FolderAgent, NoAnswerError, Toolbox
from verifyhub.embedded.executor.folder import Folder
from verifyhub.embedded.executor.jail import can_isolate
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import from_environment, verifier_for
from verifyhub.engine.ports import Model, ModelError
from verifyhub.engine.verdicts import VerificationReport

ACCEPTED, NOT_ACCEPTED, BAD_INPUT, NO_VERDICT, INTERRUPTED = 0, 1, 2, 3, 130
LONGEST_ANSWER = 100_000
EPILOG = """\
The answering model is VERIFYHUB_MODEL_SMALL at VERIFYHUB_MODEL_URL, or the model set
with --model and --model-url. The answer is verified in this process, with the models of
the VERIFYHUB_MODEL_* settings if they are set. With --server, that server verifies the
answer, using the key in VERIFYHUB_API_KEY.
Exit codes: 0 accepted; 1 uncertain, or failed after the last attempt; 2 invalid
argument or setting; 3 no answer or no verdict, because the model or the server is
unavailable; 130 interrupted.
"""


class UsageError(Exception):
    """An argument or a setting is invalid."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "Ask a model a question about a folder and verify its answer."
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="the only folder that the agent can read")
    add("question", metavar="QUESTION", help="question about the folder")
    add("--server", metavar="URL", help="verify the answer on this server")
    add(
        "--key",
        help="API key of the server; VERIFYHUB_API_KEY keeps it out of the process "
        "list",
    )
    add("--session", help="session name; the session's memory is used")
    add("--model-url", metavar="URL", help="endpoint of the model that answers")
    add("--model-key", default="", help="API key for --model-url")
    add("--model", help="name of the model at --model-url")
    add(
        "--max-attempts",
        type=_count,
        default=3,
        metavar="N",
        help="attempts (default: 3)",
    )
    add(
        "--max-turns",
        type=_count,
        default=12,
        metavar="N",
        help="model calls per attempt (default: 12)",
    )
    add(
        "--max-tokens",
        type=_count,
        default=200_000,
        metavar="N",
        help="tokens per attempt (default: 200000)",
    )
    add(
        "--allow-run",
        type=lambda text: [name for name in text.split(",") if name],
        default=[],
        metavar="PROGRAM,…",
        help="programs the agent may run; they can execute code from the folder",
    )
    add(
        "--run-without-isolation",
        action="store_true",
        help=(
            "run programs even if the kernel cannot isolate them from the network and "
            "other files"
        ),
    )
    add("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask, verify, follow the decisions, and print the result."""
    try:
        result = _run(arguments)
        _print(result, as_json=arguments.json)
    except (UsageError, SettingError) as error:
        print(f"verifyhub ask: {visible(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except (HubError, ModelError, NoAnswerError) as error:
        print(f"verifyhub ask: no verdict: {visible(str(error))}", file=sys.stderr)
        return NO_VERDICT
    except BrokenPipeError:
        hush_stdout()
        return NO_VERDICT
    except KeyboardInterrupt:
        return INTERRUPTED
    if result.outcome is RunOutcome.UNVERIFIED:
        return NO_VERDICT
    return ACCEPTED if result.accepted else NOT_ACCEPTED


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _run(arguments: argparse.Namespace) -> RunResult:
    agent = _agent(arguments)
    with ExitStack() as stack:
        hub = _hub(arguments, stack)
        return hub.run_until_accepted(
            agent,
            arguments.question,
            session=arguments.session,
            max_attempts=arguments.max_attempts,
            name="verifyhub ask",
            tier=str(Tier.SMALL),
            on_outage="unverified",
        )


def _agent(arguments: argparse.Namespace) -> FolderAgent:
    try:
        folder = Folder(arguments.folder)
    except OSError as error:
        raise UsageError(f"{arguments.folder}: {error.strerror}") from error
    isolated = not arguments.run_without_isolation
    if arguments.allow_run and isolated and not can_isolate():
        raise UsageError(
            "this kernel cannot isolate commands, so no command is run; see "
            "--run-without-isolation"
        )
    # Imported here: the client of model servers takes long to load.
    from verifyhub.engine.llm.models import chat_at

    settings = settings_of(arguments, Tier.SMALL)
    endpoint = settings.endpoint(Tier.SMALL)
    if endpoint is None:
        raise UsageError(
            "no model configured: set --model-url and --model, or VERIFYHUB_MODEL_*"
        )
    return FolderAgent(
        chat_at(endpoint, policy=settings.policy()),
        partial(Toolbox, folder, allow_run=arguments.allow_run, isolated=isolated),
        max_turns=arguments.max_turns,
        max_tokens=arguments.max_tokens,
    )


def _hub(arguments: argparse.Namespace, stack: ExitStack) -> VerifyHub | LocalHub:
    if not arguments.server:
        settings = from_environment()

        def checking(tier: str) -> Model | None:
            return verifier_for(tier, settings)

        return LocalHub(verifier_for=checking)
    key = arguments.key or os.environ.get("VERIFYHUB_API_KEY", "")
    try:
        return stack.enter_context(VerifyHub(arguments.server, key))
    except ValueError as error:
        raise UsageError(f"--server and its key: {error}") from error


def _print(result: RunResult, *, as_json: bool) -> None:
    if as_json:
        text = json.dumps(_document(result), ensure_ascii=False)
    else:
        text = "\n".join(_lines(result, colour=sys.stdout.isatty()))
    # Bytes, since the terminal's locale may not support all characters.
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def _document(result: RunResult) -> dict[str, Any]:
    return {
        "task": result.task,
        "session": result.session,
        "outcome": str(result.outcome),
        "reason": result.reason,
        "accepted": result.accepted,
        "answer": result.answer,
        "flagged": [name.text for name in result.verdict.flagged]
        if result.verdict
        else [],
        "verdict": result.verdict.raw if result.verdict else None,
        "attempts": [
            {
                "id": record.id,
                "kind": str(record.attempt.kind),
                "answer": record.answer.answer,
                "tool_calls": list(record.answer.tool_calls),
                "usage": record.answer.usage,
                "verdict": record.verdict.raw if record.verdict else None,
                "follow_ups": [_document(run) for run in record.follow_ups],
            }
            for record in result.attempts
        ],
    }


def _lines(result: RunResult, *, colour: bool) -> Iterator[str]:
    for line in result.answer[:LONGEST_ANSWER].splitlines():
        yield visible(line, LONGEST_ANSWER)
    yield ""
    yield f"{result.outcome.upper()} ({result.reason})"
    if result.verdict is None:
        yield "This answer was not verified."
    else:
        report = VerificationReport.from_dict(result.verdict.raw)
        yield as_text(report, result.id, colour=colour)
    yield from _attempts(result, "")


def _attempts(result: RunResult, indent: str) -> Iterator[str]:
    yield f"{indent}attempts: {len(result.attempts)}"
    for record in result.attempts:
        verdict = record.verdict
        outcome = f"{verdict.verdict}, {verdict.action}" if verdict else "not checked"
        calls = len(record.answer.tool_calls)
        yield f"{indent}- {record.attempt.kind}: {outcome}, {calls} tool calls"
        for run_of_part in record.follow_ups:
            yield f"{indent}  {visible(run_of_part.task.splitlines()[0])}"
            yield from _attempts(run_of_part, f"{indent}  ")
