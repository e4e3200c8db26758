"""Settle work that a command does where no file is written: branches, packages, tables.

Asked only where no change of a file shows the claim.
"""

import re

from verifyhub.engine.calls.ends import failed
from verifyhub.engine.calls.outcomes.tasks import command_kinds
from verifyhub.engine.completion.claims import Claim
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.completion.told import as_told
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import Command
from verifyhub.engine.text.tokens import word_set

_GIT = r"git(?: -\S+(?: \S+)?){0,3}? "
_PACKAGES = re.compile(
    r"\b(?:npm|pnpm|bun|yarn|pip3?|uv|pipenv|poetry|pdm|conda|apt|apt-get|apk|brew|cargo"
    r"|go|gem|bundle|composer|dotnet|mix|dnf|yum|ncu|npx)\b[^|;]{0,60}?"
    r" (?:i|install|add|ci|get|mod|update|up|upgrade|uninstall|remove|rm|un|require"
    r"|lock|sync|tidy|dedupe|-u)\b"
)
_MADE = r"\b(?:created|opened|made|added|filed|drafted|generated|submitted)\b"
_NEAR = r"[^.;!?]{0,40}?"
# What a claim says was done, and the command or tool that does it.
_WORK: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(said), re.compile(shown))
    for said, shown in (
        (
            r"\b(?:deleted|removed|dropped|cleaned)\b" + _NEAR + r"\bbranch",
            _GIT
            + r"(?:branch|push|remote prune|fetch)\b|delete_branch|--delete-branch",
        ),
        (
            r"\b(?:renamed)\b" + _NEAR + r"\bbranch",
            _GIT + r"branch -m|rename_branch",
        ),
        (
            r"\b(?:created|made|added|switched)\b" + _NEAR + r"\bbranch",
            _GIT + r"(?:checkout|switch|branch|worktree|push)\b|create_branch",
        ),
        (
            _MADE + _NEAR + r"\b(?:pull request|pr|merge request|mr)\b",
            r"gh pr create|glab mr create|hub pull-request|create_pull_request"
            r"|create_merge_request|create_pr|open_pr|/pulls\b|/merge_requests",
        ),
        (
            r"\b(?:created|opened|made|filed|submitted)\b"
            r"(?: (?:\w+|follow-up)){1,3}? (?:issue|ticket)s?\b",
            r"(?:issue|ticket)\S* (?:create|new)|(?:create|open|new)\S*(?:issue|ticket)"
            r"|/issues\b|linear|jira",
        ),
        (
            r"\b(?:created|made|added)\b"
            + _NEAR
            + r"\b(?:git )?tags?\b(?! (?:to|in)\b)",
            _GIT + r"tag\b|create_tag|gh release|npm version",
        ),
        (
            r"\breverted\b" + _NEAR + r"\b(?:commit|merge|[a-f\d]{7,40})",
            _GIT + r"(?:revert|reset)\b|revert_",
        ),
        (
            r"\b(?:reverted|restored|undid|rolled back|discarded)\b",
            _GIT + r"(?:revert|reset|checkout|restore|stash)\b",
        ),
        (
            r"\bconflicts?\b",
            _GIT + r"(?:merge|rebase|cherry-pick|commit|add|checkout|mergetool|pull)\b",
        ),
        (
            r"\binserted\b[^.;!?]{0,40}\b(?:rows?|records?|entr(?:y|ies))\b",
            r"insert|seed|loaddata|\bcopy\b|import|create_",
        ),
        (r"\bsubmodules?\b", _GIT + r"submodule\b|--recurse-submodules"),
        (r"\b(?:remote|upstream|origin)\b", _GIT + r"(?:remote|config|clone)\b"),
        (r"\bversion\b", r"\bversion\b|\bbump|cz bump|changeset|set-version"),
        (r"\bsnapshots?\b", r"\s-u\b|--update|snapshot"),
        (
            r"\b(?:virtual ?env\w*|venv|virtual environment)\b",
            r"\bvenv\b|virtualenv|conda create|uv sync|poetry install",
        ),
        (
            r"\bmigrations?\b",
            r"migrat|alembic|prisma|flyway|liquibase|knex|sequelize|typeorm|rails g",
        ),
        (
            r"\b(?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies)|upgraded"
            r"|downgraded|bumped|pinned)\b",
            _PACKAGES.pattern,
        ),
    )
)
# Programs that make, change or remove what their own words or output name.
_MAKERS = re.compile(
    r"\b(?:makemigrations|startapp|startproject|createdb|dropdb|createuser|psql|mysql"
    r"|sqlite3|mongosh?|redis-cli|duckdb|alembic|prisma|tar|unzip|gunzip|chmod|chown"
    r"|venv|virtualenv|cookiecutter|black|isort|prettier|gofmt|goimports|rustfmt|yapf"
    r"|autopep8|clang-format|swiftformat|ktlint|codegen|protoc|openapi-generator"
    r"|wget|ssh-keygen|openssl|docker|kubectl|helm|terraform|aws|gcloud|az|heroku"
    r"|gh|glab|crontab|systemctl|launchctl)\b"
    r"|\b(?:npm|yarn|pnpm|bun) (?:create|init|version|pkg)\b|\bcreate-[a-z]"
    r"|\b(?:npx|rails|rake|php artisan|ng|nest|nx|flutter|dotnet|cargo|mix|expo|hugo)"
    r" \S*(?:create|generate|g|new|init|add|make)\b|\bmake:[a-z]+"
    r"|\b(?:ruff|biome|cargo|dart|mix|terraform|dotnet|deno) (?:format|fmt)\b"
    r"|\s(?:-u|--update\S*|--fix|--write|-w|--in-place)\b|\bcurl\b.{0,400} -[oO]\b"
    r"|\bgit (?:init|config|clone|submodule|remote|apply|am|mv|worktree|lfs)\b"
)
_SPEAKERS = word_set("grep rg cat ls echo find printf head tail which type man cd")
# What only looks: after it alone nothing can have been changed.
_LOOKERS = _SPEAKERS | word_set(
    """
    pwd wc diff tree stat file env printenv whoami date sort uniq cut awk jq less more
    nl od xxd du df ps top sleep true false test set export source read history hostname
    uname id sed xargs tr column basename dirname realpath md5sum sha256sum python
    python3 node
    """
)
_LOOKING = re.compile(
    r"^(?:git (?:-\S+ (?:[^\s-]\S* )?){0,4}(?:status|log|diff|show|blame|ls-files|grep"
    r"|fetch|add|commit|push|rev-parse|describe|shortlog)\b"
    r"|(?:gh|glab) \S+ (?:view|list|status|diff|checks)\b"
    r"|(?:npm|pnpm|yarn|pip3?|cargo|go|docker|kubectl) (?:ls|list|show|view|info"
    r"|outdated|audit|why|search|ps|get|describe|logs|env|version|freeze|test|run|build"
    r"|vet|check|tree)\b)"
)


