"""What a claim names: files, code names, commands, commits."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from verifyhub.engine.calls.programs import is_program
from verifyhub.engine.calls.shell import split_command
from verifyhub.engine.completion.segments import Sentence
from verifyhub.engine.text.tokens import word_set

_FILE = re.compile(
    r"[\w@.~/\\:+-]*[\w/\\-]\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d+(?:-\d+)?)?$"
)
_BARE_FILE = re.compile(
    r"(?<![\w`/.])(?!(?:Node|Next|Nuxt|Nest|Vue|Three|D3|Express|Ember|Moment)\.js\b)"
    r"[\w@.~/-]{1,120}\.(?:py|[cm]?[jt]sx?|go|rs|rb|java|kt|swift|cs|c|h"
    r"|cpp|hpp|php|md|rst|txt|json|ya?ml|toml|ini|cfg|html?|css|scss|sql|sh|vue|svelte"
    r"|xml|gradle|lock|mmd|csv|proto|tf|razor|cshtml|csproj|prisma|graphql|ipynb|tfvars"
    r"|scala|kts|svelte|astro|mdx|plist|bazel|bzl|dart|exs?|lua|zig|ps1|erb|haml|db"
    r"|sqlite3?|log|pdf|docx|xlsx|png|jpe?g|svg|gif|zip|patch|diff|conf|properties)\b(?![\w(])"
)
_BARE_NAME = re.compile(
    r"(?<![\w`/.-])(?:[A-Za-z]+_[A-Za-z0-9_]+|[A-Z]?[a-z]+[A-Z][A-Za-z0-9]+"
    r"|[A-Z]{2,}[a-z][A-Za-z0-9]+|[A-Za-z_]\w{1,60}\(\))"
)
_NAMED_FILE = re.compile(
    r"(?<![\w`/.-])(?:Docker|Make|Gem|Pod|Proc|Jenkins|Just|Rake|Vagrant|Pip|Fast|Caddy)"
    r"file\b(?!\(|\.\w)"
)
# Names of products and formats, which are spelled like code.
_PRODUCTS = word_set(
    """
    github gitlab javascript typescript postgresql mysql sqlite mongodb graphql openai
    openapi youtube macos ios ipad iphone vscode intellij pycharm fastapi latex devops
    webassembly nodejs nextjs nestjs vuejs jquery linkedin paypal wordpress dockerhub
    powershell jetbrains opentelemetry rabbitmq dynamodb bigquery cloudfront eslint
    cloudformation elasticsearch opensearch websocket websockets webgl webrtc oauth
    openid saml nosql mlops devcontainer devcontainers readme coffeescript actionscript
    bitbucket testflight appstore playstore chatgpt deepseek langchain pytorch
    tensorflow numpy scipy anthropic huggingface codeql dependabot sonarqube clickhouse
    mariadb memcached systemd grpc openshift sendgrid mailgun cloudwatch eventbridge
    influxdb cockroachdb documentdb typeorm jsdoc phpstorm newrelic pagerduty servicenow
    hubspot youtrack onedrive sharepoint whatsapp tiktok replicasets replicaset cronjob
    statefulset configmap
    """
)
_SHA = re.compile(r"(?<![\w#-])(?=[a-f\d]*\d)(?=\d*[a-f])[a-f\d]{7,40}(?![\w-])")
# An abbreviated hash may have no letter; there a word before it says what it is.
_DIGITS = re.compile(
    r"\b(?:commit(?:ted)?(?: as| is)?|hash|sha|squashed (?:as|into)|amended(?: as)?)"
    r"\W{1,6}(\d{7,40})(?![\w-])",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<!\d)[A-Za-z_@$][\w$@-]*")
_DOT_FILE = re.compile(
    r"\.(?:git\w{0,20}|env[\w.]{0,20}|\w{1,20}(?:ignore|rc|config)(?:\.\w{1,5})?)"
)
_KNOWN_EXTENSIONLESS = frozenset({"Makefile", "Dockerfile", "LICENSE", "Justfile"})


# Files of prose by their names, and whatever lies in a folder of documents.
PROSE_FILE = re.compile(r"\.(?:md|mdx|rst|txt|adoc)$", re.IGNORECASE)
PROSE_PATH = re.compile(PROSE_FILE.pattern + r"|(?:^|/)docs?/", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names in a sentence, each in the form in which it is looked for.

    `codes` are all pieces of inline code as they stand, whatever they name.
    """

    files: tuple[str, ...] = ()
    idents: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    shas: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def bases(self) -> tuple[str, ...]:
        """The names of the files without their folders."""
        return tuple(path.rpartition("/")[2] for path in self.files)

    def without(self, tools: Collection[str]) -> "Names":
        """Return these names without those of tools, by which something was done."""
        if not any(name in tools for name in self.idents):
            return self
        idents = tuple(name for name in self.idents if name not in tools)
        return replace(self, idents=idents)

    def __bool__(self) -> bool:
        return bool(self.files or self.idents or self.commands or self.shas)


