"""A real Chromium against a real server; a project with answers to judge in it."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import modify_settings
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_django.plugin import DjangoDbBlocker

from tests.browser.chromium import CHROMIUM, launched
from tests.browser.drain import Drain
from tests.browser.hostile import PAYLOADS
from tests.conftest import member
from tests.factories import MembershipFactory, ProjectFactory
from tests.pages import Ids, furnish
from tests.review.conftest import ANSWER, GREP, send
from verifyhub.accounts.models import Project, Role, User

# Playwright's own loop runs in this thread; the ORM is used by tests beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

PASSWORD = "a long enough password"
# Milliseconds: how long a busy machine may take; a wait ends when its condition holds.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
DESKTOP = {"width": 1280, "height": 900}
UNFOLD = "document.querySelectorAll('main details').forEach(d => d.open = true)"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for the tests of a module: its driver's event loop ends with it."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    with launched() as browser:
        yield browser


@pytest.fixture
def people(transactional_db: None) -> Project:
    """A project whose admin is called `admin`."""
    project = ProjectFactory(slug="acme", name="Acme")
    user = member(project, Role.ADMIN)
    user.set_password(PASSWORD)
    # Most tests look at what an answer says after its decision.
    user.moves_on = False
    user.save()
    return project


@pytest.fixture
def answers(people: Project) -> Project:
    """Two flagged answers and an accepted one."""
    send(people)
    send(people, task="And the tax?", answer="In `add_tax()` of `shop/levy.py`.")
    send(people, answer="`shop/pricing.py`, `shop/tax.py`, `add_tax()`.")
    return people


class Visitor:
    """A signed-in page that remembers what it should never have seen."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base = page, base
        self.complaints: list[str] = []
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)
        page.on("request", self._request)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.base}{path}")
        return self.page

    def sign_in(self, name: str) -> None:
        self.open("/accounts/login/")
        # The field takes the focus by itself, but perhaps only after the page's load.
        expect(self.page.get_by_label("User name")).to_be_focused()
        self.page.keyboard.type(name)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/review/")

    def _dialog(self, dialog: object) -> None:
        self.complaints.append("a dialog opened")
        dialog.dismiss()  # type: ignore[attr-defined]

    def _console(self, message: object) -> None:
        # Statuses that a test asks for on purpose are logged as errors, too. What the
        # browser finds wrong with a form, such as a password without a name, is not.
        text = message.text  # type: ignore[attr-defined]
        is_error = message.type == "error" and "status of 4" not in text  # type: ignore[attr-defined]
        if is_error or text.startswith("[DOM]"):
            self.complaints.append(text)

    def _request(self, request: object) -> None:
        if not request.url.startswith((self.base, "data:")):  # type: ignore[attr-defined]
            self.complaints.append(f"left the server: {request.url}")  # type: ignore[attr-defined]
        if request.url == f"{self.base}/csp-reports/":  # type: ignore[attr-defined]
            self.complaints.append(f"CSP report: {request.post_data}")  # type: ignore[attr-defined]


class Furnished:
    """A server with a furnished project and an empty one, and browsers signed in.

    Attributes:
        ids: What the URLs of the furnished project's pages ask for.
        empty: The slug of a project in which nothing happened yet.
    """

    def __init__(self, browser: Browser, url: str, user: User, ids: Ids, empty: str):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        name = settings.SESSION_COOKIE_NAME
        cookie = {"name": name, "value": client.cookies[name].value, "url": url}
        self.url, self.ids, self.empty, self.client = url, ids, empty, client
        self._browser, self._cookie = browser, cookie
        self._closing = ExitStack()
        self._visitors: dict[str, Visitor] = {}

    def visitor(self, *, signed_in: bool = True, **options: Any) -> Visitor:
        """The one page with these options; what it complained of before is gone."""
        key = repr((signed_in, sorted(options.items())))
        if key not in self._visitors:
            context = self._closing.enter_context(
                self._browser.new_context(
                    **{"viewport": DESKTOP, "reduced_motion": "reduce", **options}
                )
            )
            context.set_default_timeout(PATIENCE)
            if signed_in:
                context.add_cookies([self._cookie])
            self._visitors[key] = Visitor(context.new_page(), self.url)
        self._visitors[key].complaints.clear()
        return self._visitors[key]

    def close(self) -> None:
        self._closing.close()


