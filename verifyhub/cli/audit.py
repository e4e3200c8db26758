"""`verifyhub audit`: hold the audit record against its chain."""

import re
from typing import Any

from verifyhub.cli.on_server import CannotError, on_server

HEAD = re.compile(r"\d+:[0-9a-f]{64}")
MOST_PROBLEMS = 50


def add_parser(subparsers: Any) -> None:
    """Describe the subcommand to the `verifyhub` command."""
    parser = subparsers.add_parser(
        "audit",
        help="find what was changed in the audit record",
        description="The audit record of the server that runs from this home.",
    )
    acts = parser.add_subparsers(metavar="ACT", required=True)
    verify = acts.add_parser(
        "verify", help="find rows that were changed, removed or inserted"
    )
    verify.add_argument(
        "--head",
        default="",
        metavar="NUMBER:DIGEST",
        help="that was kept elsewhere; the chain has to lead through it",
    )
    verify.set_defaults(run=lambda given: on_server(lambda: _verify(given.head)))


def _verify(head: str) -> None:
    from verifyhub.audit.sealing import seal_events
    from verifyhub.audit.verifying import problems_of, verify_chain

    if head and not HEAD.fullmatch(head):
        raise CannotError("A head is a number, a colon and 64 hexadecimal digits")
    # What was done a moment ago is sealed as well, beat or no beat.
    seal_events()
    found = verify_chain(known=head)
    if found.problems:
        raise CannotError("\n".join(problems_of(found, most=MOST_PROBLEMS)))
    print(f"{found.events} acts in {found.seals} seals, none changed or gone.")
    if found.waiting:
        print(f"{found.waiting} more wait to be sealed.")
    if found.head:
        print(f"Head: {found.head}")
