"""Paths of the package and of its data."""

from pathlib import Path

from verifyhub.common import env

PACKAGE = Path(__file__).resolve().parents[1]
BASE_DIR = PACKAGE.parent
HOME = Path(env.text("VERIFYHUB_HOME", env.default_home())).resolve()
