"""Edits: what of their input the tool's success confirms, what is the agent's own.

An edit that succeeded found its old text in the file: that text was observed. Its new
text, and a written file's content, are the agent's words. The path of the file exists
now, because the call made or changed it.
"""

import re

from verifyhub.engine.calls.inputs import FILE_FIELDS, folded, string_leaves
from verifyhub.engine.calls.patches import is_patch
from verifyhub.engine.ledger.sources import LedgerTier
from verifyhub.engine.text.tokens import blank, word_set
from verifyhub.engine.types import ToolCall

_SEEN_FIELDS = FILE_FIELDS | word_set("oldstring oldstr oldtext search oldcontent")
_ADDED_LINE = re.compile(r"^\+(?!\+\+ )[^\n]*+", re.MULTILINE)


def edit_leaves(call: ToolCall) -> dict[str, tuple[LedgerTier, str]]:
    """Say for each string of a successful change's input what it is worth."""
    tiers: dict[str, tuple[LedgerTier, str]] = {}
    for name, text in string_leaves(call.input):
        if folded(name) in _SEEN_FIELDS:
            tiers[name] = (LedgerTier.OBSERVED, text)
        elif is_patch(text):
            added = [match.span() for match in _ADDED_LINE.finditer(text)]
            tiers[name] = (LedgerTier.OBSERVED, blank(text, added))
        else:
            tiers[name] = (LedgerTier.AUTHORED, text)
    return tiers


_BEGIN, _END = "*** Begin Patch", "*** End Patch"


def patch_inside(text: str) -> str | None:
    """Return what a patch inside a command line confirms, in place; None without one.

    Codex hands a patch to the shell: `apply_patch <<'EOF'`.
    """
    start = text.find(_BEGIN)
    if start < 0:
        return None
    end = text.find(_END, start)
    end = len(text) if end < 0 else end
    added = [match.span() for match in _ADDED_LINE.finditer(text, start, end)]
    return blank(text, [(0, start), *added, (end, len(text))])


_NUMBERED = re.compile(r"\s*+\d{1,7}(?:→|\t|:|\.|\|)")


def read_leaves(call: ToolCall, *, sure: bool) -> dict[str, tuple[LedgerTier, str]]:
    """Say for a successful read's input what it is worth.

    The path of a file whose content came back exists. That it came back must be said
    by the tool's side: by the call's status, or by the numbered lines of its frame.
    """
    if not call.output.strip() or not (sure or _NUMBERED.match(call.output)):
        return {}
    return {
        name: (LedgerTier.OBSERVED, text)
        for name, text in string_leaves(call.input)
        if folded(name) in FILE_FIELDS
    }
