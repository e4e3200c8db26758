"""Read packages in the spellings of ecosystems: scopes, extras, versions, coordinates.

npm `@scope/name@1.2.3`, `node:fs`; PyPI `name[extra]>=1.2`; Maven and Gradle
`group.id:artifact:1.2.3`. A stated version is a separate name.
"""

import re

from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.types import MentionKind

_NAME = r"[A-Za-z0-9][\w.-]*+"
_NUMBER = r"v?\d++(?:\.[\w*]++)*+(?:[-+][\w.-]++)?"
# Each of the spellings below contains one of these.
_MARKS = re.compile(r"[@:=<>\[]")
_SCOPED = re.compile(rf"(@[a-z0-9~][\w.~-]*+(?:/[\w.~-]++)++)(?:@[\^~]?({_NUMBER}))?$")
_AT_VERSION = re.compile(rf"([A-Za-z0-9][\w./-]*+)@[\^~]?({_NUMBER})$")
_REQUIREMENT = re.compile(
    rf"({_NAME})((?:\[[\w,-]{{1,80}}\])?)(?:==|>=|<=|~=|!=|>|<)({_NUMBER})"
    r"(?:,[<>=!~0-9.*]{1,40})?$"
)
_EXTRA = re.compile(rf"({_NAME})\[[a-z][\w,-]{{0,80}}\]$")
_BUILT_IN = re.compile(r"(?:node|bun|deno|npm|jsr|cloudflare):@?[a-z][\w./-]*+$")
_COORDINATE = re.compile(
    rf"([a-z][\w-]*+(?:\.[\w-]++)++:[a-zA-Z][\w.-]*+)(?::({_NUMBER}))?$"
)


def as_package(text: str, noun: str | None) -> list[ClassifiedText]:
    """Return the package in a text whose spelling only packages have; None for others.

    Args:
        text: The whole text of a code span, or a word of prose.
        noun: The kind in a preceding word; `package` allows more spellings.
    """
    if not _MARKS.search(text):
        return []
    for pattern in (_SCOPED, _AT_VERSION, _COORDINATE):
        match = pattern.match(text)
        if match:
            return _with_version(match, 1, 2)
    match = _REQUIREMENT.match(text)
    if match and (match.group(2) or "." in match.group(3)):
        return _with_version(match, 1, 3)
    match = _EXTRA.match(text) if noun == "package" else None
    if match:
        return _with_version(match, 1, None)
    if _BUILT_IN.match(text):
        return [ClassifiedText(MentionKind.PACKAGE, text, 0, len(text))]
    return []


def _with_version(
    match: re.Match[str], name: int, number: int | None
) -> list[ClassifiedText]:
    first, last = match.span(name)
    names = [ClassifiedText(MentionKind.PACKAGE, match.group(name), first, last)]
    version = match.group(number) if number is not None else None
    if version and "." in version and "*" not in version and number is not None:
        names.append(ClassifiedText(MentionKind.VERSION, version, *match.span(number)))
    return names
