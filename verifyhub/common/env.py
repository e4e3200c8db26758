"""Typed readers of environment variables; invalid values raise an error.

Every variable `NAME` may instead be given as `NAME_FILE`, the path of a file whose
content, without the trailing newline, is the value: the way container secrets arrive.
"""

import os
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

MICRODOLLARS = 1_000_000
MAX_DOLLARS = 1_000_000

Choice = TypeVar("Choice", bound=StrEnum)


class SettingError(ValueError):
    """An environment variable has an invalid value."""


def text(name: str, default: str | None = None) -> str:
    """Read a string.

    Raises:
        SettingError: If neither the variable, its `_FILE` twin nor a default exists,
            both are set, or the file cannot be read.
    """
    value, path = os.environ.get(name), os.environ.get(f"{name}_FILE")
    if value and path:
        raise SettingError(f"Set {name} or {name}_FILE, not both")
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"{name}_FILE: {path}: {error}") from error
    if value:
        return value
    if default is None:
        raise SettingError(f"{name} is required")
    return default


def default_home() -> str:
    """Return the default of `VERIFYHUB_HOME`, the folder of the server's state.

    `.verifyhub` in a checkout, or in the current folder if installed from a wheel.
    """
    above = Path(__file__).resolve().parents[2]
    is_checkout = (above / "client" / "pyproject.toml").is_file()
    return str((above if is_checkout else Path.cwd()) / ".verifyhub")


def flag(name: str, default: bool) -> bool:
    """Read a boolean: 1, true, yes, on or 0, false, no, off."""
    value = text(name, "1" if default else "0").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise SettingError(f"{name} must be 1 or 0, not {value!r}")


def integer(name: str, default: int, *, minimum: int = 0) -> int:
    """Read a whole number that is at least `minimum`."""
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError as error:
        raise SettingError(f"{name} must be a whole number, not {value!r}") from error
    if number < minimum:
        raise SettingError(f"{name} must be at least {minimum}, not {number}")
    return number


def choice(name: str, default: Choice) -> Choice:
    """Read one of the values of the enumeration that `default` belongs to."""
    value = text(name, default)
    try:
        return type(default)(value)
    except ValueError as error:
        choices = ", ".join(type(default))
        raise SettingError(f"{name} must be one of {choices}, not {value!r}") from error


def hosts(name: str) -> frozenset[tuple[str, int]]:
    """Read hosts with their ports: `localhost:11434`; IPv6 stands in brackets.

    Raises:
        SettingError: If one has another form.
    """
    return places(name, words(name))


def places(name: str, entries: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Read hosts with their ports, each of the form `host:port`.

    Raises:
        SettingError: If one has another form; the message names `name`.
    """
    # Imported here, since the command line does not need it.
    from verifyhub.egress.errors import EgressError
    from verifyhub.egress.policy import LAST_PORT, host_of

    addresses = set()
    for entry in entries:
        host, _, port = entry.rpartition(":")
        try:
            if not 0 < int(port) <= LAST_PORT:
                raise ValueError("there is no such port")
            addresses.add((host_of(host), int(port)))
        except (EgressError, ValueError) as error:
            raise SettingError(
                f"{name}: {entry!r} is not of the form host:port: {error}"
            ) from error
    return frozenset(addresses)


def words(name: str, default: str = "") -> list[str]:
    """Read a list separated by commas; blanks are dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def pairs(name: str) -> list[str]:
    """Read a list of `name=value`, separated by commas.

    Raises:
        SettingError: If one has another form; the message omits its value.
    """
    listed = words(name)
    if any(entry.startswith("=") or "=" not in entry for entry in listed):
        raise SettingError(f"{name} must be name=value, separated by commas")
    return listed


def microdollars(name: str, text: str) -> int:
    """Read an amount of US dollars as millionths.

    Args:
        name: The setting that the text is part of.
        text: The amount.

    Raises:
        SettingError: If it is not a number from 0 to a million.
    """
    try:
        amount = Decimal(text)
    except InvalidOperation as error:
        raise SettingError(f"{name}: {text!r} is no amount in dollars") from error
    if not amount.is_finite() or not 0 <= amount <= MAX_DOLLARS:
        raise SettingError(f"{name}: {text!r} is no amount in dollars")
    return int(amount * MICRODOLLARS)


def postgres(name: str, default: str) -> dict[str, Any]:
    """Read a `postgresql://user:password@host:port/database?sslmode=…` for Django.

    Raises:
        SettingError: If the address has another scheme, no database, or an option that
            PostgreSQL's client does not know.
    """
    url = text(name, default)
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise SettingError(f"{name} must begin with postgresql://")
    database = unquote(parts.path.lstrip("/"))
    if not database:
        raise SettingError(f"{name} must name a database after the last /")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(set(options) - _database_options())
    if unknown:
        raise SettingError(f"{name} asks for {unknown[0]!r}, which is no option")
    return {
        "ENGINE": "verifyhub.common.postgres",
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
    }


def _database_options() -> set[str]:
    from psycopg import pq

    options = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    return options - {"host", "port", "dbname", "user", "password"}
