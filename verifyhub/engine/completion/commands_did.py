"""Settle work that a command does where no file is written: branches, packages, tables.

Asked only where no change of a file shows the claim.
"""

import re
from dataclasses import dataclass

from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.deeds import OPENS_PULL_REQUEST
from verifyhub.engine.completion.details import compare_details
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.completion.shared_words import by_words
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.screen import Screen

_GIT = r"git(?: -\S+(?: \S+)?){0,3}? "
_MADE = r"\b(?:created|opened|made|added|filed|drafted|generated|submitted)\b"
# A name in code counts as one character, however long it is.
_NEAR = r"(?:[^.;!?\ue000]|\ue000++){0,40}?"
# In English, French, German and Spanish.
_MAKES_PULL_REQUEST = (
    r"(?:" + _MADE + r"|\b(?:créé|ouvert|erstellt|geöffnet|creado|abierto|creé|abrí)\b)"
    + _NEAR + r"\b(?:pull request|pr|merge request|mr)\b"
    r"(?! (?:template|description|title|body|comment))"
)  # fmt: skip
_FILED = (
    r"\b(?:created|opened|made|filed|submitted)\b"
    r"(?: (?:\w+|follow-up)){1,3}? (?:issue|ticket)s?\b"
)
_INDEX = r"\b(?:created|added|built|dropped)\b" + _NEAR + r"\bindex(?:es)? on\b"
_THING = r"\b(?:worktree|container|namespace|bucket|pod|cluster)s?\b"
_GONE = r"\b(?:deleted|removed|destroyed)\b"
_TAKEN_AWAY = _GONE + _NEAR + _THING + "|" + _THING + _NEAR + _GONE
_NEW_BRANCH = r"\bbranch \W?\ue000+\W? (?:(?:was|is|has been) )?created\b"
_GIT_BRANCH = (
    r"\b(?:created|deleted|switched to)"
    r" (?:(?:an?|the|new|git|feature|remote|local) ){0,3}branch\b|" + _NEW_BRANCH
)
_TAKEN_BACK = r"\breverted (?:the |my )?(?:\w+ )?(?:commit|merge)\b"
_IN_ENVIRONMENT = (
    r"\bapplied\b[^.;]{0,30}\b(?:staging|prod\w*|cluster|namespace|environment)\b"
)
_LOADED = r"\bloaded (?:the |all |some )?(?:\w+ )?fixtures?\b"
_SAME = ""


@dataclass(frozen=True, slots=True)
class _Work:
    """What a claim says was done, and the command or tool that does it.

    `elsewhere`: the claims of it that no edit of a file fulfils, `_SAME` for all.
    """

    claimed: str
    shown: str
    elsewhere: str | None = None


