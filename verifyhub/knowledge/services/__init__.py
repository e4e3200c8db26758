"""Writes: documents, findings as passages, and vectors."""

from verifyhub.knowledge.services.documents import (
    delete_document,
    save_document,
    sync_document,
)
from verifyhub.knowledge.services.embed import embed_space
from verifyhub.knowledge.services.search import (
    search_for,
    search_in,
    search_knowledge,
)
from verifyhub.knowledge.services.spaces import (
    embed_with_new_model,
    reconcile,
    sweep_spaces,
    wanted_space,
)
from verifyhub.knowledge.services.values import DocumentContent, DocumentValues
