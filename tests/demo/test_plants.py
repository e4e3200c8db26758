"""The demo names what it plants, and where."""

import pytest

from verifyhub.demo.plants import HonestCase, PlantedFault, take_out
from verifyhub.demo.sample import FILES
from verifyhub.demo.script import TURNS


def test_marks_are_taken_out_of_the_answer():
    answer, _ = take_out("See <<invented_file|a.py>> and `<<proposal|b.py>>`.")

    assert answer == "See a.py and `b.py`."


def test_each_plant_knows_its_place():
    answer, plants = take_out("é <<invented_file|a.py>>, <<negation|b.py>>")

    assert [(p.kind, answer[slice(*p.span)]) for p in plants] == [
        (PlantedFault.INVENTED_FILE, "a.py"),
        (HonestCase.NEGATION, "b.py"),
    ]


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="typo"):
        take_out("<<typo|a.py>>")


def test_every_kind_is_planted_somewhere():
    planted = {plant.kind for turn in TURNS for plant in take_out(turn.answer)[1]}

    assert planted == {*PlantedFault, *HonestCase}


@pytest.mark.parametrize(
    "plant",
    [plant for turn in TURNS for plant in take_out(turn.answer)[1] if plant.is_fault],
    ids=lambda plant: plant.text,
)
def test_nothing_in_the_repository_bears_a_planted_name(plant):
    everything = "\n".join([*FILES, *FILES.values()])

    assert plant.text.removesuffix("()") not in everything


def test_names_recur_in_several_sessions():
    sessions = {
        t.session for t in TURNS if "<<invented_file|tidepool/cache.py" in t.answer
    }

    assert len(sessions) >= 3
