import pytest

from verifyhub.common.jobs import doorbell
from verifyhub.verification.services import backlog


@pytest.fixture(autouse=True)
def a_doorbell_that_rings():
    """Forget a broker that an earlier test took away."""
    doorbell.silent_until = 0.0


@pytest.fixture
def waiting_counted_once(monkeypatch):
    """What waits is not counted again, however long requests take here."""
    monkeypatch.setattr(backlog, "GOOD_FOR_SECONDS", 3600)
