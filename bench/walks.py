"""How often a reader goes back who follows a value through the code.

    DATABASE_URL=postgresql://… VERIFYHUB_SECRET_KEY=… python -m bench.walks [WALK …]

Prints each walk as the functions that a real run enters, in the order in which it first
enters them: a posted answer to its stored verdict (`verify`), an override to the
constraint it makes (`override`), a name to the page that shows it (`mention`).

A room is a package of `verifyhub`; `common` and `config` are the floor under all of
them and left out. A return is a function, entered for the first time, in a room that
the walk has left before: that a call comes back to its caller counts only once the
caller goes on to a function that the walk has not seen. Attributes (properties, and
what Python calls by itself) and functions inside functions are read where they stand.
What is walked happens once before, so that caches are filled, and all of it in a
transaction that is rolled back.
"""

import gc
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType, SimpleNamespace
from typing import Any, NamedTuple

from bench.answers import PLAIN_FILES

PACKAGE = f"{Path(__file__).parents[1] / 'verifyhub'}{os.sep}"
FLOOR = {"common", "config"}
RUN = {
    "task": "Where is the price computed?",
    "answer": "In `compute_price()` of `shop/pricing.py`, then `apply_discount()` from"
    " `shop/discounts.py` lowers it.",
    "session": "s-1",
    "agent": {"name": "scout"},
    "tool_calls": [
        {
            "tool": "Grep",
            "input": {"pattern": "price"},
            "output": "shop/pricing.py:12: def compute_price(cart):\n",
        }
    ],
}


class Step(NamedTuple):
    """A function that a walk enters."""

    file: str
    function: str

    @property
    def room(self) -> str:
        return self.file.split(os.sep)[0]


class Walk:
    """Functions in the order in which they are first entered."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._entered: set[CodeType] = set()

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what is called inside."""
        # Collecting garbage closes generators that other code left, which enters them.
        gc.collect()
        gc.disable()
        sys.setprofile(self._enter)
        try:
            yield
        finally:
            sys.setprofile(None)
            gc.enable()

    def _enter(self, frame: FrameType, event: str, _value: Any) -> None:
        code = frame.f_code
        if event != "call" or code in self._entered:
            return
        self._entered.add(code)
        if not code.co_filename.startswith(PACKAGE):
            return
        step = Step(code.co_filename.removeprefix(PACKAGE), code.co_qualname)
        if step.room not in FLOOR and not _is_inside(frame):
            self.steps.append(step)

    def visits(self, by: str = "room") -> list[tuple[str, list[Step]]]:
        """Return the rooms, or files, each time one is entered."""
        return [
            (place, list(steps))
            for place, steps in groupby(self.steps, lambda step: getattr(step, by))
        ]

    def returns(self, by: str = "room") -> int:
        """Return how often a room, or file, is entered that was left before."""
        visits = self.visits(by)
        return len(visits) - len(dict(visits))


def _is_inside(frame: FrameType) -> bool:
    """Whether a frame is of an attribute, or of what stands inside a function."""
    path = frame.f_code.co_qualname
    *owners, name = path.split(".")
    if "<" in path or name.startswith("__"):
        return True
    owner: Any = SimpleNamespace(**frame.f_globals)
    for part in owners:
        owner = getattr(owner, part, None)
    return not callable(getattr(owner, name, None))


class Scene:
    """A project with a sender and a reviewer, by whom values are sent on their way."""

    def __init__(self) -> None:
        from django.test import Client

        from verifyhub.accounts.models import ApiKey, Membership, Project, Scope, User
        from verifyhub.accounts.services import secret_digest

        self.project = Project.objects.create(slug="walks", name="Walks")
        user = User.objects.create(username="walks")
        Membership.objects.create(project=self.project, user=user, role="lead")
        secret = f"vh_walks_{'0' * 32}"
        ApiKey.objects.create(
            project=self.project,
            name="walks",
            prefix="vh_walks",
            secret_sha256=secret_digest(secret),
            scopes=list(Scope.values),
        )
        self.agent = Client(
            SERVER_NAME="localhost", headers={"authorization": f"Bearer {secret}"}
        )
        self.reviewer = Client(SERVER_NAME="localhost")
        self.reviewer.force_login(user)
        # Memory knows the names: an earlier answer of the session has them.
        self.verify()

    def verify(self) -> None:
        """Post an answer, and verify what waits."""
        from verifyhub.verification.services import run_due

        reply = self.agent.post(
            "/api/v1/interactions/", RUN, content_type="application/json"
        )
        assert reply.status_code == 202, reply.content
        assert run_due()

    def override(self) -> None:
        """Say of a verified name in the newest answer that it does not exist."""
        reply = self.reviewer.post(
            f"{self._page()}mentions/0/flip/",
            {"version": 0, "status": "unverified", "reason": "It was renamed."},
        )
        assert reply.status_code == 302, reply.content

    def mention(self) -> None:
        """Open the page of the newest answer, with the evidence of a name."""
        reply = self.reviewer.get(self._page(), {"mention": 3})
        assert reply.status_code == 200, reply.content

    def _page(self) -> str:
        newest = self.project.interactions.latest("created_at")
        return f"/p/walks/answers/{newest.id}/"


WALKS = {"verify": Scene.verify, "mention": Scene.mention, "override": Scene.override}


def walk(name: str) -> Walk:
    """Follow a value, in a transaction of the caller."""
    follow, followed = WALKS[name], Walk()
    # What is logged goes through the masks of secrets.
    logging.disable(logging.CRITICAL)
    try:
        scene = Scene()
        follow(scene)
        scene.verify()
        with followed.followed():
            follow(scene)
    finally:
        logging.disable(logging.NOTSET)
    return followed


def main(arguments: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django

    django.setup()
    from django.db import transaction
    from django.test.utils import override_settings

    for name in arguments or WALKS:
        with override_settings(STORAGES=PLAIN_FILES), transaction.atomic():
            one = walk(name)
            transaction.set_rollback(True)
        seen: set[str] = set()
        for room, steps in one.visits():
            print(f"{'↩ ' if room in seen else '  '}{room}")
            seen.add(room)
            for file, inside in groupby(steps, lambda step: step.file):
                print(f"    {file}: {', '.join(step.function for step in inside)}")
        print(
            f"{name}: {len(one.steps)} functions, {one.returns()} returns to a room,"
            f" {one.returns('file')} to a file\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
