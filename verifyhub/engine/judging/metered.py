"""A judge whose calls are all counted, including those that fail."""

from verifyhub.engine.ports import (
    HELD_BACK,
    Model,
    ModelError,
    ModelReply,
    ModelRequest,
    ModelUsage,
    OpinionMemory,
)

# Nothing left this machine: there is nothing to count.
NOT_CALLED = HELD_BACK | {"not_configured", "blocked"}


class Metered:
    """A `Model` and `OpinionMemory` that records the usage of its calls in `usages`.

    Around a model without a memory it remembers nothing.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.usages: list[ModelUsage] = []

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, request: ModelRequest) -> ModelReply:
        try:
            reply = self._model.ask(request)
        except ModelError as error:
            if error.reason not in NOT_CALLED:
                self.usages.append(error.usage or ModelUsage())
            raise
        self.usages.append(reply.usage)
        return reply

    def recall(self, *, purpose: str, material: str) -> str | None:
        """Return a kept opinion; see `OpinionMemory.recall`."""
        if not isinstance(self._model, OpinionMemory):
            return None
        opinion = self._model.recall(purpose=purpose, material=material)
        if opinion is not None:
            self.usages.append(ModelUsage(cached=True))
        return opinion

    def remember(self, *, purpose: str, material: str, opinion: str) -> None:
        """Keep a sound opinion; see `OpinionMemory.remember`."""
        if isinstance(self._model, OpinionMemory):
            self._model.remember(purpose=purpose, material=material, opinion=opinion)
