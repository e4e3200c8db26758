"""`verifyhub key`: API keys of a project."""

import argparse
from typing import Any

from verifyhub.cli.on_server import CannotError, on_server


def add_parser(subparsers: Any) -> None:
    """Describe the subcommand to the `verifyhub` command."""
    parser = subparsers.add_parser(
        "key",
        help="create, list and revoke API keys",
        description=(
            "API keys of a project on the server that runs from this home folder."
        ),
    )
    acts = parser.add_subparsers(metavar="COMMAND", required=True)
    listed = acts.add_parser("list", help="list the keys of a project")
    listed.add_argument("slug")
    listed.set_defaults(run=lambda arguments: on_server(lambda: _list(arguments)))
    add = acts.add_parser("add", help="create a key and print its secret once")
    add.add_argument("slug")
    add.add_argument("name", help="what the key is for")
    add.add_argument(
        "--scopes", default="ingest,read", help="comma-separated (default: ingest,read)"
    )
    add.add_argument(
        "--days",
        type=int,
        default=90,
        help="days until the key expires; 0: never (default: 90)",
    )
    add.set_defaults(run=lambda arguments: on_server(lambda: _add(arguments)))
    revoke = acts.add_parser("revoke", help="revoke a key permanently")
    revoke.add_argument("slug")
    revoke.add_argument("key", help="id of the key, from `verifyhub key list`")
    revoke.set_defaults(run=lambda arguments: on_server(lambda: _revoke(arguments)))


def _list(arguments: argparse.Namespace) -> None:
    from django.utils import timezone

    from verifyhub.accounts.selectors import api_keys
    from verifyhub.cli.named import day, project_of, table

    now = timezone.now()
    rows = [("ID", "NAME", "BEGINS WITH", "SCOPES", "STATE", "EXPIRES", "LAST USED")]
    rows += [
        (
            str(key.id),
            key.name,
            key.prefix,
            ",".join(key.scopes),
            "works" if key.is_usable(now) else "revoked or expired",
            day(key.expires_at),
            day(key.last_used_at),
        )
        for key in api_keys(project_of(arguments.slug).id)
    ]
    print(table(rows))


def _add(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.models import Scope
    from verifyhub.accounts.services import issue_api_key
    from verifyhub.cli.named import end_after, project_of

    scopes = [word.strip() for word in arguments.scopes.split(",") if word.strip()]
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        names = ", ".join(Scope.values)
        raise CannotError(f"Unknown scope: {', '.join(unknown)}. Scopes: {names}")
    _key, secret = issue_api_key(
        project=project_of(arguments.slug),
        name=arguments.name[:100],
        scopes=scopes,
        expires_at=end_after(arguments.days),
    )
    print(secret)


def _revoke(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.selectors import api_keys
    from verifyhub.accounts.services import KeyAlreadyRevokedError, revoke_api_key
    from verifyhub.cli.named import project_of
    from verifyhub.common.http import uuid_in

    keys = api_keys(project_of(arguments.slug).id)
    key_id = uuid_in(arguments.key)
    key = keys.filter(id=key_id).first() if key_id else None
    if key is None:
        raise CannotError(f"{arguments.slug} has no key {arguments.key}")
    try:
        revoke_api_key(key=key, actor=None)
    except KeyAlreadyRevokedError as error:
        raise CannotError(f"{key} was already revoked") from error
    print(f"{key} is revoked")
