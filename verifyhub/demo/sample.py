"""The sample repository that the demo's agents explore: `tidepool`, as real files.

It can be run: its command works, most of its tests pass, and one test fails because of
a real fault in `tidepool/harmonics.py`, so that a claim about tests can be true or
false.
"""

from pathlib import Path

README = """\
# tidepool

Reads tide-gauge files and says how the water moves.

    python -m tidepool.cli summary data/readings.csv
    python -m tidepool.cli nearest 54.3 10.1

Run the tests with `python -m unittest`. The file format is described in
`docs/format.md`, settings in `tidepool.toml`.
"""

PYPROJECT = """\
[project]
name = "tidepool"
version = "0.3.0"
description = "Reads tide-gauge files and says how the water moves"
requires-python = ">=3.11"
dependencies = []

[project.scripts]
tidepool = "tidepool.cli:main"
"""

SETTINGS = """\
[units]
height = "metres"

[parser]
skip_bad_lines = false
"""

CHANGELOG = """\
# Changelog

## 0.3.0
- `nearest` finds the gauge closest to a place.
- Settings are read from `tidepool.toml`, or from the file that the environment
  variable `TIDEPOOL_CONFIG` names.

## 0.2.0
- Readings in feet are turned into metres.
"""

FORMAT = """\
# Gauge files

One reading a line: time in hours since midnight, a comma, the height of the water.
A height may end in `ft`; it is turned into metres.
"""

STATIONS_CSV = """\
KIE,Kiel,54.372,10.157
WAR,Warnemuende,54.170,12.103
SAS,Sassnitz,54.511,13.643
"""

READINGS_CSV = """\
0.0,1.20
3.1,2.05
6.2,1.22
9.3,0.41
12.4,1.19
15.5,2.04
"""

INIT_PY = '''\
"""Tide-gauge readings, stations and a simple harmonic model."""

__version__ = "0.3.0"
'''

READINGS_PY = '''\
"""Read gauge files."""

from dataclasses import dataclass

from tidepool.units import feet_to_metres


class ParseError(ValueError):
    """A line of a gauge file cannot be read."""


@dataclass(frozen=True)
class Reading:
    hours: float
    metres: float


def parse_line(line: str) -> Reading:
    """Turn one line into a reading; raise ParseError if it is not one."""
    time, comma, height = line.strip().partition(",")
    if not comma:
        raise ParseError(f"no comma in {line!r}")
    try:
        if height.endswith("ft"):
            return Reading(float(time), feet_to_metres(float(height[:-2])))
        return Reading(float(time), float(height))
    except ValueError as error:
        raise ParseError(f"not a number in {line!r}") from error


def read_readings(path: str, skip_bad_lines: bool = False) -> list[Reading]:
    readings = []
    with open(path) as lines:
        for line in lines:
            try:
                readings.append(parse_line(line))
            except ParseError:
                if not skip_bad_lines:
                    raise
    return readings
'''

UNITS_PY = '''\
"""Lengths."""

METRES_PER_FOOT = 0.3048


def feet_to_metres(feet: float) -> float:
    return feet * METRES_PER_FOOT
'''

STATIONS_PY = '''\
"""Where the gauges are."""

import csv
import math
from dataclasses import dataclass

EARTH_RADIUS_KM = 6371.0


@dataclass(frozen=True)
class Station:
    code: str
    name: str
    latitude: float
    longitude: float


def read_stations(path: str) -> list[Station]:
    with open(path, newline="") as rows:
        return [Station(c, n, float(a), float(o)) for c, n, a, o in csv.reader(rows)]


def distance_km(station: Station, latitude: float, longitude: float) -> float:
    """Great-circle distance by the haversine formula."""
    lat1, lat2 = math.radians(station.latitude), math.radians(latitude)
    dlat = lat2 - lat1
    dlon = math.radians(longitude - station.longitude)
    a = math.sin(dlat / 2) ** 2
    a += math.cos(lat1) * math.cos(lat2) * math.sin(dlon / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(a))


def nearest(stations: list[Station], latitude: float, longitude: float) -> Station:
    return min(stations, key=lambda s: distance_km(s, latitude, longitude))
'''

HARMONICS_PY = '''\
"""One cosine through the readings."""

import math
from dataclasses import dataclass

from tidepool.readings import Reading

PERIOD_HOURS = 12.0


@dataclass(frozen=True)
class Harmonic:
    mean: float
    amplitude: float
    high_water_at: float

    def predict(self, hours: float) -> float:
        phase = 2 * math.pi * (hours - self.high_water_at) / PERIOD_HOURS
        return self.mean + self.amplitude * math.cos(phase)


def fit_harmonic(readings: list[Reading]) -> Harmonic:
    heights = [reading.metres for reading in readings]
    top = max(readings, key=lambda reading: reading.metres)
    mean = sum(heights) / len(heights)
    return Harmonic(mean, (max(heights) - min(heights)) / 2, top.hours)
'''

