"""Gold: answers with a known verdict that measure reviewers.

Other packages use this interface alone: whether a reviewer was handed an item as gold,
their judgement of it, and what a viewer may know. Nobody else reads gold's tables.
"""

from verifyhub.review.gold.figures import (
    KnownGold,
    gold_items,
    gold_judged,
    gold_judges,
    gold_share,
    known_gold,
)
from verifyhub.review.gold.handing_out import (
    handed_ids,
    handed_to,
    is_handed,
    keeps_gold,
    may_hand_gold,
    seed_gold,
)
from verifyhub.review.gold.judging import (
    active_gold,
    answer_of,
    gold_for,
    gold_statement,
    judge_gold,
    last_statement,
    statements_of,
    uncount_gold,
    undo_gold,
    undo_gold_of,
)
from verifyhub.review.gold.marking import mark_gold, reopen_expired_gold, retire_gold
