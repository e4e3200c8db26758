"""One factory per model; every default is valid and dull."""

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, Scope, User
from verifyhub.accounts.services import secret_digest
from verifyhub.accounts.steps import AFTER_PROJECT_CREATION
from verifyhub.engine.calibration.measures import reliability
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction, Session, ToolCall
from verifyhub.learning.models import CalibrationModel
from verifyhub.memory.models import Constraint
from verifyhub.review.models import Override, ReviewItem
from verifyhub.verification.models import (
    ClaimVerdict,
    MentionStatus,
    MentionVerdict,
    Verdict,
    Verification,
)


class ProjectFactory(DjangoModelFactory[Project]):
    class Meta:
        model = Project
        skip_postgeneration_save = True

    slug = factory.Sequence(lambda n: f"project-{n}")
    name = factory.LazyAttribute(lambda project: project.slug.title())

    @factory.post_generation
    def steps(self: Project, create: bool, *_: object, **__: object) -> None:
        if create:
            for step in AFTER_PROJECT_CREATION:
                step(self)


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


class VerificationFactory(DjangoModelFactory[Verification]):
    """Finished and accepted; `waiting=True` for one that has not run yet."""

    class Meta:
        model = Verification

    class Params:
        waiting = factory.Trait(
            state=Verification.State.PENDING, report=None, verdict="", finished_at=None
        )

    interaction = factory.SubFactory(InteractionFactory)
    project = factory.SelfAttribute("interaction.project")
    state = Verification.State.FINISHED
    verdict = Verdict.ACCEPT
    report = factory.LazyFunction(lambda: {"schema": 1, "completion_claims": []})
    confidence = 0.9
    coverage = 1.0
    duration_ms = 10
    finished_at = factory.LazyFunction(timezone.now)


class ClaimVerdictFactory(DjangoModelFactory[ClaimVerdict]):
    """A claim of fact that a model calls contradicted."""

    class Meta:
        model = ClaimVerdict

    verification = factory.SubFactory(VerificationFactory)
    project = factory.SelfAttribute("verification.project")
    index = factory.Sequence(lambda n: n)
    text = "The tax is 16 percent."
    start = 0
    end = 22
    kind = "factual"
    status = "contradicted"
    judged_by = "model"
    reason = "judged"
    confidence = 0.9
    evidence = factory.Dict({"title": "Manual", "deciding": "19 percent"})


class MentionVerdictFactory(DjangoModelFactory[MentionVerdict]):
    """Verified; `invented=True` for a name without evidence."""

    class Meta:
        model = MentionVerdict

    class Params:
        invented = factory.Trait(
            status=MentionStatus.UNVERIFIED, reason="not_found", grade=""
        )

    verification = factory.SubFactory(VerificationFactory)
    project = factory.SelfAttribute("verification.project")
    index = factory.Sequence(lambda n: n)
    text = "parser.py"
    kind = "file"
    key = factory.SelfAttribute("text")
    status = MentionStatus.VERIFIED
    reason = "found"
    grade = "C"


class ReviewItemFactory(DjangoModelFactory[ReviewItem]):
    class Meta:
        model = ReviewItem

    verification = factory.SubFactory(VerificationFactory, verdict=Verdict.REJECT)
    project = factory.SelfAttribute("verification.project")
    interaction = factory.SelfAttribute("verification.interaction")


class OverrideFactory(DjangoModelFactory[Override]):
    class Meta:
        model = Override

    item = factory.SubFactory(ReviewItemFactory)
    project = factory.SelfAttribute("item.project")
    target = Override.Target.VERDICT
    before = Verdict.REJECT
    after = Verdict.ACCEPT
    reason = "The file exists."
    reviewer = factory.SubFactory(UserFactory)


class ConstraintFactory(DjangoModelFactory[Constraint]):
    class Meta:
        model = Constraint

    project = factory.SubFactory(ProjectFactory)
    mention_kind = "file"
    text = factory.Sequence(lambda n: f"invented_{n}.py")
    mention_key = factory.SelfAttribute("text")
    state = Constraint.State.ACTIVE


class CalibrationModelFactory(DjangoModelFactory[CalibrationModel]):
    """A draft of the verdict's curve."""

    class Meta:
        model = CalibrationModel

    project = factory.SubFactory(ProjectFactory)
    check_name = "verdict"
    number = 1
    state = CalibrationModel.State.DRAFT
    kind = "platt"
    parameters = factory.LazyFunction(lambda: {"a": -1, "b": 0})
    n = 1
    right = 1
    sample_ids = factory.LazyFunction(list)
    before = factory.LazyFunction(lambda: reliability([(0.8, True)]).as_dict())
    since = factory.LazyFunction(timezone.now)
    until = factory.LazyFunction(timezone.now)


class ModelCallFactory(DjangoModelFactory[ModelCall]):
    """Answered and charged by a known price."""

    class Meta:
        model = ModelCall

    project = factory.SubFactory(ProjectFactory)
    purpose = "cross_tier"
    tier = "medium"
    endpoint_name = "server"
    model = "medium-1"
    outcome = "ok"
    charged_tokens = 40
    cost_microdollars = 1200
