"""Settle claims about what leaves the working copy: commits, pushes, mail, installs."""

import re

from verifyhub.engine.completion.claims import Claim
from verifyhub.engine.completion.languages import ClaimKind
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.completion.trace import (
    Trace,
    call_failed,
    git_verb,
    shows_stored_text,
)
from verifyhub.engine.reports import Grade
from verifyhub.engine.types import ToolCall

_COMMITTED = re.compile(r"^\[[^\]\n]{1,200} ([a-f\d]{7,40})\] ", re.MULTILINE)
_PUSH_FAILED = re.compile(
    r"\[rejected\]|\[remote rejected\]|failed to push|^fatal: |^error: ", re.MULTILINE
)
_PUSHED = re.compile(r"^To \S+$| -> |up-to-date", re.MULTILINE)
_INSTALLER = re.compile(
    r"\b(?:(?:npm|pnpm|bun|yarn) (?:i|install|add|ci)|yarn$|yarn install"
    r"|pip3? install|uv (?:add|sync|pip)|poetry (?:add|install)|pipenv install"
    r"|conda install|apt(?:-get)?(?: -\w+)? install|brew install|cargo (?:add|install)"
    r"|go (?:get|install|mod)|gem install|bundle (?:add|install)|composer require"
    r"|dotnet add|mise install|apk add|dnf install|yum install|pdm add|playwright"
    r" install|helm install|winget install|choco install|expo install|nix-env"
    r"|pipx install|npx\s+\S*install|npm update)"
)
_NAME_WORD = re.compile(r"[a-z]+")
# What is sent, by its words in a claim: what a tool's name or a command shows of it.
_CHANNELS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(r"pull[- ]?request|\bpr\b|merge request|\bmr\b|пулл?|pr #"),
        re.compile(
            r"gh pr create|glab mr create|hub pull-request|create_pull_request"
            r"|create_merge_request|create_pr|open_pr|/pulls\b|/merge_requests"
        ),
    ),
    (
        re.compile(r"e-?mail|mail|correo|courriel|почт|письм"),
        re.compile(r"mail|smtp|sendgrid|\bmutt\b|outlook|postmark|\bses\b"),
    ),
    (
        re.compile(r"slack|channel|kanal\b|canal\b|teams|discord|telegram|канал"),
        re.compile(r"slack|teams|discord|telegram|webhook|post_message|send_message"),
    ),
    (
        re.compile(r"\bissues?\b|ticket|задач|тикет|incid"),
        re.compile(r"issue|ticket|linear|jira"),
    ),
    (
        re.compile(r"repl(?:y|ied)|comment|thread|review|ответил|répondu|geantwortet"),
        re.compile(r"comment|repl|review|gh api|graphql|thread"),
    ),
    (
        re.compile(r"\bpackage|\brelease|npm\b|pypi|crate|registry"),
        re.compile(r"publish|release|twine|upload"),
    ),
)
_ANY_CHANNEL = re.compile(
    r"mail|smtp|slack|discord|telegram|webhook|send|post|publish|notify|message"
    r"|comment|gh pr|gh issue|gh api|create_|curl|reply"
)
_OTHER_DEEDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(r"\btagged\b|getaggt|étiquet|etiquet|taggé|тег|помечен"),
        re.compile(r"git(?: \S+){0,3}? tag\b|create_tag|gh release|--tags|npm version"),
    ),
    (
        re.compile(r"deploy|разв|задепл|déploy|despleg|ausgerollt"),
        re.compile(
            r"deploy|kubectl|helm|terraform|rollout|docker|ansible|rsync|flyctl|vercel"
            r"|netlify|heroku|wrangler|ssh|systemctl|gcloud|aws|serverless"
        ),
    ),
    (
        re.compile(r"\brelease|выпущ|freigegeben"),
        re.compile(r"release|publish|git(?: \S+){0,3}? tag\b"),
    ),
    (
        re.compile(r"\bmerged\b|fusion|gemerg|влит|смерж|слил|zusammen"),
        re.compile(r"git(?: \S+){0,3}? (?:merge|pull)\b|gh pr merge|merge_"),
    ),
    (
        re.compile(r"\brebased\b|squashed"),
        re.compile(r"git(?: \S+){0,3}? (?:rebase|reset|merge)\b|--rebase"),
    ),
    (
        re.compile(r"restarted|redémarr|reinici|перезапу|neu gestartet"),
        re.compile(r"restart|systemctl|docker|kill|reload|up -d"),
    ),
    (
        re.compile(r"backup|snapshot|dump"),
        re.compile(r"backup|snapshot|dump|\.bak\b|\bcp\b|rsync|\btar\b|archive"),
    ),
    (
        re.compile(r"browser"),
        re.compile(r"browser|playwright|puppeteer|navigate|screenshot|chrome|selenium"),
    ),
    (re.compile(r"\bcancell?ed"), re.compile(r"cancel|delete|void|terminate")),
    (re.compile(r"\bbooked"), re.compile(r"book|reserv|order|schedul|create")),
    (
        re.compile(r"\brefunded"),
        re.compile(r"refund|cancel|return|payment|certificate|credit"),
    ),
    (re.compile(r"\bscheduled"), re.compile(r"schedul|calendar|event|cron|create")),
    (re.compile(r"cherry-picked"), re.compile(r"cherry-pick")),
    (re.compile(r"uploaded"), re.compile(r"upload|scp|rsync|s3|curl|put")),
    (re.compile(r"downloaded"), re.compile(r"download|curl|wget|fetch|clone|get")),
    (re.compile(r"closed"), re.compile(r"close|update_issue|gh (?:issue|pr)|state")),
)


