"""Changes by tools other than shells: editors, patches, records elsewhere."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from verifyhub.engine.calls.changes import CallChange, ChangeKind, Replacement
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.inputs import (
    FILE_FIELDS,
    folded,
    json_object,
    path_values,
    string_leaves,
)
from verifyhub.engine.calls.patches import (
    FilePatch,
    PatchAction,
    read_patch,
    structured_patch,
)
from verifyhub.engine.calls.tools import CHANGERS, ToolKind, changes_records, name_words
from verifyhub.engine.text.tokens import word_set

_BODY_FIELDS = word_set(
    """
    content contents newstring newtext newstr filetext text newsource inserttext patch
    diff edits codeedit body data replacement newcontent replace changes
    """
)
_CONTENT_KEYS = ("content", "contents", "file_text", "text", "new_content", "data")
_OLD_KEYS = ("old_string", "old_str", "oldText", "old_text", "oldString", "search")
_NEW_KEYS = ("new_string", "new_str", "newText", "new_text", "newString", "replace")
_INSERT_KEYS = ("insert_text", "new_str", "text", "content")
_LISTS = ("edits", "changes", "replacements")
_PATH_VERBS = word_set("mkdir move rename create")
_CUT = re.compile(
    r"\[\d{1,9} (?:characters|chars|bytes|lines|tokens) (?:trimmed|truncated|omitted)"
    r"(?: by [\w ]{1,24})?\]"
    r"|\[(?:truncated|trimmed|snip)|<truncated|\(truncated|\.\.\. ?truncated"
)
# The part of a record's answer that may name the created thing.
_RECORD_OUTPUT = 4_000


def tool_changes(entry: CallFacts) -> Iterator[CallChange]:
    """Yield the changes of a call that is not a command."""
    patches = _patches(entry.call.input)
    if patches:
        yield from patch_changes(entry, patches)
        return
    input_paths = path_values(entry.call.input, FILE_FIELDS)
    paths = tuple(path.replace("\\", "/") for path in input_paths)
    if not paths and entry.kind in CHANGERS:
        paths = entry.paths
    if not paths:
        if changes_records(entry.call.tool):
            yield _record(entry)
        return
    action = _action(entry)
    if action is not None:
        yield _file_change(entry, action, paths)


def is_cut(texts: Iterable[str]) -> bool:
    """Return whether a text says that a part of it is missing."""
    return any(_CUT.search(text) for text in texts)


def call_change(
    entry: CallFacts,
    action: ChangeKind,
    paths: Iterable[str],
    texts: tuple[str, ...] = (),
    **known: Any,
) -> CallChange:
    """Return a change of a call; it is done if the call succeeded.

    Args:
        entry: The call.
        action: The kind of change.
        paths: The files.
        texts: The new texts.
        known: Other known facts of the change (`CallChange`).
    """
    return CallChange(
        call=entry.index,
        action=action,
        paths=tuple(paths),
        done=entry.succeeded,
        texts=texts,
        cut=is_cut(texts),
        **known,
    )


def patch_changes(
    entry: CallFacts, patches: Sequence[FilePatch]
) -> Iterator[CallChange]:
    """Yield the change of each file in a patch.

    Files that only the tool reports as changed come last, since the trace may contain
    only a part of the patch.
    """
    yield from (_patch_change(entry, patch) for patch in patches)
    known = {path for patch in patches for path in patch.paths}
    updated = _UPDATED.search(entry.call.output) if entry.succeeded else None
    for mark, path in _UPDATED_FILE.findall(updated[1]) if updated else ():
        if path not in known:
            yield CallChange(
                call=entry.index,
                action=ChangeKind.DELETE if mark == "D" else ChangeKind.REWRITE,
                paths=(path,),
                done=True,
                cut=True,
            )


# The report of Codex about an applied patch: `M` changed, `A` added, `D` deleted.
_UPDATED = re.compile(
    r"^Success\. Updated the following files:\n((?:[MAD] [^\n]{1,1000}(?:\n|\Z))+)",
    re.MULTILINE,
)
_UPDATED_FILE = re.compile(r"^([MAD]) ([^\n]+)$", re.MULTILINE)


def _patch_change(entry: CallFacts, patch: FilePatch) -> CallChange:
    action = _BY_PATCH[patch.action]
    return call_change(entry, action, patch.paths, patch.added, patch=patch)


_BY_PATCH = {
    PatchAction.ADD: ChangeKind.WRITE,
    PatchAction.UPDATE: ChangeKind.EDIT,
    PatchAction.DELETE: ChangeKind.DELETE,
}


def replacements(data: Mapping[str, Any]) -> tuple[Replacement, ...]:
    """Return the replacements in an edit's input, in order."""
    edits = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), None)
    if edits is not None:
        return tuple(
            replacement
            for item in edits
            if isinstance(item, Mapping)
            for replacement in replacements(
                {k: item[k] for k in item if k not in _LISTS}
            )
        )
    old, new = _first_text(data, _OLD_KEYS), _first_text(data, _NEW_KEYS)
    if old is None and new is None:
        diff = data.get("diff")
        blocks = _blocks(diff) if isinstance(diff, str) and _SEARCH in diff else ()
        if blocks:
            return blocks
        new = _first_text(data, _INSERT_KEYS)
    if old is None and new is None:
        return ()
    everywhere = data.get("replace_all") is True or data.get("replaceAll") is True
    return (Replacement(old=old, new=new or "", everywhere=everywhere),)


