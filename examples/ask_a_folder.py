"""A question about a folder, put to any model by the agent that comes with VerifyHub.

    VERIFYHUB_MODEL_URL=http://127.0.0.1:8080/v1 VERIFYHUB_MODEL_SMALL=some-model \\
        python examples/ask_a_folder.py FOLDER "Where are prices computed?"

`verifyhub ask` does the same from the command line.
"""

import sys
from functools import partial

from verifyhub.embedded import LocalHub
from verifyhub.embedded.executor import FolderAgent, Toolbox
from verifyhub.embedded.executor.folder import Folder
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import from_environment, verifier_for
from verifyhub.engine.llm.models import chat_at


def main() -> int:
    folder, question = sys.argv[1:3]
    settings = from_environment()
    endpoint = settings.endpoint(Tier.SMALL)
    if endpoint is None:
        print("Set VERIFYHUB_MODEL_URL and VERIFYHUB_MODEL_SMALL.", file=sys.stderr)
        return 2
    agent = FolderAgent(
        chat_at(endpoint, policy=settings.policy()), partial(Toolbox, Folder(folder))
    )
    hub = LocalHub(verifier_for=partial(verifier_for, settings=settings))
    result = hub.run_until_accepted(agent, question)
    print(result.answer)
    print(f"{result.outcome} after {len(result.attempts)} attempts")
    return 0 if result.accepted else 1


if __name__ == "__main__":
    sys.exit(main())
