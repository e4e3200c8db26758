"""The client of VerifyHub: check, observe and guard the answers of agents.

It needs a VerifyHub server, but not the server's code.
"""

from verifyhub_client.checked import Checked
from verifyhub_client.errors import (
    AnswerBlockedError,
    AnswerRejectedError,
    HubError,
    HubRefusedError,
    HubUnavailableError,
    VerdictPendingError,
    VerificationFailedError,
)
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.masking import Masker
from verifyhub_client.protocol import Guarded, Patience
from verifyhub_client.recording import current_recording, tool
from verifyhub_client.runs import (
    Agent,
    AgentAnswer,
    Attempt,
    AttemptKind,
    AttemptRecord,
    RunOutcome,
    RunResult,
)
from verifyhub_client.sessions import AsyncSession, Session
from verifyhub_client.settings import Background
from verifyhub_client.stats import Stats
from verifyhub_client.verdict import Advice, FlaggedName, Verdict
from verifyhub_client.verified import verified
from verifyhub_client.wire import AsyncVerifyHub, VerifyHub

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Agent",
    "AgentAnswer",
    "AnswerBlockedError",
    "AnswerRejectedError",
    "AsyncHub",
    "AsyncSession",
    "AsyncVerifyHub",
    "Attempt",
    "AttemptKind",
    "AttemptRecord",
    "Background",
    "Checked",
    "FlaggedName",
    "Guarded",
    "HubError",
    "HubRefusedError",
    "HubUnavailableError",
    "Masker",
    "Patience",
    "RunOutcome",
    "RunResult",
    "Session",
    "Stats",
    "SyncHub",
    "Verdict",
    "VerdictPendingError",
    "VerificationFailedError",
    "VerifyHub",
    "current_recording",
    "tool",
    "verified",
]
