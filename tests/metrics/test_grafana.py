"""The Grafana dashboard asks for nothing that the scrape does not have."""

import json
import re
from pathlib import Path

import pytest

from verifyhub.metrics.scrape.prometheus import DatabaseCollector

FILE = Path(__file__).parents[2] / "docs" / "grafana" / "verifyhub.json"
PANELS = json.loads(FILE.read_text(encoding="utf-8"))["panels"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]
NAME = re.compile(r"verifyhub_[a-z_]+")
SELECTOR = re.compile(r"(verifyhub_[a-z_]+)\{([^}]*)\}")
MATCHER = re.compile(r'([a-z_]+)\s*=~?\s*"([^"]*)"')
BY = re.compile(r"by \(([a-z_, ]+)\) \((verifyhub_[a-z_]+)")
# What Prometheus itself adds.
ADDED = {"job", "instance"}


@pytest.fixture
def series(db):
    """Every name of the scrape, with the values of each of its labels."""
    found = {}
    for family in DatabaseCollector().collect():
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return found


def test_every_metric_of_the_dashboard_is_scraped(series):
    named = {name for text in EXPRESSIONS for name in NAME.findall(text)}

    assert named <= series.keys()
    assert len(named) > 10


def test_every_metric_that_is_scraped_is_on_the_dashboard(series):
    named = {name for text in EXPRESSIONS for name in NAME.findall(text)}

    assert series.keys() - named == set()


def test_every_label_and_its_values_exist(series):
    for text in EXPRESSIONS:
        for name, matchers in SELECTOR.findall(text):
            for label, value in MATCHER.findall(matchers):
                if label not in ADDED:
                    assert set(value.split("|")) <= series[name][label], text
        for labels, name in BY.findall(text):
            assert set(labels.split(", ")) <= series[name].keys() | ADDED, text


def test_legends_name_labels_that_are_kept():
    for panel in PANELS:
        for target in panel["targets"]:
            for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                assert f"by ({label})" in target["expr"], panel["title"]


def test_every_panel_says_what_it_shows_and_none_lies_on_another():
    places = set()
    for panel in PANELS:
        at = panel["gridPos"]
        cells = {
            (at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])
        }
        assert not places & cells, panel["title"]
        assert panel["description"]
        places |= cells
