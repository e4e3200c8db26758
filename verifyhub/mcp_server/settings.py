"""Settings of the server, from the environment."""

from dataclasses import dataclass

from verifyhub.common import env

# The path of the MCP endpoint.
MCP_PATH = "/mcp"
DEFAULT_MCP_PORT = 8001
DEFAULT_URL = "http://127.0.0.1:8000"
DEFAULT_BODY_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HubAddress:
    """The hub's address, and the host name it answers to if that differs."""

    url: str
    host: str

    @classmethod
    def from_environment(cls) -> "HubAddress":
        """Read `VERIFYHUB_URL` and `VERIFYHUB_URL_HOST`."""
        return cls(
            url=env.text("VERIFYHUB_URL", DEFAULT_URL),
            host=env.text("VERIFYHUB_URL_HOST", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """Settings of the server over HTTP.

    Attributes:
        bind, port: The address it listens on.
        allowed_hosts: The names it answers to, and whose pages may call it.
        max_body_bytes: The largest request it reads.
        public_url: The hub's address for people.
    """

    bind: str
    port: int
    allowed_hosts: tuple[str, ...]
    max_body_bytes: int
    public_url: str

    @classmethod
    def from_environment(cls, hub: HubAddress) -> "HttpSettings":
        """Read the settings.

        Raises:
            SettingError: If one cannot be used.
        """
        return cls(
            bind=env.text("VERIFYHUB_BIND", "127.0.0.1"),
            port=env.integer("VERIFYHUB_MCP_PORT", DEFAULT_MCP_PORT, minimum=1),
            allowed_hosts=tuple(
                env.words("VERIFYHUB_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
            ),
            max_body_bytes=env.integer(
                "VERIFYHUB_MAX_BODY_BYTES", DEFAULT_BODY_BYTES, minimum=1024
            ),
            public_url=env.text("VERIFYHUB_ROOT_URL", hub.url),
        )
