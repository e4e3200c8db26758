"""`verifyhub user`: accounts, and links to set a password."""

import argparse
from functools import partial
from typing import Any

from verifyhub.cli.on_server import on_server


def add_parser(subparsers: Any) -> None:
    """Describe the subcommand to the `verifyhub` command."""
    parser = subparsers.add_parser(
        "user",
        help="manage accounts and password links",
        description="Accounts of the server that runs from this home folder.",
    )
    acts = parser.add_subparsers(metavar="COMMAND", required=True)
    add = acts.add_parser("list", help="list accounts with their projects and roles")
    add.set_defaults(run=lambda _: on_server(_list))
    add = acts.add_parser(
        "add", help="create an account and print a link to set its password"
    )
    add.add_argument("name")
    add.add_argument("--email", default="", help="e-mail address")
    add.add_argument(
        "--project", default="", metavar="SLUG", help="add the account to this project"
    )
    add.add_argument(
        "--role", default="reviewer", help="role in the project (default: reviewer)"
    )
    add.set_defaults(run=lambda arguments: on_server(lambda: _add(arguments)))
    for act, about, run in (
        ("link", "print a link to set a new password; it works once", _link),
        (
            "disable",
            "disable an account and end its sessions",
            partial(_set_active, is_active=False),
        ),
        (
            "enable",
            "enable a disabled account",
            partial(_set_active, is_active=True),
        ),
        ("reset-factor", "remove the second factor of an account", _reset),
    ):
        command = acts.add_parser(act, help=about)
        command.add_argument("name")
        command.set_defaults(
            run=lambda arguments, run=run: on_server(lambda: run(arguments.name))
        )
    connect = acts.add_parser("connect", help="connect an account to OpenID Connect")
    connect.add_argument("name")
    connect.add_argument("subject", help="the account's sub claim at the provider")
    connect.set_defaults(run=lambda arguments: on_server(lambda: _connect(arguments)))


def _connect(arguments: argparse.Namespace) -> None:
    from django.conf import settings
    from django.db import IntegrityError

    from verifyhub.accounts.oidc import connect
    from verifyhub.cli.named import user_of
    from verifyhub.cli.on_server import CannotError

    if not settings.OIDC.issuer:
        raise CannotError("VERIFYHUB_OIDC_ISSUER is not set")
    try:
        connect(user=user_of(arguments.name), subject=arguments.subject, actor=None)
    except IntegrityError as error:
        raise CannotError(
            f"{arguments.subject} is already connected to another account"
        ) from error
    print(
        f"{arguments.name} can now sign in as {arguments.subject}"
        f" at {settings.OIDC.issuer}"
    )


def _list() -> None:
    from verifyhub.accounts.models import User
    from verifyhub.cli.named import day, table

    people = User.objects.order_by("username").prefetch_related("memberships__project")
    rows = [("NAME", "STATE", "LAST SIGN-IN", "PROJECTS")]
    rows += [
        (
            user.username,
            "active" if user.is_active else "disabled",
            day(user.last_login),
            ", ".join(f"{m.project.slug} ({m.role})" for m in user.memberships.all()),
        )
        for user in people
    ]
    print(table(rows))


def _add(arguments: argparse.Namespace) -> None:
    from django.db import transaction

    from verifyhub.accounts.passwords import password_link
    from verifyhub.accounts.people import create_user
    from verifyhub.accounts.services import set_role
    from verifyhub.cli.named import project_of, refusals, role_of

    project = project_of(arguments.project) if arguments.project else None
    role = role_of(arguments.role)
    with refusals(), transaction.atomic():
        user = create_user(username=arguments.name, email=arguments.email, actor=None)
        if project is not None:
            set_role(project=project, user=user, role=role, actor=None)
    print(f"Send {user} this link to set a password. It works once, for 24 hours:")
    print(password_link(user))


def _link(name: str) -> None:
    from verifyhub.accounts.passwords import make_password_link
    from verifyhub.cli.named import user_of

    link = make_password_link(user=user_of(name), actor=None)
    print(f"Send {name} this link to set a new password. It works once, for 24 hours:")
    print(link)


def _reset(name: str) -> None:
    from verifyhub.accounts.second_factor import FactorStateError, turn_off
    from verifyhub.cli.named import user_of
    from verifyhub.cli.on_server import CannotError

    try:
        turn_off(user=user_of(name), actor=None)
    except FactorStateError as error:
        raise CannotError(f"{name} has no second factor") from error
    print(f"{name} signs in with the password only until they set up a second factor")


def _set_active(name: str, *, is_active: bool) -> None:
    from verifyhub.accounts.people import set_active
    from verifyhub.cli.named import refusals, user_of

    with refusals():
        set_active(user=user_of(name), is_active=is_active, actor=None)
    print(f"{name} is {'active' if is_active else 'disabled'}")
