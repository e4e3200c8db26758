"""How the servers connect to the database."""

from urllib.parse import quote

import pytest
from django.db import connections
from django.db.utils import ConnectionHandler

from verifyhub.common.env import SettingError
from verifyhub.config.database import databases


def connected(query: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Connect to the tests' database by an address; return what the client was told."""
    settings = connections["default"].settings_dict
    there = quote(settings["HOST"], safe="")
    name, password = quote(settings["USER"]), quote(settings["PASSWORD"])
    address = f"postgresql://{name}:{password}@{there}:{settings['PORT']}"
    monkeypatch.setenv("DATABASE_URL", f"{address}/{settings['NAME']}{query}")
    made = ConnectionHandler(databases(is_pooled=False, replica_url=""))["default"]
    try:
        made.ensure_connection()
        return {
            **made.connection.info.get_parameters(),
            "work_mem": made.cursor().execute("SHOW work_mem").fetchone()[0],
        }
    finally:
        made.close()


@pytest.mark.django_db
def test_a_server_that_falls_silent_is_not_waited_for(monkeypatch):
    told = connected("", monkeypatch)

    assert told["connect_timeout"] == "5"
    assert told["tcp_user_timeout"] == "30000"


def test_a_replica_that_falls_silent_is_waited_for_less(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/verifyhub")

    made = databases(is_pooled=True, replica_url="postgresql://replica/verifyhub")

    replica, primary = made["replica"]["OPTIONS"], made["default"]["OPTIONS"]
    assert replica["tcp_user_timeout"] < primary["tcp_user_timeout"]


@pytest.mark.django_db
def test_what_an_address_asks_for_counts(monkeypatch):
    query = "?sslmode=require&connect_timeout=9&options=-c%20work_mem%3D5MB"

    told = connected(query, monkeypatch)

    assert (told["sslmode"], told["connect_timeout"]) == ("require", "9")
    assert told["work_mem"] == "5MB"
    assert "statement_timeout=30000" in told["options"]


def test_a_wish_that_does_not_exist_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/verifyhub?sslmod=require")

    with pytest.raises(SettingError, match=r"DATABASE_URL.*'sslmod'"):
        databases(is_pooled=False, replica_url="")
