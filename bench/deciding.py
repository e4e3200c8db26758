"""Time from a reviewer's key to the next answer on the screen, in a real browser.

    python -m bench.deciding [items …] [--decisions 40]

Starts a fresh home, fills its project with that many review items by SQL, sends answers
that are first in the queue, and decides one after another by keyboard. Prints the time
of a decision in milliseconds, from the key to the frame that shows the next answer, and
to the frame in which the server has confirmed it and keys work again. Also prints each
layout shift and the machine's load. The reviewer looks at each answer for a second, in
which the next one is prefetched.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.fresh_home import address_of, fresh_home, send_runs
from bench.ingest import Server
from bench.ingest_runs import BenchRun, made_runs

LOOKING_MS = 1000
# Resolves when another answer has been painted and can be judged.
WATCH = """() => {
  const shown = () => document.getElementById("answer-page")?.dataset.answer;
  const before = shown();
  window.decided = new Promise((resolve) => {
    let shift = 0;
    const shifts = new PerformanceObserver((list) => {
      for (const one of list.getEntries()) shift += one.value;
    });
    shifts.observe({ type: "layout-shift" });
    addEventListener("keydown", (event) => {
      const begun = event.timeStamp;
      // What is asked for in one frame is on the screen when the next one begins.
      const frameOf = (isThere) => new Promise((done) => {
        const look = () => requestAnimationFrame(isThere() ? done : look);
        requestAnimationFrame(look);
      });
      const isNext = () => shown() && shown() !== before;
      const acts = () => isNext() && !document.querySelector("#answer-page[inert]");
      frameOf(isNext).then(async (painted) => {
        const agreed = await frameOf(acts);
        setTimeout(() => {
          shifts.disconnect();
          resolve([painted - begun, agreed - begun, shift]);
        }, 500);
      });
    }, { capture: true, once: true });
  });
}"""


def main() -> None:
    """Measure at each number of items."""
    parser = argparse.ArgumentParser(prog="python -m bench.deciding")
    parser.add_argument("items", nargs="*", type=int, default=[100_000])
    parser.add_argument("--decisions", type=int, default=40)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            password = (Path(folder) / "first-password").read_text().strip()
            for items in asked.items:
                _fill(address_of(supervisor, "VERIFYHUB_OWNER_DATABASE_URL"), items)
                send_runs(server, _runs(asked.decisions + 1))
                raise_newest(asked.decisions + 1)
                fetched: list[str] = []
                taken = _decide(url_of(server), password, asked.decisions, fetched)
                _tell(items, taken, len(fetched))


def _runs(count: int) -> list[BenchRun]:
    """Return runs with different names, since pages show the names just judged."""
    return [
        replace(run, answer=f"`missing_{number}_here()` closes it.")
        for number, run in enumerate(made_runs(count, 20))
    ]


def url_of(server: Server) -> str:
    """Return the URL of a server."""
    return f"http://{server.connection.host}:{server.connection.port}"


def _fill(database: str, items: int) -> None:
    os.environ |= {
        "DATABASE_URL": database,
        "VERIFYHUB_SECRET_KEY": "of-this-bench-alone-" * 3,
        "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings",
        # Playwright's event loop runs in this thread, in which the ORM is used too.
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    }
    import django

    django.setup()
    from bench.review_queue import fill
    from verifyhub.accounts.models import Project, User

    fill(Project.objects.get(slug="main"), User.objects.get(username="admin"), items)


def raise_newest(count: int) -> None:
    """Put the runs sent last before all filled rows."""
    from django.db.models import F

    from verifyhub.review.models import ReviewItem

    newest = ReviewItem.objects.filter(project__slug="main", state="open")
    sent = newest.filter(interaction__client_id__startswith="bench-")
    while sent.count() < count:
        time.sleep(1)
    ReviewItem.objects.filter(pk__in=sent.values("pk")).update(rank=F("rank") + 1000)


Taken = tuple[float, float, float]


def _decide(url: str, password: str, decisions: int, fetched: list[str]) -> list[Taken]:
    """Sign in, and confirm one answer after another by its key."""
    from tests.browser.chromium import launched

    with launched() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/accounts/login/?next=/p/main/review/")
        page.get_by_label("User name").fill("admin")
        page.get_by_label("Password").fill(password)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda address: "login" not in address)
        page.keyboard.press("n")
        page.on("response", lambda reply: _count(reply, fetched))
        return [decide_once(page, LOOKING_MS) for _ in range(decisions)]


def _count(reply: Any, fetched: list[str]) -> None:
    if stamp := reply.headers.get("x-ahead"):
        fetched.append(stamp)


def decide_once(page: Any, looking_ms: int) -> Taken:
    """Look at the shown answer, and confirm it by its key.

    Returns:
        Milliseconds until the next answer was painted, and until keys work on it; and
        the layout shift of all that.
    """
    page.wait_for_selector("#answer-page:not([inert]) #agree:enabled")
    page.evaluate(WATCH)
    page.wait_for_timeout(looking_ms)
    page.keyboard.press("a")
    painted, agreed, shift = page.evaluate("decided")
    return float(painted), float(agreed), float(shift)


def _tell(items: int, taken: list[Taken], fetched: int) -> None:
    painted, agreed, shifts = zip(*taken, strict=True)
    print(
        f"{items:>9,} items  {fetched} of {len(taken)} fetched ahead"
        f"  painted {_spread(painted)}  agreed {_spread(agreed)}"
        f"  layout shift, most {max(shifts):.4f}  load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def _spread(times: Sequence[float]) -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"p50 {statistics.median(times):.0f} p95 {p95:.0f} most {max(times):.0f} ms"


if __name__ == "__main__":
    main()
