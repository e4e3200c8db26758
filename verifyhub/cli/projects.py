"""`verifyhub project`: projects, their people, invitations and handing over."""

import argparse
from collections.abc import Callable
from typing import Any

from verifyhub.cli.on_server import on_server


def add_parser(subparsers: Any) -> None:
    """Describe the subcommand to the `verifyhub` command."""
    parser = subparsers.add_parser(
        "project",
        help="make projects, invite people, give roles, hand over",
        description="Projects of the server that runs from this home. A project is"
        " named by its slug, as in its addresses. Roles are viewer, reviewer, lead and"
        " admin; each includes those before it.",
    )
    acts = parser.add_subparsers(metavar="ACT", required=True)

    def act(
        name: str, about: str, does: Callable[[Any], None], *words: str
    ) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = acts.add_parser(name, help=about)
        for word in words:
            one.add_argument(word)
        one.set_defaults(run=lambda given: on_server(lambda: does(given)))
        return one

    act("list", "projects with their number of people", _list)
    use = act("disk-use", "what each takes in the database, an estimate", _disk_use)
    use.add_argument("--table", action="store_true", help="by table")
    add = act("add", "make a project", _add, "name")
    add.add_argument("--slug", default="", help="by default made from the name")
    add.add_argument("--admin", default="", metavar="USER", help="its first admin")
    act("rename", "give it another name; its slug stays", _rename, "slug", "name")
    act("people", "who is in it, and who is invited", _people, "slug")
    act("role", "add a person, or change their role", _role, "slug", "user", "role")
    act("remove", "take a person out of it", _remove, "slug", "user")
    over = act(
        "hand-over",
        "make a member admin in the place of another",
        _hand_over,
        "slug",
        "giver",
        "receiver",
    )
    over.add_argument(
        "--keeps", default="", metavar="ROLE", help="by default the giver leaves"
    )
    link = act("invite", "print a link with which one person joins", _invite, "slug")
    link.add_argument("--role", default="reviewer", help="default: reviewer")
    link.add_argument("--days", type=int, default=7, help="it works for (default: 7)")


def _list(_given: argparse.Namespace) -> None:
    from django.db.models import Count

    from verifyhub.accounts.models import Project
    from verifyhub.cli.named import table

    projects = Project.objects.annotate(people=Count("memberships")).order_by("slug")
    rows = [("SLUG", "NAME", "PEOPLE")]
    print(table([*rows, *((one.slug, one.name, str(one.people)) for one in projects)]))


def _disk_use(given: argparse.Namespace) -> None:
    from django.template.defaultfilters import filesizeformat

    from verifyhub.accounts.models import Project
    from verifyhub.cli.named import table
    from verifyhub.privacy.disk_use import database_size, disk_use

    uses = disk_use()
    rows = [("SLUG", *(("TABLE",) if given.table else ()), "ROWS", "SIZE")]
    for project in Project.objects.order_by("slug"):
        tables = uses.get(project.id, [])
        if given.table:
            rows += [
                (project.slug, use.table, str(use.rows), filesizeformat(use.size))
                for use in tables
            ]
        else:
            size = sum(use.size for use in tables)
            count = sum(use.rows for use in tables)
            rows.append((project.slug, str(count), filesizeformat(size)))
    print(table(rows))
    print(f"The database has {filesizeformat(database_size())}, with all projects")


def _add(given: argparse.Namespace) -> None:
    from verifyhub.accounts.people import start_project
    from verifyhub.cli.named import refusals, user_of

    admin = user_of(given.admin) if given.admin else None
    with refusals():
        project = start_project(name=given.name, slug=given.slug, admin=admin)
    print(f"Project {project.slug} made")


def _rename(given: argparse.Namespace) -> None:
    from verifyhub.accounts.people import rename_project
    from verifyhub.cli.named import project_of, refusals

    with refusals():
        rename_project(project=project_of(given.slug), name=given.name, actor=None)
    print(f"{given.slug} is called {given.name}")


def _people(given: argparse.Namespace) -> None:
    from verifyhub.accounts.selectors import members, usable_invitations
    from verifyhub.cli.named import day, project_of, table

    project = project_of(given.slug)
    rows = [("NAME", "ROLE", "STATE", "LAST SIGN-IN")]
    rows += [
        (
            one.user.username,
            one.role,
            "active" if one.user.is_active else "disabled",
            day(one.user.last_login),
        )
        for one in members(project.id)
    ]
    rows += [
        (one.email or "-", one.role, f"invited until {day(one.expires_at)}", "-")
        for one in usable_invitations().filter(project=project)
    ]
    print(table(rows))


def _role(given: argparse.Namespace) -> None:
    from verifyhub.accounts.services import set_role
    from verifyhub.cli.named import project_of, refusals, role_of, user_of

    with refusals():
        set_role(
            project=project_of(given.slug),
            user=user_of(given.user),
            role=role_of(given.role),
            actor=None,
        )
    print(f"{given.user} is {given.role} in {given.slug}")


def _remove(given: argparse.Namespace) -> None:
    from verifyhub.accounts.people import remove_member
    from verifyhub.cli.named import project_of, refusals, user_of

    with refusals():
        remove_member(
            project=project_of(given.slug), user=user_of(given.user), actor=None
        )
    print(f"{given.user} is no longer in {given.slug}")


def _hand_over(given: argparse.Namespace) -> None:
    from verifyhub.accounts.people import hand_over
    from verifyhub.cli.named import project_of, refusals, role_of, user_of

    with refusals():
        hand_over(
            project=project_of(given.slug),
            giver=user_of(given.giver),
            receiver=user_of(given.receiver),
            keeps=role_of(given.keeps) if given.keeps else None,
            actor=None,
        )
    print(f"{given.receiver} is admin of {given.slug} in the place of {given.giver}")


def _invite(given: argparse.Namespace) -> None:
    from verifyhub.accounts.invitations import invite
    from verifyhub.cli.named import day, project_of, role_of

    project, role = project_of(given.slug), role_of(given.role)
    row, link = invite(project=project, role=role, actor=None, days=max(1, given.days))
    print(f"Whoever opens this first joins {project.slug} as {role}, ", end="")
    print(f"until {day(row.expires_at)}:")
    print(link)
