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
        help="verify the audit log",
        description="The audit log of the server that runs from this home folder.",
    )
    acts = parser.add_subparsers(metavar="COMMAND", required=True)
    verify = acts.add_parser("verify", help="find changed, removed and inserted rows")
    verify.add_argument(
        "--head",
        default="",
        metavar="NUMBER:DIGEST",
        help="a head saved earlier, which the chain must contain",
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
    print(
        f"{found.events} events in {found.seals} seals verified: none changed or "
        "missing."
    )
    if found.waiting:
        print(f"{found.waiting} events are not sealed yet.")
    if found.head:
        print(f"Head: {found.head}")
