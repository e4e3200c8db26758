"""Run the engine inside an agent's own program, without Django or a server.

`LocalHub` has the interface of the client's hubs (`verifyhub_client`). The client's
names can also be imported from here.
"""

from verifyhub.embedded.hubs import AsyncLocalHub, LocalHub
from verifyhub.embedded.orchestrator import (
    AsyncOrchestrator,
    OrchestratedResult,
    Orchestrator,
)
from verifyhub_client.errors import (
    AnswerBlockedError,
    HubError,
    HubRefusedError,
    HubUnavailableError,
    VerdictPendingError,
    VerificationFailedError,
)
from verifyhub_client.protocol import Guarded, Patience
from verifyhub_client.runs import (
    Agent,
    AgentAnswer,
    Attempt,
    AttemptKind,
    AttemptRecord,
    RunOutcome,
    RunResult,
)
from verifyhub_client.verdict import Advice, FlaggedName, Verdict
from verifyhub_client.wire import AsyncVerifyHub, VerifyHub

__all__ = [
    "Advice",
    "Agent",
    "AgentAnswer",
    "AnswerBlockedError",
    "AsyncLocalHub",
    "AsyncOrchestrator",
    "AsyncVerifyHub",
    "Attempt",
    "AttemptKind",
    "AttemptRecord",
    "FlaggedName",
    "Guarded",
    "HubError",
    "HubRefusedError",
    "HubUnavailableError",
    "LocalHub",
    "OrchestratedResult",
    "Orchestrator",
    "Patience",
    "RunOutcome",
    "RunResult",
    "Verdict",
    "VerdictPendingError",
    "VerificationFailedError",
    "VerifyHub",
]
