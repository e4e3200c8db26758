"""A project's own rules about its tools, as data: `{"tool": "peek", "kind": "read"}`.

`tool` is a whole name, or a beginning that ends at a separator and a star:
`mcp__files__*` applies to every tool of that server. A whole name takes precedence,
then the longest beginning.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.errors import ToolRulesError
from verifyhub.engine.faults import Fault

MAX_RULES = 200
_LONGEST_TOOL = 200
_SEPARATORS = ("__", ".", "/", ":")


def read_tool_rules(data: object) -> dict[str, ToolKind]:
    """Check rules and return them by tool.

    Raises:
        ToolRulesError: With every invalid row and the reason; row 0 stands for the
            whole list.
    """
    if not isinstance(data, list):
        raise ToolRulesError({0: Fault("no_list_of_rules")})
    if len(data) > MAX_RULES:
        raise ToolRulesError({0: Fault("too_many_rules", n=MAX_RULES)})
    rules: dict[str, ToolKind] = {}
    errors: dict[int, Fault] = {}
    for row, item in enumerate(data, start=1):
        problem = _problem(item, rules)
        if problem:
            errors[row] = problem
        else:
            rules[item["tool"]] = ToolKind(item["kind"])
    if errors:
        raise ToolRulesError(errors)
    return rules


def _problem(item: Any, rules: Mapping[str, ToolKind]) -> Fault | None:
    if not isinstance(item, dict) or set(item) != {"tool", "kind"}:
        return Fault("rule_parts")
    tool, kind = item["tool"], item["kind"]
    problem = tool_problem(tool)
    if problem:
        return problem
    if not isinstance(kind, str) or kind not in set(ToolKind):
        return Fault("rule_kind", list=", ".join(ToolKind))
    return Fault("rule_twice") if tool in rules else None


def tool_problem(tool: object) -> Fault | None:
    """Return the error in a rule's name of a tool, or its beginning; empty if none."""
    if not isinstance(tool, str) or not 0 < len(tool) <= _LONGEST_TOOL:
        return Fault("rule_tool", n=_LONGEST_TOOL)
    begins = tool.removesuffix("*")
    is_beginning = "*" not in begins and begins.endswith(_SEPARATORS)
    return Fault("rule_star") if "*" in tool and not is_beginning else None


def rows_of(rules: Sequence[Mapping[str, str]]) -> str:
    """Write rules for editing: one per line, the tool and then its kind."""
    return "\n".join(f"{rule['tool']} {rule['kind']}" for rule in rules)


def rules_in(text: str) -> list[dict[str, str]]:
    """Read edited rules, unchecked: the last word of a line is the kind."""
    return tool_rows(text, "kind")


def tool_rows(text: str, field: str) -> list[dict[str, str]]:
    """Read the lines of an edited text: a tool, and a last word for `field`.

    A blank line is a row too, and an invalid one unless it ends the text, so that
    errors have the numbers of the lines that people see.
    """
    rows = []
    for line in text.rstrip().splitlines():
        tool, *last = line.rsplit(maxsplit=1) or [""]
        rows.append({"tool": tool.strip(), field: "".join(last)})
    return rows
