"""What tests of memory share: a project that tells agents at once."""

import pytest

from tests.factories import ProjectFactory
from verifyhub.accounts.models import Project


@pytest.fixture
def project(db: None) -> Project:
    """A project without a shadow, so that what recurs is in force at once.

    What one person says is, too: `test_voices.py` is about what others must agree to.
    """
    thresholds = {"shadow_hours": 0, "confirming_people": 1}
    return ProjectFactory(slug="acme", name="Acme", thresholds=thresholds)
