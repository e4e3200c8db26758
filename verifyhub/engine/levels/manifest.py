"""The files that the agent's side listed after the run, as a tree to look at."""

from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.ports import FileLook, FileState
from verifyhub.engine.text.paths import Components, components


class ManifestTree:
    """An uploaded manifest. A file that it does not list was not looked at."""

    name = "manifest"

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._entries: dict[Components, Mapping[str, Any]] = {
            components(entry["path"]): entry for entry in entries
        }

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        entry = self._entries.get(components(path))
        if entry is None:
            return FileLook(state=FileState.UNREAD, reason="not_in_manifest")
        if entry.get("sha256") is None:
            return FileLook(state=FileState.ABSENT)
        listed = entry.get("anchors")
        return FileLook(
            state=FileState.PRESENT,
            sha256=entry["sha256"].lower(),
            anchors=None if listed is None else frozenset(listed).intersection(anchors),
        )
