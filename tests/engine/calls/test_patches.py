"""What a patch does to a file, and when its new bytes are known."""

import pytest

from verifyhub.engine.calls.patches import PatchAction, read_patch, structured_patch

CODEX = """*** Begin Patch
*** Add File: src/new.py
+one
+two
*** Update File: src/old.py
*** Move to: src/moved.py
@@ def f():
 def f():
-    return 1
+    return 2
*** Delete File: src/gone.py
*** End Patch"""
UNIFIED = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -2,2 +2,3 @@
 b
-c
+C
+d
--- /dev/null
+++ b/fresh.py
@@ -0,0 +1 @@
+x
"""


def test_a_codex_patch_names_what_it_does_to_each_file():
    patches = read_patch(CODEX)

    assert [(one.path, one.action, one.moved_to) for one in patches] == [
        ("src/new.py", PatchAction.ADD, ""),
        ("src/old.py", PatchAction.UPDATE, "src/moved.py"),
        ("src/gone.py", PatchAction.DELETE, ""),
    ]
    assert patches[0].apply(None) == "one\ntwo\n"
    assert patches[1].apply("x\ndef f():\n    return 1\n") == (
        "x\ndef f():\n    return 2\n"
    )


def test_a_unified_diff_is_applied_where_it_says():
    changed, fresh = read_patch(UNIFIED)

    assert changed.apply("b\nb\nc\ne\n") == "b\nb\nC\nd\ne\n"
    assert (fresh.path, fresh.apply(None)) == ("fresh.py", "x\n")


@pytest.mark.parametrize("text", [None, "nothing alike\n", "b\nc\nb\nc\n" * 40])
def test_a_hunk_that_fits_nowhere_or_twice_gives_no_text(text):
    hunks = UNIFIED.replace("@@ -2,2 +2,3 @@", "@@")

    assert read_patch(hunks)[0].apply(text) is None


def test_the_result_of_an_edit_is_a_patch_too():
    lines = [" a", "-b", "+B"]
    data = {
        "filePath": "a.py",
        "structuredPatch": [{"oldStart": 1, "lines": lines}],
    }

    patch = structured_patch(data)

    assert patch is not None
    assert patch.apply("a\nb\n") == "a\nB\n"


@pytest.mark.parametrize("text", ["", "see --- this", "+++ b/a", "*** Begin", "- - -"])
def test_other_text_is_no_patch(text):
    assert read_patch(text) == ()
