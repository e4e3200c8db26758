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
