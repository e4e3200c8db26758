import socket

import pytest

from verifyhub.cli.mcp_place import mcp_place
from verifyhub.cli.ports import free_port
from verifyhub.common.env import SettingError


def test_it_is_the_next_free_port_after_the_hubs():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        place = mcp_place("127.0.0.1", port - 1)

    assert place.port != port
    assert place.address == f"http://127.0.0.1:{place.port}/mcp"
    assert place.settings["VERIFYHUB_URL"] == f"http://127.0.0.1:{port - 1}"


@pytest.mark.parametrize(
    ("bind", "host"), [("127.0.0.1", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]")]
)
def test_the_hub_is_asked_on_this_machine(monkeypatch, bind, host):
    monkeypatch.setenv("VERIFYHUB_MCP_PORT", str(free_port()))

    assert mcp_place(bind, 8000).settings["VERIFYHUB_URL"] == f"http://{host}:8000"


def test_a_port_that_was_named_is_taken(monkeypatch):
    monkeypatch.setenv("VERIFYHUB_MCP_PORT", "9999")

    assert mcp_place("127.0.0.1", 8000).port == 9999


def test_it_can_be_left_out(monkeypatch):
    monkeypatch.setenv("VERIFYHUB_MCP", "0")

    assert mcp_place("127.0.0.1", 8000).port == 0


def test_a_port_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("VERIFYHUB_MCP_PORT", "next")

    with pytest.raises(SettingError, match="VERIFYHUB_MCP_PORT"):
        mcp_place("127.0.0.1", 8000)
