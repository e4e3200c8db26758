"""Writes of learning, each in one transaction."""

from verifyhub.learning.services.activation import (
    CalibrationMovedError,
    ProfileImpossibleError,
    activate_calibration,
    return_calibration,
)
from verifyhub.learning.services.advice import (
    ThresholdMovedError,
    apply_advice,
    undo_advice,
)
from verifyhub.learning.services.blocking import (
    CheckNotPerAnswerError,
    NoRuleError,
    switch_blocking_off,
    switch_blocking_on,
)
from verifyhub.learning.services.examples import (
    ExampleChangedError,
    restore_example,
    retire_example,
)
from verifyhub.learning.services.fitting import fit_calibration, fit_due
from verifyhub.learning.services.holdouts import set_hold_out
from verifyhub.learning.services.learn import learn_from_agreement, learn_from_override
from verifyhub.learning.services.pairs import learn_from_correction
from verifyhub.learning.services.record import (
    JudgedReport,
    record_answer,
    record_answers,
)
from verifyhub.learning.services.undo import undo_effects
