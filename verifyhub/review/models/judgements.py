"""Review rules, judgements and proposals."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.review.models.acts import Act
from verifyhub.verification.models import Verdict

MOST_REVIEWS = 10
PERCENT = [MaxValueValidator(100)]
REVIEWS = [MinValueValidator(1), MaxValueValidator(MOST_REVIEWS)]


class ReviewRules(TimestampedModel):
    """A project's review rules: the number of judges, and when a decision is final.

    A project without a row has the defaults: one person decides alone.
    """

    class Settlement(models.TextChoices):
        MAJORITY = (
            "majority",
            _("Majority verdict; without a majority, an adjudicator decides"),
        )
        UNANIMOUS = (
            "unanimous",
            _("Unanimous verdict; otherwise an adjudicator decides"),
        )
        ADJUDICATE = (
            "adjudicate",
            _("An adjudicator decides every difference, including single names"),
        )

    project = models.OneToOneField(
        Project, on_delete=models.CASCADE, primary_key=True, related_name="review_rules"
    )
    # How many people judge an answer, 1..10; the maximum of these rules applies.
    reviews = models.PositiveSmallIntegerField(default=1, validators=REVIEWS)
    # Risk in [0, 1] from which `risk_reviews` people judge; None for no such rule.
    risk_from = models.FloatField(null=True, blank=True)
    risk_reviews = models.PositiveSmallIntegerField(default=2, validators=REVIEWS)
    # Number of judges by code of a reason (`policy.REASON_KINDS`).
    reason_reviews = models.JSONField(default=dict, blank=True)
    # Percentage of all answers that `sample_reviews` people judge, to measure their
    # agreement.
    sample_percent = models.PositiveSmallIntegerField(default=0, validators=PERCENT)
    sample_reviews = models.PositiveSmallIntegerField(default=2, validators=REVIEWS)
    # Judgements are hidden from others until all have judged.
    blind = models.BooleanField(default=True)
    settlement = models.CharField(
        max_length=20, choices=Settlement, default=Settlement.MAJORITY
    )
    # Whether a reviewer who judged the answer may adjudicate it.
    judge_may_adjudicate = models.BooleanField(default=False)
    # Decisions that need a second person's approval.
    confirm_overrides = models.BooleanField(default=False)
    confirm_constraints = models.BooleanField(default=False)
    confirm_bulk = models.BooleanField(default=False)
    # Percentage of gold among the items that `Next` hands out.
    gold_percent = models.PositiveSmallIntegerField(default=0, validators=PERCENT)
    # Whether a reviewer sees the correct verdict of gold at once.
    gold_feedback = models.BooleanField(default=False)
    # Days after which gold expires; null for never.
    gold_days = models.PositiveSmallIntegerField(default=180, null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    reviews__range=(1, MOST_REVIEWS),
                    risk_reviews__range=(1, MOST_REVIEWS),
                    sample_reviews__range=(1, MOST_REVIEWS),
                ),
                name="review_rules_one_to_ten",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    sample_percent__range=(0, 100), gold_percent__range=(0, 100)
                ),
                name="review_rules_percent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.reviews} by {self.settlement}"


class Judgement(TimestampedModel):
    """One person's judgement of an answer, hidden from others until it is settled."""

    class State(models.TextChoices):
        # Marked names without a verdict.
        DRAFT = "draft", _("Draft")
        GIVEN = "given", _("Submitted")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        # The item was reopened after it was settled.
        SUPERSEDED = "superseded", _("Superseded")

    class Kind(models.TextChoices):
        REVIEW = "review", _("Review")
        ADJUDICATION = "adjudication", _("Adjudication")
        # Of gold: it only measures the reviewer.
        GOLD = "gold", _("Gold")

    # Kinds that count towards the decision about an item.
    DECIDING = (Kind.REVIEW, Kind.ADJUDICATION)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="judgements"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgements"
    )
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.REVIEW)
    # The item's round of judgements, from 1.
    round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=20, choices=State, default=State.GIVEN)
    # Empty only in a draft.
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True)
    # The rest of the decision as data: `decisions.Decision.as_dict()`.
    decision = models.JSONField(default=dict)
    # For gold: the apparent effects of each statement (`gold.judging`).
    shown = models.JSONField(default=list, db_default=[])
    # From opening the answer to judging it; null if unknown.
    seconds = models.PositiveIntegerField(null=True)
    # Whether others' judgements were hidden from this one.
    blind = models.BooleanField(default=True)
    given_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "reviewer", "round", "kind"],
                condition=models.Q(state__in=["draft", "given"]),
                name="judgement_once_per_round",
            ),
            models.UniqueConstraint(
                fields=["item", "round"],
                condition=models.Q(state="given", kind="adjudication"),
                name="adjudication_once_per_round",
            ),
            models.CheckConstraint(
                condition=models.Q(state="draft", verdict="")
                | (~models.Q(state="draft") & ~models.Q(verdict="")),
                name="judgement_draft_has_no_verdict",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "reviewer", "-given_at"], name="judgement_of_person"
            ),
            models.Index(fields=["project", "-given_at"], name="judgement_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer_id} on {self.item_id}: {self.verdict or 'draft'}"

    @property
    def reason(self) -> str:
        """The reviewer's reason."""
        return str(self.decision.get("reason", ""))

    @property
    def note(self) -> str:
        """The note for colleagues."""
        return str(self.decision.get("note", ""))


class Proposal(TimestampedModel):
    """A decision that is applied once a second person confirms it."""

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting for second approval")
        CONFIRMED = "confirmed", _("Confirmed")
        DECLINED = "declined", _("Declined")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        # The item changed before it was confirmed.
        OUTDATED = "outdated", _("Outdated")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(
        "review.ReviewItem", on_delete=models.CASCADE, related_name="proposals"
    )
    proposer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    # The proposed decision, and the item's version that it refers to.
    decision = models.JSONField()
    version = models.PositiveIntegerField()
    # The bulk act that it belongs to.
    act = models.ForeignKey(
        Act, null=True, on_delete=models.RESTRICT, related_name="proposals"
    )
    # Why it needs a second person: a code of `panel.FourEyes`.
    reason_code = models.CharField(max_length=20)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    decline_reason = models.CharField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state__in=["confirmed", "declined"])
                | (
                    models.Q(decided_by__isnull=False)
                    & ~models.Q(decided_by=models.F("proposer"))
                ),
                name="proposal_needs_a_second_person",
            ),
            models.UniqueConstraint(
                fields=["item"],
                condition=models.Q(state="pending"),
                name="proposal_once_per_item",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "-created_at"],
                condition=models.Q(state="pending"),
                name="proposal_pending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.state}"

    @property
    def verdict(self) -> str:
        """The proposed verdict; empty if it is only about names or claims."""
        agreed = self.item.verification.verdict if self.decision.get("agree") else ""
        return str(self.decision.get("verdict") or agreed)

    @property
    def reason(self) -> str:
        """The proposer's reason."""
        return str(self.decision.get("reason", ""))

    @property
    def marks(self) -> list[tuple[str, str]]:
        """The names and claims with a proposed status: text and status."""
        report = self.item.verification.verdict_object
        marks = []
        for kind, rows in (
            ("mentions", report.mentions),
            ("claims", report.completion_claims),
            ("facts", report.claims),
        ):
            marks += [
                (rows[flip["index"]].text, flip["status"])
                for flip in self.decision.get(kind, [])
                if flip["index"] < len(rows)
            ]
        missed = self.decision.get("missed", [])
        return marks + [(name["text"], name["status"]) for name in missed]
