"""Use the reviewer's desk in a real browser at three widths, and report findings.

    python -m bench.desk [--pictures FOLDER]
        [--url URL --password-file FILE --key-file FILE]

Starts a fresh home unless a URL is given, sends it twenty answers and one with sixty
tool calls, and does at 1440, 1280 and 390 px what a reviewer, a lead and an admin do.
Prints a table of checks and their results at each width. Times are in milliseconds,
with the load. With `--pictures` it saves screenshots of the main pages, light and dark.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.deciding import LOOKING_MS, Taken, decide_once, url_of
from bench.fresh_home import address_of, fresh_home, send_runs
from bench.ingest import Server
from bench.ingest_runs import BenchRun, made_runs

WIDTHS = ((1440, 900), (1280, 800), (390, 844))
PHONE = 390
DECISIONS = 20
LONG = "bench-sixty-calls"
SILENT = "bench-no-outputs"
VALUES = "bench-values"
PAGES = {
    "queue": "review/",
    "memory": "memory/",
    "metrics": "metrics/",
    "trend": "metrics/progress/",
    "model": "settings/models/new/",
    "people": "people/",
    "start": "start/",
}
# Words of an earlier interface and awkward ones, which must not be on any page.
OLD_WORDS = (
    *("give it back", "take it", "not for me now", "as the project", "told to all"),
    *("what it hears", "say so", "do it", "held against", "works for", "it may"),
    *("nothing settled", "four eyes", "nobody said so", "unattempted", "rests for"),
)
TOP_OF = """(name) =>
  Math.round(document.querySelector(name).getBoundingClientRect().top)"""
VISIBLE = """(name) => {
  const place = document.querySelector(name)?.getBoundingClientRect();
  return !!place && place.height > 0 && place.top >= 0 && place.top < innerHeight;
}"""
OVERPRINTED = """() => [...document.querySelectorAll("main svg")].filter((svg) => {
  // What does not fit is there without being seen; slanted ones meet as boxes alone.
  const texts = [...svg.querySelectorAll("text")].filter((one) =>
    one.getAttribute("opacity") !== "0" &&
    !one.getAttribute("transform")?.includes("rotate"));
  const boxes = texts.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
    a.top < b.bottom - 2 && b.top < a.bottom - 2;
  return boxes.some((a, at) => boxes.slice(at + 1).some((b) => meet(a, b)));
}).length"""

Found = dict[str, str]


def main() -> None:
    """Run the checks at each width, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.desk")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--password-file", type=Path)
    parser.add_argument("--key-file", type=Path)
    asked = parser.parse_args()
    with _server(asked) as (server, password):
        found = _walks(server, password, asked.pictures)
    _tell(found)


@contextmanager
def _server(asked: argparse.Namespace) -> Iterator[tuple[Server, str]]:
    if asked.url:
        key = asked.key_file.read_text(encoding="utf-8").strip()
        yield Server(asked.url, key), asked.password_file.read_text().strip()
        return
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            os.environ["DATABASE_URL"] = address_of(
                supervisor, "VERIFYHUB_OWNER_DATABASE_URL"
            )
            yield server, (Path(folder) / "first-password").read_text().strip()


def _walks(server: Server, password: str, pictures: Path | None) -> dict[int, Found]:
    from tests.browser.chromium import launched

    found: dict[int, Found] = {}
    with launched() as browser:
        for width, height in WIDTHS:
            others = (_long(width), _silent(width), _booking(width))
            send_runs(server, [*_runs(width), *others])
            page = browser.new_page(viewport={"width": width, "height": height})
            _sign_in(page, url_of(server), password)
            found[width] = Walk(page, server, width).all()
            page.context.close()
        for scheme in ("light", "dark") if pictures else ():
            for width, height in WIDTHS[1:]:
                page = browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=scheme,
                    reduced_motion="reduce",
                ).new_page()
                _sign_in(page, url_of(server), password)
                _photograph(page, server, pictures / f"{{}}-{width}-{scheme}.png")
                page.context.close()
    return found


