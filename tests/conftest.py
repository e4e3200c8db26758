"""What every test may use: a project, people by role, an API key, signed-in clients."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.sessions.models import Session
from django.db.models.signals import post_migrate
from django.test import Client
from django.utils import timezone, translation
from django.utils.crypto import get_random_string
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis.internal.conjecture import providers
from pytest_django.plugin import DjangoDbBlocker

from tests.architecture.tree import CHECKOUT
from tests.databases import own_database
from tests.factories import ApiKeyFactory, MembershipFactory, ProjectFactory
from tests.mail_server import MailServer
from verifyhub.accounts.models import ApiKey, Project, Role, User
from verifyhub.common import wake_ups
from verifyhub.common.steps import Steps
from verifyhub.engine.llm import exchange

# Programs that tests start find the client's distribution, installed or not.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(CHECKOUT / "client"), *filter(None, [os.environ.get("PYTHONPATH")])]
)


# No case is judged by time: the machine has other things to do.
CALM = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.register_profile("deep", CALM, max_examples=1000)
hypothesis_settings.register_profile("short", CALM, max_examples=25)
hypothesis_settings.load_profile("short")

# Models that are away are asked again without waiting: tests of pauses have their own.
exchange.FIRST_PAUSE_SECONDS = 0.01

# What takes longest begins first, so that no worker waits for another at the end: what
# starts programs (as all tests of real workers do), what walks everything there is.
LONGEST = (
    *("tests/browser/", "tests/cli/", "tests/api/", "tests/examples/"),
    *("tests/review/test_blind_everywhere.py", "tests/review/test_gold_unseen.py"),
    *("tests/memory/test_counters.py", "tests/memory/test_measured_loop.py"),
    *("tests/translations/", "tests/liar/", "tests/fuzz/"),
)

# For `--durations`.
WORTH_TELLING_SECONDS = 0.1


def pytest_configure(config: pytest.Config) -> None:
    """Leave the reading of all modules for constants to draw to the deep layer.

    It takes each process seconds, for one draw in twenty of the few of `make test`.
    """
    if config.getoption("--hypothesis-profile") != "deep":
        providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for nodeid, times in Counter(item.nodeid for item in items).items():
        # Workers are told what to run by its id: of namesakes only one would run.
        if times > 1:
            raise pytest.UsageError(f"{times} tests are called {nodeid}")
    longest = {item.path for item in items if item.get_closest_marker("worker")}
    items.sort(
        key=lambda item: not (item.path in longest or item.nodeid.startswith(LONGEST))
    )


def pytest_collection_finish() -> None:
    """Spare the collector what stays until the end: thousands of cases, all modules."""
    gc.collect()
    gc.freeze()
    # The default looks at everything young each 700 objects: a tenth of a page's test.
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> bool | None:
    """Run a test as pytest does, but send no report of a setup that just passed.

    Each report is written, sent and read: two of three told nothing, and took a tenth
    of the time of the many short tests.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        took_long = report.duration > WORTH_TELLING_SECONDS
        if report.when == "call" or not report.passed or took_long:
            hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A copy of the template, not Django's own: that would migrate for each worker.

    With `--reuse-db` the database is taken as it is.
    """
    # Nothing here reads them, and they are made anew each time tables are emptied.
    post_migrate.disconnect(
        dispatch_uid="django.contrib.auth.management.create_permissions"
    )
    post_migrate.disconnect(create_contenttypes)
    if request.config.getvalue("reuse_db"):
        yield
        return
    with (
        django_db_blocker.unblock(),
        own_database(f"verifyhub_test_{os.environ.get('PYTEST_XDIST_WORKER', 'gw')}"),
    ):
        yield


@pytest.fixture(autouse=True, scope="session")
def all_wake_ups() -> None:
    """Let every wake-up be sent: no worker takes those that other tests left."""
    wake_ups.MOST_WAITING = sys.maxsize


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Begin in English: a page that was asked for in French leaves the thread so."""
    translation.activate("en")


@pytest.fixture
def add_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[Steps[Any], Any], None]:
    """Add a function to a list of `config.steps`, as its last one."""

    def add(steps: Steps[Any], function: Any) -> None:
        monkeypatch.setattr(steps, "_functions", (*steps, function))

    return add


API_SECRET = "vh_tests_0123456789abcdef0123456789abcdef"


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory(slug="acme", name="Acme")


@pytest.fixture
def one_voice(project: Project) -> Project:
    """A project where all are told what one person says."""
    project.thresholds = {"confirming_people": 1}
    project.save()
    return project


def member(project: Project, role: Role) -> User:
    return MembershipFactory(project=project, role=role, user__username=role).user


@pytest.fixture
def viewer(project: Project) -> User:
    return member(project, Role.VIEWER)


@pytest.fixture
def reviewer(project: Project) -> User:
    return member(project, Role.REVIEWER)


@pytest.fixture
def lead(project: Project) -> User:
    return member(project, Role.LEAD)


@pytest.fixture
def admin(project: Project) -> User:
    return member(project, Role.ADMIN)


@pytest.fixture
def outsider(db: None) -> User:
    """Somebody with every right, in another project."""
    return MembershipFactory(role=Role.ADMIN, user__username="outsider").user


@pytest.fixture
def browse() -> object:
    """Sign a person in: `browse(reviewer).get(url)`."""

    def signed_in(user: User) -> Client:
        # As `force_login` leaves it, by one statement: a sign-in takes twelve.
        held = {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
        session = Session.objects.create(
            session_key=get_random_string(32),
            session_data=Session.objects.encode(held),
            expire_date=timezone.now() + timedelta(days=1),
        )
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        return client

    return signed_in


@pytest.fixture
def api_key(project: Project) -> ApiKey:
    return ApiKeyFactory(project=project, secret=API_SECRET)


@pytest.fixture
def api(api_key: ApiKey) -> Client:
    """A client that sends the project's API key."""
    return Client(headers={"authorization": f"Bearer {API_SECRET}"})


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """A worker that takes whatever is pending until the test is over."""
    from tests.stored import pending_verified

    with pending_verified():
        yield


@pytest.fixture
def mail_server(settings: Any) -> Iterator[MailServer]:
    """A mail server on this machine that the settings name."""
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.address
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        yield server
