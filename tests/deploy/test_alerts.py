"""Alert rules ask for figures that the scrape has, and say what to do."""

import re

import pytest
import yaml
from django.test import Client

from tests.architecture.tree import CHECKOUT

FILE = CHECKOUT / "deploy/prometheus/verifyhub-alerts.yaml"
(GROUP,) = yaml.safe_load(FILE.read_text())["groups"]
NAME = re.compile(r"\bverifyhub_[a-z_]+")


@pytest.mark.django_db
def test_the_scrape_tells_every_figure_that_is_asked_for():
    text = Client().get("/metrics").content.decode()
    told = set(re.findall(r"^(verifyhub_[a-z_]+)", text, re.M))

    asked = {name for one in GROUP["rules"] for name in NAME.findall(one["expr"])}

    assert len(asked) > 5
    assert asked - told == set()


@pytest.mark.parametrize("rule", GROUP["rules"], ids=lambda rule: rule["alert"])
def test_every_alert_says_what_is_the_matter_and_what_to_do(rule):
    assert rule["annotations"].keys() == {"summary", "action"}
    assert rule["labels"]["severity"] in {"page", "warning", "info"}