def _runs(width: int) -> list[BenchRun]:
    """Return flagged answers, each with two invented names and a real one."""
    return [
        replace(
            run,
            name=f"{run.name}-{width}",
            answer=f"`part0.py` calls `lost_{width}_{number}()`, which closes"
            f" `gone_{width}_{number}.py`.",
        )
        for number, run in enumerate(made_runs(DECISIONS + 4, 4))
    ]


def _long(width: int) -> BenchRun:
    answer = (
        f"`part3.py` is fine; `round_{width}()` of `part99.py` rounds. All tests pass."
    )
    outputs = tuple(f"def part_{n}():\n    return {n}\n" * 4 for n in range(60))
    return BenchRun(
        f"{LONG}-{width}", "Which parts round?\nList them.", answer, outputs
    )


@dataclass(frozen=True, slots=True)
class OtherRun(BenchRun):
    """A run with its own tool calls."""

    calls: tuple[dict[str, Any], ...] = ()

    def as_native(self) -> bytes:
        body = {"id": self.name, "task": self.task, "answer": self.answer}
        told = {"session": self.name, "tool_calls": self.calls}
        return json.dumps(body | told).encode()


def _silent(width: int) -> BenchRun:
    """Return four successful commands, recorded without their output."""
    answer = "All tests pass, and `part0.py` has what was asked for."
    commands = ("pytest -q", "eslint .", "grep -rn total src", "cat part0.py")
    calls = tuple(
        {"tool": "Bash", "input": {"command": one}, "output": "", "status": "ok"}
        for one in commands
    )
    return OtherRun(f"{SILENT}-{width}", "Test it.", answer, (), calls)


def _booking(width: int) -> BenchRun:
    """Return a run of an agent for travellers, with a wrong fee."""
    booking = {
        "booking_id": "QX7PL2",
        "flights": [
            {"flight_number": "NV523", "date": "2026-05-21", "price": 160},
            {"flight_number": "NV527", "date": "2026-05-24", "price": 140},
        ],
        "baggage_fee": 30,
    }
    call = {
        "tool": "get_booking",
        "input": {"booking_id": "QX7PL2"},
        "output": json.dumps(booking),
        "status": "ok",
    }
    answer = (
        "Flight NV523 of QX7PL2 costs $160 and NV527 costs $140, so $300 for both."
        f" The baggage fee is $45, as `fees_{width}.py` says."
    )
    return OtherRun(f"{VALUES}-{width}", "What does it cost?", answer, (), (call,))


def _sign_in(page: Any, url: str, password: str) -> None:
    page.goto(f"{url}/accounts/login/?next=/p/main/review/")
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "login" not in address)


