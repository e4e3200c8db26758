"""`verifyhub audit`: verify the audit log."""

import argparse
import re

from verifyhub.cli.on_server import CannotError, add_act

HEAD = re.compile(r"\d+:[0-9a-f]{64}")
MOST_PROBLEMS = 50


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "The audit log of the server that runs from this home folder."
    acts = parser.add_subparsers(metavar="COMMAND", required=True)
    verify = add_act(acts, "verify", "find changed, removed and inserted rows", _verify)
    verify.add_argument(
        "--head",
        default="",
        metavar="NUMBER:DIGEST",
        help="a head saved earlier, which the chain must contain",
    )


def _verify(arguments: argparse.Namespace) -> None:
    from verifyhub.audit.sealing import seal_events
    from verifyhub.audit.verifying import problems_of, verify_chain

    head = arguments.head
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
