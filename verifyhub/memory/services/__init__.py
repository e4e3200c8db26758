"""Writes of memory: from reports, from decisions, and by leads."""

from verifyhub.memory.guard import (
    delete_snapshot,
    learn_names,
    put_snapshot,
    start_learning,
)
from verifyhub.memory.services.deliver import deliver_context
from verifyhub.memory.services.edit import (
    ConstraintChangedError,
    EntryNotRetractableError,
    confirm_constraint,
    pin_constraint,
    restore_constraint,
    restore_entry,
    retire_constraint,
    retract_entry,
    reword_constraint,
    suggest_name,
)
from verifyhub.memory.services.edit_entry import (
    EntryChangedError,
    EntryValuesError,
    edit_entry,
    editable,
)
from verifyhub.memory.services.expiry import DELIVERY_RETENTION, expire_entries
from verifyhub.memory.services.forget import (
    forget_answers,
    forget_names_of,
    forget_old_memory,
    forget_session,
)
from verifyhub.memory.services.merge import (
    MergeError,
    merge_constraint,
    split_constraint,
)
from verifyhub.memory.services.override import (
    apply_answer_correction,
    apply_claim_override,
    apply_mention_override,
    apply_verdict_override,
)
from verifyhub.memory.services.remember import remember_reports
from verifyhub.memory.services.revoked_keys import forget_key, forget_keys
from verifyhub.memory.services.settings import (
    ThresholdValuesError,
    update_thresholds,
    update_tool_rules,
)
from verifyhub.memory.services.settle_names import adds_voice
from verifyhub.memory.services.shadows import end_shadows
from verifyhub.memory.services.shared import (
    SharedEntryError,
    confirm_shared,
    correct_name,
    prefer,
    restore_shared,
    retract_shared,
    waits,
)
from verifyhub.memory.services.undo import undo_effects
from verifyhub.memory.services.words import NO_RIGHT_NAME, SuggestionError
