"""`verifyhub audit`: verify the audit log."""

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
    verify.set_defaults(
        run=lambda arguments: on_server(lambda: _verify(arguments.head))
    )


def _verify(head: str) -> None:
    from verifyhub.audit.sealing import seal_events
    from verifyhub.audit.verifying import problems_of, verify_chain

    if head and not HEAD.fullmatch(head):
        raise CannotError("A head is a number, a colon and 64 hexadecimal digits")
    # Seals recent acts even if no beat is running.
    seal_events()
    check = verify_chain(known_head=head)
    if check.problems:
        raise CannotError("\n".join(problems_of(check, most=MOST_PROBLEMS)))
    print(
        f"{check.events} events in {check.seals} seals verified: none changed or "
        "missing."
    )
    if check.waiting:
        print(f"{check.waiting} events are not sealed yet.")
    if check.head:
        print(f"Head: {check.head}")