def by_commands(claim: Claim, ledger: Ledger) -> Ruling:
    """Settle a claim by the commands that may have done its work.

    A claim of known work (a branch, a package) needs its command. Other work is shown
    by a maker that names what the claim names; where the claim names nothing, any
    command that changes something leaves it open.
    """
    wanted = _wanted(claim)
    known = _known(claim)
    ruling = by_known_work(claim, ledger)
    if ruling is not None:
        return ruling
    made = [one.call for one in ledger.commands if _is_maker(one)]
    if wanted:
        return _by_calls(made, wanted, ledger) or unattempted()
    if known:
        return unattempted()
    changing = [one.call for one in ledger.commands if _may_change(one)]
    return unchecked(changing[-1]) if changing else unattempted()


def by_known_work(claim: Claim, ledger: Ledger) -> Ruling | None:
    """Settle work of a kind that is known, by the calls that do it; None without."""
    known = _known(claim)
    if known is None:
        return None
    calls = _matching(ledger, known)
    ruling = _by_calls(calls, _wanted(claim), ledger)
    return as_told(claim, ruling, calls, ledger) if ruling else None


def _known(claim: Claim) -> re.Pattern[str] | None:
    return next((shown for said, shown in _WORK if said.search(claim.words)), None)


def _by_calls(
    calls: list[int], wanted: tuple[str, ...], ledger: Ledger
) -> Ruling | None:
    """Rule by the last of `calls` that succeeded and names what is wanted."""
    if wanted:
        calls = [one for one in calls if _names(ledger, one, wanted)]
    if not calls:
        return None
    done = [index for index in calls if not failed(ledger.calls[index])]
    return supported(done[-1]) if done else contradicted(*reversed(calls))


def _wanted(claim: Claim) -> tuple[str, ...]:
    named = (*claim.names.codes, *claim.names.files, *claim.names.idents)
    return tuple(dict.fromkeys(one.strip() for one in named if one.strip()))


def _names(ledger: Ledger, index: int, wanted: tuple[str, ...]) -> bool:
    call = ledger.calls[index].call
    texts = (*map(str, call.input.values()), call.output)
    return any(
        name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        for name in wanted
        for text in texts
    )


def _matching(ledger: Ledger, shown: re.Pattern[str]) -> list[int]:
    by_command = {
        one.call
        for one in ledger.commands
        if one.part.words[0] not in _SPEAKERS
        and shown.search(one.part.text.lower()[:4000])
    }
    by_tool = {
        entry.index
        for entry in ledger.calls
        if not entry.command and shown.search(entry.call.tool.lower())
    }
    return sorted(by_command | by_tool)


def _is_maker(command: Command) -> bool:
    text = command.part.text[:4000]
    return (
        command.part.words[0] not in _SPEAKERS
        and bool(_MAKERS.search(text))
        and not _LOOKING.match(text)
    )


def _may_change(command: Command) -> bool:
    """Return whether a command may have changed anything at all."""
    if _is_maker(command):
        return True
    words = command.part.words
    if words[0] in _LOOKERS or command_kinds(words):
        return False
    return not _LOOKING.match(command.part.text[:4000])
