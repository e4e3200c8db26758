"""One factory per model; every default is valid and dull."""

import factory
from factory.django import DjangoModelFactory

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, Scope, User
from verifyhub.accounts.services import secret_digest
from verifyhub.ingest.models import Interaction, Session, ToolCall


class ProjectFactory(DjangoModelFactory[Project]):
    class Meta:
        model = Project

    slug = factory.Sequence(lambda n: f"project-{n}")
    name = factory.LazyAttribute(lambda project: project.slug.title())


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"person-{n}")


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    project = factory.SubFactory(ProjectFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.REVIEWER


class ApiKeyFactory(DjangoModelFactory[ApiKey]):
    """Pass `secret="vh_…"` where a test must send it."""

    class Meta:
        model = ApiKey

    class Params:
        secret = factory.Sequence(lambda n: f"vh_test_{n:040d}")

    project = factory.SubFactory(ProjectFactory)
    name = "tests"
    prefix = "vh_test_"
    secret_sha256 = factory.LazyAttribute(lambda key: secret_digest(key.secret))
    scopes = factory.LazyFunction(lambda: list(Scope.values))


class SessionFactory(DjangoModelFactory[Session]):
    class Meta:
        model = Session

    project = factory.SubFactory(ProjectFactory)
    key = factory.Sequence(lambda n: f"session-{n}")


class InteractionFactory(DjangoModelFactory[Interaction]):
    class Meta:
        model = Interaction

    project = factory.SubFactory(ProjectFactory)
    session = factory.SubFactory(
        SessionFactory, project=factory.SelfAttribute("..project")
    )
    client_id = factory.Sequence(lambda n: f"run-{n}")
    content_sha256 = factory.Sequence(lambda n: f"{n:064x}")
    task = "What does the parser do?"
    answer = "It reads `parser.py`."


class ToolCallFactory(DjangoModelFactory[ToolCall]):
    class Meta:
        model = ToolCall

    interaction = factory.SubFactory(InteractionFactory)
    project = factory.SelfAttribute("interaction.project")
    index = 0
    tool = "Read"
    input = factory.LazyFunction(lambda: {"path": "parser.py"})
    output = "def parse(text): ..."
    status = "ok"
