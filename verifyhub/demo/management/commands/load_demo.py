"""Load the demo project, and report how many planted faults were caught."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from verifyhub.demo.catch import Catch, count_catch
from verifyhub.demo.load import Loaded, load_demo
from verifyhub.demo.plants import HonestCase, PlantedFault


class Command(BaseCommand):
    """Idempotent: a second run creates nothing, and prints the same table."""

    help = (
        "Create a demo project: real runs on a sample repository, verified and "
        "reviewed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--admin",
            default=settings.INIT_USER,
            help=(
                "an existing user who gets access to the demo (default: the first user)"
            ),
        )
        parser.add_argument("--password", default="", help="password of the demo users")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Load missing parts and print the table."""
        loaded = load_demo(admin=options["admin"], password=options["password"])
        lines = [*_lines(loaded), *table(count_catch(loaded.project))]
        self.stdout.write("\n".join(lines))


def _lines(loaded: Loaded) -> Iterator[str]:
    where = f"project {loaded.project.slug}, admin {loaded.admin}"
    if loaded.runs:
        yield (
            f"Demo loaded ({where}): {loaded.runs} runs created and verified, "
            f"{loaded.decisions} decided by reviewers"
        )
    else:
        yield f"Demo already exists ({where}); nothing changed"
    if loaded.password:
        yield f"Password of {loaded.admin}, shown once: {loaded.password}"


def table(catch: Catch) -> Iterator[str]:
    """Write the found faults by kind, then every miss and every false alarm."""
    yield f"{catch.answers} answers, {catch.with_fault} with a planted fault"
    yield from _rows("faults caught", PlantedFault, catch)
    yield from _rows("correct cases flagged", HonestCase, catch)
    yield f"  {'all other names and claims':<28}{catch.other_flagged} of {catch.other}"
    yield from (f"  missed: {text}" for text in catch.missed)
    yield from (f"  false positive: {text}" for text in catch.alarms)


def _rows(heading: str, kinds: Iterable[str], catch: Catch) -> Iterator[str]:
    names = list(kinds)
    flagged = sum(catch.flagged[name] for name in names)
    planted = sum(catch.planted[name] for name in names)
    yield f"  {heading}: {flagged} of {planted}"
    for name in names:
        words = name.replace("_", " ")
        yield f"    {words:<26}{catch.flagged[name]} of {catch.planted[name]}"
