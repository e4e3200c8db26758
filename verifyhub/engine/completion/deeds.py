"""Settle claims about what leaves the working copy: commits, pushes, mail, installs."""

import re
from collections.abc import Sequence

from verifyhub.engine.calls.call import Call, Deed
from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.completion.claims import OWN, WorkClaim
from verifyhub.engine.completion.details import compare_details
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.completion.pipelines import LOOKS_AT_RUNS
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
    unless_shown,
    worst,
)
from verifyhub.engine.completion.shared_words import by_words, is_unspoken_of
from verifyhub.engine.completion.taken_back import (
    COMMITTING,
    put_back,
    reset_after,
    unless_taken_back,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus, Grade

_COMMITTED = re.compile(r"^\[[^\]\n]{1,200} ([a-f\d]{7,40})\] ", re.MULTILINE)
_PUSH_FAILED = re.compile(
    r"\[rejected\]|\[remote rejected\]|failed to push|^fatal: |^error: ", re.MULTILINE
)
_PUSHED = re.compile(r"^To \S+$| -> |up-to-date", re.MULTILINE)
_NO_NEWS = re.compile(r"^Everything up-to-date\s*\Z", re.MULTILINE)
# What opens a pull request: a command, a tool, or the address it is sent to.
OPENS_PULL_REQUEST = (
    r"gh pr create|glab mr create|hub pull-request|create_pull_request"
    r"|create_merge_request|create_pr|open_pr|/pulls\b|/merge_requests"
)
# What is sent, by its words in a claim: what a tool's name or a command shows of it.
_CHANNELS = tuple(
    (re.compile(topic), re.compile(shown))
    for topic, shown in (
        (
            r"\breplied in[- ]thread\b",
            r"/replies\b|in_reply_to|threadreply|reply_to|reply",
        ),
        (
            r"\b(?:commented|replied)\b|\b(?:posted|left|sent) an? (?:\w+ )?comment",
            r"comment|repl|review|gh api|graphql|thread|mail|send",
        ),
        (
            r"\brequested (?:\S{1,40} )?(?:re-?|code )?reviews?\b"
            r"|\basked \S{1,40} (?:for|to) (?:an? )?(?:\w+ )?review\b",
            r"reviewer|request_review|requestreviews|(?:comment|send|post).*\breview",
        ),
        (
            r"pull[- ]?request|\bpr\b|merge request|\bmr\b|пулл?|pr #",
            OPENS_PULL_REQUEST,
        ),
        (
            r"e-?mail|mail|correo|courriel|почт|письм",
            r"mail|smtp|sendgrid|\bmutt\b|outlook|postmark|\bses\b",
        ),
        (
            r"slack|channel|kanal\b|canal\b|teams|discord|telegram|канал",
            r"slack|teams|discord|telegram|webhook|post_message|send_message",
        ),
        (r"\bissues?\b|ticket|задач|тикет|incid", r"issue|ticket|linear|jira"),
        (
            r"repl(?:y|ied)|comment|thread|review|ответил|répondu|geantwortet",
            r"comment|repl|review|gh api|graphql|thread",
        ),
        (
            r"\bpackage|\brelease|npm\b|pypi|crate|registry|rubygems|nuget|packagist"
            r"|maven central|docker ?hub|ghcr|\bgem\b|store\b",
            r"publish|release|twine|upload|gem push|nuget push|docker push",
        ),
    )
)
_ANY_CHANNEL = re.compile(
    r"mail|smtp|slack|discord|telegram|webhook|send|post|publish|notify|message"
    r"|comment|gh pr|gh issue|gh api|create_|curl|reply"
)
# Nobody edits a file onto something: a branch is moved.
MOVES_BRANCH = re.compile(r"\bupdated (?:\S+ ){0,4}onto\b")
_OTHER_DEEDS = tuple(
    (re.compile(topic), re.compile(shown))
    for topic, shown in (
        (
            r"\btagged\b|getaggt|étiquet|etiquet|taggé|тег|помечен",
            r"git(?: \S+){0,3}? tag\b|create_tag|gh release|--tags|npm version",
        ),
        (
            r"deploy|\bshipped\b|\b(?:is|are) (?:now )?live\b|разв|задепл|déploy"
            r"|despleg|ausgerollt",
            r"deploy|kubectl|helm|terraform|rollout|docker|ansible|rsync|flyctl|vercel"
            r"|netlify|heroku|wrangler|ssh|systemctl|gcloud|aws|serverless",
        ),
        (
            r"\b(?:remote|origin|upstream) (?:is )?(?:now )?synced\b",
            r"git(?: \S+){0,3}? pu(?:sh|ll)\b",
        ),
        (r"\brelease|выпущ|freigegeben", r"release|publish|git(?: \S+){0,3}? tag\b"),
        (
            r"\bmerged\b|fusion|gemerg|влит|смерж|слил|zusammen",
            r"git(?: \S+){0,3}? (?:merge|pull)\b|gh pr merge|merge_",
        ),
        (
            rf"\brebased\b|squashed|{MOVES_BRANCH.pattern}",
            r"git(?: \S+){0,3}? (?:rebase|reset|merge)\b|--rebase",
        ),
        (
            r"restarted|\breloaded|redémarr|reinici|перезапу|neu gestartet",
            r"restart|systemctl|docker|kill|reload|up -d",
        ),
        (
            r"backup|backed[ -]up|snapshot|dump",
            r"backup|snapshot|dump|\.bak\b|\bcp\b|rsync|\btar\b|archive",
        ),
        (
            r"browser|screenshots?|\b(?:chrome|firefox|safari|visually)\b",
            r"browser|playwright|puppeteer|navigate|screenshot|chrome|selenium",
        ),
        (
            r"\b(?:emulators?|simulators?|(?:real|physical) devices?)\b",
            r"emulator|simulator|simctl|\badb\b|xcodebuild|device|maestro|detox|appium",
        ),
        (
            r"\b(?:own|actual) renderer"
            r"|\byour (?:[\w-]+ ){0,2}(?:dashboard|console|portal)",
            r"render|browser|playwright|puppeteer|navigate|screenshot|chrome|dashboard"
            r"|console|portal|gh api",
        ),
        (r"\bw3c\b", r"w3c|valid|nu\b|vnu"),
        (
            r"\b(?:grafana|datadog|kibana|sentry|postman)\b",
            r"grafana|datadog|kibana|sentry|postman|newman",
        ),
        (r"\bseeded\b", r"seed|fixture|loaddata|insert|import|populate"),
        (
            r"\b(?:cleared|flushed)\b",
            r"clear|flush|purge|prune|clean|invalidate|reset|\brm\b|delete",
        ),
        (r"cherry-picked", r"cherry-pick"),
        (
            r"\breset (?:back )?to\b",
            r"git(?: \S+){0,3}? (?:reset|checkout|switch|branch|update-ref|push"
            r"|pull)\b",
        ),
        (
            r"\b(?:marked|set)(?: as| to)? (?:ready|draft)\b",
            r"\b(?:gh pr|glab mr) (?:ready|update)|graphql|update_(?:pull|merge)|draft",
        ),
        (
            r"\b(?:cards?|tickets?|issues?)\b[^.;]{0,30}? to \W?(?:done|closed|in "
            r"|review|doing|backlog)",
            r"trello|jira|linear|asana|issue|ticket|card|project|curl|board",
        ),
        (r"\bstaged\b", r"git(?: \S+){0,3}? (?:add|stage|mv|rm|apply)\b|git_add|stage"),
        (r"uploaded", r"upload|scp|rsync|s3|curl|put"),
        (r"downloaded", r"download|curl|wget|fetch|clone|get"),
        (r"closed", r"close|update_issue|(?:issue|pr|mr) edit|transition|state"),
    )
)


def settle_commit(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "committed", and the hash if the claim gives one."""
    tried = _git(ledger, "commit") or _by_tool(ledger, "commit")
    calls_by_sha = {
        match[1]: entry.index
        for entry in ledger.calls
        if _is_own_print(entry)
        for match in _COMMITTED.finditer(entry.printed)
    }
    committed = [index for index in tried if not _commits_nothing(ledger.calls[index])]
    committed = sorted({*committed, *calls_by_sha.values()})
    taken_back = reset_after(committed, ledger)
    if taken_back is not None:
        return contradicted(taken_back, committed[-1])
    if not committed:
        if tried:
            return contradicted(*reversed(tried))
        ruling = _not_done(ledger, re.compile(r"commit"))
        # "Commit: 1a2b3c4" may tell of a commit that was only looked at. What only
        # the agent's own commands say of it shows nothing.
        showing = [
            index
            for sha in claim.names.shas
            for index in _showing(sha[:7], ledger)
            if _printed(claim.names.shas, index, ledger)
        ]
        return unless_shown(ruling, showing)
    if claim.names.shas and calls_by_sha:
        shas = claim.names.shas
        return worst(_check_sha(sha, calls_by_sha, ledger, committed) for sha in shas)
    if _is_of_another_sha(claim, ledger) or _is_on_another_branch(claim, ledger):
        return contradicted(committed[-1])
    if claim.names.files and _leave_out(claim.names.files, committed, ledger):
        return unattempted(committed[-1])
    return supported(committed[-1])


# "Committed on `topic`", and what git printed: "[main 1a2b3c4] …".
_ON_BRANCH = re.compile(
    r"\bcommitted (?:\w+ ){0,2}?(?:on|to) (?:the )?(?:branch )?\W{0,3}\ue000"
)
_COMMITTED_ON = re.compile(
    r"^\[(\S{1,200}) (?:\(root-commit\) )?[a-f\d]{7,40}\] ", re.M
)


def _is_on_another_branch(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim names a branch that no call names, and git printed another."""
    if not _ON_BRANCH.search(claim.words):
        return False
    codes = [code.removeprefix("origin/") for code in claim.names.codes]
    codes = [code for code in codes if _BRANCH.fullmatch(code)]
    branches = {
        name for entry in ledger.calls for name in _COMMITTED_ON.findall(entry.printed)
    }
    return bool(codes and branches) and not any(
        code in branches or any(entry.names([code]) for entry in ledger.calls)
        for code in codes
    )


# A file or a hash is no branch.
_BRANCH = re.compile(r"(?![a-f\d]{7,40}\Z)[\w./-]{2,200}(?<!/)(?<!\.\w\w)(?<!\.\w)")


def settle_part_of_commit(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Contradict what a commit is said to include where that commit failed."""
    ruling = settle_commit(claim, ledger)
    return ruling if ruling.status is ClaimStatus.CONTRADICTED else None


# What stages files that it does not name.
_STAGES_ALL = re.compile(r"-[a-zA-Z]*[Aaup]\w*|--(?:all|update|patch)")
_ONE_FILE = re.compile(r"[^*?\[]*\w\.\w+")


def _leave_out(files: Sequence[str], committed: list[int], ledger: Ledger) -> bool:
    """Whether only named files were staged, and one of some files was not."""
    parts = [
        command.part for command in ledger.commands if command.part.program == "git"
    ]
    staging = [part for part in parts if part.verb in {"add", "stage", "rm", "mv"}]
    staged = [path for part in staging for path in part.operands]
    adding = [part for part in parts if part.verb in {"add", "commit"}]
    if (
        not staged
        or any(_STAGES_ALL.fullmatch(word) for part in adding for word in part.words)
        or not all(map(_ONE_FILE.fullmatch, staged))
    ):
        return False
    named = set(map(base_name, staged))
    printed = "\n".join(ledger.calls[index].printed for index in committed).lower()
    return any(
        base_name(file) not in named and base_name(file) not in printed
        for file in files
    )


def _is_own_print(entry: Call) -> bool:
    """Whether what a call printed came of what it ran, and is not a stored text.

    The log may have cut the rest of a command that prepares a commit.
    """
    return not entry.shows_stored or any(
        part.program == "git" and part.verb in {"add", *COMMITTING}
        for part in entry.commands
    )


# Said by git alone; what was committed before it in the same call is printed.
_NOTHING = re.compile(
    r"^(?:nothing (?:to commit|added to commit)|no changes added to commit)",
    re.MULTILINE,
)
# Said by git, and by the programs that run its hooks, where it makes no commit.
_REFUSED = re.compile(
    r"^(?:fatal: |Author identity unknown|Aborting commit|FAILED: git commit)"
    r"|^husky\b.{0,80}\b(?:script failed|exited with code [1-9])"
    r"|^- hook id: .{1,80}\n(?:- .{1,80}\n){0,4}?- exit code: [1-9]"
    r"|^(?:error: )?(?:the )?pre-commit hook (?:failed|declined|exited)",
    re.MULTILINE | re.IGNORECASE,
)


def _commits_nothing(entry: Call) -> bool:
    output = entry.printed
    if entry.failed or (entry.command and _NOTHING.search(output[:4_000])):
        return True
    return bool(_REFUSED.search(output)) and not _COMMITTED.search(output)


def _check_sha(
    sha: str, calls_by_sha: dict[str, int], ledger: Ledger, committed: list[int]
) -> Ruling:
    """Hold a hash of a claim against those that commands printed."""
    for real, index in calls_by_sha.items():
        if real.startswith(sha) or sha.startswith(real):
            return supported(index)
    showing = _showing(sha[:7], ledger)
    return supported(showing[-1]) if showing else contradicted(committed[-1])


def _showing(text: str, ledger: Ledger) -> list[int]:
    return [
        entry.index
        for entry in ledger.calls
        if text in entry.call.output or (entry.command and text in entry.command)
    ]


def _printed(shas: tuple[str, ...], index: int, ledger: Ledger) -> bool:
    """Whether a call printed one of some hashes that its input does not hold."""
    call = ledger.calls[index].call
    input_text = str(dict(call.input))
    return any(sha[:7] in call.output and sha[:7] not in input_text for sha in shas)


def _branches(claim: WorkClaim) -> list[str]:
    """Return the branches that a claim names, as a remote spells them."""
    codes = [
        code.removeprefix("origin/")
        for code in claim.names.codes
        if code not in claim.names.shas
    ]
    return [f"origin/{code}" for code in codes if _TOPIC_BRANCH.fullmatch(code)]


# A trunk is at every remote, no matter who pushed.
_TOPIC_BRANCH = re.compile(r"(?!(?:main|master|develop|trunk)\Z)[\w./-]{3,200}")


# An image goes to a registry, which git knows nothing of.
_OF_IMAGES = r"\b(?:images?|docker ?hub|ghcr|ecr|registry)\b"
_IMAGES = re.compile(
    _OF_IMAGES + r"[^,;()]{0,80}\bpush|\bpush\w*\b[^,;()]{0,80}?" + _OF_IMAGES
)
_PUSHES_IMAGES = re.compile(
    r"(?:docker|podman|buildah|nerdctl|crane|skopeo|compose)\b.{0,200}\b(?:push|copy)|--push\b"
    r"|(?:npm|cargo) publish|\bpush_image|kaniko|jib"
)


# What git says of a branch that has nothing to push.
_SYNCED = re.compile(r"\bup[- ]to[- ]date\b|\bin sync\b")
_IN_SYNC = re.compile(r"^Your branch is up to date with '", re.MULTILINE)


def settle_push(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "pushed": a rejected push does not count."""
    if _IMAGES.search(claim.words):
        return _shown(ledger, _PUSHES_IMAGES)
    tried = _git(ledger, "push") or _by_tool(ledger, "push")
    tried = tried or [
        entry.index
        for entry in ledger.calls
        if entry.command and _is_own_print(entry) and _SENT.search(entry.printed)
    ]
    if not tried:
        ruling = _by_report(ledger, re.compile(r"\bpushed\b"))
        showing = [
            index for branch in _branches(claim) for index in _showing(branch, ledger)
        ]
        if _SYNCED.search(claim.words):
            synced = (entry for entry in ledger.calls if _IN_SYNC.search(entry.printed))
            showing += [entry.index for entry in synced]
        # The branch is there: pushed before this run, or by somebody else.
        return unless_shown(ruling, showing)
    last = ledger.calls[tried[-1]]
    output = last.printed
    rejected = _PUSH_FAILED.search(output) and not _PUSHED.search(output)
    if last.failed or rejected or "[rejected]" in output:
        return contradicted(last.index)
    if _NO_NEWS.search(output):
        # What the run failed to commit is not there to be pushed.
        commits = [ledger.calls[index] for index in _git(ledger, "commit")]
        if commits and all(map(_commits_nothing, commits)):
            return contradicted(last.index, commits[-1].index)
    if _is_of_another_sha(claim, ledger):
        return contradicted(last.index)
    branches = [branch.removeprefix("origin/") for branch in _branches(claim)]
    if branches and not any(entry.names(branches) for entry in ledger.calls):
        return unattempted(last.index)
    return supported(last.index)


# What git prints of a push, by whichever command or script it was made.
_SENT = re.compile(
    r"^To \S+[\w/]\s+(?:[ +*]? ?[a-f\d]{7,40}\.\.|\* \[new )"
    # Of a long output some logs keep no more than this.
    r"|^To (?:https?://|ssh://|git@|[\w.-]{1,80}:)\S+$",
    re.MULTILINE,
)
# "76638ce..4c0de21  topic -> topic": what the branch was, and is now.
_MOVED = re.compile(r"^ [ +] ?[a-f\d]{7,40}\.\.\.?([a-f\d]{7,40}) ", re.MULTILINE)


def _is_of_another_sha(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim gives hashes that no call shows, and a push printed another."""
    unknown = claim.names.shas and not any(
        _showing(sha[:7], ledger) for sha in claim.names.shas
    )
    pushes = (ledger.calls[index] for index in _git(ledger, "push"))
    return bool(unknown) and any(_MOVED.search(entry.printed) for entry in pushes)


def settle_install(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "installed X": an installer ran, and X is among what it was given."""
    calls = ledger.calls_doing(ProgramRole.INSTALLS)
    packages = [*claim.names.idents, *claim.names.files]
    packages = [
        name if match is None or not _is_shown(match["version"], ledger) else match[1]
        for name in packages
        for match in (_VERSIONED.fullmatch(_whole(name, claim)),)
    ]
    packages += [match[1] or match[2] for match in _PLAINLY.finditer(claim.words)]
    if packages:
        calls = [index for index in calls if _installs(ledger.calls[index], packages)]
    if not calls and packages:
        calls = [
            command.call
            for command in ledger.commands
            if _ADDS.intersection(command.part.words[1:3])
            and any(name in command.part.text for name in packages)
        ]
    if not calls:
        return _by_report(ledger, re.compile(r"\binstalled\b"))
    succeeded = [index for index in calls if not ledger.calls[index].went_wrong]
    return supported(succeeded[-1]) if succeeded else contradicted(calls[-1])


# "`flask@3.1.2` is installed", by `npm install flask@latest` that prints 3.1.2.
_VERSIONED = re.compile(r"(@?[\w./-]{1,80})@v?(?P<version>\d[\w.-]{0,30})")


def _whole(name: str, claim: WorkClaim) -> str:
    """Return the code of a claim that a name was taken from."""
    return next((code for code in claim.names.codes if code.startswith(name)), name)


def _is_shown(version: str, ledger: Ledger) -> bool:
    return any(version in text for entry in ledger.calls for text in entry.texts)


# What installers that are not known call it: `flutter pub add`.
_ADDS = frozenset({"add", "install", "pub", "get", "require"})


def _installs(entry: Call, packages: Sequence[str]) -> bool:
    """Whether a call was given a package, or names it, in whatever capitals."""
    if entry.names(packages):
        return True
    text = f"{entry.command or ''} {entry.call.output[:4_000]}".lower()
    return any(name.lower().replace("_", "-") in text for name in packages)


# "yq was installed", "installed torch 2.1": a name that stands as a package does.
_PLAINLY = re.compile(
    r"\A\W*(?!(?:dependenc|packages?|everything|all|it|they|both|tools?|module)\w*\b)"
    r"([a-z][\w.-]{1,40}) (?:is|was|has been)(?: now| also)? installed\b"
    r"|\binstalled ([a-z][\w-]{1,40}) v?\d+\.\d"
)


# "PR #41 is open" is what a look at it shows, no matter who opened it.
_IS_OPEN = re.compile(r"\bis (?:now )?(?:open|up)\b")
_PULL_REQUESTS = re.compile(r"\bpr\b|\bmr\b|pulls?\b|merge_request")


def settle_send(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle what was sent, posted or opened, by the channel that the claim names."""
    if _ATTACHED.search(claim.words):
        pictured = _PICTURE.search(ledger.deed_inputs) or ledger.calls_doing(_PICTURE)
        return unchecked() if pictured or ledger.reports else unattempted()
    for topic, pattern in _CHANNELS:
        if topic.search(claim.words):
            own = _REPLIED.search(claim.words) is not None
            ruling = _shown(ledger, pattern, by_look=not own)
            if _IS_OPEN.search(claim.words):
                seen = ledger.calls_looking_at(_PULL_REQUESTS)
                ruling = unless_shown(ruling, seen)
            ruling = _unless_closed(ruling, ledger)
            ruling = _as_often(claim, ruling, pattern, ledger)
            return compare_details(claim, ruling, ledger.calls_doing(pattern), ledger)
    ruling = _shown(ledger, _ANY_CHANNEL)
    return ruling if not ruling.evidence else unchecked(*ruling.evidence)


# "Screenshots are attached": some call names a picture, or makes one.
_ATTACHED = re.compile(
    r"\b(?:screenshots?|recordings?|videos?|gifs?)\b[^.;]{0,80} attached\b"
)
_PICTURE = re.compile(
    r"\.(?:png|jpe?g|gif|webp|mp4|mov|webm)\b|screenshot|screencap|record|upload|attach"
)
_OPENS = re.compile(OPENS_PULL_REQUEST)
_CLOSES = re.compile(r"\bgh pr close\b|\bglab mr close\b|close_(?:pull|merge)_request")
_REOPENS = re.compile(r"\bgh pr reopen\b|\bglab mr reopen\b")
_NUMBER = re.compile(r"(?<![\w.])\d{1,7}(?![\w.])")


def _unless_closed(ruling: Ruling, ledger: Ledger) -> Ruling:
    """Contradict that a pull request is open which a later call closed."""
    opened = ledger.calls[ruling.evidence[0]] if ruling.evidence else None
    if opened is None or not any(deed.is_(_OPENS) for deed in opened.deeds):
        return ruling
    numbers = set(_NUMBER.findall(opened.printed[-_REPLY:].replace("/", " ")))
    last = None
    for deed in ledger.deeds:
        closes = deed.is_(_CLOSES)
        if not (closes or deed.is_(_REOPENS)) or deed.call <= opened.index:
            continue
        named = _NUMBER.findall(deed.text)
        of_it = not named or numbers.intersection(named)
        if of_it and not ledger.calls[deed.call].went_wrong:
            last = deed.call if closes else None
    return ruling if last is None else contradicted(last, opened.index)


# Characters of an answer of a server, from its end, that say what was opened.
_REPLY = 4_000
# Who reads comments has answered none.
_REPLIED = re.compile(
    r"\b(?:replied|commented|answered|resolved)\b"
    r"|\b(?:i|we)(?:['’]ve| have)? (?:also |then )?(?:left|posted|added) "
)
# "Replied to both review comments": as many deeds as that.
_NUMBERS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_SENT_NUMBER = re.compile(
    rf"\b({'|'.join(_NUMBERS)}|[2-9])(?: (?!of\b)[\w-]+){{0,3}}"
    r" (?:comments?|threads?|repl(?:y|ies)|issues?|messages?|e-?mails?|prs|requests)\b"
)
_LOOPS = re.compile(r"\b(?:for|while|xargs|parallel)\b")


def _as_often(
    claim: WorkClaim, ruling: Ruling, pattern: re.Pattern[str], ledger: Ledger
) -> Ruling:
    """Hold the number of things that were sent against how often a call sent one."""
    number = _SENT_NUMBER.search(claim.words)
    if number is None or ruling.status is not ClaimStatus.SUPPORTED:
        return ruling
    deeds = [
        deed
        for deed in ledger.deeds
        if deed.is_(pattern) and not deed.looks and _may_do(deed)
    ]
    calls = [ledger.calls[deed.call] for deed in deeds]
    failed = [call.index for call in calls if call.went_wrong]
    if len(calls) - len(failed) >= (_NUMBERS.get(number[1]) or int(number[1])):
        return ruling
    if any(
        call.command is None or _LOOPS.search(call.command) or len(call.commands) > 1
        for call in calls
    ):
        return unchecked(*ruling.evidence)
    return contradicted(*failed) if failed else unattempted(*ruling.evidence)


def settle_other(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a tag, a release, a deployment, a merge, and every other deed told.

    "Merged and deployed it" are two deeds: the second cannot be supported by the call
    of the first, but a tool may do both, so alone it contradicts nothing.
    """
    parts: list[Ruling] = []
    words = _AFTERTHOUGHT.sub("", claim.words)
    for topic, pattern in _OTHER_DEEDS:
        match = topic.search(words)
        if not match or (parts and not match.group().endswith("ed")):
            continue
        ruling = _shown(ledger, pattern)
        of_tag = match.group() == "tagged" and _is_of_version(claim)
        if not (ruling.evidence or of_tag):
            ruling = _in_writes(claim, ruling, ledger)
        if ruling.status is ClaimStatus.SUPPORTED and _REWRITES.search(match.group()):
            ruling = _with_shas(claim, ruling, ledger)
        ruling = _unless_finished(ruling, ledger)
        if ruling.status is ClaimStatus.SUPPORTED and _REWRITES.search(match.group()):
            back = put_back(ledger)
            ruling = ruling if back is None else contradicted(back)
        if _BY_PIPELINE.match(match.group()) and not OWN.search(words):
            ruling = unless_shown(ruling, ledger.calls_looking_at(LOOKS_AT_RUNS))
        if _IS_MERGED.search(words) and not OWN.search(words):
            seen = ledger.calls_looking_at(_PULL_REQUESTS)
            ruling = unless_shown(ruling, seen)
        ruling = _unless_served(match.group(), ruling, ledger)
        if _is_of_another(claim, ruling, ledger):
            ruling = unattempted(*ruling.evidence)
        open_yet = parts and ruling.status is ClaimStatus.UNATTEMPTED
        parts.append(unchecked() if open_yet else ruling)
    if not parts:
        return _by_report_or_words(claim, ledger)
    # "Closed the session in `client.py`": what is done in a file is an edit.
    files = claim.names.files
    changes = [change.call for change in ledger.changes if change.touches(files)]
    return unless_shown(worst(parts), changes)


def _unless_served(told: str, ruling: Ruling, ledger: Ledger) -> Ruling:
    """Leave open that a thing is live where a server of the run gave its address."""
    if not told.endswith("live"):
        return ruling
    serving = [call.index for call in ledger.calls if _SERVES.search(call.printed)]
    return unless_shown(ruling, serving)


# What a server prints once it can be asked.
_SERVES = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])[:/]")
# What a workflow does that somebody only watches.
_BY_PIPELINE = re.compile(r"release|deploy|shipped")
_VERSION = re.compile(r"v?\d+\.\d")


def _is_of_version(claim: WorkClaim) -> bool:
    """Whether a claim names only a version: an edit that has its number is no tag."""
    return bool(claim.names.codes) and all(map(_VERSION.match, claim.names.codes))


# "PR #88 has been merged", "Branch: updated onto `main`": the actor is not named.
_IS_MERGED = re.compile(
    r"(?:\b(?:is|was|has been|been|already)(?: \w+)?|#\d{1,7}\W?) merged\b"
    r"|\bbranch\b[^.;]{1,40} (?:rebased|updated) onto\b"
    r"|\bis (?:now )?(?:marked|set)(?: as| to)? draft\b"
)


# "Closed #12 after verifying that #14 was merged": only the first is a deed.
_AFTERTHOUGHT = re.compile(
    r"\b(?:after|before|once|since) (?:i |we )?(?:\w+ly )?"
    r"(?:verif|confirm|check|mak(?:e|ing) sure|see|notic|learn)\w*\b.*"
)
_CONFLICT = re.compile(r"\bCONFLICT \(|fix conflicts|could not apply", re.IGNORECASE)


def _unless_finished(ruling: Ruling, ledger: Ledger) -> Ruling:
    """Support a merge that stopped at a conflict where a later commit concluded it."""
    if ruling.status is not ClaimStatus.CONTRADICTED:
        return ruling
    if not any(
        _CONFLICT.search(ledger.calls[index].printed) for index in ruling.evidence
    ):
        return ruling
    concluded = [
        command.call
        for command in ledger.commands
        if command.part.program == "git"
        and (command.part.verb == "commit" or "--continue" in command.part.words)
        and command.call > max(ruling.evidence)
        and not command.failed
    ]
    return supported(concluded[-1]) if concluded else ruling


_PLAIN_NAME = re.compile(r"[A-Za-z][\w.-]{1,60}")


def _is_of_another(claim: WorkClaim, ruling: Ruling, ledger: Ledger) -> bool:
    """Whether the deed was done to something else: "restarted `web`", by `up -d db`.

    Only where the command names its object, and nothing in the run the one claimed.
    """
    names = [code for code in claim.names.codes if _PLAIN_NAME.fullmatch(code)]
    if not names or ruling.status is not ClaimStatus.SUPPORTED:
        return False
    parts = [
        command.part
        for command in ledger.commands
        if command.call in ruling.evidence
        and not (command.part.looks or command.part.kinds)
    ]
    aimed = parts and all(
        part.operands[-1:] not in ((), (part.verb,))
        and (ProgramRole.VERSIONS not in part.role or part.verb == "tag")
        for part in parts
    )
    return bool(aimed) and not any(entry.names(names) for entry in ledger.calls)


def _by_report_or_words(claim: WorkClaim, ledger: Ledger) -> Ruling:
    if ledger.reports:
        return unchecked(ledger.reports[-1].index)
    bases = claim.names.bases
    if bases and not any(entry.names(bases) for entry in ledger.calls):
        return unattempted()
    ruling = by_words(claim, ledger)
    if ruling.status is not ClaimStatus.UNATTEMPTED:
        changes = [
            change
            for index in ruling.evidence
            for change in ledger.calls[index].changes
            if change.done
        ]
        return unless_taken_back(changes, ledger) if changes else ruling
    return _in_own_words(claim, ruling, ledger)


def _in_own_words(claim: WorkClaim, otherwise: Ruling, ledger: Ledger) -> Ruling:
    """Leave open what changes of files may be, told in other words than theirs."""
    names = claim.names
    claimed = (*names.codes, *names.files, *names.idents)
    about = [
        change
        for change in ledger.changes
        if any(map(change.holds, claimed)) or change.touches(claimed)
    ]
    if not (claimed or is_unspoken_of(claim, ledger)):
        about = list(ledger.changes)
    if about:
        return unless_taken_back(about, ledger)
    commands = [command.call for command in ledger.commands if command.part.may_change]
    calls = [index for index in commands if ledger.calls[index].names(claimed)]
    return unchecked(calls[-1]) if calls else otherwise


# What leaves commits of other hashes behind.
_REWRITES = re.compile(r"squash|rebas|merged")


def _with_shas(claim: WorkClaim, ruling: Ruling, ledger: Ledger) -> Ruling:
    """Contradict where a hash is claimed, and other hashes were printed."""
    outputs = [
        entry for entry in ledger.calls if entry.command and "git" in entry.command
    ]
    has_hashes = any(_HASH.search(entry.printed) for entry in outputs)
    unknown = [sha for sha in claim.names.shas if not _showing(sha[:7], ledger)]
    return contradicted(*ruling.evidence) if has_hashes and unknown else ruling


_HASH = re.compile(r"(?<!\w)(?=[a-f\d]*\d)[a-f\d]{7,40}(?!\w)")


def _in_writes(claim: WorkClaim, otherwise: Ruling, ledger: Ledger) -> Ruling:
    """Look for the names in what was written: two tests may be "merged" too."""
    for change in reversed(ledger.changes):
        if change.done and any(map(change.holds, claim.names.idents)):
            return supported(change.call)
    return otherwise


def _shown(ledger: Ledger, pattern: re.Pattern[str], *, by_look: bool = True) -> Ruling:
    calls = [
        index
        for index in ledger.calls_doing(pattern)
        if any(_may_do(deed) for deed in ledger.calls[index].deeds if deed.is_(pattern))
    ]
    if not calls:
        # A file that has the word in its name is no look at such a deed.
        looks = [
            deed.call
            for deed in ledger.deeds
            if by_look
            and deed.looks
            and deed.is_(pattern)
            and not (_shows_files(deed) or deed.is_(ProgramRole.SPEAKS))
        ]
        return unless_shown(_by_report(ledger, pattern), looks)
    succeeded = [index for index in calls if not ledger.calls[index].went_wrong]
    if succeeded:
        return supported(succeeded[-1])
    if all(
        ledger.calls[index].ran and _goes_on(ledger.calls[index], pattern)
        for index in calls
    ):
        return unchecked(calls[-1])
    return contradicted(*reversed(calls))


def _goes_on(entry: Call, pattern: re.Pattern[str]) -> bool:
    """Whether more was to run after a deed, and may be what failed: `a && b`."""
    commands = (deed.command for deed in entry.deeds if deed.is_(pattern))
    return any(command is not None and command.joined == "&&" for command in commands)


def _shows_files(deed: Deed) -> bool:
    is_git = deed.command is not None and deed.command.program == "git"
    return is_git or deed.is_(
        ProgramRole.SHOWS | ProgramRole.SEARCHES | ProgramRole.LISTS
    )


_UNDOES = ("--abort", "--quit", "--check")


def _may_do(deed: Deed) -> bool:
    """Whether a deed may have done what its words say: `helm lint` deploys nothing."""
    command = deed.command
    if command is None:
        return True
    acts = ProgramRole.BUILD | ProgramRole.TESTS
    checks = command.kinds and not command.role & acts
    return not checks and not any(word.startswith(_UNDOES) for word in command.words)


def _git(ledger: Ledger, verb: str) -> list[int]:
    return [
        command.call
        for command in ledger.commands
        if "--dry-run" not in command.part.words
        and (
            (command.part.program, command.part.verb) == ("git", verb)
            # An unknown program may have the same verb: `jj git push`.
            or (
                command.part.role is ProgramRole.NONE
                and verb in command.part.words[1:3]
            )
        )
    ]


def _by_tool(ledger: Ledger, word: str) -> list[int]:
    """Return the calls of tools that have a word in their name: `git_commit`."""
    return [
        deed.call
        for deed in ledger.deeds
        if deed.command is None and not deed.looks and word in words_of(deed.text)
    ]


def _not_done(ledger: Ledger, pattern: re.Pattern[str]) -> Ruling:
    """Settle what no call did: a look at it, as at a pull request, leaves it open."""
    return unless_shown(_by_report(ledger, pattern), ledger.calls_looking_at(pattern))


def _by_report(ledger: Ledger, pattern: re.Pattern[str]) -> Ruling:
    for report in reversed(ledger.reports):
        if pattern.search(report.call.output.lower()):
            return supported(report.index, grade=Grade.D)
    return unattempted()


DEEDS = {
    ClaimKind.COMMIT: settle_commit,
    ClaimKind.PUSH: settle_push,
    ClaimKind.INSTALL: settle_install,
    ClaimKind.SEND: settle_send,
    ClaimKind.OTHER: settle_other,
}
