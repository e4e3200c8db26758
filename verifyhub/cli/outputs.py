"""`verifyhub outputs`: move large outputs and answers to the object store and back."""

import argparse
from collections.abc import Callable
from functools import partial

from verifyhub.cli.on_server import CannotError, add_act

LIMITS = ("VERIFYHUB_STORE_OUTPUT_CHARACTERS", "VERIFYHUB_STORE_ANSWER_BYTES")


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Large tool outputs and answers are stored in the object store at "
        "VERIFYHUB_STORE_URL, if it is set. They are moved one at a time: Ctrl-C "
        "stops at any time, and the next call continues."
    )
    act = partial(add_act, parser.add_subparsers(metavar="COMMAND", required=True))
    act("to-store", "move all that are large enough to the object store", _to_store)
    act(
        "to-database",
        f"move all back to the database; set {' and '.join(LIMITS)} to 0 first",
        _to_database,
    )


def _to_store(_arguments: argparse.Namespace) -> None:
    from datetime import timedelta

    from verifyhub.ingest.output_services import move_outputs

    _all(lambda: move_outputs(rest=timedelta()), "moved to the store")


def _to_database(_arguments: argparse.Namespace) -> None:
    from django.conf import settings

    from verifyhub.ingest.output_services import bring_back

    limits = (settings.STORE_OUTPUT_CHARACTERS, settings.STORE_ANSWER_BYTES)
    if settings.STORE.url and any(limits):
        names = (name for name, limit in zip(LIMITS, limits, strict=True) if limit)
        raise CannotError(
            f"Set {' and '.join(f'{name}=0' for name in names)} on every machine "
            "first: otherwise workers move the texts to the store again"
        )
    _all(bring_back, "moved to the database")


def _all(batch: Callable[[], int], action: str) -> None:
    from django.conf import settings

    from verifyhub.common.object_store import ObjectStoreError

    if not settings.STORE.url:
        raise CannotError("No object store: VERIFYHUB_STORE_URL is not set")
    total = 0
    try:
        while count := batch():
            total += count
            print(f"{total} {action}", flush=True)
    except ObjectStoreError as error:
        raise CannotError(f"{total} {action}, then: {error}") from error
    except KeyboardInterrupt:
        raise CannotError(f"Stopped: {total} {action}") from None
    print(f"Done: {total} {action}")
