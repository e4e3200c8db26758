"""Count the days behind the figures, recount them, or check them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from verifyhub.accounts.models import Project
from verifyhub.metrics.models import DayCount
from verifyhub.metrics.services import (
    count_next_day,
    differences,
    recount,
    refresh,
)


class Command(BaseCommand):
    """Count day by day; can be interrupted and started again."""

    help = "Count the answers of every day for the metrics page, or check the counts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add options for the project, for counting again, and for checking only."""
        parser.add_argument("--project", help="Project slug; default: all projects.")
        parser.add_argument(
            "--again", action="store_true", help="Delete the existing counts first."
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="Check the counts without changing them.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Count or check the projects; fail if a check finds differences."""
        projects = Project.objects.order_by("slug")
        if options["project"]:
            projects = projects.filter(slug=options["project"])
            if not projects.exists():
                raise CommandError(f"Project {options['project']} does not exist.")
        wrong = 0
        for project in projects:
            if options["check"]:
                wrong += self._check(project)
            else:
                if options["again"]:
                    recount(project_id=project.pk)
                days = 0
                while count_next_day(project_id=project.pk):
                    days += 1
                while refresh(project_id=project.pk):
                    pass
                self.stdout.write(f"{project.slug}: {days} days counted.")
        if wrong:
            raise CommandError(
                f"{wrong} counts differ; count_days --again corrects them."
            )

    def _check(self, project: Project) -> int:
        wrong = 0
        counted = DayCount.objects.filter(project=project, is_total=True)
        days = list(counted.order_by("day").values_list("day", flat=True))
        for day in days:
            for difference in differences(project_id=project.pk, day=day):
                wrong += 1
                self.stdout.write(f"{project.slug} {difference.day} {difference.what}")
        self.stdout.write(f"{project.slug}: {len(days)} days, {wrong} differences.")
        return wrong
