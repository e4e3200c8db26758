"""Reads: documents, progress of embedding, and search."""

from verifyhub.knowledge.selectors.find import (
    as_vector,
    by_meaning,
    by_words,
    similarities,
)
from verifyhub.knowledge.selectors.rows import (
    document_named,
    documents,
    has_knowledge,
    missing_passages,
    progress_of,
    serving_space,
    unembedded,
)
