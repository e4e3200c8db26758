"""Agreement by number: what the papers print, and what must hold for any data."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from verifyhub.review.agreement.coefficients import cohen, fleiss, krippendorff

# Cohen 1960: two judges put 200 cases into three categories.
COHEN_1960 = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
# Fleiss 1971: six psychiatrists gave each of 30 patients one of five diagnoses; one
# string is one patient.
FLEISS_1971 = [
    "444444",
    "222555",
    "233335",
    "555555",
    "222444",
    "113333",
    "333355",
    "113334",
    "114444",
    "555555",
    "144444",
    "124444",
    "222333",
    "144444",
    "224445",
    "333335",
    "111455",
    "111112",
    "224444",
    "133555",
    "555555",
    "244444",
    "224555",
    "114444",
    "144445",
    "222224",
    "111155",
    "224444",
    "133333",
    "555555",
]


def by_columns(*judges):
    """One mapping an item from one string a judge; a dot is a missing judgement."""
    return [
        {judge: label for judge, label in enumerate(column) if label != "."}
        for column in zip(*judges, strict=True)
    ]


def test_cohen_1960():
    items = [
        {"a": f"{row}", "b": f"{column}"}
        for row, counts in enumerate(COHEN_1960)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]

    found = cohen(items, "a", "b")

    assert found.value == pytest.approx(0.492, abs=0.0005)
    assert (found.n, found.agreed) == (200, 140)
    assert 0.35 < found.low < 0.492 < found.high < 0.65


def test_fleiss_1971():
    found = fleiss([dict(enumerate(patient)) for patient in FLEISS_1971])

    assert found.value == pytest.approx(0.430, abs=0.0005)
    assert found.n == 30
    assert 0.2 < found.low < 0.43 < found.high < 0.7


@pytest.mark.parametrize(
    ("judges", "alpha", "n"),
    [
        # Binary, two observers, nothing missing.
        (("0100000010", "1110010000"), 0.095, 10),
        # Nominal, two observers, nothing missing.
        (("aabbdcccedda", "babbbccceddd"), 0.692, 12),
        # Nominal, four observers, some missing; the last unit is judged once.
        (("123321412...", "1233224125.3", ".3332342251.", "12332441251."), 0.743, 11),
    ],
)
def test_krippendorff_2011(judges, alpha, n):
    found = krippendorff(by_columns(*judges))

    assert found.value == pytest.approx(alpha, abs=0.0005)
    assert found.n == n


LABELS = ("accept", "uncertain", "reject")
judged = st.lists(
    st.dictionaries(
        st.sampled_from(["ana", "ben", "cy"]),
        st.sampled_from(LABELS),
        max_size=3,
    ),
    max_size=9,
)


@given(judged)
@settings(max_examples=60)
def test_every_measure_stays_in_its_range(items):
    for found in (cohen(items, "ana", "ben"), fleiss(items), krippendorff(items)):
        assert 0 <= found.agreed <= found.n <= len(items)
        if found.value is not None:
            assert -1 <= found.value <= 1 + 1e-9


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(judged)
@settings(max_examples=60)
def test_the_kappas_are_those_of_statsmodels(items):
    both = [(row["ana"], row["ben"]) for row in items if {"ana", "ben"} <= row.keys()]
    three = [list(row.values()) for row in items if len(row) == 3]

    found = cohen(items, "ana", "ben")
    of_three = fleiss([dict(enumerate(row)) for row in three])

    if found.value is not None:
        wanted = cohens_kappa([[both.count((x, y)) for y in LABELS] for x in LABELS])
        assert found.value == pytest.approx(wanted.kappa)
        # What rounding leaves of a variance of zero is not a number there.
        if wanted.var_kappa > 1e-12:
            ends = (max(-1, wanted.kappa_low), min(1, wanted.kappa_upp))
            assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)
    if of_three.value is not None:
        counts = [[row.count(label) for label in LABELS] for row in three]
        assert of_three.value == pytest.approx(fleiss_kappa(counts))


@given(judged, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_neither_order_nor_the_names_of_labels_matter(items, random):
    renamed = {"accept": "x", "uncertain": "a", "reject": "m"}
    other = [{who: renamed[said] for who, said in row.items()} for row in items]
    random.shuffle(other)

    for measure in (fleiss, krippendorff):
        assert _value(measure(other)) == pytest.approx(_value(measure(items)))
    swapped = cohen(other, "ben", "ana")
    assert _value(swapped) == pytest.approx(_value(cohen(items, "ana", "ben")))


@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=30))
@settings(max_examples=25)
def test_who_always_agree_agree_perfectly_or_tell_nothing(labels):
    items = [{"ana": label, "ben": label} for label in labels]

    for found in (cohen(items, "ana", "ben"), fleiss(items), krippendorff(items)):
        assert found.agreed == found.n == len(items)
        # With one label alone chance agrees as well: nothing can be said.
        assert _value(found) == pytest.approx(1.0 if len(set(labels)) > 1 else None)


def test_an_interval_is_the_same_every_time_and_absent_for_few_items():
    items = by_columns("0100000010", "1110010000")

    first, again = krippendorff(items), krippendorff(list(reversed(items)))

    assert first.low is not None
    assert krippendorff(items) == first
    assert again.value == pytest.approx(first.value)
    assert krippendorff(items[:9]).low is None
    assert krippendorff(items[:9]).is_small


def test_nothing_judged_twice_is_no_number():
    for found in (fleiss([{"ana": "a"}]), krippendorff([]), cohen([], "a", "b")):
        assert (found.value, found.n) == (None, 0)


def _value(found):
    return found.value
