"""The programs of docs/client.md run as they are printed there."""

import re
from dataclasses import fields

from tests.architecture.tree import CHECKOUT
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub_client import Background, Stats

DOCUMENT = (CHECKOUT / "docs" / "client.md").read_text(encoding="utf-8")


def programs(first: str, last: str) -> list[str]:
    """The indented blocks from one heading to another."""
    part = DOCUMENT[DOCUMENT.index(f"## {first}\n") : DOCUMENT.index(f"## {last}\n")]
    blocks = re.findall(r"(?:^    .*\n(?:^\n(?=    ))?)+", part, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]


def test_what_is_printed_runs_at_a_real_server(server, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {"url": server, "key": API_SECRET}

    for program in programs("Watch an agent", "Until an answer is accepted"):
        exec(compile(program, "docs/client.md", "exec"), found)  # noqa: S102

    hubs = found["hub"], found["safe"]
    for hub in hubs:
        hub.close()
    assert "shop/prices.py" in capsys.readouterr().out
    assert [(hub.stats.observed, hub.stats.sent) for hub in hubs] == [(2, 2), (1, 1)]
    stored = Interaction.objects.filter(session__key="shop")
    assert stored.count() == 4
    noted = set(ToolCall.objects.values_list("tool", flat=True))
    assert noted == {"list_files", "grep", "read_file", "run_tests"}


def test_every_setting_and_every_counter_is_named():
    names = [one.name for kind in (Background, Stats) for one in fields(kind)]

    assert [name for name in names if f"`{name}`" not in DOCUMENT] == []
