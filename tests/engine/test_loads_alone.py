"""The engine loads where neither Django nor Celery can be imported."""

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
for name in ("django", "celery", "rest_framework"):
    sys.modules[name] = None
import verifyhub.engine
for module in pkgutil.walk_packages(verifyhub.engine.__path__, "verifyhub.engine."):
    if not module.name.startswith("verifyhub.engine.llm"):
        importlib.import_module(module.name)
"""


def test_every_module_of_the_engine_imports_without_a_framework():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
