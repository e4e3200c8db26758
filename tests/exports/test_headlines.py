"""Sessions of pandas and of DuckDB: the page's headlines, from Parquet alone."""

import math
from types import SimpleNamespace

import pytest

from tests.exports.jobs import ask, made
from tests.factories import (
    InteractionFactory,
    MentionVerdictFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.exports import files
from verifyhub.exports.services import run
from verifyhub.metrics.selectors import answers as answer_figures
from verifyhub.metrics.selectors.mentions import without_evidence
from verifyhub.metrics.selectors.reviews import reviews
from verifyhub.metrics.windows import Window

VERDICTS = ("accept", "uncertain", "reject")
# The page counts durations in classes.
NEARLY = 0.05
DATASETS = ("interactions", "verdicts", "mentions")


@pytest.fixture
def history(project):
    """Answers of two agents: some verified again, some open, decided or overruled."""
    for at in range(24):
        answer = InteractionFactory(project=project, agent_name=f"agent-{at % 2}")
        if at % 8 == 7:
            VerificationFactory(interaction=answer, waiting=True)
            continue
        run_ = _judged(answer, at, number=1)
        if at % 5 == 0:
            run_ = _judged(answer, at + 1, number=2)
        if run_.verdict != "accept":
            ReviewItemFactory(
                verification=run_,
                state=("open", "confirmed", "overridden")[at % 3],
                human_verdict=("", run_.verdict, "accept")[at % 3],
            )
    return project


def _judged(answer, at, *, number):
    made = VerificationFactory(
        interaction=answer,
        number=number,
        verdict=VERDICTS[at % 3],
        coverage=(at % 4) / 3,
        duration_ms=10 + at * 7,
    )
    MentionVerdictFactory(verification=made)
    MentionVerdictFactory(verification=made, invented=True, text=f"ghost_{at}.py")
    MentionVerdictFactory(
        verification=made, invented=True, reason="task_only", text="x.py"
    )
    return made


@pytest.fixture
def page(history):
    window = Window(days=None, since=None)
    return SimpleNamespace(
        answers=answer_figures.answers(history, window),
        agents=answer_figures.by_agent(history, window),
        names=without_evidence(history, window),
        reviews=reviews(history, window),
    )


@pytest.fixture
def folder(history, settings, tmp_path, monkeypatch):
    """An export of several parts each, as a worker leaves it."""
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    monkeypatch.setattr(run, "PART_ROWS", 10)
    job = made(ask(history, *DATASETS, written_as="parquet"))
    return files.folder_of(job.id)


# pandas and DuckDB are loaded here, not by each process that tests.
def test_pandas_finds_the_headlines_of_the_page(folder, page):
    import pandas as pd

    tables = {
        name: pd.concat(
            pd.read_parquet(file) for file in sorted(folder.glob(f"*-{name}-*.parquet"))
        )
        for name in DATASETS
    }
    current = tables["verdicts"][tables["verdicts"]["is_current"]]
    counted = tables["mentions"].merge(
        current[["id"]].rename(columns={"id": "verification_id"})
    )
    counted = counted[counted["is_counted"]]
    reviewed = tables["verdicts"].dropna(subset=["review_state"])
    decided = reviewed[reviewed["review_state"] != "open"]
    overridden = decided[
        (decided["human_verdict"] != "")
        & (decided["human_verdict"] != decided["verdict"])
    ]

    assert len(tables["interactions"]) == page.answers.received
    assert len(current) == page.answers.checked
    assert dict(current["verdict"].value_counts()) == {
        "accept": page.answers.accepted,
        "uncertain": page.answers.uncertain,
        "reject": page.answers.rejected,
    }
    assert (current["verdict"] != "accept").mean() == page.answers.flagged.value
    assert (current["coverage"] == 0).sum() == page.answers.unsettled
    p95 = current["duration_ms"].quantile(0.95)
    assert math.isclose(p95, page.answers.p95_ms, rel_tol=NEARLY)
    assert (counted["status"] == "unverified").mean() == page.names.value
    assert len(decided) == page.reviews.overridden.total
    assert len(overridden) == page.reviews.overridden.count


def test_duckdb_finds_the_headlines_of_the_page(folder, page):
    import duckdb

    session = duckdb.connect()
    for name in DATASETS:
        session.read_parquet(f"{folder}/*-{name}-*.parquet").create_view(name)

    answers = session.sql(
        """
        SELECT (SELECT count(*) FROM interactions), count(*),
            count(*) FILTER (verdict = 'reject'), avg((verdict <> 'accept')::int),
            quantile_cont(duration_ms, 0.5)
        FROM verdicts WHERE is_current
        """
    ).fetchall()[0]
    ((names,),) = session.sql(
        """
        SELECT avg((m.status = 'unverified')::int) FROM mentions m
        JOIN verdicts v ON v.id = m.verification_id AND v.is_current
        WHERE m.is_counted
        """
    ).fetchall()
    by_agent = session.sql(
        """
        SELECT agent_name, count(*), count(*) FILTER (verdict <> 'accept')
        FROM verdicts WHERE is_current GROUP BY agent_name
        """
    ).fetchall()

    assert answers[:3] == (
        page.answers.received,
        page.answers.checked,
        page.answers.rejected,
    )
    assert math.isclose(answers[3], page.answers.flagged.value)
    assert math.isclose(answers[4], page.answers.p50_ms, rel_tol=NEARLY)
    assert math.isclose(names, page.names.value)
    assert set(by_agent) == {
        (row.name, row.flagged.total, row.flagged.count) for row in page.agents
    }


def test_the_figures_themselves_are_exported(history, page):
    job = made(ask(history, "metrics", written_as="parquet"))

    import pandas as pd

    found = pd.read_parquet(files.folder_of(job.id) / job.parts[0]["file"])

    flagged = found.query("question == 'outcomes' and name == 'flagged'").iloc[0]
    assert (flagged["count"], flagged["n"]) == (
        page.answers.flagged.count,
        page.answers.checked,
    )
    assert flagged["low"] < flagged["value"] < flagged["high"]
    assert found["definition"].str.len().min() > 10
