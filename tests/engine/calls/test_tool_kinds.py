"""Tools of common agents, and words that mean something else elsewhere."""

import pytest

from verifyhub.engine.calls.tools import tool_kind

KINDS = """
    runTests shell
    get_errors read
    list_code_usages search
    copilot_readFile read
    move_file edit
    mcp__github__push_files write
    mcp__serena__replace_symbol_body edit
    mcp__serena__insert_after_symbol edit
    mcp__serena__find_symbol search
    mcp__desktop-commander__start_process shell
    smart_edit edit
    text_editor_20250728 edit
    bash_20250124 shell
    execute_python shell
    search_code search
    view_file read
    cat_facts other
    search_flights query
    mind:rag-query query
    retrieval query
    mind.rag_lookup query
    document_retrieval query
    db-query query
    queryset_writer other
    storage other
    execute_trade other
    exec_trade other
    view_order other
    view_calendar other
"""


@pytest.mark.parametrize(
    "row", [row.split() for row in KINDS.split("\n") if row.strip()]
)
def test_a_tool_is_known_by_its_name_and_what_it_acts_on(row):
    tool, kind = row

    assert str(tool_kind(tool)) == kind