@pytest.fixture(scope="module")
def furnished(
    chromium: Browser, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Furnished]:
    """One furnished project for all tests of a module, which only look at it.

    The server is not `live_server`, beside which every test gets an empty database.
    """
    with (
        django_db_blocker.unblock(),
        modify_settings(ALLOWED_HOSTS={"append": "localhost"}),
    ):
        project = ProjectFactory(slug="acme", name="Acme")
        user = member(project, Role.ADMIN)
        empty = ProjectFactory(slug="empty", name="Empty")
        empty.memberships.create(user=user, role=Role.ADMIN)
        worst_answer(project)
        send(project, task="And the tax?", answer="In `add_tax()` of `shop/levy.py`.")
        send(project, answer="`shop/pricing.py`, `shop/tax.py`, `add_tax()`.")
        server = LiveServer("localhost")
        drain = Drain(server)
        made = Furnished(chromium, server.url, user, furnish(project), empty.slug)
        yield made
        made.close()
        drain.wait()
        server.stop()
        call_command("flush", interactive=False, verbosity=0)


def worst_answer(project: Project) -> None:
    """An answer that is hard on every page: no place to break, and full of markup."""
    long = "a_name_without_any_break_" * 8
    markup = " ".join(PAYLOADS[::6])
    send(
        project,
        id=f"{PAYLOADS[0]}{long}"[:150],
        task=f"{long} {markup}",
        answer=f"{ANSWER} See `{long}.py`. {markup}\n\n    {long * 3}",
        session="s-1",
        agent={"name": f"{PAYLOADS[0]}{long}"[:150], "tier": PAYLOADS[6][:50]},
        goal=markup,
        tool_calls=[
            GREP | {"output": GREP["output"] + long * 9, "tool": long[:100]},
            {"tool": PAYLOADS[6], "input": {markup: markup}, "output": markup},
        ],
        self_assessment={"confidence": 0.9, "gaps": [markup]},
        metadata={markup: long},
    )


@pytest.fixture(scope="session")
def drain(live_server: LiveServer) -> Drain:
    return Drain(live_server)


@pytest.fixture
def browsers(
    chromium: Browser,
    live_server: LiveServer,
    drain: Drain,
    transactional_db: None,
    browse: Callable[[User], Client],
):
    """Open browsers, each signed in as somebody; nothing may go wrong in any.

    With `types` they sign in by keyboard, which takes as long as many a test.
    """
    opened = []

    def visitor(name: str, *, types: bool = False, **options: object) -> Visitor:
        context = chromium.new_context(**{"viewport": DESKTOP, **options})
        context.set_default_timeout(PATIENCE)
        new = Visitor(context.new_page(), live_server.url)
        opened.append((context, new))
        if types:
            new.sign_in(name)
        else:
            cookie = settings.SESSION_COOKIE_NAME
            value = browse(User.objects.get(username=name)).cookies[cookie].value
            context.add_cookies(
                [{"name": cookie, "value": value, "url": live_server.url}]
            )
            new.open("/p/acme/review/")
        return new

    yield visitor
    complaints = [text for _, visitor in opened for text in visitor.complaints]
    for context, _ in opened:
        context.close()
    drain.wait()
    assert complaints == []


@pytest.fixture
def visit(browsers, people: Project):
    """Open a browser as the admin: `visit(viewport=…, color_scheme=…)`."""

    def visitor(**options: object) -> Visitor:
        return browsers(User.objects.get().get_username(), **options)

    return visitor


@pytest.fixture
def desk(browsers, people: Project):
    """Let somebody join and open a browser: `desk("ana", Role.REVIEWER)`."""

    def visitor(name: str, role: Role) -> Visitor:
        user = MembershipFactory(project=people, role=role, user__username=name).user
        user.set_password(PASSWORD)
        user.moves_on = False
        user.save()
        return browsers(name)

    return visitor
