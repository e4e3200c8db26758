"""Behind PgBouncer journeys commit: each transaction may meet another session."""

from pathlib import Path

import pytest
from django.conf import settings


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not settings.PGBOUNCER:
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.django_db(transaction=True))