CONFIG_PY = '''\
"""Settings from tidepool.toml."""

import os
import tomllib
from typing import Any

DEFAULTS = {"units": {"height": "metres"}, "parser": {"skip_bad_lines": False}}


def load_config() -> dict[str, Any]:
    path = os.environ.get("TIDEPOOL_CONFIG", "tidepool.toml")
    try:
        with open(path, "rb") as file:
            return DEFAULTS | tomllib.load(file)
    except FileNotFoundError:
        return DEFAULTS
'''

CLI_PY = '''\
"""The tidepool command."""

import argparse

from tidepool.config import load_config
from tidepool.harmonics import fit_harmonic
from tidepool.readings import read_readings
from tidepool.stations import nearest, read_stations


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tidepool")
    commands = parser.add_subparsers(dest="command", required=True)
    summary = commands.add_parser("summary")
    summary.add_argument("file")
    place = commands.add_parser("nearest")
    place.add_argument("latitude", type=float)
    place.add_argument("longitude", type=float)
    return parser


def main(argv: list[str] | None = None) -> None:
    args = build_parser().parse_args(argv)
    if args.command == "summary":
        skip = load_config()["parser"]["skip_bad_lines"]
        model = fit_harmonic(read_readings(args.file, skip))
        print(f"mean {model.mean:.2f} m, amplitude {model.amplitude:.2f} m")
    else:
        stations = read_stations("data/stations.csv")
        print(nearest(stations, args.latitude, args.longitude).name)


if __name__ == "__main__":
    main()
'''

TEST_READINGS_PY = """\
import unittest

from tidepool.readings import ParseError, Reading, parse_line


class ParseLineTest(unittest.TestCase):
    def test_metres(self):
        self.assertEqual(parse_line("3.1,2.05"), Reading(3.1, 2.05))

    def test_feet_become_metres(self):
        self.assertAlmostEqual(parse_line("0,10ft").metres, 3.048)

    def test_missing_comma_is_refused(self):
        with self.assertRaises(ParseError):
            parse_line("3.1 2.05")

    def test_words_are_refused(self):
        with self.assertRaises(ParseError):
            parse_line("noon,high")
"""

TEST_STATIONS_PY = """\
import unittest

from tidepool.stations import Station, distance_km, nearest

KIEL = Station("KIE", "Kiel", 54.372, 10.157)
SASSNITZ = Station("SAS", "Sassnitz", 54.511, 13.643)


class StationTest(unittest.TestCase):
    def test_a_station_is_no_way_from_itself(self):
        self.assertAlmostEqual(distance_km(KIEL, 54.372, 10.157), 0)

    def test_nearest(self):
        self.assertEqual(nearest([SASSNITZ, KIEL], 54.3, 10.1), KIEL)
"""

TEST_HARMONICS_PY = """\
import unittest

from tidepool.harmonics import Harmonic, fit_harmonic
from tidepool.readings import Reading


class HarmonicTest(unittest.TestCase):
    def test_high_water(self):
        self.assertAlmostEqual(Harmonic(1.2, 0.8, 3.1).predict(3.1), 2.0)

    def test_fit_finds_the_amplitude(self):
        readings = [Reading(0, 1.0), Reading(3, 2.0), Reading(9, 0.0)]
        self.assertAlmostEqual(fit_harmonic(readings).amplitude, 1.0)

    def test_predict_repeats_after_one_tide(self):
        model = Harmonic(1.2, 0.8, 3.1)
        self.assertAlmostEqual(model.predict(3.1 + 12.42), model.predict(3.1))
"""

FILES = {
    "README.md": README,
    "CHANGELOG.md": CHANGELOG,
    "pyproject.toml": PYPROJECT,
    "tidepool.toml": SETTINGS,
    "docs/format.md": FORMAT,
    "data/stations.csv": STATIONS_CSV,
    "data/readings.csv": READINGS_CSV,
    "tidepool/__init__.py": INIT_PY,
    "tidepool/readings.py": READINGS_PY,
    "tidepool/units.py": UNITS_PY,
    "tidepool/stations.py": STATIONS_PY,
    "tidepool/harmonics.py": HARMONICS_PY,
    "tidepool/config.py": CONFIG_PY,
    "tidepool/cli.py": CLI_PY,
    "tests/__init__.py": "",
    "tests/test_readings.py": TEST_READINGS_PY,
    "tests/test_stations.py": TEST_STATIONS_PY,
    "tests/test_harmonics.py": TEST_HARMONICS_PY,
}


def write_repository(root: Path) -> None:
    """Write the sample repository below `root`, which is created if it is missing."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
