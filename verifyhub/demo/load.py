"""Load the demo: create missing runs, verify them, and decide about some."""

import secrets
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from django.conf import settings
from django.db import transaction

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, Scope, User
from verifyhub.accounts.services import create_project, issue_api_key, set_role
from verifyhub.demo.agent import perform
from verifyhub.demo.decisions import PEOPLE, decide
from verifyhub.demo.sample import write_repository
from verifyhub.demo.script import TURNS, DemoTurn
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.inference.models import TierModel
from verifyhub.inference.services import set_tier
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

SLUG = "demo"
ADMIN = "demo-admin"
# A running worker may have claimed a verification first.
WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The result of loading the demo.

    Attributes:
        project: The demo's project.
        runs: Runs created by this call; 0 if the demo existed already.
        decisions: Decisions of reviewers made by this call.
        admin: The user name of the demo's admin.
        password: A password created by this call, to be shown once; otherwise empty.
    """

    project: Project
    runs: int
    decisions: int
    admin: str
    password: str


def load_demo(*, admin: str = "", password: str = "") -> Loaded:
    """Create the missing parts of the demo; a second call changes nothing.

    Args:
        admin: An existing user who becomes the project's admin; without one,
            `demo-admin` is created.
        password: For the users created here. Without it `demo-admin` gets a random one,
            and the reviewers, who exist only as authors of decisions, get none.
    """
    project, name, shown = _people(admin, password)
    root = Path(settings.HOME) / "demo" / "tidepool"
    write_repository(root)
    existing = set(
        Interaction.objects.filter(project=project).values_list("client_id", flat=True)
    )
    missing = [turn for turn in TURNS if turn.id not in existing]
    decided = 0
    for turn in missing:
        _make(turn, project, root)
        decided += decide(project, turn.id)
    return Loaded(
        project=project,
        runs=len(missing),
        decisions=decided,
        admin=name,
        password=shown,
    )


@transaction.atomic
def _people(admin: str, password: str) -> tuple[Project, str, str]:
    project = Project.objects.filter(slug=SLUG).first() or _created()
    if not project.thresholds:
        # The demo is created within a minute, so its constraints need no observation
        # period.
        project.thresholds = {"shadow_hours": 0}
        project.save(update_fields=["thresholds"])
    user, shown = User.objects.filter(username=admin).first(), ""
    if user is None:
        shown = password or secrets.token_urlsafe(12)
        user, is_new = _user(ADMIN, shown)
        shown = shown if is_new else ""
    _member(project, user, Role.ADMIN)
    for name, role in PEOPLE.items():
        _member(project, _user(name, password)[0], role)
    return project, user.get_username(), shown


def _created() -> Project:
    """Create the demo's project, without the server's models.

    Nobody asked for what they cost, and a model that is slow would hold the demo up.
    """
    project = create_project(slug=SLUG, name="Demo", actor=None)
    off = TierModel(endpoint=None)
    for tier, second in product(Tier, (False, True)):
        set_tier(project=project, tier=tier, second=second, choice=off, actor=None)
    return project


def _user(name: str, password: str) -> tuple[User, bool]:
    user = User.objects.filter(username=name).first()
    if user is not None:
        return user, False
    return User.objects.create_user(username=name, password=password or None), True


def _member(project: Project, user: User, role: Role) -> None:
    # A role that a person has changed is kept.
    if not Membership.objects.filter(project=project, user=user).exists():
        set_role(project=project, user=user, role=role, actor=None)


def _make(turn: DemoTurn, project: Project, root: Path) -> None:
    run = perform(turn, root)
    planted = [plant.as_dict() for plant in run.plants]
    body = run.body | {"metadata": {"planted": planted}}
    interaction, _ = record_interaction(
        project=project,
        api_key=_key(project, turn),
        interaction=parse_interaction(body),
    )
    verification = Verification.objects.get(interaction=interaction, number=1)
    if not run_verification(verification_id=verification.id):
        _wait_for(verification)


def _key(project: Project, turn: DemoTurn) -> ApiKey:
    """Return a session's own API key: a single key creates no constraint."""
    name = turn.session
    row = ApiKey.objects.filter(project=project, name=name, revoked_at=None).first()
    if row is not None:
        return row
    key, _secret = issue_api_key(project=project, name=name, scopes=[Scope.INGEST])
    return key


def _wait_for(verification: Verification) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        verification.refresh_from_db(fields=["state"])
        if verification.state not in Verification.WAITING:
            return
        time.sleep(0.05)
