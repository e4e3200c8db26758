"""An agent that answers questions about a folder with real tools."""

from verifyhub.embedded.executor.agent import FolderAgent, NoAnswerError
from verifyhub.embedded.executor.jail import Limits, RunError
from verifyhub.embedded.executor.tools import Toolbox

__all__ = ["FolderAgent", "Limits", "NoAnswerError", "RunError", "Toolbox"]
