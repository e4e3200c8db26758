"""Tools by exact name or whole segments, never by substring."""

import pytest

from verifyhub.engine.calls.tools import ToolKind, tool_kind


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Read", ToolKind.READ),
        ("read_file", ToolKind.READ),
        ("mcp__filesystem__read_text_file", ToolKind.READ),
        ("functions.read_file", ToolKind.READ),
        ("getFileContents", ToolKind.READ),
        ("Write", ToolKind.WRITE),
        ("create_file", ToolKind.WRITE),
        ("write_to_file", ToolKind.WRITE),
        ("MultiEdit", ToolKind.EDIT),
        ("apply_patch", ToolKind.EDIT),
        ("replace_in_file", ToolKind.EDIT),
        ("edit_file", ToolKind.EDIT),
        ("delete_file", ToolKind.DELETE),
        ("LS", ToolKind.LIST),
        ("Glob", ToolKind.LIST),
        ("list_directory", ToolKind.LIST),
        ("find_file", ToolKind.LIST),
        ("Grep", ToolKind.SEARCH),
        ("grep_search", ToolKind.SEARCH),
        ("codebase_search", ToolKind.SEARCH),
        ("Bash", ToolKind.SHELL),
        ("exec_command", ToolKind.SHELL),
        ("container.exec", ToolKind.SHELL),
        ("run_terminal_cmd", ToolKind.SHELL),
        ("execute_bash", ToolKind.SHELL),
        ("Python_REPL", ToolKind.SHELL),
        ("WebFetch", ToolKind.FETCH),
        ("requests_get", ToolKind.FETCH),
        ("BashOutput", ToolKind.SHELL),
        ("js_repl", ToolKind.SHELL),
        ("browser_navigate", ToolKind.FETCH),
        ("google_search", ToolKind.QUERY),
        ("mcp__postgres__query", ToolKind.QUERY),
        ("github-mcp-server-get_file_contents", ToolKind.READ),
        ("github-mcp-server-search_code", ToolKind.SEARCH),
        ("mcp__serena__find_symbol", ToolKind.SEARCH),
        ("wait_agent", ToolKind.AGENT),
        ("task_tracker", ToolKind.NOTE),
        ("update_todo", ToolKind.NOTE),
        ("update_plan", ToolKind.NOTE),
        ("WebSearch", ToolKind.QUERY),
        ("tavily_search_results_json", ToolKind.QUERY),
        ("Task", ToolKind.AGENT),
        ("TodoWrite", ToolKind.NOTE),
    ],
)
def test_tool_of_a_common_agent_is_known(tool, kind):
    assert tool_kind(tool) is kind


@pytest.mark.parametrize(
    "tool",
    [
        "thread", "list_threads_of", "remind", "already_written", "spreadsheet",
        "bashful", "catalog", "send_mail", "tools", "rewrite_history", "", "___", "读",
    ],
)  # fmt: skip
def test_tool_with_a_known_word_inside_is_not_taken_for_it(tool):
    assert tool_kind(tool) is ToolKind.OTHER


def test_editor_with_many_commands_is_sorted_by_its_command():
    assert tool_kind("str_replace_editor", "view") is ToolKind.READ
    assert tool_kind("str_replace_editor", "create") is ToolKind.WRITE
    assert tool_kind("str_replace_editor", "str_replace") is ToolKind.EDIT


def test_rule_of_a_project_wins_over_the_registry():
    rules = {"Read": ToolKind.NOTE, "peek": ToolKind.READ}

    assert tool_kind("Read", rules=rules) is ToolKind.NOTE
    assert tool_kind("peek", rules=rules) is ToolKind.READ
