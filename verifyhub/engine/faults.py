"""Problems of a project's settings: codes with parameters."""

from typing import Final

# English by code; the server translates it by this text.
FAULTS: Final = {
    "above_to": "must be a number above %(least)s to %(most)s",
    "from_to": "must be a number from %(least)s to %(most)s",
    "deed_parts": "must name a tool and a deed, and nothing else",
    "deed_unknown": "the deed must be one of %(list)s",
    "levels_no_object": "must be an object of levels",
    "no_fitting_number": "is not a number of its kind",
    "no_layers": "must be a list of at least one of %(list)s",
    "no_level": "is not a level; levels are %(list)s",
    "no_list_of_pairs": "must be a list of pairs",
    "no_list_of_rules": "must be a list of rules",
    "no_name": "is required: a small letter, then small letters, digits, - and _",
    "no_object": "must be an object",
    "no_such_threshold": "no such threshold",
    "no_texts": "must be an array of at most %(n)s texts of 1 to %(most)s characters",
    "no_verifier": "there is no verifier %(name)s",
    "not_all_of": "must be an array of any of %(list)s",
    "not_known": "is not known",
    "not_movable": "%(name)s cannot be set; %(list)s",
    "not_one_of": "is not one of %(list)s",
    "out_of_range": "is out of range",
    "pair_parts": "must have a value and a name, and nothing else",
    "pair_same": "the value and the name are the same",
    "pair_signs": "a star may only end the value, and the value must not contain =",
    "pair_star": "at least %(n)s letters or digits must precede the star",
    "pair_text": (
        "value and name must be texts of 1 to %(n)s characters and at most 12 words, on"
        " one line, with a letter or digit"
    ),
    "pair_twice": "an earlier row has the same",
    "rule_kind": "the kind must be one of %(list)s",
    "rule_parts": "must name a tool and a kind, and nothing else",
    "rule_star": "a star is allowed only at the end, after __ or . or / or :",
    "rule_tool": "the tool must be a name of 1 to %(n)s characters",
    "rule_twice": "the tool already has a rule",
    "threshold_unusable": "%(name)s: %(value)s %(fault)s",
    "too_many_pairs": "has more than %(n)s rows of pairs",
    "too_many_rows": "has more than %(n)s rows",
    "too_many_rules": "has more than %(n)s rules",
    "twice": "%(name)s appears twice",
    "unknown_field": "is unknown; known are %(list)s",
    "unreachable_floor": (
        "No text could pass: with every raw score at 1 the layers reach at most"
        " %(list)s; their mean is %(share)s, below the floor %(floor)s."
    ),
    "whole_from_to": "must be a whole number from %(least)s to %(most)s",
}


class Fault(str):
    """A problem of a value: an English text with its code and parameters.

    Attributes:
        code: One of `FAULTS`.
        params: Parameters of the text.
        field: The invalid part of the value; may be empty.
    """

    code: str
    params: dict[str, object]
    field: str

    def __new__(cls, code: str, *, field: str = "", **params: object) -> "Fault":
        """Word a fault in English."""
        words = FAULTS[code] % params if params else FAULTS[code]
        fault = super().__new__(cls, f"{field}: {words}" if field else words)
        fault.code, fault.params, fault.field = code, params, field
        return fault