class Walk:
    """One pass through the desk, at one width."""

    def __init__(self, page: Any, server: Server, width: int) -> None:
        self.page, self.server, self.width = page, server, width
        self.base = f"{url_of(server)}/p/main/"
        self.found: Found = {}

    def all(self) -> Found:
        """Run all checks; an error is a result, too."""
        for point, look in self.points().items():
            try:
                self.found[point] = look()
            except Exception as error:  # noqa: BLE001
                self.found[point] = f"FAILED: {str(error).splitlines()[0][:90]}"
        return self.found

    def points(self) -> dict[str, Callable[[], str]]:
        """Return the checks, in order."""
        return {
            "1 a request fails: mark, toast": self._failing,
            "2 calls without output: grey, green, claim": self._silent,
            "3 what the bar says": self._bar,
            "… values of a service agent, and their origin": self._values,
            "4 answer begins at y; 60 calls; all in view": self._top,
            "5 y after o, after v 1 Enter": self._override,
            "6 keys, s, ms to paint, shift of 20 decisions": self._sitting,
            "7 progress": self._progress,
            "8 row height, id found, panel over the list": self._list,
            "9 calls: expand all, search marks": self._calls,
            "10 y scrolled by tapping a mark": self._tap,
            "11 Cyrillic key, sheet, Ctrl-K": self._keys,
            "12 s until the queue hears of an answer": self._live,
            "13 groups of the rail": self._rail,
            "14 line of the prompt to its cause, retire": self._cause,
            "15 plots whose labels overprint, worst tool": self._plots,
            "16 invite, join, role, password, leave": self._people,
            "17 a refused address says which setting": self._model,
            "18 a new project to its first verdict": self._start,
            "19 old words on pages": self._words,
            "20 KB of HTML sent, ms of a page": self._weight,
        }

    def _open(self, path: str) -> None:
        self.page.goto(self.base + path)
        self.page.wait_for_load_state()

    def _next(self) -> None:
        self._open("review/")
        self.page.keyboard.press("n")
        self.page.wait_for_selector("#agree:enabled")

    def _answer(self, name: str) -> None:
        self._open(f"answers/?text={name}-{self.width}")
        self.page.locator("main table a[href*='/answers/']").first.click()
        self.page.wait_for_selector("#answer-text")
        self.page.wait_for_load_state()

    def _current(self) -> Any:
        return self.page.locator(".answer [aria-current]")

    def _failing(self) -> str:
        self._answer(VALUES)
        marks = self.page.locator(".answer a.mark")
        before = self._current().first.text_content()
        self.page.route("**/*value=*", lambda route: route.fulfill(status=500))
        marks.first.click()
        self.page.wait_for_selector("#toasts [role=alert]")
        self.page.unroute("**/*value=*")
        stays = self._current().first.text_content() == before
        has = self.page.locator("#toasts").get_by_role("button", name="Retry").count()
        return f"stays {stays}, Retry {bool(has)}"

    def _bar(self) -> str:
        self._next()
        return " ".join(self.page.locator(".bar-said").inner_text().split())

    def _silent(self) -> str:
        self._answer(SILENT)
        badges = self.page.locator("#timeline .badge")
        # The ledger's words about the calls are loaded after the page.
        badges.first.wait_for()
        grey = badges.get_by_text("No output recorded").count()
        green = self.page.locator("#timeline .badge--good").count()
        claim = self.page.locator(".answer .claim-flag").first.inner_text()
        return f"{grey} of 4 grey, {green} green, {' '.join(claim.split())}"

    def _values(self) -> str:
        self._answer(VALUES)
        marks = self.page.locator(".answer a.mark")
        said = []
        for text in ("$160", "$300", "$45"):
            marks.get_by_text(text).first.click()
            evidence = self.page.locator("#evidence")
            evidence.locator(".evidence-name", has_text=text).wait_for()
            badge = evidence.locator(".badge").first.inner_text()
            places = evidence.locator(".names li").all_inner_texts()
            where = ", ".join(" ".join(one.split()) for one in places)
            said.append(f"{text} {badge.strip()} ({where or 'nowhere'})")
            if self.width == PHONE:
                evidence.get_by_role("button", name="Close").click()
        return f"{marks.count()} marked; {'; '.join(said)}"

    def _top(self) -> str:
        self._next()
        short = self.page.evaluate(TOP_OF, "#answer-text")
        self._answer(LONG)
        y = self.page.evaluate(TOP_OF, "#answer-text")
        parts = ("#answer-text", "#evidence", "#decision-bar")
        seen = [name for name in parts if self.page.evaluate(VISIBLE, name)]
        return f"{short}; {y}; {len(seen)} of {len(parts)}"

    def _override(self) -> str:
        self._next()
        y = [self.page.evaluate(TOP_OF, "#answer-text")]
        self.page.keyboard.press("o")
        y.append(self.page.evaluate(TOP_OF, "#answer-text"))
        self.page.keyboard.press("Escape")
        first = self._current().first.text_content()
        for key in ("v", "1", "Enter"):
            self.page.keyboard.press(key)
        self.page.wait_for_selector("#decisions")
        y.append(self.page.evaluate(TOP_OF, "#answer-text"))
        goes = self._current().first.text_content() != first
        return f"{y[0]}, {y[1]}, {y[2]}; next selected {goes}"

    def _sitting(self) -> str:
        self._next()
        begun, keys = time.monotonic(), 1
        taken: list[Taken] = []
        for _ in range(DECISIONS):
            taken.append(decide_once(self.page, LOOKING_MS))
            keys += 1
        painted, agreed, shift = zip(*taken, strict=True)
        seconds = (time.monotonic() - begun) / DECISIONS
        return (
            f"{keys / DECISIONS:.2f} keys, {seconds:.1f} s,"
            f" {statistics.median(painted):.0f} (most {max(painted):.0f}),"
            f" agreed {statistics.median(agreed):.0f}, shift {max(shift):.4f},"
            f" load {os.getloadavg()[0]:.0f}"
        )

    def _progress(self) -> str:
        self._next()
        text = self.page.locator("#seen, #sitting").all_text_contents()
        return "; ".join(" ".join(one.split()) for one in text)

    def _list(self) -> str:
        self._open("review/")
        row = self.page.locator(".q-row").first.bounding_box()["height"]
        href = self.page.locator(".queue-task").first.get_attribute("href")
        beginning = href.split("/answers/")[1][:13]
        self.page.keyboard.press("j")
        self.page.keyboard.press("p")
        panel = self.page.locator("#peek #answer-page")
        shown = "a page of its own" if self.width == PHONE else "panel"
        if self.width == PHONE:
            self.page.wait_for_selector("#answer-page")
        else:
            panel.wait_for()
            self.page.keyboard.press("Escape")
        self._open(f"review/?text={beginning}")
        return f"{row:.0f} px, {self.page.locator('.q-row').count()} by id, {shown}"

    def _calls(self) -> str:
        self._answer(LONG)
        self.page.locator("[data-unfold]").click()
        opened = self.page.locator("#timeline .timeline details[open]").count()
        self.page.locator("#timeline-find").fill("part_41")
        self.page.locator("#timeline-find").press("Enter")
        self.page.wait_for_selector("#timeline [role=status]")
        marks = self.page.locator("#timeline mark").count()
        return f"{opened} open, {marks} marks"

    def _tap(self) -> str:
        self._answer(LONG)
        before = self.page.evaluate("scrollY")
        self.page.locator(".answer a.mark").last.click()
        self.page.wait_for_timeout(500)
        moved = self.page.evaluate("scrollY") - before
        fixed = self.page.evaluate(
            "getComputedStyle(document.getElementById('evidence')).position"
        )
        return f"{moved} px, evidence {fixed}"

    def _keys(self) -> str:
        self._next()
        first = self._current().first.text_content()
        self.page.evaluate(
            """document.body.dispatchEvent(new KeyboardEvent("keydown",
              {key: "о", code: "KeyJ", bubbles: true, cancelable: true}))"""
        )
        self.page.wait_for_timeout(600)
        moved = self._current().first.text_content() != first
        self.page.keyboard.press("?")
        self.page.wait_for_selector("#keys[open]")
        top = self.page.evaluate("document.getElementById('keys').scrollTop")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+k")
        self.page.wait_for_selector("#palette[open]")
        self.page.keyboard.type("hallu")
        self.page.wait_for_timeout(600)
        return (
            f"moves {moved}, sheet at {top},"
            f" {self.page.locator('.palette-found a').count()} found"
        )

    def _live(self) -> str:
        self._open("review/")
        waits = []
        for number in range(3):
            answer = f"`heard_{self.width}_{number}()` closes `at_{number}.py`."
            body = {"task": "Live?", "answer": answer, "tool_calls": []}
            begun = time.monotonic()
            kind = {"Content-Type": "application/json"}
            self.server.connection.close()
            self.server.send(
                "POST", "/api/v1/interactions/", json.dumps(body).encode(), kind
            )
            self.page.locator("#queue-news a").wait_for()
            waits.append(time.monotonic() - begun)
            self._open("review/")
        return f"{statistics.median(waits):.1f}, most {max(waits):.1f}"

    def _rail(self) -> str:
        self._open("review/")
        groups = self.page.locator("#rail summary").all_text_contents()
        links = self.page.locator("#rail a")
        hrefs = links.evaluate_all("all => all.map((one) => one.href)")
        opened = sum(self.page.request.get(one).ok for one in hrefs)
        words = ", ".join(" ".join(one.split()) for one in groups)
        return f"{words}; {opened} of {len(hrefs)} pages open"

    def _cause(self) -> str:
        """Follow a line that agents receive to its cause, and end it."""
        self._open(f"memory/next-prompt/?session={VALUES}-{self.width}")
        picker = self.page.locator("input[name=session][list]").count()
        self.page.get_by_role("link", name="See the entry").first.click()
        self.page.wait_for_load_state()
        answers = self.page.locator("main a[href*='/answers/']").count()
        acts = self.page.get_by_role("button", name="Retract").count()
        self._open("memory/?tab=constraints&state=candidate")
        self.page.locator("main a[href*='/memory/constraints/']").first.click()
        self.page.locator("#retire-reason[required]").wait_for()
        linked = self.page.locator("main a[href*='/answers/']").count()
        pins = self.page.get_by_role("button", name="Pin").count()
        self.page.locator("#retire-reason").fill("It exists since today.")
        self.page.get_by_role("button", name="Retire").click()
        self.page.get_by_text("It exists since today.").first.wait_for()
        text = self.page.locator("main").inner_text()
        codes = [code for code in ("state:", "origin:", "candidate,") if code in text]
        return (
            f"picker {bool(picker)}; entry: {bool(answers)} answer, {bool(acts)}"
            f" Retract; constraint: {linked} linked, Pin {bool(pins)}, retired with"
            f" reason, codes {', '.join(codes) or 'none'}"
        )

    def _plots(self) -> str:
        bad = 0
        tabs = ("", "progress/", "inventions/", "confidence/", "cost/", "people/")
        for tab in tabs:
            self._open(f"metrics/{tab}")
            bad += self.page.evaluate(OVERPRINTED)
        self._open("metrics/")
        self.page.get_by_role("link", name="Highest hallucination rate by tool").click()
        self.page.wait_for_load_state()
        seen = self.page.evaluate(VISIBLE, "#plot-hallucinated-by-tool")
        return f"{bad} of {len(tabs)} tabs; by tool in view after a click {seen}"

    def _people(self) -> str:
        """Invite a person, who joins; make them lead, hand over, and hand back."""
        name = f"walker-{self.width}"
        self._open("people/")
        self.page.get_by_role("button", name="Create invitation").click()
        self.page.wait_for_load_state()
        link = re.search(
            r"https?://\S+/accounts/join/\S+", self.page.locator("main").inner_text()
        )
        assert link
        other = self.page.context.browser.new_page()
        other.goto(link.group())
        for field in ("password1", "password2"):
            other.locator(f"input[name={field}]").fill(f"of the walk {self.width}")
        other.locator("input[name=username]").fill(name)
        other.get_by_role("button", name="Join").click()
        other.wait_for_url("**/review/")
        self._open("people/")
        row = self.page.locator("tr", has_text=name)
        row.get_by_role("combobox").select_option("lead")
        row.get_by_role("button", name="Save").click()
        self.page.get_by_text(f"{name} has the role Lead.").first.wait_for()
        row.get_by_role("button", name="Password link").click()
        self.page.wait_for_load_state()
        reset = "/accounts/password/set/" in self.page.locator("main").inner_text()
        other.goto(f"{self.base}leave/")
        other.get_by_role("button", name="Leave").click()
        other.wait_for_load_state()
        left = other.goto(f"{self.base}review/").status
        other.context.close()
        self._open("leave/")
        over = self.page.get_by_text("You are its only admin.").count()
        return f"joined, lead, password link {reset}, left ({left}), only admin {over}"

    def _model(self) -> str:
        self._open("settings/models/new/")
        self.page.locator("select[name=provider]").select_option("local")
        self.page.locator("input[name=base_url]").fill("http://10.1.2.3:8000/v1")
        self.page.get_by_role("button", name="Continue").click()
        self.page.wait_for_load_state()
        text = " ".join(self.page.locator("main").inner_text().split())
        return f"names the command: {'verifyhub allow' in text}"

    def _start(self) -> str:
        """Create a project, and send its first run with the snippet's key."""
        self.page.goto(f"{url_of(self.server)}/projects/new/")
        self.page.get_by_label("Name").fill(f"Walk {self.width}")
        self.page.get_by_role("button", name="Create project").click()
        self.page.wait_for_load_state()
        ways = self.page.locator("main h2").count() - 1
        self.page.get_by_role("button", name="Create a key").click()
        self.page.wait_for_load_state()
        snippet = self.page.locator("main pre").first.inner_text()
        subprocess.run(["bash", "-c", snippet], check=True, capture_output=True)
        begun = time.monotonic()
        self.page.get_by_text("First run received").wait_for()
        waited = time.monotonic() - begun
        self.page.get_by_role("link", name="Open the answer").click()
        self.page.locator(".bar-said").wait_for()
        said = " ".join(self.page.locator(".bar-said").inner_text().split())
        return f"{ways} ways, heard after {waited:.1f} s, {said}"

    def _words(self) -> str:
        bad: set[str] = set()
        for path in PAGES.values():
            self._open(path)
            self.page.evaluate(
                "document.querySelectorAll('details').forEach((one) => one.open = true)"
            )
            text = f" {self.page.locator('main').inner_text().lower()} "
            bad |= {word for word in OLD_WORDS if f" {word} " in text}
        return ", ".join(sorted(bad)) or "none"

    def _weight(self) -> str:
        sizes = []
        for path in ("review/", "memory/"):
            self._open(path)
            timing = self.page.evaluate(
                "performance.getEntriesByType('navigation')[0].toJSON()"
            )
            sizes.append(
                f"{path} {timing['transferSize'] / 1024:.0f} KB,"
                f" {timing['responseEnd'] - timing['requestStart']:.0f} ms"
            )
        return "; ".join(sizes)


def _photograph(page: Any, server: Server, file: Path) -> None:
    base = f"{url_of(server)}/p/main/"
    file.parent.mkdir(parents=True, exist_ok=True)

    def take(name: str) -> None:
        page.wait_for_timeout(600)
        page.screenshot(path=str(file).format(name), animations="disabled")

    for name, path in PAGES.items():
        page.goto(base + path)
        take(name)
    page.goto(base + "review/")
    page.locator(".queue-task").first.click()
    take("answer")
    page.locator(".answer a.mark").last.click()
    take("evidence")
    page.goto(f"{base}answers/?text={LONG}")
    page.locator("main table a[href*='/answers/']").first.click()
    take("answer-60-calls")
    page.goto(base + "memory/?tab=constraints")
    page.locator("a[href*='/memory/constraints/']").first.click()
    take("constraint")


def _tell(found: dict[int, Found]) -> None:
    widths = [width for width, _height in WIDTHS]
    print("| looked at | " + " | ".join(f"{width} px" for width in widths) + " |")
    print("|---" * (len(widths) + 1) + "|")
    for point in found[widths[0]]:
        print(f"| {point} | " + " | ".join(found[w][point] for w in widths) + " |")


if __name__ == "__main__":
    main()
