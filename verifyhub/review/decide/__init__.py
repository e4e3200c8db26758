"""Decide: apply, preview and undo decisions about answers."""

from verifyhub.review.decide.adjudication import adjudicate
from verifyhub.review.decide.apply import DecisionResult
from verifyhub.review.decide.bulk import advance_act, advance_acts
from verifyhub.review.decide.drafts import NewerDraftError, drop_form, save_draft
from verifyhub.review.decide.foresight import foresee
from verifyhub.review.decide.forget import acts_of, delete_empty_acts
from verifyhub.review.decide.forms import (
    STATUS_WORDS,
    VersionForm,
    bound_form,
    takes_reason,
)
from verifyhub.review.decide.history import learn_from_old_decisions, record_old_answers
from verifyhub.review.decide.judgements import judge, withdraw
from verifyhub.review.decide.likeness import likenesses
from verifyhub.review.decide.named_acts import (
    confirm_verdict,
    override_mention,
    override_verdict,
)
from verifyhub.review.decide.on_gold import statement_of, undo_statement
from verifyhub.review.decide.proposals import (
    confirm_proposal,
    decline_proposal,
    withdraw_proposal,
)
from verifyhub.review.decide.reasons import (
    create_default_reasons,
    reason_choices_and_labels,
    reasons_in_use,
)
from verifyhub.review.decide.undo import reopen_item, undo_act, undo_override
from verifyhub.review.decisions import MAX_CORRECTION_LENGTH, MAX_REASON_LENGTH
