"""Build a ledger from tool calls: what was read, written, run and returned."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from verifyhub.engine.calls.call import Call, read_call, silence_of
from verifyhub.engine.calls.commands import (
    is_command_field,
    made_paths,
    runs_silently,
    shown_paths,
    written_text,
)
from verifyhub.engine.calls.echoes import echoed_slots, found_nothing
from verifyhub.engine.calls.folders import Layout, read_layout
from verifyhub.engine.calls.inputs import (
    FILE_FIELDS,
    FOLDER_FIELDS,
    WORKING_FOLDER_FIELDS,
    folded,
    path_values,
    string_leaves,
)
from verifyhub.engine.calls.listed import lists_any
from verifyhub.engine.calls.outcomes.trouble import speaks_of_trouble
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.patches import is_patch
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import CHANGERS, NO_RULES, ToolKind
from verifyhub.engine.calls.web import URL_FIELDS, fetched_places, was_fetched
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier, Own
from verifyhub.engine.ledger.written import WrittenFiles
from verifyhub.engine.text.paths import Components, components
from verifyhub.engine.text.tokens import blank, word_set
from verifyhub.engine.types import Interaction, Span, ToolCall

_BASE_FIELDS = FOLDER_FIELDS | {"path"}
# The maximum number of calls that are read, since some texts of each stay in memory.
MOST_CALLS = 10_000
# The strings of an input with their paths.
_Leaves: TypeAlias = tuple[tuple[str, str], ...]


def build_ledger(
    interaction: Interaction,
    *,
    rules: Mapping[str, ToolKind] = NO_RULES,
    pairs: Pairs = NO_PAIRS,
) -> Ledger:
    """Read the tool calls of a run into a ledger; see `ledger_of_calls`."""
    return ledger_of_calls(
        interaction.tool_calls, interaction.task, rules=rules, pairs=pairs
    )


def ledger_of_calls(
    calls: Iterable[ToolCall],
    task: str,
    *,
    rules: Mapping[str, ToolKind] = NO_RULES,
    pairs: Pairs = NO_PAIRS,
) -> Ledger:
    """Read tool calls into a ledger.

    Args:
        calls: The calls in order; the `index` of each is its position.
        task: The task, which is no evidence.
        rules: The kinds of the project's own tools.
        pairs: The project's names of values and tools.
    """
    builder = _Builder()
    all_calls = tuple(calls)
    kept = all_calls[:MOST_CALLS]
    silence = silence_of(kept, rules)
    for call in kept:
        builder.add(read_call(call, rules, silence=silence))
    builder.sources.append(
        LedgerSource(tool_call=-1, field="task", text=task, tier=LedgerTier.TASK)
    )
    return Ledger(
        calls=tuple(builder.calls),
        sources=tuple(builder.sources),
        command_lines=tuple(builder.command_lines),
        unread=len(all_calls) - len(kept),
        pairs=pairs,
    )


class _Builder:
    """Collects sources in the order of calls; earlier writes affect later sources."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.sources: list[LedgerSource] = []
        self.command_lines: list[tuple[int, str, str]] = []
        self._written = WrittenFiles()

    def add(self, entry: Call) -> None:
        self.calls.append(entry)
        self._add_inputs(entry)
        self._add_output(entry)
        self._written.add(_basename(path) for path in entry.written)
        if entry.command and entry.state is not CallState.REFUSED:
            self._add_redirections(entry)

    def _add_redirections(self, entry: Call) -> None:
        """Add what a command wrote to files as the agent's own words.

        Its chunks are also in the command, an earlier source, so no evidence refers to
        it.
        """
        targets, text = written_text(entry.command or "")
        self._written.add(_basename(path) for path in targets)
        if text:
            self.sources.append(
                LedgerSource(
                    tool_call=entry.index,
                    field="input.command",
                    text=text,
                    tier=LedgerTier.INPUT,
                    is_code=_is_code(targets),
                    feeds=Own.WRITTEN,
                )
            )

    def _add_inputs(self, entry: Call) -> None:
        leaves = tuple(string_leaves(entry.call.input))
        tiers = _tiers(entry, leaves)
        is_code = _is_code(entry.paths)
        for name, text in leaves:
            if entry.command is not None and entry.ran and is_command_field(name):
                self.command_lines.append((entry.index, name, text))
            tier, leaf = tiers.get(name, (LedgerTier.INPUT, text))
            self.sources.append(
                LedgerSource(
                    tool_call=entry.index,
                    field=name,
                    text=leaf,
                    tier=tier,
                    is_code=is_code,
                    feeds=_feeds(entry, tier),
                )
            )
            if leaf != text:
                # The content of a patch or a command is the agent's own.
                added = entry.command is None or _patched(entry, text) is not None
                self.sources.append(
                    LedgerSource(
                        tool_call=entry.index,
                        field=name,
                        text=text,
                        tier=LedgerTier.AUTHORED if added else LedgerTier.INPUT,
                        feeds=Own.WRITTEN if added else None,
                    )
                )

    def _add_output(self, entry: Call) -> None:
        text = entry.text
        if not text:
            return
        repeats = self._repeats(entry)
        slots = entry.absent + entry.denied
        if slots:
            self._add_text(entry, text, LedgerTier.ABSENT, repeats, only=slots)
            text = blank(text, slots)
        tier = _output_tier(entry)
        echoed = echoed_slots(entry, text) if tier is LedgerTier.OBSERVED else []
        if echoed:
            self._add_text(entry, text, LedgerTier.INPUT, repeats, only=echoed)
            text = blank(text, echoed)
        self._add_text(entry, text, tier, repeats)

    def _add_text(
        self,
        entry: Call,
        text: str,
        tier: LedgerTier,
        repeats: Own | None,
        *,
        only: Sequence[Span] = (),
    ) -> None:
        layout = read_layout(entry, text) if tier is LedgerTier.OBSERVED else Layout()
        self.sources.append(
            LedgerSource(
                tool_call=entry.index,
                field="output",
                text=_only(text, only) if only else text,
                tier=tier,
                bases=_bases(entry),
                repeats=repeats,
                lists=_lists(entry),
                is_code=_shows_code(entry),
                entries=layout.entries,
                is_nested=layout.is_nested,
                owner=_owner(entry) if tier is LedgerTier.OBSERVED else "",
                filled=_joined(only),
            )
        )

    def _repeats(self, entry: Call) -> Own | None:
        """Return the pool of own words that an output may only repeat."""
        if entry.kind is ToolKind.NOTE:
            return Own.NOTED
        if entry.kind in {ToolKind.WRITE, ToolKind.EDIT}:
            return Own.WRITTEN
        reads = entry.kind in {ToolKind.READ, ToolKind.SEARCH, ToolKind.SHELL}
        if reads and self._written:
            names = (*map(_basename, entry.paths), entry.command or "")
            if self._written.shown(names, entry.call.output):
                return Own.WRITTEN
        return None


