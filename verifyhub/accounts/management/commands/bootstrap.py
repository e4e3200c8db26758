"""Make the first project, user and API key from the settings `VERIFYHUB_INIT_*`."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from verifyhub.accounts.models import ApiKey, Project, Role, User
from verifyhub.accounts.services import (
    WeakSecretError,
    check_secret,
    create_project,
    issue_api_key,
    secret_digest,
    set_role,
)


class Command(BaseCommand):
    """Idempotent: what exists stays as people have changed it since."""

    help = "Create the project, user and API key set in VERIFYHUB_INIT_*."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take `--check`."""
        parser.add_argument(
            "--check",
            action="store_true",
            help="check the settings without creating anything",
        )

    def handle(self, *_args: Any, check: bool, **_options: Any) -> None:
        """Make what is missing and say what there is."""
        if not _slug(settings.INIT_PROJECT):
            raise CommandError("VERIFYHUB_INIT_PROJECT needs a letter or a digit")
        try:
            if settings.INIT_API_KEY:
                check_secret(settings.INIT_API_KEY)
        except WeakSecretError as error:
            raise CommandError(f"VERIFYHUB_INIT_API_KEY: {error}") from error
        if check:
            return
        with transaction.atomic():
            project = self._project(settings.INIT_PROJECT)
            user = self._user(settings.INIT_USER, settings.INIT_PASSWORD, project)
            self._api_key(settings.INIT_API_KEY, project, user)

    def _project(self, name: str) -> Project:
        slug = _slug(name)
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            project = create_project(slug=slug, name=name, actor=None)
            self.stdout.write(f"Project {slug} created")
        return project

    def _user(self, username: str, password: str, project: Project) -> User | None:
        user = User.objects.filter(username=username).first()
        if user is None:
            if not password:
                self.stdout.write("No user created: VERIFYHUB_INIT_PASSWORD is not set")
                return None
            user = User.objects.create_user(username=username, password=password)
            self.stdout.write(f"User {username} created")
        elif password and not user.check_password(password):
            self.stdout.write(
                f"User {username} has changed their password; password kept"
            )
        if not user.memberships.filter(project=project).exists():
            set_role(project=project, user=user, role=Role.ADMIN, actor=None)
        return user

    def _api_key(self, secret: str, project: Project, user: User | None) -> None:
        if not secret:
            self.stdout.write("No API key created: VERIFYHUB_INIT_API_KEY is not set")
            return
        key = ApiKey.objects.filter(secret_sha256=secret_digest(secret)).first()
        if key is None:
            issue_api_key(
                project=project,
                name="Created at first start",
                created_by=user,
                secret=secret,
            )
            self.stdout.write("API key created")
        elif key.project_id != project.id:
            raise CommandError(
                "VERIFYHUB_INIT_API_KEY belongs to another project: choose a new one"
            )
        elif not key.is_usable(timezone.now()):
            self.stdout.write("The API key is revoked or expired; not changed")


def _slug(name: str) -> str:
    return slugify(name)[:60]
