"""The first output of `verifyhub up`: address, login, key, first request."""

import json
import secrets
import shlex
from dataclasses import dataclass

from verifyhub.cli.home import Home
from verifyhub.common import env

EXAMPLE = {
    "task": "Which function loads the settings?",
    "answer": "load_settings() in src/config.py reads them.",
    "tool_calls": [
        {
            "tool": "read_file",
            "input": {"path": "src/config.py"},
            "status": "ok",
            "output": "def load_config(path):\n    return parse(path)\n",
        }
    ],
}


DEMO = "project demo; its runs appear within seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The first user and API key; secrets from the operator are not shown."""

    user: str
    password: str
    api_key: str
    is_password_given: bool
    is_key_given: bool

    def as_environment(self) -> dict[str, str]:
        """Return the settings that `manage.py bootstrap` reads."""
        project = env.text("VERIFYHUB_INIT_PROJECT", "")
        return {
            "VERIFYHUB_INIT_USER": self.user,
            "VERIFYHUB_INIT_PASSWORD": self.password,
            "VERIFYHUB_INIT_API_KEY": self.api_key,
            **({"VERIFYHUB_INIT_PROJECT": project} if project else {}),
        }


def login(home: Home) -> Login:
    """Return the first login: as configured, or as created at the first start."""
    password = env.text("VERIFYHUB_INIT_PASSWORD", "")
    api_key = env.text("VERIFYHUB_INIT_API_KEY", "")
    return Login(
        user=env.text("VERIFYHUB_INIT_USER", "admin"),
        password=password or home.secret("first-password", _password),
        api_key=api_key or home.secret("first-api-key", _api_key),
        is_password_given=bool(password),
        is_key_given=bool(api_key),
    )


def welcome(
    address: str, mcp: str, first_login: Login, home: Home, *, with_demo: bool = False
) -> str:
    """Return the text at the end of a start.

    Args:
        address: The server's URL.
        mcp: The MCP server's URL; empty if it is disabled.
        first_login: The first login.
        home: The home folder.
        with_demo: Whether the demo will be loaded.
    """
    password = "(as given)" if first_login.is_password_given else first_login.password
    key = "$VERIFYHUB_INIT_API_KEY" if first_login.is_key_given else first_login.api_key
    return "\n".join(
        (
            "",
            f"VerifyHub is ready: {address}/",
            f"  Login    {first_login.user}  {password}",
            f"  API key  {'(as given)' if first_login.is_key_given else key}",
            *([f"  MCP      {mcp}"] if mcp else []),
            *(["  Demo     " + DEMO] if with_demo else []),
            f"  State    {home.path}",
            f"  Logs     {home.logs}",
            "",
            "Send a first answer for verification:",
            f"  curl -s {address}/api/v1/interactions/ \\",
            f'    -H "Authorization: Bearer {key}" \\',
            '    -H "Content-Type: application/json" -H "Prefer: wait=10" \\',
            f"    -d {shlex.quote(json.dumps(EXAMPLE))}",
            "",
            "Press Ctrl-C to stop all services.",
        )
    )


def _password() -> str:
    return secrets.token_urlsafe(12)


def _api_key() -> str:
    return "vh_" + secrets.token_urlsafe(32)