def names_in(sentence: Sentence, until: int) -> Names:
    """Collect what a sentence names, in inline code and outside it.

    Code names after `until`, an offset in the sentence, explain and are left out.
    """
    plain = sentence.prose
    # Outside code, Markdown writes `PROJECT\\_SPEC.md` for an underscore.
    bare = plain.replace("\\_", "_")
    files = [_file_key(match.group()) for match in _BARE_FILE.finditer(bare)]
    if "file" in plain:
        files += _NAMED_FILE.findall(plain)
    idents = [
        match.group()
        for match in _BARE_NAME.finditer(plain[:until])
        if match.group().lower() not in _PRODUCTS
    ]
    shas = [*_SHA.findall(plain), *_DIGITS.findall(sentence.text)]
    commands: list[str] = _bare_command(plain)
    for start, code in sentence.codes_at():
        if is_command(code):
            commands.append(" ".join(code.split()).removeprefix("$ "))
        elif sha := _SHA.match(code) and re.match(r"[a-f\d]{7,40}(?= \S|$)", code):
            shas.append(sha.group())
        elif code in shas:
            continue
        elif is_file(code):
            files.append(_file_key(code))
        elif start < until:
            idents.append(code)
    return Names(
        files=tuple(dict.fromkeys(files)),
        idents=tuple(dict.fromkeys(filter(None, map(ident_key, idents)))),
        commands=tuple(dict.fromkeys(commands)),
        shas=tuple(dict.fromkeys(shas)),
        codes=sentence.codes,
    )


# "rm -rf done", "git push --tags ✅".
_BARE = re.compile(r"\W*([a-z][\w.-]{0,30} [^;!?\n`]{1,120}?)\W{1,3}(?:done|✅|✓)\W*$")
# "go vet ./...: clean": a command of several words before how it went.
_LABELLED = re.compile(
    r"\W*([a-z][\w./-]{0,30}(?: [^;:!?\n`—–→]{1,120}?))\W{0,2}[:—–→]\s"
)
_PROSE = re.compile(r"\b(?:the|an?|with|of|is|are|was|for|and|in|on|that|this|now)\b")
_ARGUMENT = re.compile(r"(?:^|\s)(?:-{1,2}[a-zA-Z]|\S*/\S|\S+\.\w)")


def _bare_command(plain: str) -> list[str]:
    """Return the command that a line is, but for the word that it is done.

    Its program must be known, and an option or a path tell it from a sentence.
    """
    match = _BARE.match(plain)
    if match and not _ARGUMENT.search(match[1]):
        match = None
    labelled = match or _LABELLED.match(plain)
    if not labelled or _PROSE.search(labelled[1]):
        return []
    command = labelled[1].strip("* ")
    parts = split_command(command)
    known = bool(parts) and bool(parts[0].argv) and is_program(parts[0].words[0])
    known = known and (match is not None or bool(parts[0].kinds))
    return [command] if known else []


_NAME = re.compile(r"[a-z][\w.-]{1,40}")
_TOPIC_BRANCH = re.compile(r"(?:feat|feature|fix|bugfix|hotfix|chore|docs|refactor)/")
_WITH_OPTION = re.compile(r"\s--?[a-zA-Z][\w-]*")


@lru_cache(maxsize=1024)
def is_command(code: str) -> bool:
    """Return whether inline code is a command line."""
    parts = split_command(code.removeprefix("$ "))
    if not parts or not parts[0].argv:
        return False
    words = parts[0].words
    if len(words) == 1:
        known = parts[0].kinds and not _TOPIC_BRANCH.match(words[0])
        return bool(known) and "." not in words[0]
    if _NAME.fullmatch(words[0]) and _WITH_OPTION.search(code):
        return True
    # What is run by its path is a program, whoever wrote it: `./gradlew assemble`.
    by_path = words[0].startswith("./")
    return bool(parts[0].kinds) or by_path or is_program(words[0])


def is_file(code: str) -> bool:
    """Return whether inline code is the name of a file."""
    if " " in code or "(" in code or (code.startswith((".", "-")) and "/" not in code):
        return bool(_DOT_FILE.fullmatch(code))
    if code in _KNOWN_EXTENSIONLESS:
        return True
    if not _FILE.fullmatch(code):
        return False
    # `session.State` is a member, `state.go` a file: extensions are short and lower.
    extension = code.split(":")[0].rsplit(".", 1)[-1]
    return (
        "/" in code
        or bool(_BARE_FILE.fullmatch(code))
        or (extension.islower() and len(extension) <= 4)
    )


# "In `a.py` (two places):", "**[a.py](src/a.py)**": a file, and no more than where.
_ASIDE = re.compile(r"\([^()`]{1,120}\)\Z")
_WITHIN = re.compile(
    r"(?:in|(?:changes|changed|edits) (?:made )?(?:in|to)|updated|modified|edited|file)"
    r"[\s:*_`]",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]]{1,150})\]\([^()\s]{1,150}\)")
_FRAME = " \t*_#:`"


def file_titled(line: str) -> str | None:
    """Return the file that a line over a list names and says nothing else of."""
    words = _ASIDE.sub("", line.strip(_FRAME)).strip(_FRAME)
    within = _WITHIN.match(words)
    words = words[within.end() if within else 0 :].strip(_FRAME)
    link = _LINK.fullmatch(words)
    words = link[1].strip(_FRAME) if link else words
    return _file_key(words) if is_file(words) else None


def _file_key(name: str) -> str:
    bare = re.sub(r":\d+(?:[-:]\d+)*$", "", name.replace("\\", "/"))
    return bare.removeprefix("./").rstrip("/.,;:")


def ident_key(code: str) -> str:
    """Return the part of a code name that must stand in an edit: its last word."""
    if re.search(r"[(=][^)\n]{0,80}[\"'\d]", code):
        return code.strip()  # A call with its arguments is itself what was written.
    head = re.split(r"[(<\[{=]", code.strip(), maxsplit=1)[0].strip()
    tokens = _TOKEN.findall(head.replace(".", " ").replace("::", " ") or code)
    return max(tokens[-1:], default="") if " " not in head else head
