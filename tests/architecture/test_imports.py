import subprocess
import sys

from tests.architecture.tree import CHECKOUT, client_modules, modules

BLOCKED = """
import importlib, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {{'django', 'celery', 'rest_framework'}}:
            raise ImportError(f'{{name}} is not for this package')

sys.meta_path.insert(0, Refuse())
for name in {names!r}:
    importlib.import_module(name)
"""


def test_every_import_contract_is_kept():
    command = [sys.executable, "-m", "importlinter.cli", "lint", "--no-cache"]

    result = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)

    assert result.returncode == 0, result.stdout


WITHOUT_DJANGO = (
    *("engine", "client", "mcp_server", "ingest/formats"),
    *("cli/verify.py", "cli/ask.py", "cli/mcp.py"),
)


def test_they_load_without_django_and_celery():
    found = [modules(package) for package in WITHOUT_DJANGO]
    names = [name for some in found for name in some]

    result = subprocess.run(
        [sys.executable, "-c", BLOCKED.format(names=names)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )

    assert result.returncode == 0, result.stderr
    assert all(found)


ALONE = """
import importlib, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] == 'verifyhub':
            raise ImportError(f'{{name}} is the server')

sys.meta_path.insert(0, Refuse())
for name in {names!r}:
    importlib.import_module(name)
"""


def test_the_client_loads_without_the_server():
    names = [name for name in client_modules() if ".adapters." not in name]

    result = subprocess.run(
        [sys.executable, "-c", ALONE.format(names=names)],
        cwd=CHECKOUT / "client",
        capture_output=True,
        text=True,
    )

    assert result.returncode == 0, result.stderr
    assert names
