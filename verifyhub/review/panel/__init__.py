"""Panel: the number of judges of an item, permissions, and settlement."""

from verifyhub.review.panel.rules import (
    FOR_OTHERS,
    FOR_SECOND,
    begin_round,
    end_waiting,
    given_judgements,
    may_adjudicate,
    may_undo,
    refuse_alone,
    rules_of,
    set_review_rules,
    wanted_for,
)
from verifyhub.review.panel.settlement import (
    FourEyes,
    Given,
    full_verdict,
    merged,
    settle,
)
