"""Models of verification: verifications, their rows, and related work."""

from verifyhub.verification.models.batches import Batch, BatchMember
from verifyhub.verification.models.checks import ClaimVerdict, Detection, FactWord
from verifyhub.verification.models.uploads import TranscriptUpload
from verifyhub.verification.models.verifications import (
    AwaitedOpinion,
    GatewayKey,
    MentionStatus,
    MentionVerdict,
    ToolSchema,
    Verdict,
    Verification,
    VerificationLog,
)
from verifyhub.verification.models.work import (
    Deliberation,
    MitigationActions,
    MitigationAttempt,
    Work,
)
