import subprocess

import pytest

from tests.conftest import API_SECRET
from tests.mcp_server.conftest import COMMAND, RUN, environment, over_stdio
from verifyhub.cli.ports import free_port


def refusal(**settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        COMMAND,
        env=environment("http://127.0.0.1:1", **settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.django_db(transaction=True)
def test_the_key_may_come_from_a_file(server, tmp_path):
    file = tmp_path / "key"
    file.write_text(API_SECRET + "\n")

    async def act(client):
        return await client.call_tool("guard", {"text": "draft"})

    result = over_stdio(server, act, VERIFYHUB_API_KEY_FILE=str(file))

    assert result.structured_content["ok"]


def test_a_hub_that_is_away_is_said_and_the_server_lives_on():
    async def act(client):
        first = await client.call_tool("verify", RUN)
        listed = (await client.list_resources()).resources
        return first, listed, await client.call_tool("guard", {"text": "draft"})

    address = f"http://127.0.0.1:{free_port()}"
    first, listed, second = over_stdio(address, act, VERIFYHUB_API_KEY=API_SECRET)

    assert first.is_error
    assert second.is_error
    assert "The VerifyHub server cannot be reached" in first.content[0].text
    assert [str(one.uri) for one in listed] == ["verifyhub://constraints"]
    assert API_SECRET not in first.content[0].text


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "VERIFYHUB_API_KEY is required"),
        (
            {"VERIFYHUB_API_KEY": "two words"},
            "VERIFYHUB_API_KEY must consist of printable",
        ),
        (
            {"VERIFYHUB_API_KEY": "vh_x", "VERIFYHUB_URL": "hub"},
            "VERIFYHUB_URL must be an address",
        ),
        (
            {"VERIFYHUB_API_KEY": "vh_x", "VERIFYHUB_LOG_LEVEL": "LOUD"},
            "VERIFYHUB_LOG_LEVEL is not a log level",
        ),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(settings, says):
    done = refusal(**settings)

    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""