_ROWS = (
    _Work(
        r"\b(?:deleted|removed|dropped|cleaned)\b" + _NEAR + r"\bbranch"
        r"|\bbranch \W?\ue000+\W? (?:(?:was|is|has been) )?(?:deleted|removed)\b",
        _GIT + r"(?:branch (?:\S+ )*(?:-[dD]\b|--delete)|remote prune"
        r"|push (?:\S+ )*(?:-d\b|--delete|:\S)|fetch (?:\S+ )*(?:-p\b|--prune))"
        r"|delete_branch|--delete-branch",
    ),
    _Work(r"\b(?:renamed)\b" + _NEAR + r"\bbranch", _GIT + r"branch -m|rename_branch"),
    _Work(
        r"\b(?:created|made|added|switched)\b" + _NEAR + r"\bbranch|" + _NEW_BRANCH,
        _GIT + r"(?:checkout|switch|branch|worktree|push)\b|create_branch",
        _GIT_BRANCH,
    ),
    _Work(_MAKES_PULL_REQUEST, OPENS_PULL_REQUEST, _SAME),
    _Work(
        r"\b(?:added|left|wrote|made)\b[^.;!?]{0,40}?\b(?:github|gitlab|issue|pr"
        r"|pull request|review|ticket|jira|linear)(?: \w+)? comments?\b",
        r"comment|review|gh api|graphql",
    ),
    _Work(
        _FILED,
        r"(?:issue|ticket)\S* (?:create|new)|(?:create|open|new)\S*(?:issue|ticket)"
        r"|/issues\b|linear|jira",
        _SAME,
    ),
    _Work(
        r"\b(?:created|made|added)\b" + _NEAR + r"\b(?:git )?tags?\b(?! (?:to|in)\b)",
        _GIT + r"tag\b|create_tag|gh release|npm version",
    ),
    _Work(
        r"\breverted\b" + _NEAR + r"\b(?:commit|merge|[a-f\d]{7,40})",
        _GIT + r"(?:revert\b|reset (?:\S+ )*(?:--hard|--soft|head[~^]))|revert_",
        _TAKEN_BACK,
    ),
    _Work(
        r"\b(?:reverted|restored|undid|rolled back|discarded)\b",
        _GIT + r"(?:revert|reset|checkout|restore|stash)\b",
    ),
    _Work(
        r"\bconflicts?\b",
        _GIT + r"(?:merge|rebase|cherry-pick|commit|add|checkout|mergetool|pull)\b",
    ),
    _Work(
        r"\binserted\b[^.;!?]{0,40}\b(?:rows?|records?|entr(?:y|ies))\b",
        r"insert|seed|loaddata|\bcopy\b|import|create_",
    ),
    _Work(
        r"\bapplied\b[^.;]{0,30}\b(?:staging|prod\w*|cluster|namespace|workspace"
        r"|environment|infra\w*|manifests?|plan)\b",
        r"apply|deploy|helm|sync|rollout|upgrade|\bup\b",
        _IN_ENVIRONMENT,
    ),
    _Work(
        r"\bapplied\b[^.;]{0,30}\b(?:migrations?|db|database)\b"
        r"|\bmigrations?\b[^.;!?]{0,60}\bapplied\b",
        r"(?<!make)migrate|upgrade|apply|push|goose|flyway|liquibase|\bup\b|psql"
        r"|update|mysql|sqlite|artisan|ecto",
        _SAME,
    ),
    _Work(
        r"\b(?:superuser|admin user|test user|user account)\b",
        r"user|insert|register|signup|psql|account",
        r"\bsuperuser\b",
    ),
    _Work(
        r"\b(?:loaded|imported) (?:the |all |some )?(?:\w+ )?"
        r"(?:fixtures?|seeds?)\b",
        r"loaddata|fixture|seed|load|import",
        _LOADED,
    ),
    _Work(
        r"\b(?:created|published|drafted|cut|made)\b"
        + _NEAR
        + r"\b(?:github|gitlab) release\b(?! notes)",
        r"gh release|releases?\b|create_release",
        r"\b(?:github|gitlab) release\b(?! notes)",
    ),
    _Work(
        r"\bresolved\b" + _NEAR + r"\b(?:threads?|conversations?)\b",
        r"resolve|graphql|thread|comment",
        _SAME,
    ),
    _Work(
        r"\b(?:made|marked|set)\b" + _NEAR + r"\bexecutable\b",
        r"chmod|update-index|install",
        _SAME,
    ),
    _Work(_INDEX, r"index", _SAME),
    _Work(
        _TAKEN_AWAY,
        r"\brm\b|remove|delete|destroy|prune|\bdown\b|uninstall|cleanup",
        _SAME,
    ),
    _Work(r"\bsubmodules?\b", _GIT + r"submodule\b|--recurse-submodules"),
    _Work(r"\b(?:remote|upstream|origin)\b", _GIT + r"(?:remote|config|clone)\b"),
    _Work(r"\bversion\b", r"(?<!-)\bversion\b|\bbump|cz bump|changeset|set-version"),
    _Work(r"\bsnapshots?\b", r"\s-u\b|--update|snapshot"),
    _Work(
        r"\b(?:virtual ?env\w*|venv|virtual environment)\b",
        r"\bvenv\b|virtualenv|conda create|uv sync|poetry install",
    ),
    _Work(
        r"\bmigrations?\b",
        r"migrat|alembic|prisma|flyway|liquibase|knex|sequelize|typeorm|rails g",
    ),
)
_WORK = tuple((re.compile(row.claimed), re.compile(row.shown)) for row in _ROWS)
_SCREEN = Screen(claimed for claimed, _ in _WORK)
_ELSEWHERE = re.compile(
    "|".join(row.elsewhere or row.claimed for row in _ROWS if row.elsewhere is not None)
)
_ABOUT_PACKAGES = re.compile(
    r"\b(?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies)|upgraded?|downgraded?"
    r"|bump(?:ed)?|pin(?:ned)?)\b"
)


