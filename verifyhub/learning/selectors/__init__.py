"""Reads: examples, calibration, priors, advice and measured effect."""

from verifyhub.learning.selectors.advice import (
    REPLAYABLE,
    Advice,
    accepted_answers,
    advice,
    outlook,
)
from verifyhub.learning.selectors.blocking import (
    blocking,
    is_per_answer,
)
from verifyhub.learning.selectors.board import CheckBoard, board, versions
from verifyhub.learning.selectors.calibration import calibrations
from verifyhub.learning.selectors.effects import effects
from verifyhub.learning.selectors.examples import (
    examples,
    examples_for,
    preference_pairs,
)
from verifyhub.learning.selectors.in_force import (
    calibrators_in_force,
    conformal_in_force,
)
from verifyhub.learning.selectors.priors import agent_priors, priors
from verifyhub.learning.selectors.samples import projects_to_fit, readable