_LISTS = ProgramRole.LISTS | ProgramRole.SEARCHES | ProgramRole.VERSIONS


# Files that are named after their role; the folder is the module.
_OF_FOLDER = frozenset({"__init__", "index", "mod", "lib"})


def _owner(entry: Call) -> str:
    """Return the module or package of a file, if exactly one file was read."""
    if entry.kind is not ToolKind.READ or len(entry.paths) != 1:
        return ""
    folder, _, name = entry.paths[0].replace("\\", "/").rpartition("/")
    stem, _, ending = name.partition(".")
    by_folder = ending == "go" or stem in _OF_FOLDER
    return _basename(folder) if by_folder else stem


def _lists(entry: Call) -> bool:
    """Return whether the tool itself writes paths at the beginning of lines."""
    if entry.kind in {ToolKind.SEARCH, ToolKind.LIST}:
        return True
    return any(part.role & _LISTS for part in entry.commands)


def _showed_content(entry: Call) -> bool:
    """Whether a read returned the content of a file, and not an error.

    Many formats do not report a status of calls. Without one, several lines count as
    content, unless they deny the path or begin with an error.
    """
    first, _, rest = entry.text.strip().partition("\n")
    if entry.state is CallState.OK:
        # Some tools report a missing file with the status of a success.
        return bool(rest) or not (entry.denied or entry.absent)
    if entry.state is not CallState.UNKNOWN:
        return False
    return bool(rest) and not entry.denied and not speaks_of_trouble(first)


