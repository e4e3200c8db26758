"""Writes: the queue of verifications, and the engine's reports."""

from verifyhub.verification.services.announce import (
    announce_amended,
    announce_completed,
)
from verifyhub.verification.services.backlog import check_room
from verifyhub.verification.services.batches import (
    BatchError,
    advance_batch,
    advance_batches,
    cancel_batch,
    open_batch,
)
from verifyhub.verification.services.checks import (
    NamePair,
    NewCheckSettings,
    ToolDeed,
    update_checks,
)
from verifyhub.verification.services.deliberations import (
    DELIBERATIONS,
    deliberate_answer,
    deliberate_task,
    run_deliberation,
)
from verifyhub.verification.services.detections import (
    DETECTIONS,
    open_answer_detection,
    open_detection,
    run_detection,
)
from verifyhub.verification.services.gateways import (
    GatewayKeyError,
    add_gateway_key,
    revoke_gateway_key,
    signature_holds,
)
from verifyhub.verification.services.goals import forget_logs, log_goals
from verifyhub.verification.services.late_parents import follow_late_parents
from verifyhub.verification.services.layer_run import (
    Caps,
    LayerNames,
    LayersRequest,
    Subject,
    assess_by_rules,
)
from verifyhub.verification.services.learning import learn_names, ring_learning
from verifyhub.verification.services.mitigations import (
    MITIGATIONS,
    NothingToMitigateError,
    mitigate_answer,
    mitigate_text,
    run_mitigation,
)
from verifyhub.verification.services.open import (
    VerificationRunningError,
    open_verification,
    open_verifications,
    reverify,
)
from verifyhub.verification.services.opinions import (
    AWAITED_OPINIONS,
    ask_again,
    await_opinions,
    record_amendments,
    wake_held_back,
)
from verifyhub.verification.services.presets import update_presets
from verifyhub.verification.services.results import (
    set_human_claim,
    set_human_status,
    set_human_verdict,
    withhold_review,
    write_claims,
    write_mentions,
)
from verifyhub.verification.services.run import (
    VERIFICATIONS,
    run_due,
    run_verification,
)
from verifyhub.verification.services.tool_schemas import (
    delete_tool_schema,
    put_tool_schema,
)
from verifyhub.verification.services.transcripts import (
    TurnResult,
    record_transcript,
)
from verifyhub.verification.services.uploads import (
    UPLOAD_RETENTION,
    keep_upload,
    read_upload,
    unpacked,
    verify_upload,
)
