"""Tasks, tool calls and answers of the demo's agents.

The tools really run (`agent.py`); the answers are written here, since a scripted agent
must be told which names to invent. `<<kind|text>>` marks a plant (`plants.py`), and
`{root}` is replaced by the folder that contains the sample repository.
"""

from dataclasses import dataclass

SCOUT = ("scout", "small", "explorer")
HARBOR = ("harbor", "medium", "developer")
KEEL = ("keel", "large", "reviewer")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTurn:
    """One task of a session, with its agent, tool calls and answer."""

    id: str
    session: str
    agent: tuple[str, str, str]
    task: str
    steps: tuple[tuple[str, dict[str, str]], ...]
    answer: str


Step = tuple[str, dict[str, str]]


def look(path: str) -> Step:
    return "list_files", {"path": path}


def read(path: str) -> Step:
    return "read_file", {"path": path}


def search(text: str) -> Step:
    return "search_files", {"text": text}


def run(command: str) -> Step:
    return "run_command", {"command": command}


ONBOARDING = (
    DemoTurn(
        id="demo-01",
        session="onboarding",
        agent=SCOUT,
        task="What does this repository do, and where does its command start?",
        steps=(look("."), read("README.md"), read("pyproject.toml")),
        answer="It reads tide-gauge files and says how the water moves. The command"
        " starts in `tidepool/cli.py`, as <<bare_file_name|pyproject.toml>> says."
        " Settings are in `tidepool.toml`; `docs/format.md` describes the files.",
    ),
    DemoTurn(
        id="demo-02",
        session="onboarding",
        agent=SCOUT,
        task="Where is one line of a gauge file parsed, and what if it is bad?",
        steps=(search("parse_line"), read("tidepool/readings.py")),
        answer="`parse_line()` in `tidepool/readings.py` parses it and raises"
        " `ParseError`. A bad line is then repaired by"
        " <<invented_function|recover_line()>> before `read_readings()` goes on.",
    ),
    DemoTurn(
        id="demo-03",
        session="onboarding",
        agent=HARBOR,
        task="Where do settings come from? Is there a settings module?",
        steps=(
            look("{root}/tidepool"),
            read("tidepool/config.py"),
            read("tidepool.toml"),
        ),
        answer="There is no <<negation|settings.py>>. `load_config()` in"
        " <<absolute_path|{root}/tidepool/config.py>> reads `tidepool.toml`, or the"
        " file that `TIDEPOOL_CONFIG` names.",
    ),
    DemoTurn(
        id="demo-04",
        session="onboarding",
        agent=SCOUT,
        task="Are the stations cached?",
        steps=(search("cache"), read("tidepool/stations.py")),
        answer="Yes. `read_stations()` keeps them in"
        " <<invented_file|tidepool/cache.py>>, where the class"
        " `<<invented_class|StationCache>>` holds one entry per file.",
    ),
)

TESTING = (
    DemoTurn(
        id="demo-05",
        session="testing",
        agent=SCOUT,
        task="Run the tests and tell me how they went.",
        steps=(look("tests"), run("python -m unittest")),
        answer="I ran `python -m unittest`."
        " <<tests_pass_after_failure|All tests pass.>>",
    ),
    DemoTurn(
        id="demo-06",
        session="testing",
        agent=HARBOR,
        task="Run the tests and tell me how they went.",
        steps=(run("python -m unittest -v"), read("tests/test_harmonics.py")),
        answer="I ran `python -m unittest -v`."
        " <<reported_failure|8 of 9 tests pass and one fails>>:"
        " `test_predict_repeats_after_one_tide` in"
        " <<relative_path|./tests/test_harmonics.py>>.",
    ),
    DemoTurn(
        id="demo-07",
        session="testing",
        agent=SCOUT,
        task="Are the station tests in order?",
        steps=(read("tests/test_stations.py"),),
        answer="The tests in `tests/test_stations.py` cover `nearest` and"
        " `distance_km`."
        " <<tests_pass_never_run|I ran the tests and they all pass.>>",
    ),
    DemoTurn(
        id="demo-08",
        session="testing",
        agent=KEEL,
        task="Do the tests of the parser pass?",
        steps=(
            read("tests/test_readings.py"),
            run("python -m unittest tests.test_readings"),
        ),
        answer="I ran `python -m unittest tests.test_readings`."
        " <<tests_passed|All 4 tests pass.>>",
    ),
)

HARMONICS = (
    DemoTurn(
        id="demo-09",
        session="harmonics",
        agent=KEEL,
        task="Why does the test of the tide's period fail?",
        steps=(
            run("python -m unittest tests.test_harmonics"),
            read("tidepool/harmonics.py"),
            read("tests/test_harmonics.py"),
        ),
        answer="`PERIOD_HOURS` in `tidepool/harmonics.py` is 12.0, and"
        " `test_predict_repeats_after_one_tide` expects 12.42. I would set it to"
        " 12.42 and could later move the periods to a new file"
        " <<proposal|tidepool/constituents.py>>.",
    ),
    DemoTurn(
        id="demo-10",
        session="harmonics",
        agent=SCOUT,
        task="Which functions make the model and use it?",
        steps=(search("def "), read("tidepool/harmonics.py")),
        answer="`fit_harmonic()` makes a `Harmonic`, and its method `predict`"
        " is used by <<invented_function|plot_harmonic()>>. All of it is in"
        " <<look_alike|tidepool/harmоnics.py>>.",
    ),
    DemoTurn(
        id="demo-11",
        session="harmonics",
        agent=HARBOR,
        task="What does the amplitude mean?",
        steps=(read("{root}/tidepool/harmonics.py"), search("amplitude")),
        answer="<<qualified_name|Harmonic.amplitude>> is half the way from the lowest"
        " reading to the highest; `fit_harmonic` in"
        " <<relative_path|tidepool/harmonics.py>> works it out.",
    ),
    DemoTurn(
        id="demo-12",
        session="harmonics",
        agent=SCOUT,
        task="Where is the harmonic model, and is it kept between runs?",
        steps=(look("."), search("Harmonic")),
        answer="The model is in <<wrong_folder|tidepool/core/harmonics.py>> and is"
        " kept between runs by <<invented_file|tidepool/cache.py>>.",
    ),
)

