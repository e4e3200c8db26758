"""`verifyhub outputs`: move large tool outputs to the object store and back."""

import argparse
from collections.abc import Callable
from functools import partial

from verifyhub.cli.on_server import CannotError, add_act


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Large tool outputs are stored in the object store at "
        "VERIFYHUB_STORE_URL, if it is set. Outputs are moved one at a time: Ctrl-C "
        "stops at any time, and the next call continues."
    )
    act = partial(add_act, parser.add_subparsers(metavar="COMMAND", required=True))
    act("to-store", "move all large outputs to the object store", _to_store)
    act(
        "to-database",
        "move all outputs back to the database; set VERIFYHUB_STORE_OUTPUT_CHARACTERS=0"
        " first",
        _to_database,
    )


def _to_store(_arguments: argparse.Namespace) -> None:
    from datetime import timedelta

    from verifyhub.ingest.output_services import move_outputs

    _all(lambda: move_outputs(rest=timedelta()), "moved to the store")


def _to_database(_arguments: argparse.Namespace) -> None:
    from django.conf import settings

    from verifyhub.ingest.output_services import bring_back

    if settings.STORE.url and settings.STORE_OUTPUT_CHARACTERS:
        raise CannotError(
            "Set VERIFYHUB_STORE_OUTPUT_CHARACTERS=0 on every machine first: otherwise "
            "workers move the outputs to the store again"
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
