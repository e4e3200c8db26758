"""A project says as data what its own tools do."""

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.calls.tool_rules import read_tool_rules, rows_of, rules_in
from verifyhub.engine.calls.tools import ToolKind, tool_kind
from verifyhub.engine.errors import ToolRulesError
from verifyhub.engine.reports import Status


def test_whole_name_wins_then_the_longest_beginning():
    rules = read_tool_rules(
        [
            {"tool": "mcp__files__*", "kind": "read"},
            {"tool": "mcp__*", "kind": "query"},
            {"tool": "mcp__files__put", "kind": "write"},
        ]
    )

    assert tool_kind("mcp__files__put", rules=rules) is ToolKind.WRITE
    assert tool_kind("mcp__files__peek", rules=rules) is ToolKind.READ
    assert tool_kind("mcp__web__peek", rules=rules) is ToolKind.QUERY
    assert tool_kind("mcp_files", rules=rules) is ToolKind.OTHER


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("read", "must name a tool and a kind"),
        ({"tool": "peek"}, "must name a tool and a kind"),
        ({"tool": "peek", "kind": "read", "x": 1}, "and nothing else"),
        ({"tool": "", "kind": "read"}, "1 to 200 characters"),
        ({"tool": 3, "kind": "read"}, "1 to 200 characters"),
        ({"tool": "pe*", "kind": "read"}, "star"),
        ({"tool": "a__*b", "kind": "read"}, "star"),
        ({"tool": "*", "kind": "read"}, "star"),
        ({"tool": "peek", "kind": "reads"}, "the kind must be one of"),
        ({"tool": "peek", "kind": ["read"]}, "the kind must be one of"),
        ({"tool": "first", "kind": "read"}, "already has a rule"),
    ],
)
def test_wrong_row_is_named_with_what_is_wrong(rule, why):
    with pytest.raises(ToolRulesError) as caught:
        read_tool_rules([{"tool": "first", "kind": "read"}, rule])

    assert list(caught.value.errors) == [2]
    assert why in caught.value.errors[2]


def test_edited_lines_are_the_rules_again():
    rules = [
        {"tool": "mcp__files__*", "kind": "read"},
        {"tool": "Find it", "kind": "search"},
    ]

    assert rules_in(rows_of(rules) + "\n\n") == rules


def test_rule_decides_what_an_output_is_worth():
    noted = a_tool_call("jot", {"text": "see src/ghost.py"}, "saved: see src/ghost.py")
    interaction = an_interaction("It is in `src/ghost.py`.", noted)

    (without,) = verify(interaction).mentions
    (ruled,) = verify(interaction, tool_rules={"jot": ToolKind.NOTE}).mentions

    assert without.status is Status.VERIFIED
    assert ruled.status is Status.UNVERIFIED
