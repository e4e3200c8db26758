"""Sample answers to the task from the model, without showing it the checked text."""

from verifyhub.engine.judging.ask import sealed
from verifyhub.engine.layers.base import LayerInput, LayerWork
from verifyhub.engine.layers.material import ONLY_MATERIAL, a_nonce, question_of
from verifyhub.engine.ports import Model, ModelError, ModelReply, ModelRequest

LEAST, MOST = 2, 20
MAX_TOKENS = 256
TOO_FEW = "too_few_samples"
# As the paper asks for answers of a sentence's length (Nature 2024, Methods).
BRIEFLY = (
    "Answer `task` in a single brief but complete sentence, by `context` where there"
    " is one."
) + ONLY_MATERIAL


def draw(
    subject: LayerInput, work: LayerWork, model: Model, *, system: str, purpose: str
) -> tuple[list[ModelReply], str]:
    """Sample answers concurrently, all with the same prompt.

    Returns:
        Those that can be used, and why there are no more; a reply that was cut in the
        middle says nothing whole.
    """
    options = work.tools.options
    user = sealed(question_of(subject), nonce=a_nonce(work))

    def ask() -> ModelReply:
        return model.ask(
            ModelRequest(
                system=system,
                user=user,
                purpose=purpose,
                temperature=options.temperature,
                max_output_tokens=MAX_TOKENS,
                logprobs=True,
            )
        )

    count = min(MOST, max(LEAST, options.samples))
    replies = work.each([ask] * count)
    reasons = [reply.reason for reply in replies if isinstance(reply, ModelError)]
    usable = [
        reply for reply in replies if isinstance(reply, ModelReply) and not reply.is_cut
    ]
    return usable, (reasons or [TOO_FEW])[0]
