"""A small part of `make upgrade`, where the history that it needs is there."""

import pytest

from tests.upgrade.__main__ import former_versions, main


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(900)  # Two former versions are installed, filled and upgraded.
@pytest.mark.skipif(not former_versions(), reason="needs the history of git")
def test_an_upgrade_and_the_way_back_lose_nothing_under_load():
    assert main(["--runs", "60", "--seed", "11"]) == 0