def _feeds(entry: Call, tier: LedgerTier) -> Own | None:
    if entry.kind is ToolKind.NOTE:
        return Own.NOTED
    return Own.WRITTEN if tier is LedgerTier.AUTHORED else None


def _tiers(entry: Call, leaves: _Leaves) -> dict[str, tuple[LedgerTier, str]]:
    if entry.written:
        return edit_leaves(entry.call)
    patches = {
        name: (LedgerTier.OBSERVED, patched)
        for name, text in leaves
        if (patched := _patched(entry, text)) is not None
    }
    if patches:
        return patches
    if entry.kind in {ToolKind.READ, ToolKind.SEARCH, ToolKind.LIST}:
        return _looked_at(entry, leaves)
    if entry.kind is ToolKind.FETCH and was_fetched(entry):
        return {
            name: (LedgerTier.OBSERVED, text)
            for name, text in leaves
            if name.rpartition(".")[2] in URL_FIELDS
        }
    if entry.kind is ToolKind.SHELL and _went_well(entry):
        return _shown_by_command(entry, leaves)
    return {}


def _looked_at(entry: Call, leaves: _Leaves) -> dict[str, tuple[LedgerTier, str]]:
    """Confirm the file that was read, and the place of a search or listing."""
    if not entry.succeeded:
        return {}
    tiers: dict[str, tuple[LedgerTier, str]] = {}
    if entry.kind is not ToolKind.LIST:
        # A successful search may have found nothing, in a file that does not exist.
        sure = entry.kind is ToolKind.READ and _showed_content(entry)
        tiers = read_leaves(entry.call, sure=sure)
    lists_files = entry.kind is not ToolKind.READ and lists_any(entry)
    if lists_files and not found_nothing(entry.call.output):
        tiers |= _searched(entry, leaves)
    return tiers


# A search for a name alone: the files in the result contain the name.
_PATTERN_FIELDS = word_set("pattern regex searchpattern")
_ANY_CASE = word_set("-i i ignorecase caseinsensitive")
_PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")


def _searched(entry: Call, leaves: _Leaves) -> dict[str, tuple[LedgerTier, str]]:
    """Confirm the place of a successful search, and its name if it is a single one."""
    # A case-insensitive search does not confirm a spelling.
    fields = entry.call.input.items()
    keeps_case = not any(
        folded(field) in _ANY_CASE and value for field, value in fields
    )
    return {
        name: (LedgerTier.OBSERVED, text)
        for name, text in leaves
        # A folder may have blanks in its name; a sentence in its place is the agent's.
        if (
            folded(name) in _BASE_FIELDS
            and (not _BLANK.search(text) or _ROOTED.match(text))
        )
        or (
            folded(name) in _PATTERN_FIELDS
            and keeps_case
            and _PLAIN_NAME.fullmatch(text)
        )
    }


_BLANK, _ROOTED = re.compile(r"\s"), re.compile(r"[/~.\\]|[A-Za-z]:[/\\]")


def _patched(entry: Call, text: str) -> str | None:
    """Return what a shell call confirms of an applied patch; None without one."""
    if entry.kind is not ToolKind.SHELL or entry.state is not CallState.OK:
        return None
    return patch_inside(text)