def _blocks(diff: str) -> tuple[Replacement, ...]:
    """Return the replacements of a diff in blocks, as aider, Cline and Roo Code use.

    `<<<<<<< SEARCH`, the old text, `=======`, the new text, `>>>>>>> REPLACE`.
    """
    blocks: list[Replacement] = []
    old: list[str] = []
    lines: list[str] | None = None
    for line in diff.splitlines(keepends=True):
        if _SEARCH_LINE.match(line):
            old = lines = []
        elif lines is None:
            continue
        elif lines is old and _BETWEEN_LINE.fullmatch(line):
            lines = []
        elif lines is not old and _REPLACE_LINE.match(line):
            blocks.append(Replacement(old="".join(old), new="".join(lines)))
            lines = None
        elif lines or lines is not old or not _PLACE_LINE.fullmatch(line):
            lines.append(line)
    return tuple(blocks)


_SEARCH = "< SEARCH"
_SEARCH_LINE = re.compile(r"<{5,9} SEARCH")
_BETWEEN_LINE = re.compile(r"={5,9}\s*")
_REPLACE_LINE = re.compile(r">{5,9} REPLACE")
# Roo Code says in front of the old text where it stands.
_PLACE_LINE = re.compile(r":(?:start|end)_line:\s?\d{1,9}\s*|-{5,9}\s*")


def _patches(data: Mapping[str, Any]) -> tuple[FilePatch, ...]:
    texts = _texts(data)
    return tuple(patch for text in texts for patch in read_patch(text))


def _action(entry: CallFacts) -> ChangeKind | None:
    """Return the action of a tool with a path: by the registry, or by its fields."""
    if entry.kind in CHANGERS:
        return ChangeKind(entry.kind)
    if entry.kind is not ToolKind.OTHER:
        return None
    words = name_words(entry.call.tool)
    if words & {"delete", "remove", "unlink"}:
        return ChangeKind.DELETE
    if set(map(folded, entry.call.input)) & _BODY_FIELDS:
        return ChangeKind.TOUCH
    return ChangeKind.TOUCH if words & _PATH_VERBS else None


def _file_change(
    entry: CallFacts, action: ChangeKind, paths: tuple[str, ...]
) -> CallChange:
    data = entry.call.input
    deletes = action is ChangeKind.DELETE
    writes = action is ChangeKind.WRITE
    content = _first_text(data, _CONTENT_KEYS) if writes and len(paths) == 1 else None
    output = None if deletes else json_object(entry.call.output)
    before = output.get("originalFile") if output else None
    replaced = replacements(data) if action is ChangeKind.EDIT else ()
    unknown = (writes and content is None) or (
        action is ChangeKind.EDIT and not replaced
    )
    return call_change(
        entry,
        ChangeKind.REWRITE if unknown else action,
        paths,
        () if deletes else _texts(data),
        content=content,
        before=before if isinstance(before, str) else None,
        replaced=replaced,
        patch=structured_patch(output) if output else None,
    )


def _record(entry: CallFacts) -> CallChange:
    texts = (*_texts(entry.call.input), entry.call.output[:_RECORD_OUTPUT])
    return call_change(entry, ChangeKind.RECORD, (entry.call.tool,), texts)


def _texts(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(text for _, text in string_leaves(data))


def _first_text(data: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    for key in keys:
        if isinstance(data.get(key), str):
            return str(data[key])
    return None
