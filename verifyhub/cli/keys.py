"""`verifyhub key`: API keys of a project."""

import argparse
from functools import partial

from verifyhub.cli.on_server import CannotError, add_act


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "API keys of a project on the server that runs from this home folder."
    )
    act = partial(add_act, parser.add_subparsers(metavar="COMMAND", required=True))
    act("list", "list the keys of a project", _list, "slug")
    add = act("add", "create a key and print its secret once", _add, "slug")
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
    revoke = act("revoke", "revoke a key permanently", _revoke, "slug")
    revoke.add_argument("key", help="id of the key, from `verifyhub key list`")


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
