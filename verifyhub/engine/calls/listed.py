"""Files in listings and searches, whose content was not shown."""

import re
from collections.abc import Iterator

from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.folders import read_layout
from verifyhub.engine.text.paths import shown

# Maximum files of one call; longer outputs are not listings.
MAX_FILES = 5_000
_LONGEST_LINE = 1_000
_PATH = re.compile(r"(?=[^\n]*[./])(?=[^\n]*\w)[\w.@~/\\][\w@.~+%/\\()\[\]-]*+")
# A line around the match: `a.py-12-text`, or nothing after the number.
_AROUND = re.compile(r"[^\s:]{1,400}-\d{1,7}-")
_SEARCH_PATH = re.compile(r"([^\s:][^:]{0,400}):\d{1,7}[:-]")
_TREE = re.compile(r"^[\s│├└─|`+\\-]++")
# `?? a.py`, with a mark of git.
_MARK = re.compile(r"[ MADRCUT?!]{1,2}[ \t](?=\S)")
_LONG_FORM = re.compile(r"[-dlrwxst@+.]{10,12}\s")


def listed_paths(entry: CallFacts) -> tuple[str, ...]:
    """Return the distinct files in a successful listing or search."""
    if not entry.succeeded:
        return ()
    return tuple(dict.fromkeys(_listed_paths(entry)))[:MAX_FILES]


def lists_any(entry: CallFacts) -> bool:
    """Whether a successful listing or search names any file."""
    return entry.succeeded and any(True for _ in _listed_paths(entry))


def _listed_paths(entry: CallFacts) -> Iterator[str]:
    layout = read_layout(entry, entry.call.output)
    if layout.is_nested:
        return (shown(path) for _, _, path in layout.entries if path)
    return _paths(entry.call.output)


def _paths(output: str) -> Iterator[str]:
    for line in output.splitlines():
        line = line[:_LONGEST_LINE].rstrip()
        match = _SEARCH_PATH.match(line)
        if match:
            yield match[1]
            continue
        # Any other path ends the line and contains no blank.
        last = line.rpartition(" ")[2]
        if "." not in last and "/" not in last:
            continue
        bare = _TREE.sub("", line)
        if _LONG_FORM.match(line):
            bare = line.rpartition(" ")[2]
        elif mark := _MARK.match(line):
            bare = line[mark.end() :]
        if _PATH.fullmatch(bare) and not _AROUND.match(line):
            yield bare
