"""Steps of upper packages that lower packages run, in order (ADR 0064).

A step runs in the transaction that it belongs to: an error rolls everything back. So it
may only change the database; use `enqueue_on_commit` for anything else.
"""

from verifyhub.accounts.second_factor import reseal_authenticators
from verifyhub.accounts.steps import AFTER_KEY_REVOCATION, AFTER_PROJECT_CREATION
from verifyhub.common.partitions import DIVIDED_TABLES
from verifyhub.common.retention import HELD_PROJECTS, RETENTIONS
from verifyhub.common.sealing import RESEALS
from verifyhub.events.services import (
    EVENT_RETENTION,
    WEBHOOK_RETENTION,
    reseal_webhooks,
)
from verifyhub.exports.services import EXPORT_RETENTION
from verifyhub.inference.services import OPINION_RETENTION, reseal_keys
from verifyhub.inference.steps import AFTER_CAPS_CHANGE, AFTER_EMBEDDING_CHANGE
from verifyhub.ingest.bulk_services import BULK_RETENTION
from verifyhub.ingest.services import REPLY_RETENTION, reseal_masked
from verifyhub.ingest.steps import (
    AFTER_RECORDING,
    BEFORE_RECORDING,
    SIGNATURE_HOLDS,
)
from verifyhub.ingest.trace_services import TRACE_RETENTION
from verifyhub.knowledge.services import embed_with_new_model
from verifyhub.learning.services import record_answers
from verifyhub.learning.steps import WITHHELD_ANSWERS
from verifyhub.memory.services import DELIVERY_RETENTION, forget_key, remember_reports
from verifyhub.privacy.holds import held_projects
from verifyhub.reports.services.mail import LETTER_RETENTION
from verifyhub.review.decide import create_default_reasons
from verifyhub.review.queue import open_items, refresh_items
from verifyhub.review.selectors import quoted
from verifyhub.review.visibility import withheld_answers
from verifyhub.verification import services as verification
from verifyhub.verification.steps import (
    AFTER_AMENDMENT,
    AFTER_VERIFICATION,
    PEOPLE_OF_VERDICT,
)

BEFORE_RECORDING.assemble(verification.check_room)
SIGNATURE_HOLDS.assemble(verification.signature_holds)
AFTER_RECORDING.assemble(verification.open_verifications)

AFTER_VERIFICATION.assemble(
    verification.write_mentions,
    verification.write_claims,
    verification.await_opinions,
    record_answers,
    remember_reports,
    verification.log_goals,
    verification.ring_learning,
    verification.follow_late_parents,
    verification.announce_completed,
    open_items,
)
AFTER_AMENDMENT.assemble(
    verification.write_mentions,
    verification.write_claims,
    record_answers,
    remember_reports,
    verification.record_amendments,
    verification.announce_amended,
    refresh_items,
    verification.log_goals,
)

AFTER_CAPS_CHANGE.assemble(verification.wake_held_back)
AFTER_EMBEDDING_CHANGE.assemble(embed_with_new_model)
AFTER_KEY_REVOCATION.assemble(forget_key)
AFTER_PROJECT_CREATION.assemble(create_default_reasons)

# Data of upper packages that lower ones show.
PEOPLE_OF_VERDICT.assemble(quoted)
WITHHELD_ANSWERS.assemble(withheld_answers)

RESEALS.assemble(reseal_keys, reseal_webhooks, reseal_masked, reseal_authenticators)

DIVIDED_TABLES.assemble(
    "events_event",
    "ingest_toolcall",
    "verification_claimverdict",
    "verification_mentionverdict",
    "verification_verificationlog",
)
HELD_PROJECTS.assemble(held_projects)
RETENTIONS.assemble(
    REPLY_RETENTION,
    verification.UPLOAD_RETENTION,
    OPINION_RETENTION,
    TRACE_RETENTION,
    BULK_RETENTION,
    DELIVERY_RETENTION,
    EVENT_RETENTION,
    WEBHOOK_RETENTION,
    EXPORT_RETENTION,
    LETTER_RETENTION,
)
