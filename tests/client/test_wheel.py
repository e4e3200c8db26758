"""The wheel of the client, used where there is nothing but what it depends on."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from packaging.requirements import Requirement

from tests.architecture.tree import CHECKOUT
from tests.client.conftest import HONEST, LISTING, TASK
from tests.conftest import API_SECRET

PROGRAM = """
import asyncio, sys
from verifyhub_client import AsyncVerifyHub, Background, VerifyHub, tool, verified

url, key, folder = sys.argv[1:]
hub = VerifyHub(url, key, background=Background(folder=folder))

@tool
def list_files(path: str) -> str:
    return {listing!r}

@verified(hub, mode="check")
def helper(task: str) -> str:
    list_files(".")
    return {answer!r}

assert helper({task!r}).accepted
with hub.session("shop") as session:
    list_files(".")
    session.observe({task!r}, {answer!r})
    assert session.guard({answer!r}).ok
assert hub.flush(20) and hub.stats.sent == 1

async def main():
    async with AsyncVerifyHub(url, key) as other:
        return await other.check({task!r}, "No idea.")

asyncio.run(main())
loaded = {{name.partition(".")[0] for name in sys.modules}}
assert not loaded & {{"django", "verifyhub", "celery", "openai", "mcp"}}, loaded
"""


def needed(name: str, found: set[str] | None = None) -> set[str]:
    """A distribution and all it depends on here, without extras."""
    found = set() if found is None else found
    if name not in found:
        found.add(name)
        for line in distribution(name).requires or ():
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or marker.evaluate({"extra": ""}):
                needed(requirement.name, found)
    return found


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = ignore_patterns("*.egg-info", "build", "__pycache__")
    source = copytree(CHECKOUT / "client", folder / "source", ignore=ignored)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(source)]
    subprocess.run([*command, "--wheel-dir", str(folder)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_the_package_its_types_and_its_licence(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    sources = CHECKOUT / "client" / "verifyhub_client"
    modules = {str(path.relative_to(sources.parent)) for path in sources.rglob("*.py")}
    assert modules <= set(names)
    assert "verifyhub_client/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith("verifyhub/")]


def test_it_works_with_httpx2_and_nothing_else(wheel, server, tmp_path):
    bare = tmp_path / "bare"
    zipfile.ZipFile(wheel).extractall(bare)
    requires = next(bare.glob("*.dist-info/METADATA")).read_text()
    # The frameworks of adapters are extras: nobody has to have them.
    direct = set(re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra)", requires, re.M))
    assert direct == {"httpx2", "httpcore2"}
    for name in needed("httpx2") | direct:
        for file in distribution(name).files or ():
            top = file.parts[0]
            place = Path(str(distribution(name).locate_file(top)))
            if place.exists() and not (bare / top).exists() and top != "..":
                (bare / top).symlink_to(place)
    program = tmp_path / "program.py"
    begin = f"import sys; sys.path.insert(0, {str(bare)!r})\n"
    code = PROGRAM.format(listing=LISTING["output"], answer=HONEST, task=TASK)
    program.write_text(begin + code)

    # -I and -S: neither the checkout nor any installed package is on the path.
    done = subprocess.run(
        [sys.executable, "-I", "-S", program, server, API_SECRET, tmp_path / "waiting"],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
