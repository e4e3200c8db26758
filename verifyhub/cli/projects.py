"""`verifyhub project`: projects, members, roles and invitations."""

import argparse
from functools import partial

from verifyhub.cli.on_server import add_act


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Projects of the server that runs from this home folder. Projects "
        "are identified by their slug, as in URLs. Roles are viewer, reviewer, lead "
        "and admin; each includes the ones before it."
    )
    act = partial(add_act, parser.add_subparsers(metavar="COMMAND", required=True))
    act("list", "list projects with their number of members", _list)
    use = act(
        "disk-use", "show the estimated size of each project in the database", _disk_use
    )
    use.add_argument("--table", action="store_true", help="by table")
    add = act("add", "create a project", _add, "name")
    add.add_argument("--slug", default="", help="default: derived from the name")
    add.add_argument(
        "--admin", default="", metavar="USER", help="user name of the first admin"
    )
    act("rename", "rename a project; its slug does not change", _rename, "slug", "name")
    act("people", "list members and invitations", _people, "slug")
    act("role", "add a member or change their role", _role, "slug", "user", "role")
    act("remove", "remove a member", _remove, "slug", "user")
    hand_over = act(
        "hand-over",
        "transfer the admin role to another member",
        _hand_over,
        "slug",
        "giver",
        "receiver",
    )
    hand_over.add_argument(
        "--keeps",
        default="",
        metavar="ROLE",
        help="new role of the former admin; by default they leave the project",
    )
    link = act("invite", "print an invitation link for one person", _invite, "slug")
    link.add_argument("--role", default="reviewer", help="default: reviewer")
    link.add_argument(
        "--days", type=int, default=7, help="days until the link expires (default: 7)"
    )


def _list(_arguments: argparse.Namespace) -> None:
    from django.db.models import Count

    from verifyhub.accounts.models import Project
    from verifyhub.cli.named import table

    projects = Project.objects.annotate(people=Count("memberships")).order_by("slug")
    rows = [("SLUG", "NAME", "PEOPLE")]
    rows += [(one.slug, one.name, str(one.people)) for one in projects]
    print(table(rows))


def _disk_use(arguments: argparse.Namespace) -> None:
    from django.template.defaultfilters import filesizeformat

    from verifyhub.accounts.models import Project
    from verifyhub.cli.named import table
    from verifyhub.privacy.disk_use import database_size, disk_use

    uses = disk_use()
    rows = [("SLUG", *(("TABLE",) if arguments.table else ()), "ROWS", "SIZE")]
    for project in Project.objects.order_by("slug"):
        tables = uses.get(project.id, [])
        if arguments.table:
            rows += [
                (project.slug, use.table, str(use.rows), filesizeformat(use.size))
                for use in tables
            ]
        else:
            size = sum(use.size for use in tables)
            count = sum(use.rows for use in tables)
            rows.append((project.slug, str(count), filesizeformat(size)))
    print(table(rows))
    print(f"Database size with all projects: {filesizeformat(database_size())}")


def _add(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.people import start_project
    from verifyhub.cli.named import refusals, user_of

    admin = user_of(arguments.admin) if arguments.admin else None
    with refusals():
        project = start_project(name=arguments.name, slug=arguments.slug, admin=admin)
    print(f"Project {project.slug} created")


def _rename(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.people import rename_project
    from verifyhub.cli.named import project_of, refusals

    with refusals():
        rename_project(
            project=project_of(arguments.slug), name=arguments.name, actor=None
        )
    print(f"{arguments.slug} is now named {arguments.name}")


def _people(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.selectors import members, usable_invitations
    from verifyhub.cli.named import day, project_of, table

    project = project_of(arguments.slug)
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


def _role(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.services import set_role
    from verifyhub.cli.named import project_of, refusals, role_of, user_of

    with refusals():
        set_role(
            project=project_of(arguments.slug),
            user=user_of(arguments.user),
            role=role_of(arguments.role),
            actor=None,
        )
    print(f"{arguments.user} is now {arguments.role} in {arguments.slug}")


def _remove(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.people import remove_member
    from verifyhub.cli.named import project_of, refusals, user_of

    with refusals():
        remove_member(
            project=project_of(arguments.slug), user=user_of(arguments.user), actor=None
        )
    print(f"{arguments.user} is no longer a member of {arguments.slug}")


def _hand_over(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.people import hand_over
    from verifyhub.cli.named import project_of, refusals, role_of, user_of

    with refusals():
        hand_over(
            project=project_of(arguments.slug),
            giver=user_of(arguments.giver),
            receiver=user_of(arguments.receiver),
            keeps=role_of(arguments.keeps) if arguments.keeps else None,
            actor=None,
        )
    print(
        f"{arguments.receiver} is now admin of {arguments.slug}"
        f" instead of {arguments.giver}"
    )


def _invite(arguments: argparse.Namespace) -> None:
    from verifyhub.accounts.invitations import invite
    from verifyhub.cli.named import day, project_of, role_of

    project, role = project_of(arguments.slug), role_of(arguments.role)
    row, link = invite(
        project=project, role=role, actor=None, days=max(1, arguments.days)
    )
    print(
        f"The first person to open this link joins {project.slug} as {role}; ", end=""
    )
    print(f"it expires on {day(row.expires_at)}:")
    print(link)
