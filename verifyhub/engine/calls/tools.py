"""The kinds of tools: a declared registry, by exact name or whole segments.

Never by substring: `thread` is not a read and `remind` not a mind. A tool without a
rule is `other`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from verifyhub.engine.text.tokens import word_set


class ToolKind(StrEnum):
    """The kind of a tool, as far as its evidence is concerned."""

    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    DELETE = "delete"
    LIST = "list"
    SEARCH = "search"
    SHELL = "shell"
    FETCH = "fetch"
    QUERY = "query"
    AGENT = "agent"
    NOTE = "note"
    OTHER = "other"


CHANGERS = frozenset({ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE})
NO_RULES: Mapping[str, ToolKind] = MappingProxyType({})
_Rule = TypeVar("_Rule")

# Names of the tools of Claude Code, Codex, Copilot, Cursor, Cline, Gemini CLI,
# LangChain, OpenCode, OpenHands and SWE-agent, folded by `_fold`.
_EXACT_NAMES = {
    ToolKind.READ: """read readfile readfiles readmanyfiles view viewfile viewimage open
        openfile goto scrollup scrolldown cat notebookread getfilecontents
        readtextfile readmediafile readmultiplefiles readfilev2 listcodedefinitionnames
        readlints geterrors getdiagnostics
        readresource readmcpresource filereader skill useskill fetchrules""",
    ToolKind.WRITE: """write writefile writetofile create createfile savefile
        notebookwrite newfile pushfiles""",
    ToolKind.EDIT: """edit editfile multiedit notebookedit applypatch applydiff patch
        replace strreplace strreplaceeditor strreplacebasededittool searchreplace
        searchandreplace replaceinfile insert insertcontent editnotebook editblock
        textedit texteditor fileeditor textedtool smartedit
        movefile renamefile""",
    ToolKind.DELETE: "delete deletefile removefile filedelete deletepath",
    ToolKind.LIST: """ls list listdir listdirectory listfiles glob globtool findfile
        filesearch findbyname tree directorytree listdirectorywithsizes codebaselist
        viewdirectory listmcpresources listmcpresourcestool""",
    ToolKind.SEARCH: """grep greptool grepsearch search searchfiles searchdir searchfile
        codebasesearch searchfilecontent semanticsearch codesearch ripgrep rg
        findinfiles lsp grepfiles listcodeusages""",
    ToolKind.SHELL: """bash shell terminal run runcommand runterminalcmd
        runterminalcommand runinterminal executebash executecommand execcommand exec
        runshellcommand shellcommand localshell localshellcall containerexec
        executeipythoncell ipython pythonrepl pythonreplast python codeinterpreter
        executecode runcode powershell cmd writestdin writebash readbash bashoutput
        taskoutput jsrepl unifiedexec runtests startprocess interactwithprocess
        readprocessoutput""",
    ToolKind.FETCH: """webfetch fetch fetchurl browse browser browserinteractive
        httprequest requestsget requestspost curl openurl visit visitpage geturl
        readurl navigate browsernavigate browseraction""",
    ToolKind.QUERY: """websearch googlewebsearch searchweb duckduckgosearch
        tavilysearch tavilysearchresultsjson wikipedia retriever retrieve
        knowledgebase ragsearch googlesearch serpapi arxiv query sql sqldbquery
        rag lookup recall""",
    ToolKind.AGENT: """task agent subagent delegate delegatetask dispatchagent newtask
        spawnagent runagent callagent waitagent readagent""",
    ToolKind.NOTE: """think thinking sequentialthinking todowrite todoread taskcreate
        taskupdate tasklist taskget updateplan plan exitplanmode submit finish
        reportintent savememory askuserquestion askfollowupquestion attemptcompletion
        managetodolist updatetodolist note memorywrite updatetodo storememory askuser
        question requestuserinput enterplanmode planmoderespond tasktracker taskcomplete
        listagents""",
}  # fmt: skip
_EXACT = {name: kind for kind, names in _EXACT_NAMES.items() for name in names.split()}

_FILE_WORDS = word_set(
    """
    file files path paths document documents notebook text content contents
    """
)
_FOLDER_WORDS = word_set(
    """
    dir dirs directory directories folder folders tree files file
    """
)
_SYMBOL_WORDS = word_set("symbol symbols references referencing usages")
_PAGE_WORDS = _FILE_WORDS | word_set("image images lines range code source folder")
_CODE_WORDS = _FILE_WORDS | word_set(
    """
    code codebase repo repository workspace project source dir directory folder
    symbol symbols references regex pattern grep
    """
)
_RUN_WORDS = word_set(
    """
    command commands cmd script code shell bash python ipython terminal cell notebook
    js javascript process program
    """
)
# These verbs alone determine the kind; others need their object.
_VERBS = {
    "read": ToolKind.READ, "grep": ToolKind.SEARCH,
    "ls": ToolKind.LIST, "glob": ToolKind.LIST,
    "bash": ToolKind.SHELL, "shell": ToolKind.SHELL, "terminal": ToolKind.SHELL,
    "fetch": ToolKind.FETCH, "browse": ToolKind.FETCH,
    "search": ToolKind.QUERY, "retrieve": ToolKind.QUERY,
    "retriever": ToolKind.QUERY, "retrieval": ToolKind.QUERY,
    "query": ToolKind.QUERY, "rag": ToolKind.QUERY,
}  # fmt: skip
_VERBS_WITH_OBJECT = (
    (word_set("open get show load cat"), _FILE_WORDS, ToolKind.READ),
    (word_set("write create save"), _FILE_WORDS, ToolKind.WRITE),
    (word_set("edit replace update patch"), _FILE_WORDS, ToolKind.EDIT),
    (word_set("delete remove"), _FILE_WORDS, ToolKind.DELETE),
    (word_set("list find"), _FOLDER_WORDS, ToolKind.LIST),
    (word_set("find"), _SYMBOL_WORDS, ToolKind.SEARCH),
    (word_set("view"), _PAGE_WORDS, ToolKind.READ),
    (word_set("search"), _CODE_WORDS, ToolKind.SEARCH),
    (word_set("replace insert rename"), _SYMBOL_WORDS, ToolKind.EDIT),
    (word_set("run exec execute"), _RUN_WORDS, ToolKind.SHELL),
)
_SEGMENT = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[0-9]++")
_EDITOR_COMMANDS = {
    "view": ToolKind.READ,
    "create": ToolKind.WRITE,
    "write": ToolKind.WRITE,
    "str_replace": ToolKind.EDIT,
    "insert": ToolKind.EDIT,
    "undo_edit": ToolKind.EDIT,
    "delete": ToolKind.DELETE,
}


def tool_kind(
    tool: str, command: object = None, rules: Mapping[str, ToolKind] = NO_RULES
) -> ToolKind:
    """Return the kind of a tool.

    Args:
        tool: The tool's name in the trace.
        command: The call's `command` input, which selects the action of editors with
            one name for several (`str_replace_editor`).
        rules: A project's own rules (`tool_rules`), which override the registry.
    """
    ruled = by_name(tool, rules)
    if ruled is not None:
        return ruled
    name = _local_name(tool)
    segments = _plain([piece.lower() for piece in _SEGMENT.findall(name[:200])])
    kind = _EXACT.get("".join(segments)) or _by_segments(segments)
    if kind is ToolKind.EDIT and isinstance(command, str):
        return _EDITOR_COMMANDS.get(command, kind)
    return kind


def by_name(tool: str, rules: Mapping[str, _Rule]) -> _Rule | None:
    """Return the kind of a tool according to rules; None if there is none.

    Its whole name takes precedence, then the longest beginning with a star.
    """
    if tool in rules:
        return rules[tool]
    begins = [
        rule for rule in rules if rule.endswith("*") and tool.startswith(rule[:-1])
    ]
    return rules[max(begins, key=len)] if begins else None


def _local_name(tool: str) -> str:
    """Remove the origin of a tool from its name.

    `mcp__server__name`, `functions.name`, `github-mcp-server-name`.
    """
    for separator in ("__", ".", "/", ":", "mcp-server-"):
        head, mark, tail = tool.rpartition(separator)
        if mark and tail and head != "container":
            tool = tail
    return tool


def _plain(segments: list[str]) -> list[str]:
    """Remove provider and date from a name: `copilot_readFile`, `bash_20250124`."""
    if len(segments) > 1 and segments[0] == "copilot":
        segments = segments[1:]
    if len(segments) > 1 and segments[-1].isdigit() and len(segments[-1]) == 8:
        segments = segments[:-1]
    return segments


def _by_segments(segments: list[str]) -> ToolKind:
    present = set(segments)
    for segment in segments:
        for verbs, objects, kind in _VERBS_WITH_OBJECT:
            if segment in verbs and present & objects:
                return kind
    for segment in segments[:1] + segments[-1:]:
        if segment in _VERBS:
            return _VERBS[segment]
    return ToolKind.OTHER


# Words in names of tools that only look, and of those that change a record elsewhere.
_LOOKING_WORDS = word_set(
    """
    get list search read find view fetch show cat open grep glob ls webfetch websearch
    lsp
    """
)
_RECORD_WORDS = word_set(
    """
    create update write add save insert put set modify cancel exchange return book edit
    change delete remove move rename append upsert patch
    """
)
_NOT_RECORDS = word_set("todo task todowrite")
# Tools of unknown purpose with these names show stored text, or store it.
_STORED_WORDS = _LOOKING_WORDS - {"get", "show"} | word_set(
    "todo skill editor edit write multiedit create"
)


def name_words(tool: str) -> frozenset[str]:
    """Return the words of a tool's name, in lower case."""
    return frozenset(piece.lower() for piece in _SEGMENT.findall(tool))


def only_looks(tool: str) -> bool:
    """Return whether a tool's name says that it only looks."""
    return not _LOOKING_WORDS.isdisjoint(name_words(tool))


def shows_stored(tool: str) -> bool:
    """Return whether a tool's name says that its output is stored text."""
    return not _STORED_WORDS.isdisjoint(name_words(tool))


def changes_records(tool: str) -> bool:
    """Whether a tool's name says that it changes a record: a ticket, a booking."""
    words = name_words(tool)
    return not words.isdisjoint(_RECORD_WORDS) and words.isdisjoint(_NOT_RECORDS)
