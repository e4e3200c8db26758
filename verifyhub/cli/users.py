"""`verifyhub user`: accounts, and links to set a password."""

import argparse
from functools import partial

from verifyhub.cli.on_server import CannotError, add_act


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "Accounts of the server that runs from this home folder."
    act = partial(add_act, parser.add_subparsers(metavar="COMMAND", required=True))
    act("list", "list accounts with their projects and roles", _list)
    add = act(
        "add", "create an account and print a link to set its password", _add, "name"
    )
    add.add_argument("--email", default="", help="e-mail address")
    add.add_argument(
        "--project", default="", metavar="SLUG", help="add the account to this project"
    )
    add.add_argument(
        "--role", default="reviewer", help="role in the project (default: reviewer)"
    )
    act("link", "print a link to set a new password; it works once", _link, "name")
    disable = partial(_set_active, is_active=False)
    act("disable", "disable an account and end its sessions", disable, "name")
    enable = partial(_set_active, is_active=True)
    act("enable", "enable a disabled account", enable, "name")
    act("reset-factor", "remove the second factor of an account", _reset, "name")
    connect = act("connect", "connect an account to OpenID Connect", _connect, "name")
    connect.add_argument("subject", help="the account's sub claim at the provider")


def _connect(arguments: argparse.Namespace) -> None:
    from django.conf import settings
    from django.db import IntegrityError

    from verifyhub.accounts.oidc import connect
    from verifyhub.cli.named import user_of

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


def _list(_arguments: argparse.Namespace) -> None:
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


def _link(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.passwords import make_password_link
    from verifyhub.cli.named import user_of

    link = make_password_link(user=user_of(arguments.name), actor=None)
    print(f"Send {arguments.name} this link to set a new password.", end=" ")
    print(f"It works once, for 24 hours:\n{link}")


def _reset(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.second_factor import FactorStateError, turn_off
    from verifyhub.cli.named import user_of

    try:
        turn_off(user=user_of(arguments.name), actor=None)
    except FactorStateError as error:
        raise CannotError(f"{arguments.name} has no second factor") from error
    print(
        f"{arguments.name} signs in with the password only"
        " until they set up a second factor"
    )


def _set_active(arguments: argparse.Namespace, *, is_active: bool) -> None:
    from verifyhub.accounts.people import set_active
    from verifyhub.cli.named import refusals, user_of

    with refusals():
        set_active(user=user_of(arguments.name), is_active=is_active, actor=None)
    print(f"{arguments.name} is {'active' if is_active else 'disabled'}")
