"""`verifyhub allow`: private addresses of a home, without a restart."""

from tests.cli.in_process import verifyhub
from verifyhub.common.private_hosts import allowed_in


def test_addresses_are_allowed_listed_and_taken_away(tmp_path):
    def allow(*words):
        return verifyhub("allow", *words, settings={"VERIFYHUB_HOME": str(tmp_path)})

    assert allow("models", "Ollama:11434").returncode == 0
    assert allow("webhooks", "[::1]:8080").returncode == 0
    assert allow().stdout == "models ollama:11434\nwebhooks [::1]:8080\n"
    assert allowed_in(tmp_path, "webhooks") == {("::1", 8080)}
    allow("models", "ollama:11434", "--remove")

    assert allowed_in(tmp_path, "models") == frozenset()
    assert allow("models", "127.1:80").returncode == 2
    assert "host:port" in allow("models", "127.1:80").stderr
