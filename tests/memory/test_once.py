"""What an answer teaches is stored once, however often it is written."""

import pytest
from django.db import IntegrityError

from tests.factories import InteractionFactory
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting

pytestmark = pytest.mark.django_db


def entry(interaction, key: str) -> MemoryEntry:
    return MemoryEntry.objects.create(
        project=interaction.project,
        interaction_id=interaction.id,
        key=key,
        kind=MemoryEntry.Kind.BLOCKER,
        text="mind-auth",
        source=MemoryEntry.Source.VERIFICATION,
    )


def test_an_entry_is_stored_once_for_its_answer():
    interaction = InteractionFactory()
    entry(interaction, "unverified-mind-auth")
    entry(InteractionFactory(project=interaction.project), "unverified-mind-auth")

    with pytest.raises(IntegrityError, match="memory_entry_once_per_answer"):
        entry(interaction, "unverified-mind-auth")


def test_a_name_is_sighted_once_in_an_answer():
    interaction = InteractionFactory()
    constraint = Constraint.objects.create(
        project=interaction.project, mention_kind="package", mention_key="mind-auth"
    )
    sighted = {
        "project": interaction.project,
        "constraint": constraint,
        "interaction_id": interaction.id,
    }
    Sighting.objects.create(**sighted)

    with pytest.raises(IntegrityError, match="sighting_once_per_answer"):
        Sighting.objects.create(**sighted)
