"""Names as answers spell them, beside the text that was written.

A phrase loses the marks of Markdown, a route stands in its parts, and a file may only
be what something else is about.
"""

import re
from dataclasses import replace

from verifyhub.engine.calls.changes import CallChange, phrase
from verifyhub.engine.completion.names import Names

_ROUTE = re.compile(
    r"(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) )?(/[\w:{}<>\[\]$./-]{2,200})"
)
# "`<button class="menu">`": an element, whose attributes may stand in any order.
_TAG = re.compile(r"<([a-z][\w-]{0,40})((?: [^<>]{0,200})?)>")
_LONGEST = 400
_ATTRIBUTE = re.compile(r"[\w:@-]{1,40}=\"[^\"]{0,100}\"")
_HELD = re.compile(r"[:{<\[$]")
# "tests for `a.py`", "one for b.py": the file is what they are about.
_ABOUT = re.compile(
    r"\b(?:tests?|specs?|cases?|coverage|docs|documentation|benchmarks?|examples?|one)"
    r"\b[^.;:()]{0,30}? (?:for|of|about|covering) [\[*`(]{0,3}$",
    re.IGNORECASE,
)
# "`settings.json` parsing": code that has to do with the file.
_HANDLES = re.compile(
    r"[`*\])]{0,3} (?:[a-z]+ ){0,2}(?:handling|parsing|loading|support|logic|generation"
    r"|behaviou?r|processing|detection|validation|lookup|discovery)\b"
)


def is_spelled_in(name: str, write: CallChange) -> bool:
    """Return whether a phrase, a route or an element of an answer was written.

    Args:
        name: Several words, a route as `POST /users/:id/notes`, or tags of HTML.
        write: What was put into files.
    """
    tags = _TAG.findall(name[:_LONGEST]) if name[:1] == "<" else ()
    if tags:
        spelled = [f"<{tag}" for tag, _ in tags]
        spelled += [part for _, given in tags for part in _ATTRIBUTE.findall(given)]
        return any(all(part in text for part in spelled) for text in write.texts)
    route = _ROUTE.fullmatch(name)
    if route:
        parts = [part for part in route[2].split("/") if part and not _HELD.match(part)]
        parts_of_route = [*parts, *filter(None, (route[1],))]
        return bool(parts) and any(
            all(part.lower() in text.lower() for part in parts_of_route)
            for text in write.texts
        )
    if " " not in name.strip():
        return False
    plain = phrase(name)
    return bool(plain) and any(plain in text for text in write.phrases)


def without_topics(names: Names, text: str) -> Names:
    """Return names in which files that a claim is only about are no files to change.

    What is written about a file holds its name, the ending left out.
    """
    topics = [file for file in names.files if _is_topic(file, text)]
    if not topics:
        return names
    stems = [file.rsplit("/", 1)[-1].rpartition(".")[0] for file in topics]
    return replace(
        names,
        files=tuple(file for file in names.files if file not in topics),
        idents=tuple(dict.fromkeys([*names.idents, *filter(None, stems)])),
    )


def _is_topic(file: str, text: str) -> bool:
    start = text.find(file)
    if start < 0:
        return False
    before, after = text[max(0, start - 80) : start], text[start + len(file) :][:60]
    return bool(_ABOUT.search(before) or _HANDLES.match(after))
