"""Exports write into a folder of each test's own."""

import pytest

from tests.factories import InteractionFactory, VerificationFactory


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    return tmp_path / "exports"


@pytest.fixture
def answers(project):
    """Seven answers, each with a verdict."""
    made = InteractionFactory.create_batch(7, project=project)
    for one in made:
        VerificationFactory(interaction=one, verdict="accept")
    return made
