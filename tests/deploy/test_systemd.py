"""Units for machines without containers."""

import configparser
import re
import shutil
import subprocess

import pytest

from tests.architecture.tree import CHECKOUT
from verifyhub.cli.main import OFFLINE, PARTS

UNITS = CHECKOUT / "deploy/systemd"
NAMES = sorted(unit.name for unit in UNITS.iterdir())


class Unit(configparser.RawConfigParser):
    def __init__(self, name):
        super().__init__(strict=False, interpolation=None)
        self.optionxform = str
        self.read(UNITS / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_runs_a_command_that_exists(name):
    _program, command, *_ = Unit(name)["Service"]["ExecStart"].split()

    assert command == "%i" or command in {*PARTS, *OFFLINE}


def test_the_mcp_server_listens_and_is_told_no_secret():
    text = (UNITS / "verifyhub-mcp.service").read_text()

    assert "verifyhub mcp --http\n" in text
    assert re.findall("^EnvironmentFile=(.+)$", text, re.M) == ["/etc/verifyhub/mcp"]


def test_groups_of_workers_stand_beside_each_other():
    service = Unit("verifyhub-worker@.service")["Service"]

    for name in ("EnvironmentFile", "Environment", "StateDirectory"):
        assert service[name].endswith("worker-%i")


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_has_no_rights_that_it_does_not_need(name):
    service = Unit(name)["Service"]

    assert (service["DynamicUser"], service["NoNewPrivileges"]) == ("yes", "yes")
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""


@pytest.mark.deep
@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze (systemd)"
)
def test_systemd_takes_the_units(tmp_path):
    for unit in UNITS.iterdir():
        text = unit.read_text().replace("/opt/verifyhub/bin/verifyhub", "/bin/true")
        (tmp_path / unit.name.replace("@", "@web")).write_text(text)

    checked = subprocess.run(
        ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Unknown" not in checked.stderr
    assert "Failed" not in checked.stderr
