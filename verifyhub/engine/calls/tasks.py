"""Determine the kind of run of a command, or of a task's name."""

import itertools
import re
from collections.abc import Sequence

from verifyhub.engine.calls.programs import (
    RUNS,
    ProgramRole,
    RunKind,
    program_name,
    role_of,
    run_kinds,
    takes_value,
)
from verifyhub.engine.text.tokens import word_set

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# The name of a task says what it does: `test:integration`, `lint-fix`, `type-check`.
_TASK_WORDS = {
    RunKind.TESTS: word_set(
        """
        test tests testing spec specs unit e2e integration ci jest vitest pytest
        coverage
        """
    ),
    RunKind.LINT: word_set(
        "lint linter linting eslint ruff clippy vet ktlint detekt checkstyle spotbugs"
    ),
    RunKind.TYPECHECK: word_set("typecheck types typing tsc mypy pyright typescript"),
    RunKind.BUILD: word_set("build compile bundle dist package assemble"),
    RunKind.FORMAT: word_set("fmt format formatting prettier spotless"),
}
_EVERYTHING = word_set("check verify")
# These accept any number of tasks; for others the words after the task are its own.
_MANY_TASKS = word_set("mvn mvnw gradle gradlew turbo make gmake run-many affected")
_LEAVES_OUT = frozenset({"-x", "--exclude-task"})
_WITHOUT_TESTS = ("-DskipTests", "-Dmaven.test.skip")
# The action of an unknown program, by its verb: `wasm-pack build`.
_VERBS = frozenset({"build", "test", "lint"})
_NO_TASKS = word_set("run run-script r task exec --")


def task_kinds(name: str) -> tuple[RunKind, ...]:
    """Return the kinds of run in a task's name."""
    words = [word.lower() for word in _WORDS.findall(name.replace("e2e", "test"))]
    pairs = {first + second for first, second in itertools.pairwise(words)}
    task_words = {*words, *pairs}
    if "typecheck" in task_words:
        task_words -= {"type", "check"}
    kinds = tuple(kind for kind, known in _TASK_WORDS.items() if task_words & known)
    # "spotlessCheck", "format:check": a check of that kind; alone, a check of
    # everything.
    runs_everything = not kinds and not _EVERYTHING.isdisjoint(task_words)
    return (RunKind.TESTS,) if runs_everything else kinds


def command_kinds(argv: Sequence[str], program: str, verb: str) -> tuple[RunKind, ...]:
    """Return the kinds of run of a simple command; empty if there are none.

    Args:
        argv: Its words, without those that only run it (`shell.SimpleCommand.argv`).
        program: The name of its program in the registry.
        verb: The word for its action.
    """
    role = role_of(program, verb)
    if verb and role_of(program) & RUNS != role & RUNS:
        return run_kinds(role)
    if ProgramRole.INSTALLS in role:
        return ()
    if ProgramRole.RUNS_TASKS in role:
        arguments = list(itertools.takewhile(lambda word: word != "--", argv[1:]))
        targets = [
            word
            for before, word in zip(["", *arguments], arguments, strict=False)
            if word[:1] != "-"
            and " " not in word
            and before not in _LEAVES_OUT
            and not (before.startswith("--") and takes_value(program, before))
        ]
        targets = [word for word in targets if word not in _NO_TASKS]
        many = not _MANY_TASKS.isdisjoint((program, *targets[:1]))
        names = targets if many else targets[:2]
        kinds = task_kinds(" ".join(names))
        if any(word.startswith(_WITHOUT_TESTS) for word in arguments):
            return tuple(kind for kind in kinds if kind is not RunKind.TESTS)
        return kinds if kinds or targets else run_kinds(role)
    if role & RUNS:
        return run_kinds(role)
    if ProgramRole.INTERPRETS in role:
        return _interpreted(argv)
    if role is ProgramRole.NONE and argv[1:2] and argv[1] in _VERBS:
        return task_kinds(argv[1])
    return _of_script(argv[0]) if argv and "/" in argv[0] else ()


def _interpreted(argv: Sequence[str]) -> tuple[RunKind, ...]:
    words = [word for word in argv[1:] if word not in {"-m", "-u"}]
    if not words:
        return ()
    if words[0] == "--test":
        return (RunKind.TESTS,)
    name = program_name(words[0])
    role = role_of(name, words[1] if len(words) > 1 else "")
    return run_kinds(role) or _of_script(words[0])


def _of_script(path: str) -> tuple[RunKind, ...]:
    name = path.rsplit("/", 1)[-1]
    return task_kinds(name.rsplit(".", 1)[0])
