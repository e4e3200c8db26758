"""Render the chart with Helm's own engine and hold it against Kubernetes' schemas.

A program of its own: `make test-deep` puts its two packages beside the environment,
as 80 MB of Helm are nothing that development needs. Reads values from standard input.
"""

import json
import sys
from pathlib import Path
from typing import Any

import helm_python.chart
import kubernetes_validate
import yaml

CHART = Path(__file__).parents[2] / "deploy/helm/verifyhub"
# The oldest one that the chart says it is for, and a newer one.
VERSIONS = ("1.27", "1.33")


def main() -> int:
    """Print the manifests as JSON; end with 1 and a line where they are refused."""
    values = json.load(sys.stdin)
    try:
        report = helm_python.chart.lint(CHART, values, strict=True)
        if report["errors"]:
            raise ValueError("; ".join(report["errors"]))
        chart = helm_python.chart.Chart.load(CHART)
        rendered = chart.render(values, name="hub", namespace="agents", revision=3)
        found = [
            one for text in rendered.values() for one in yaml.safe_load_all(text) if one
        ]
        for one in found:
            _check(one)
    except Exception as error:  # noqa: BLE001 - every refusal is told alike
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1
    sys.stdout.write(json.dumps(found))
    return 0


def _check(manifest: dict[str, Any]) -> None:
    for version in VERSIONS:
        kubernetes_validate.validate(manifest, version, strict=True)


if __name__ == "__main__":
    sys.exit(main())