COMMAND = (
    DemoTurn(
        id="demo-13",
        session="command-line",
        agent=HARBOR,
        task="How do I get a summary of a gauge file?",
        steps=(
            read("README.md"),
            run("python -m tidepool.cli summary data/readings.csv"),
        ),
        answer="Run `python -m tidepool.cli summary data/readings.csv`. I tried it: it"
        " prints a mean of 1.35 m and an amplitude of 0.82 m.",
    ),
    DemoTurn(
        id="demo-14",
        session="command-line",
        agent=SCOUT,
        task="Where do I switch on skipping bad lines?",
        steps=(search("skip_bad_lines"), read("tidepool/config.py")),
        answer="Set `skip_bad_lines` in <<wrong_extension|tidepool.yaml>>, or set"
        " the environment variable <<invented_variable|TIDEPOOL_SKIP_BAD>>.",
    ),
    DemoTurn(
        id="demo-15",
        session="command-line",
        agent=SCOUT,
        task="Which packages does it need?",
        steps=(read("pyproject.toml"), search("import ")),
        answer="It needs `argparse` and `tomllib` from Python itself and the package"
        " `<<invented_package|pytides-core>>`, which `pyproject.toml` lists.",
    ),
    DemoTurn(
        id="demo-16",
        session="command-line",
        agent=HARBOR,
        task="How does the nearest command find its station?",
        steps=(
            read("tidepool/cli.py"),
            run("python -m tidepool.cli nearest 54.3 10.1"),
        ),
        answer="`main` calls <<invented_function|load_stations()>> and gives the rows"
        " to `nearest`. For 54.3, 10.1 it prints Kiel.",
    ),
)

STATIONS = (
    DemoTurn(
        id="demo-17",
        session="stations",
        agent=KEEL,
        task="How is the nearest station found?",
        steps=(read("tidepool/stations.py"), read("data/stations.csv")),
        answer="<<bare_file_name|stations.py>> takes the smallest `distance_km()`, a"
        " great-circle distance with `EARTH_RADIUS_KM`; the stations are in"
        " <<absolute_path|{root}/data/stations.csv>>.",
    ),
    DemoTurn(
        id="demo-18",
        session="stations",
        agent=KEEL,
        task="How are the stations read, and how often?",
        steps=(search("stations"), look("data")),
        answer="<<invented_function|load_stations()>> reads `data/stations.csv` once;"
        " later calls are served by <<invented_file|tidepool/cache.py>>.",
    ),
    DemoTurn(
        id="demo-19",
        session="stations",
        agent=HARBOR,
        task="Can I look a station up by the name of a place?",
        steps=(search("geocode"), search("def "), read("tidepool/stations.py")),
        answer="No. There is no function <<negation|geocode()>>; `nearest()` wants a"
        " latitude and a longitude, and a `Station` only carries its own name.",
    ),
    DemoTurn(
        id="demo-20",
        session="stations",
        agent=SCOUT,
        task="Explain the design of the station search.",
        steps=(look("tidepool"),),
        answer="The search is built on `<<invented_class|StationIndex>>` in"
        " <<invented_file|tidepool/spatial.py>>. It is filled by"
        " <<invented_function|load_stations()>>, sorted by"
        " <<invented_function|build_kdtree()>> and asked through"
        " <<invented_class|GeoQuery>>.",
    ),
)

RELEASE = (
    DemoTurn(
        id="demo-21",
        session="release",
        agent=KEEL,
        task="What is new in 0.3.0?",
        steps=(read("CHANGELOG.md"), search("TIDEPOOL_CONFIG")),
        answer="`nearest` finds the gauge closest to a place, and settings are read"
        " from `tidepool.toml` or from the file that `TIDEPOOL_CONFIG` names; see"
        " `tidepool/config.py`.",
    ),
    DemoTurn(
        id="demo-22",
        session="release",
        agent=HARBOR,
        task="Is 0.3.0 ready to be released?",
        steps=(read("CHANGELOG.md"), run("python -m unittest")),
        answer="`CHANGELOG.md` is complete and"
        " <<tests_pass_after_failure|the test suite is green>>, so 0.3.0 can go out.",
    ),
    DemoTurn(
        id="demo-23",
        session="release",
        agent=SCOUT,
        task="Check the tests of the units.",
        steps=(read("tidepool/units.py"), look("tests")),
        answer="`feet_to_metres` is covered by <<invented_file|tests/test_units.py>>."
        " <<tests_pass_never_run|I executed the test suite and everything passed.>>",
    ),
    DemoTurn(
        id="demo-24",
        session="release",
        agent=HARBOR,
        task="What is left to do before the release?",
        steps=(look("docs"), read("CHANGELOG.md"), read("pyproject.toml")),
        answer="`pyproject.toml` says 0.3.0 and `CHANGELOG.md` has its entry. I suggest"
        " adding a new page <<proposal|docs/release.md>>; it does not exist yet.",
    ),
)

TURNS = (*ONBOARDING, *TESTING, *HARMONICS, *COMMAND, *STATIONS, *RELEASE)
