"""Models of review: queue items and decisions."""

from verifyhub.review.models.acts import Act, ActMember, Draft, ReasonCode
from verifyhub.review.models.gold import GoldItem, GoldSeed
from verifyhub.review.models.items import UNDECIDED, Override, ReviewItem
from verifyhub.review.models.judgements import Judgement, Proposal, ReviewRules
from verifyhub.review.models.queue import (
    FREE,
    AssignmentRule,
    Duty,
    OpenedItems,
    Question,
    QueueSettings,
    SavedView,
    Seat,
    Skip,
)

__all__ = [
    "FREE",
    "UNDECIDED",
    "Act",
    "ActMember",
    "AssignmentRule",
    "Draft",
    "Duty",
    "GoldItem",
    "GoldSeed",
    "Judgement",
    "OpenedItems",
    "Override",
    "Proposal",
    "Question",
    "QueueSettings",
    "ReasonCode",
    "ReviewItem",
    "ReviewRules",
    "SavedView",
    "Seat",
    "Skip",
]
