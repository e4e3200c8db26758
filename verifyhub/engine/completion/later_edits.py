"""Whether what was tested was edited after it was tested.

Only writes inside what a run examined count: a scratch file, a built binary, a file of
another language and one that this run made and took away again change no result.
"""

import re
from collections.abc import Mapping, Sequence

from verifyhub.engine.calls.changes import CallChange, ChangeKind, base_name, same_file
from verifyhub.engine.completion.taken_back import MOST_DECIDING, undoing
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import RunResult

# What is written there changes no behaviour that a test, linter or build could see.
_PROSE = re.compile(r"\.(?:md|mdx|rst|txt|adoc|log|mmd|svg|png)$|/(?:docs|plans?)/")
_SCRATCH = re.compile(
    r"(?:^|/)(?:node_modules|__pycache__|\.venv|\.cache|\.git|scratch\w*|coverage)/"
)
_TEMPORARY = re.compile(r"(?:^|/)te?mp/|^/var/folders/|^\$\{?TMP|^%TEMP%")
# Endings of source files by language, and the programs that see no other language.
_LANGUAGES: tuple[tuple[str, str], ...] = (
    (
        "py pyi ipynb",
        "pytest python python3 ruff mypy pyright tox unittest flake8 black",
    ),
    ("go", "go gofmt golangci-lint gotestsum staticcheck"),
    ("rs", "cargo rustc clippy-driver rustfmt"),
    (
        "js jsx ts tsx mjs cjs mts cts vue svelte astro",
        "npm pnpm yarn bun jest vitest mocha tsc eslint prettier biome playwright",
    ),
    ("java kt kts scala groovy", "mvn mvnw gradle gradlew sbt"),
    ("cs fs vb", "dotnet"),
    ("rb", "rspec rake rubocop bundle"),
    ("php", "phpunit composer phpstan pest"),
    ("ex exs", "mix"),
    ("swift", "swift swiftlint xcodebuild"),
    ("c h cc cpp hpp", "ctest cmake"),
)
_LANGUAGE_OF = {
    ending: number
    for number, (endings, _) in enumerate(_LANGUAGES)
    for ending in endings.split()
}
_LANGUAGE_OF_PROGRAM = {
    program: number
    for number, (_, programs) in enumerate(_LANGUAGES)
    for program in programs.split()
}


def later_edit(run: RunResult, ledger: Ledger) -> int | None:
    """Return the first call after a run that changed what was run, if one did."""
    later = [
        change
        for change in ledger.changes
        if change.call > run.command_call and change.done
    ]
    discarded = _discarded(run, ledger)
    if not later:
        return discarded
    languages = _languages(run, ledger)
    deleted_paths: dict[str, list[str]] = {}
    for deletion in ledger.deletions:
        for path in deletion.paths:
            deleted_paths.setdefault(base_name(path), []).append(path)
    at_home = _works_in_temporary(ledger)
    for change in later:
        # What was changed after the run and taken back again is as it was.
        if not change.deleted and undoing(change, ledger) is not None:
            continue
        if _bumps_version(change):
            continue
        for path in _changed(change):
            if not _is_seen(path, languages) or _is_passing(
                path, change, deleted_paths, ledger
            ):
                continue
            if at_home or not _TEMPORARY.search(path):
                return change.call
    return discarded


def _discarded(run: RunResult, ledger: Ledger) -> int | None:
    """Return the rollback after a run that took back source which it examined."""
    rollbacks = {
        command.call
        for command in ledger.rollbacks
        if command.call > run.command_call and not command.failed
    }
    languages = _languages(run, ledger) if rollbacks else frozenset()
    for change in ledger.done_changes[-MOST_DECIDING:] if rollbacks else ():
        if change.call > run.command_call or change.deleted:
            continue
        taken_back = undoing(change, ledger)
        if taken_back in rollbacks and any(
            _is_source(path) and _is_seen(path, languages) for path in change.paths
        ):
            return taken_back
    return None


_VERSION_LINE = re.compile(
    r"\W*version\W{1,5}v?\d[\w.-]{0,30}\W*|\W*(?:SEARCH|REPLACE)?\W*"
)


def _bumps_version(change: CallChange) -> bool:
    """Whether all that a change writes is a number of a version."""
    texts = (text for text in change.texts if text not in change.paths)
    lines = [line for text in texts for line in text.splitlines()]
    return any("version" in line for line in lines) and all(
        len(line) < _LONGEST_VERSION and _VERSION_LINE.fullmatch(line) for line in lines
    )


_LONGEST_VERSION = 80


def _works_in_temporary(ledger: Ledger) -> bool:
    """Whether all that was changed lies in temporary folders, the project with it."""
    return all(
        _TEMPORARY.search(path) for change in ledger.changes for path in change.paths
    )


def _changed(change: CallChange) -> Sequence[str]:
    """Return what certainly was changed, where a command names more than that."""
    return (*change.rewritten, *change.gone) or change.paths


def _is_seen(path: str, languages: frozenset[int]) -> bool:
    """Whether a run that sees some languages, or any, may see a file."""
    ending = path.rsplit("/", 1)[-1].rpartition(".")[2].lower()
    if ending == path.rsplit("/", 1)[-1].lower() or _PROSE.search(path):
        return False
    if _SCRATCH.search(path):
        return False
    language = _LANGUAGE_OF.get(ending)
    return language is None or not languages or language in languages


def _languages(run: RunResult, ledger: Ledger) -> frozenset[int]:
    """Return the languages that a run looks at; empty if it may look at any."""
    kind = run.outcome.kind
    parts = [
        command
        for command in ledger.calls[run.command_call].commands
        if kind in command.kinds
    ]
    known = [_LANGUAGE_OF_PROGRAM.get(part.program) for part in parts]
    languages = frozenset(language for language in known if language is not None)
    return frozenset() if None in known else languages


def _is_passing(
    path: str,
    change: CallChange,
    deleted_paths: Mapping[str, Sequence[str]],
    ledger: Ledger,
) -> bool:
    """Whether a file was made in this run and is gone at its end, or was only built."""
    if change.deleted and not _is_source(path):
        return True
    name = base_name(path)
    # One is named whole where it is written, and from its folder where it is deleted.
    is_deleted = any(
        same_file(other, path) for other in deleted_paths.get(name, ())[:_MOST_ALIKE]
    )
    return is_deleted and any(
        other.action is ChangeKind.WRITE and other.done and other.touches([path])
        for other in ledger.changes_by_name.get(name, ())[:_MOST_ALIKE]
    )


# Files of one name that are distinguished by their folders.
_MOST_ALIKE = 50


def _is_source(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _LANGUAGE_OF
