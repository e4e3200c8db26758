"""Write the secret files that docker-compose.yml names; existing files stay.

Runs with any Python 3.11+: `python3 -m verifyhub.cli.compose_secrets [FOLDER]`.
"""

import secrets
import sys
from pathlib import Path


def write_secrets(folder: Path) -> None:
    """Create each missing secret below `folder`.

    Only the owner can enter the folder. The files are readable by all, because Docker
    mounts them as they are and the programs inside run as another user.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    _keep(folder / "secret-key", secrets.token_urlsafe(50))
    _keep(folder / "first-password", secrets.token_urlsafe(12))
    _keep(folder / "first-api-key", "vh_" + secrets.token_urlsafe(32))
    database = _keep(folder / "database-password", secrets.token_hex(32))
    broker = _keep(folder / "broker-password", secrets.token_hex(32))
    place = "postgres:5432/verifyhub"
    _keep(folder / "database-url", f"postgresql://verifyhub:{database}@{place}")
    own = f"verifyhub_app:{secrets.token_hex(32)}"
    address = f"postgresql://{own}@{place}"
    address = _keep(folder / "application-database-url", address)
    # For the profiles `pgbouncer` and `replica`.
    pooled = address.replace("@postgres:5432", "@pgbouncer:6432")
    _keep(folder / "pooled-database-url", pooled)
    replica = address.replace("@postgres:5432", "@replica:5432")
    _keep(folder / "replica-database-url", replica)
    _keep(folder / "broker-url", f"redis://:{broker}@broker:6379/0")


def _keep(file: Path, text: str) -> str:
    if not file.exists():
        file.write_text(text + "\n", encoding="utf-8")
    return file.read_text(encoding="utf-8").strip()


if __name__ == "__main__":
    write_secrets(Path(sys.argv[1] if len(sys.argv) > 1 else "secrets"))
