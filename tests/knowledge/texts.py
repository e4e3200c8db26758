"""Documents of tests, and bringing them in."""

import time
from typing import Any

from verifyhub.accounts.models import Project
from verifyhub.knowledge.models import Document, EmbeddingSpace
from verifyhub.knowledge.services import DocumentValues, embed_space, save_document

SENTENCE = "The pump on floor {0} was replaced in March by two people from Lyon. "
LYON = "The warehouse in Lyon was closed in 2019 after a flood."
SLEEP = "Our physicians recommend plenty of sleep."
BUDGET = "The budget of 2021 was 4.2 million euros."


def long_text(size: int, first: int = 0) -> str:
    """A text of so many sentences, each another one."""
    return "".join(SENTENCE.format(first + number) for number in range(size))


def bring(project: Project, text: str = LYON, **fields: Any) -> Document:
    values = DocumentValues(text=text, **{"title": "Notes", **fields})
    return save_document(project=project, values=values, actor=None)


def embed_all(project: Project) -> None:
    """Do what workers do until nothing is left to embed."""
    spaces = EmbeddingSpace.objects.filter(project=project)
    deadline = time.monotonic() + 60
    while waiting := spaces.filter(state__in=EmbeddingSpace.OPEN):
        assert time.monotonic() < deadline, "It never came to an end"
        if not sum(embed_space(space_id=space.pk) for space in waiting):
            # The database still has to notice that a killed worker's session ended.
            time.sleep(0.05)
