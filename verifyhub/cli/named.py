"""Look up projects, users and roles by name, and print errors in one line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.utils import timezone

from verifyhub.accounts.models import Project, Role, User
from verifyhub.accounts.people import PeopleError
from verifyhub.accounts.services import LastAdminError
from verifyhub.cli.on_server import CannotError
from verifyhub.cli.verify_text import visible


@contextmanager
def refusals() -> Iterator[None]:
    """Convert errors of services to errors of the command line.

    Raises:
        CannotError: For an error of a service.
    """
    try:
        yield
    except (PeopleError, LastAdminError) as error:
        raise CannotError(str(error)) from error


def project_of(slug: str) -> Project:
    """Return the project with this slug.

    Raises:
        CannotError: If there is none; it lists the existing ones.
    """
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        slugs = ", ".join(
            Project.objects.order_by("slug").values_list("slug", flat=True)
        )
        raise CannotError(f"Project {slug} does not exist. Projects: {slugs or 'none'}")
    return project


def user_of(name: str) -> User:
    """Return the account with this name.

    Raises:
        CannotError: If there is none.
    """
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CannotError(f"Account {name} does not exist; see `verifyhub user list`")
    return user


def role_of(name: str) -> Role:
    """Return the role with this name.

    Raises:
        CannotError: If there is none.
    """
    if name not in Role.values:
        raise CannotError(f"{name} is not a role. Roles: {', '.join(Role.values)}")
    return Role(name)


def end_after(days: int) -> datetime | None:
    """Return the time in so many days; None, for never, with 0 days."""
    return timezone.now() + timedelta(days=days) if days else None


def day(moment: datetime | None) -> str:
    """Return a date in UTC for a table; a hyphen for none."""
    return moment.strftime("%Y-%m-%d") if moment else "-"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Format rows as a table; control characters are escaped."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in shown
    )
    return "\n".join(line.rstrip() for line in lines)
