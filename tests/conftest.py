"""What every test may use: a project, people by role, an API key, signed-in clients."""

import os

import pytest
from django.test import Client
from django.utils import translation

from tests.architecture.tree import CHECKOUT
from tests.factories import ApiKeyFactory, MembershipFactory, ProjectFactory
from verifyhub.accounts.models import ApiKey, Project, Role, User

# Programs that tests start find the client's distribution, installed or not.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(CHECKOUT / "client"), *filter(None, [os.environ.get("PYTHONPATH")])]
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let browser tests come last: their driver's event loop runs from then on."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Begin in English: a page that was asked for in French leaves the thread so."""
    translation.activate("en")


API_SECRET = "vh_tests_0123456789abcdef0123456789abcdef"


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory(slug="acme", name="Acme")


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
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in


@pytest.fixture
def api_key(project: Project) -> ApiKey:
    return ApiKeyFactory(project=project, secret=API_SECRET)


@pytest.fixture
def api(api_key: ApiKey) -> Client:
    """A client that sends the project's API key."""
    return Client(headers={"authorization": f"Bearer {API_SECRET}"})
