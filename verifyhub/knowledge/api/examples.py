"""Examples of replies for the API's description."""

from typing import Any

DOCUMENT: dict[str, Any] = {
    "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "external_id": "wiki/pumps",
    "title": "Pumps",
    "url": "https://wiki.example.org/pumps",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "state": "ready",
    "passage_count": 3,
    "author": "wiki sync",
    "created_at": "2026-11-21T18:04:11.120000Z",
    "changed_at": "2026-11-21T18:04:11.120000Z",
}
NEW_DOCUMENT: dict[str, Any] = {
    "title": "Pumps",
    "text": "The pump on floor 2 was replaced in March.",
    "url": "https://wiki.example.org/pumps",
}
PAGE: dict[str, Any] = {"next": None, "previous": None, "results": [DOCUMENT]}
PROGRESS: dict[str, Any] = {
    "documents": 12,
    "passages": 340,
    "embedded": 128,
    "model": "text-embedding-3-small",
    "dimension": 1536,
    "serving": "all-MiniLM-L6-v2-onnx-int8",
    "state": "running",
    "error": "",
}
FOUND: dict[str, Any] = {
    "results": [
        {
            "passage": "document:1041",
            "origin": "document",
            "ref": DOCUMENT["id"],
            "title": "Pumps",
            "text": "The pump on floor 2 was replaced in March.",
            "span": [0, 42],
            "score": 0.0328,
            "similarity": 0.81,
        }
    ]
}
