"""Examples for every operation of the OpenAPI document.

Views have examples that say more than the schema. Every other request body has an
example here, and every other reply one that is generated from its schema: so it shows
the input and output of each operation.
"""

from typing import Any

REQUESTS: dict[str, Any] = {
    "guard": {"text": "Sign in with the package `mind-auth`."},
    "putCheckSettings": {"claims": "auto", "layers": "by_risk"},
    "assessRisk": {"text": "Take 20 mg twice a day.", "risk": "high"},
    "openVerification": {"strictness": "strict"},
    "openBatch": {"filter": {"verdict": "uncertain", "agent": "helper"}},
    "putToolSchema": {
        "reference": "@acme/search/schema#Result",
        "tool": "rag-query",
        "schema": {"type": "object", "required": ["documents"]},
    },
    "share_entry": {"kind": "preference", "text": "Write British English."},
    "edit_shared_entry": {"text": "Write British English everywhere."},
    "leaseNextReviewItem": {"filter": {"verdict": "reject"}},
    "assignReviewItem": {"assignee": "ada"},
    "decideReviewItem": {
        "version": 0,
        "verdict": "accept",
        "reason": "Both files exist.",
        "mentions": [{"index": 2, "status": "verified"}],
    },
    "previewReviewDecision": {"version": 0, "agree": True},
    "undoReviewAct": {"act": "6f0c2c52-6b3e-4d6e-9d0e-2f1f5d0f1a11", "version": 1},
}
# Example values by format.
FORMATS = {
    "uuid": "6f0c2c52-6b3e-4d6e-9d0e-2f1f5d0f1a11",
    "date-time": "2026-11-21T21:10:00Z",
    "date": "2026-11-21",
    "uri": "https://hub.example/api/v1/",
    "binary": "",
}
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
DEEPEST = 8


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add an example to every JSON body of the document that lacks one."""
    schemas = result.get("components", {}).get("schemas", {})
    for methods in result["paths"].values():
        for operation in methods.values():
            body = operation.get("requestBody", {}).get("content", {})
            for content in _without_example(body):
                example = REQUESTS.get(operation["operationId"])
                generated = example_of(content.get("schema", {}), schemas)
                _show(content, generated if example is None else example)
            for status, reply in operation["responses"].items():
                if status.startswith("2"):
                    for content in _without_example(reply.get("content", {})):
                        _show(content, example_of(content.get("schema", {}), schemas))
    return result


def _without_example(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        content
        for kind, content in body.items()
        if kind == "application/json" and not {"example", "examples"} & set(content)
    ]


def _show(content: dict[str, Any], value: Any) -> None:
    content["examples"] = {"Example": {"value": value}}


def example_of(schema: dict[str, Any], schemas: dict[str, Any], depth: int = 0) -> Any:
    """Return a value that fits a schema.

    Args:
        schema: A schema of the document.
        schemas: The targets of references, by name.
        depth: The depth of nesting; deep lists are empty, since a schema may contain
            itself.
    """
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rsplit("/", 1)[-1]], schemas, depth)
    for word in ("const", "default", "example"):
        if word in schema:
            return schema[word]
    if "enum" in schema:
        return schema["enum"][0]
    if joined := schema.get("allOf"):
        values = [example_of(part, schemas, depth) for part in joined]
        if all(isinstance(value, dict) for value in values):
            return {name: value[name] for value in values for name in value}
        return values[0]
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return example_of(schema[word][0], schemas, depth)
    return _of_type(schema, schemas, depth)


def _of_type(schema: dict[str, Any], schemas: dict[str, Any], depth: int) -> Any:
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        shown = {} if depth > DEEPEST else schema.get("properties", {})
        return {
            name: example_of(inner, schemas, depth + 1) for name, inner in shown.items()
        }
    if places := schema.get("prefixItems"):
        return [example_of(place, schemas, depth + 1) for place in places]
    if kind == "array":
        least = max(schema.get("minItems", 0), 0 if depth > DEEPEST else 1)
        item = example_of(schema.get("items", {"type": "string"}), schemas, depth + 1)
        return [item] * min(least, schema.get("maxItems", least))
    if kind == "integer":
        return max(1, schema.get("minimum", 1))
    if kind == "number":
        return min(0.5, schema.get("maximum", 0.5))
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    if "64" in schema.get("pattern", ""):
        return SHA256
    return FORMATS.get(schema.get("format", ""), "text")