# A failed command says so at the beginning of a line, with or without its name.
_COMPLAINS = re.compile(
    r"^\s{0,8}(?:[\w./-]{1,80}: (?:[^\n]{1,300}: )?(?:line \d|cannot|can't|unable|fatal"
    r"|error|no such|permission denied|not found|command not found|invalid|illegal"
    r"|missing|unrecognized|unknown)|\W{0,3}(?:error|fatal|usage|traceback|exception"
    r"|failed|failure|aborted|killed|permission denied)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 2_000


def _went_well(entry: Call) -> bool:
    """Whether a command certainly succeeded, by its status or a shown result."""
    if entry.state is not CallState.UNKNOWN:
        return entry.state is CallState.OK
    output = entry.call.output
    if not output.strip():
        return entry.is_recorded and runs_silently(entry.commands)
    if entry.denied:
        return False
    return not (_COMPLAINS.search(output[:_HEAD]) or _COMPLAINS.search(output[-_HEAD:]))


def _shown_by_command(
    entry: Call, leaves: _Leaves
) -> dict[str, tuple[LedgerTier, str]]:
    """Confirm the files that a successful command created or printed."""
    if entry.absent:
        return {}
    tiers: dict[str, tuple[LedgerTier, str]] = {}
    for name, text in leaves:
        if folded(name) in WORKING_FOLDER_FIELDS:
            tiers[name] = (LedgerTier.OBSERVED, text)
        elif text == entry.command and is_command_field(name):
            known = made_paths(entry.commands)
            if entry.call.output.strip():
                known += shown_paths(entry.commands) + fetched_places(entry)
            if known:
                tiers[name] = (LedgerTier.OBSERVED, _only(text, known))
    return tiers


def _output_tier(entry: Call) -> LedgerTier:
    if entry.state in {CallState.REFUSED, CallState.ERROR}:
        # A failed edit repeats its input, which denies nothing.
        return LedgerTier.INPUT if entry.kind in CHANGERS else LedgerTier.ABSENT
    if entry.kind is ToolKind.OTHER:
        # A tool of unknown purpose may only have returned its input.
        output = entry.call.output.strip()
        if any(output in text for _, text in string_leaves(entry.call.input)):
            return LedgerTier.INPUT
    return LedgerTier.OBSERVED


# Commands whose first operand may be the base folder of printed paths.
_GO_TO = ProgramRole.ENTERS | ProgramRole.FOLDERS | ProgramRole.WALKS
_MOST_PARTS = 50
_MOST_BASES = 8


def _goes_to(part: SimpleCommand) -> tuple[str, ...]:
    """Return the working folder of a command: `cd x`, `ls x`, `git -C x`."""
    if part.role & _GO_TO:
        return part.operands[:1]
    options = itertools.pairwise(part.argv[:_MOST_BASES])
    return tuple(folder for option, folder in options if option == "-C")


def _bases(entry: Call) -> tuple[Components, ...]:
    folders: list[Components] = []
    input_folders = path_values(entry.call.input, _BASE_FIELDS)
    folders += map(components, input_folders[:_MOST_BASES])
    command_folders = [
        word for part in entry.commands[:_MOST_PARTS] for word in _goes_to(part)
    ]
    folders += [components(word) for word in command_folders[:_MOST_BASES]]
    return tuple(base for base in folders if base)


def _basename(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


_PROSE = word_set("md mdx txt rst adoc log markdown text")


def _is_code(paths: tuple[str, ...]) -> bool:
    return all(
        _basename(path).rpartition(".")[2].lower() not in _PROSE for path in paths
    )


def _shows_code(entry: Call) -> bool:
    """Whether an output may be source code: neither a note nor prose."""
    if entry.kind is ToolKind.NOTE:
        return False
    if entry.paths:
        return _is_code(entry.paths)
    words = (word.strip("\"'") for word in (entry.command or "").split())
    return not any(
        "." in word and word.rpartition(".")[2].lower() in _PROSE for word in words
    )


def _only(text: str, spans: Iterable[Span]) -> str:
    """Blank everything before and between the spans, and drop the rest."""
    pieces: list[str] = []
    last = 0
    for start, end in _joined(spans):
        pieces += [" " * (start - last), text[start:end]]
        last = end
    return "".join(pieces)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, with those that touch as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


# Edits: the parts of their input that a success confirms, and the agent's own words.
#
# A successful edit has found its old text in the file, so that text was observed. Its
# new text, and the content of a written file, are the agent's words. The path exists,
# because the call created or changed the file.
_SEEN_FIELDS = FILE_FIELDS | word_set("oldstring oldstr oldtext search oldcontent")
_ADDED_LINE = re.compile(r"^\+(?!\+\+ )[^\n]*+", re.MULTILINE)


def edit_leaves(call: ToolCall) -> dict[str, tuple[LedgerTier, str]]:
    """Return the tier of each string in a successful change's input."""
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
    """Return what a patch in a command line confirms, by position; None without one.

    Codex passes a patch to the shell: `apply_patch <<'EOF'`.
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
    """Return the tier of each string in a successful read's input.

    The path exists if the content was returned. The tool's side must show this: by the
    status of the call, or by numbered lines.
    """
    if not call.output.strip() or not (sure or _NUMBERED.match(call.output)):
        return {}
    return {
        name: (LedgerTier.OBSERVED, text)
        for name, text in string_leaves(call.input)
        if folded(name) in FILE_FIELDS
    }
