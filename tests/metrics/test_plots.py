"""Plots take any text an agent may call itself, and lead to what stands behind them."""

from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifyhub.common.drawing import PlotTheme, png, svg
from verifyhub.metrics.figures import share
from verifyhub.metrics.pages.rows import NamedRow, apart, plot_of_rows
from verifyhub.metrics.plots.charts import BarSegment, Dot, bars, over_time, stacks
from verifyhub.metrics.plots.inline import as_file, inline
from verifyhub.metrics.plots.plot import (
    MAX_LABEL,
    Mark,
    Plot,
    PlotCell,
    PlotColumn,
    label,
)

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    ["\x00\x01\x0b\x1b", "\ufffe\uffff", "</svg><script>alert(1)</script>"],
    ["\u202e\u2066", "\U0001f600" * 50, "datum.value", "]]>", "&amp;", "vh-0"],
    ["javascript:alert(1)", '" onload="alert(1)', "\ud800", ""],
]


def of(names, **facts):
    figure = share("flagged", 1, 3)
    rows = [
        NamedRow(name=name, figures=(figure,), href=f"/answers/?agent={at}")
        for at, name in enumerate(names)
    ]
    return plot_of_rows("by-agent", "By agent", "Agent", rows, **facts)


@settings(max_examples=10)
@given(st.lists(st.text(), min_size=1, max_size=5))
@example(HOSTILE[0])
@example(HOSTILE[1])
@example(HOSTILE[2])
def test_any_name_makes_a_valid_image_with_links_of_ours_alone(names):
    root = ElementTree.fromstring(inline(of(names)))

    assert not any("script" in element.tag for element in root.iter())
    assert not any(
        name.startswith("on") or name == "style"
        for element in root.iter()
        for name in element.attrib
    )
    links = {element.get("href") for element in root.iter(f"{SVG}a")}
    assert links == {f"/answers/?agent={at}" for at in range(len(names))}


@given(st.text())
def test_labels_are_printable_and_short(text):
    assert label(text).isprintable()
    assert len(label(text)) <= MAX_LABEL


def test_every_link_is_reached_by_keys_once_and_says_what_it_is():
    root = ElementTree.fromstring(inline(of(["a", "b"])))

    reached = [a for a in root.iter(f"{SVG}a") if a.get("tabindex") != "-1"]
    assert [(a.get("href"), a.get("aria-label")) for a in reached] == [
        ("/answers/?agent=0", "a: Flagged"),
        ("/answers/?agent=1", "b: Flagged"),
    ]


def test_names_that_look_the_same_shortened_keep_rows_of_their_own():
    long = "x" * 60

    assert apart([label(long), label(long + "y")])[1].endswith("(2)")
    assert len(set(apart(["a", "a", "a"]))) == 3


def test_on_the_page_colours_are_the_pages_and_in_files_their_own():
    plot = of(["a"])

    assert "var(--plot-ink)" in inline(plot)
    assert "var(" not in as_file(plot, PlotTheme.LIGHT)
    assert as_file(plot, PlotTheme.LIGHT) != as_file(plot, PlotTheme.DARK)
    drawn = png(plot.draw(PlotTheme.DARK), PlotTheme.DARK, height=40)
    assert drawn.startswith(b"\x89PNG")


def test_series_differ_by_shape_and_dash_and_are_named_above():
    dots = [
        Dot(at=f"2026-11-0{day}", value=0.5, low=0.2, high=0.8, n=9, series=series)
        for day in (2, 9)
        for series in ("one", "other")
    ]
    plot = Plot(
        name="weeks",
        heading="Weeks",
        definition="",
        columns=(PlotColumn(key="week", title="Week"),),
        rows=[(PlotCell(1),)],
        draw=over_time(
            dots, "share", "week", places=["2026-11-02", "2026-11-09", "2026-11-16"]
        ),
        marks=[Mark(f"/{place}", str(place)) for place in range(4)],
        height=100,
    )

    text = inline(plot)

    assert "stroke-dasharray" in text
    root = ElementTree.fromstring(text)
    said = [element.text for element in root.iter(f"{SVG}text")]
    # Also a week without a value has its place.
    assert {"one", "other", "2026-11-16"} <= set(said)
    shapes = {
        path.get("d") for a in root.iter(f"{SVG}a") for path in a.iter(f"{SVG}path")
    }
    assert len(shapes) == 2


@pytest.mark.parametrize("kinds", [("a", "b"), ("a", "b", "c")])
def test_stacks_and_bars_lead_on_too(kinds):
    pieces = [BarSegment(at="x", kind=kind, number=2, order=0) for kind in kinds]
    marks = [Mark(f"/{kind}", kind) for kind in kinds]
    for draw in (stacks(pieces, kinds, "n", "where"), bars(pieces, "n")):
        plot = Plot(
            name="p",
            heading="P",
            definition="",
            columns=(),
            rows=[()],
            draw=draw,
            marks=marks,
            height=100,
        )
        root = ElementTree.fromstring(inline(plot))
        assert {a.get("href") for a in root.iter(f"{SVG}a")} == {m.href for m in marks}


def test_its_table_says_n_and_interval_in_numbers():
    columns, rows = of(["a"]).table()

    assert columns == ("name", "flagged", "flagged_n", "flagged_low", "flagged_high")
    assert next(rows)["flagged_n"] == 3


def test_what_is_counted_has_no_halves_on_its_axis():
    pieces = [
        BarSegment(at=f"name {number}", kind="", number=number) for number in (1, 2)
    ]

    drawn = svg(bars(pieces, "answers")(PlotTheme.LIGHT), PlotTheme.LIGHT, height=60)

    texts = [element.text for element in ElementTree.fromstring(drawn).iter()]
    assert {"0", "1", "2"} <= set(texts)
    assert not any("." in (text or "") for text in texts)