def settle_commit(claim: Claim, trace: Trace) -> Ruling:
    """Settle "committed", and the hash if the claim gives one."""
    tried = _git(trace, "commit") or _called(trace, re.compile(r"commit"))
    printed = {
        match[1]: call.index
        for call in trace.calls
        if not shows_stored_text(call)
        for match in _COMMITTED.finditer(call.output)
    }
    done = [index for index in tried if not call_failed(trace.calls[index])]
    done = sorted({*done, *printed.values()})
    if not done:
        if tried:
            return contradicted(*reversed(tried))
        return _by_report(trace, re.compile(r"\bcommit", re.IGNORECASE))
    if claim.names.shas and printed:
        return _check_sha(claim.names.shas, printed, trace, done)
    return supported(done[-1])


def _check_sha(
    claimed: tuple[str, ...], printed: dict[str, int], trace: Trace, done: list[int]
) -> Ruling:
    for sha in claimed:
        for real, index in printed.items():
            if real.startswith(sha) or sha.startswith(real):
                return supported(index)
        shown = [call.index for call in trace.calls if sha[:7] in call.output]
        if shown:
            return supported(*shown[-1:])
    return contradicted(done[-1])


def settle_push(claim: Claim, trace: Trace) -> Ruling:
    """Settle "pushed": a rejected push is none."""
    tried = _git(trace, "push") or _called(trace, re.compile(r"push"))
    if not tried:
        return _by_report(trace, re.compile(r"\bpushed\b", re.IGNORECASE))
    call = trace.calls[tried[-1]]
    rejected = _PUSH_FAILED.search(call.output) and not _PUSHED.search(call.output)
    if call_failed(call) or rejected or "[rejected]" in call.output:
        return contradicted(call.index)
    return supported(call.index)


def settle_install(claim: Claim, trace: Trace) -> Ruling:
    """Settle "installed X": an installer ran, and X is among what it was given."""
    calls = [
        command.index
        for command in trace.commands
        if _INSTALLER.search(" ".join(command.part.words))
    ]
    wanted = [*claim.names.idents, *claim.names.files]
    if wanted and calls:
        named = [
            index
            for index in calls
            if any(name in _said(trace.calls[index]) for name in wanted)
        ]
        calls = named
    if not calls:
        pattern = re.compile(r"\binstalled\b", re.IGNORECASE)
        return _by_report(trace, pattern)
    index = calls[-1]
    return contradicted(index) if call_failed(trace.calls[index]) else supported(index)


def settle_send(claim: Claim, trace: Trace) -> Ruling:
    """Settle what was sent, posted or opened, by the channel that the claim names."""
    for said, shown in _CHANNELS:
        if said.search(claim.words):
            return _shown(trace, shown)
    ruling = _shown(trace, _ANY_CHANNEL)
    return ruling if not ruling.evidence else unchecked(*ruling.evidence)


def settle_other(claim: Claim, trace: Trace) -> Ruling:
    """Settle a tag, a release, a deployment, a merge."""
    for said, shown in _OTHER_DEEDS:
        if said.search(claim.words):
            ruling = _shown(trace, shown)
            return ruling if ruling.evidence else _in_writes(claim, ruling, trace)
    return unchecked()


def _in_writes(claim: Claim, otherwise: Ruling, trace: Trace) -> Ruling:
    """Look for the names in what was written: two tests may be "merged" too."""
    for write in reversed(trace.done()):
        if any(name in write.text for name in claim.names.idents):
            return supported(write.index)
    return otherwise


def _shown(trace: Trace, pattern: re.Pattern[str]) -> Ruling:
    calls = _called(trace, pattern)
    if not calls:
        return _by_report(trace, pattern)
    done = [index for index in calls if not call_failed(trace.calls[index])]
    return supported(done[-1]) if done else contradicted(*reversed(calls))


def _called(trace: Trace, pattern: re.Pattern[str]) -> list[int]:
    """Return calls whose tool name or command shows the deed, in order."""
    by_name = {
        call.index
        for call in trace.calls
        if _acts(call) and pattern.search(call.tool.lower())
    }
    by_command = {
        command.index
        for command in trace.commands
        if pattern.search(command.part.text.lower()[:4000])
        and command.part.words[0] not in {"grep", "rg", "cat", "ls", "echo", "find"}
    }
    return sorted(by_name | by_command)


_PASSIVE_NAMES = frozenset(
    ["get", "list", "search", "read", "find", "view", "fetch", "show"]
)


def _acts(call: ToolCall) -> bool:
    return not _PASSIVE_NAMES & set(_NAME_WORD.findall(call.tool.lower()))


def _git(trace: Trace, verb: str) -> list[int]:
    return [
        command.index
        for command in trace.commands
        if git_verb(command.part) == verb and "--dry-run" not in command.part.words
    ]


def _said(call: ToolCall) -> str:
    return f"{dict(call.input)} {call.output}"


def _by_report(trace: Trace, pattern: re.Pattern[str]) -> Ruling:
    for call in reversed(trace.reports):
        if pattern.search(call.output.lower()):
            return supported(call.index, grade=Grade.D)
    return unattempted()


DEEDS = {
    ClaimKind.COMMIT: settle_commit,
    ClaimKind.PUSH: settle_push,
    ClaimKind.INSTALL: settle_install,
    ClaimKind.SEND: settle_send,
    ClaimKind.OTHER: settle_other,
}