def by_commands(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a claim by the commands that may have done its work.

    A claim of known work (a branch, a package) needs its command. Other work is shown
    by a maker that names what the claim names; where the claim names nothing, any
    command that changes something leaves it open.
    """
    ruling = by_known_work(claim, ledger)
    if ruling is not None:
        return ruling
    if is_done_elsewhere(claim):
        return unattempted()
    if names := _wanted(claim):
        calls = [command.call for command in ledger.commands if command.part.makes]
        return _by_calls(calls, names, ledger) or _unknown(names, ledger)
    if _doing(claim, ledger) is not None:
        return unattempted()
    return by_words(claim, ledger)


def is_done_elsewhere(claim: WorkClaim) -> bool:
    """Whether a claim is of work in an environment or a database."""
    return _ELSEWHERE.search(claim.words) is not None


def _unknown(names: tuple[str, ...], ledger: Ledger) -> Ruling:
    """Leave open what an unknown program may have done to what is named."""
    for command in reversed(ledger.commands):
        unknown = command.part.may_change and command.part.role is ProgramRole.NONE
        if unknown and any(name in command.part.text for name in names):
            return unchecked(command.call)
    return unattempted()


def by_known_work(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle work of a kind that is known, by the calls that do it; None without."""
    calls = _doing(claim, ledger)
    if calls is None:
        return None
    ruling = _by_calls(calls, _wanted(claim), ledger)
    return compare_details(claim, ruling, calls, ledger) if ruling else None


def _doing(claim: WorkClaim, ledger: Ledger) -> list[int] | None:
    """Return the calls that do the work that is claimed; None if it is of no kind."""
    for place in _SCREEN.passed(claim.words):
        claimed, pattern = _WORK[place]
        if claimed.search(claim.words):
            return ledger.calls_doing(pattern)
    if _ABOUT_PACKAGES.search(claim.words):
        return ledger.calls_doing(ProgramRole.INSTALLS | ProgramRole.CHANGES_PACKAGES)
    return None


# A column of a table, each of which a command names apart: `posts.slug`.
_MEMBER = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")


def _by_calls(
    calls: list[int], names: tuple[str, ...], ledger: Ledger
) -> Ruling | None:
    """Rule by the last of `calls` that succeeded and has one of the names."""
    if names:
        parts = [name.split(".") for name in names if _MEMBER.fullmatch(name)]
        calls = [
            index
            for index in calls
            if ledger.calls[index].names(names)
            or any(all(ledger.calls[index].names([p]) for p in pair) for pair in parts)
        ]
    if not calls:
        return None
    succeeded = [index for index in calls if not ledger.calls[index].went_wrong]
    return supported(succeeded[-1]) if succeeded else contradicted(*reversed(calls))


# "Created `topic` from `main`": `main` was there before.
_SOURCE = re.compile(r"\bbranch\b[^.;]{0,200} (?:from|off|based on) (?:the )?\W?\ue000")


def _wanted(claim: WorkClaim) -> tuple[str, ...]:
    if _SOURCE.search(claim.words) and len(claim.names.codes) > 1:
        return claim.names.codes[:1]
    names = (*claim.names.codes, *claim.names.files, *claim.names.idents)
    plain = (name.strip().removeprefix("origin/") for name in names)
    return tuple(dict.fromkeys(filter(None, plain)))
