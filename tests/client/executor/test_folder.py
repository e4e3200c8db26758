"""Nothing outside the folder is shown, and nothing in it without end."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common import beneath
from verifyhub.embedded.executor import folder as bounds
from verifyhub.embedded.executor.folder import Folder, LookError

pytestmark = pytest.mark.skipif(
    not beneath.is_supported(), reason="this kernel has no openat2"
)
SECRET = "the secret"


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("one = 1\ntwo = one + 1\n")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("two")
    (root / "blob").write_bytes(b"two\0")
    (tmp_path / "secret").write_text(SECRET)
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "out").symlink_to(tmp_path)
    os.link(tmp_path / "secret", root / "hard")
    os.mkfifo(root / "pipe")
    return root


def test_it_lists_reads_and_searches(place):
    folder = Folder(place)

    assert folder.list_files(".") == "blob\nhard\nsrc/a.py"
    assert folder.list_files("src") == folder.list_files("./src/") == "src/a.py"
    assert folder.read("src/a.py").startswith("one = 1")
    assert folder.read(f"{place}/src/a.py") == folder.read("./src/a.py")
    assert folder.search("two") == "src/a.py:2:two = one + 1"
    assert folder.search("zzz") == "no matches"


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "src/../../secret",
        "link",
        "out/secret",
        "hard",
        "pipe",
        "blob",
        "src",
        "absent",
        "",
        "/etc/passwd",
        "~/x",
        "src/a.py\n",
        "x" * 5000,
    ],
)
def test_what_is_no_text_inside_is_not_read(place, path):
    with pytest.raises(LookError) as refused:
        Folder(place).read(path)

    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("path", ["..", "out", "link", "/", "src/a.py", "absent"])
def test_no_other_folder_is_listed_or_searched(place, path):
    with pytest.raises(LookError):
        Folder(place).list_files(path)
    with pytest.raises(LookError):
        Folder(place).search("secret", path)


def test_long_results_are_cut_and_say_so(place, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_LISTED", 1)
    monkeypatch.setattr(bounds, "MAX_FILE_BYTES", 3)
    monkeypatch.setattr(bounds, "MAX_HITS", 0)
    folder = Folder(place)

    assert folder.list_files(".") == "blob\n[cut after 1 files]"
    assert folder.read("src/a.py") == "one\n[cut after 3 bytes]"
    assert folder.search("one") == "[cut: search for something rarer]"


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="absent"):
        Folder(tmp_path / "absent")


@given(st.text(max_size=40))
def test_no_path_raises_anything_else(path):
    folder = Folder("/usr/share")
    for look in (folder.read, folder.list_files):
        if path.strip("./"):
            try:
                look(path)
            except LookError:
                continue
