"""Names of a listing lie in the folder that the listing shows above them."""

import json

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify
from verifyhub.engine.types import ToolCall

TREE = "src\n├── a\n│   ├── b\n│   │   └── c.py\n│   └── d.py\n\n2 directories, 2 files"
ASCII = "src\n|-- a\n|   |-- b\n|   |   `-- c.py\n|   `-- d.py\n"
BULLETS = "- /r/\n  - src/\n    - a/\n      - b/\n        - c.py\n      - d.py\n"
INDENTS = "/r/\n  src/\n    a/\n      b/\n        c.py\n      d.py\n"
RECURSIVE = "src:\na\nb.py\n\nsrc/a:\nc.py"
TWO = "api:\ny.py\n\nweb:\nx.ts"
TABLE = "Mode   LastWriteTime  Length Name\n-a---- 1/1/2024 10:00  10 a.cs"
DRIVE = "\n    Directory: C:\\r\\src\n\n" + TABLE

NESTED = json.dumps(
    [
        {
            "name": "src",
            "type": "directory",
            "children": [
                {
                    "name": "a",
                    "type": "directory",
                    "children": [{"name": "c.py", "type": "file"}],
                },
                {"name": "d.py", "type": "file"},
            ],
        }
    ],
    indent=2,
)


def mcp_tree(output: str) -> ToolCall:
    return a_tool_call("mcp__filesystem__directory_tree", {"path": "/r"}, output)


def reasons(call, answer: str) -> dict[str, str]:
    report = verify(an_interaction(answer, call)).as_dict()
    return {one["text"]: one["reason"] for one in report["mentions"]}


@pytest.mark.parametrize(
    ("call", "there"),
    [
        (a_command("tree src", TREE), ["src/a/b/c.py", "src/a/d.py", "src/a/b/"]),
        (
            a_command("tree src", TREE.replace("│   ", "│\u00a0\u00a0 ")),
            ["src/a/b/c.py", "src/a/d.py"],
        ),
        (a_command("tree src", ASCII), ["src/a/b/c.py", "src/a/d.py"]),
        (
            a_command("cd src && tree", ".\n└── a\n    └── d.py"),
            ["src/a/d.py", "d.py"],
        ),
        (
            a_tool_call("LS", {"path": "/r"}, BULLETS),
            ["src/a/b/c.py", "/r/src/a/d.py"],
        ),
        (a_tool_call("list", {"path": "/r"}, INDENTS), ["src/a/b/c.py", "src/a/d.py"]),
        (mcp_tree(NESTED), ["src/a/c.py", "src/d.py", "/r/src/a/c.py", "src/a/"]),
        (mcp_tree(NESTED[: NESTED.index("d.py") + 5]), ["src/a/c.py", "src/d.py"]),
        (a_command("ls -R src", RECURSIVE), ["src/a/c.py", "src/b.py", "c.py"]),
        (a_command("cd web && ls -R", ".:\na\n\n./a:\nc.py"), ["web/a/c.py"]),
        (a_command("ls web api", TWO), ["api/y.py", "web/x.ts"]),
        (a_command("ls web", "index.ts\npublic"), ["web/public/", "web/index.ts"]),
        (a_command("cd web && ls src", "lib\na.ts"), ["web/src/lib/"]),
        (
            a_tool_call("list_dir", {"path": "/r/src/a"}, "b/\nd.py"),
            ["src/a/b/", "src/a/d.py"],
        ),
        (
            a_tool_call("list_directory", {"path": "src/a"}, "[DIR] b\n[FILE] d.py"),
            ["src/a/b/", "src/a/d.py"],
        ),
        (a_command("Get-ChildItem src", TABLE), ["src\\a.cs"]),
        (a_command("Get-ChildItem", DRIVE), ["src\\a.cs"]),
    ],
)
def test_what_a_listing_shows_is_found_in_its_folder(call, there):
    answer = " and ".join(f"`{path}`" for path in there)
    found = reasons(call, f"See {answer}.")
    assert set(found) == set(there)
    assert set(found.values()) <= {"found", "found_resolved"}


@pytest.mark.parametrize(
    ("call", "invented"),
    [
        (a_command("ls -R src", RECURSIVE), "src/c.py"),
        (a_command("ls web api", TWO), "web/y.py"),
        (a_command("tree src", TREE), "src/b/c.py"),
        (a_tool_call("LS", {"path": "/r"}, BULLETS), "/r/src/c.py"),
        (a_command("ls web; cat notes", "index.ts\npublic"), "web/public/"),
    ],
)
def test_another_folder_is_not_taken_for_the_one_shown(call, invented):
    (reason,) = reasons(call, f"See `{invented}`.").values()
    assert reason not in {"found", "found_resolved"}


def test_a_name_beside_a_listing_is_still_a_path():
    call = a_command("ls -R src; cat a.txt", RECURSIVE + "\n\nsee lib/z.py and q.py")
    found = reasons(call, "See `lib/z.py` and `q.py`.")
    assert set(found.values()) == {"found"}


def test_a_name_of_a_json_tree_is_only_where_the_tree_has_it():
    said = reasons(mcp_tree(NESTED), "`src/c.py`, `src/a/d.py`.")

    assert said == {"src/c.py": "wrong_directory", "src/a/d.py": "wrong_directory"}
