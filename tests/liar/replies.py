"""Replies of a model that lies, from a grammar: strict JSON and everything beside it.

A reply is drawn as text, token by token, so that it may hold what no serialiser would
write: keys twice, numbers without end, half an object, prose and fences around it.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FIELDS = ("mentions", "verified", "unverified", "gaps", "warnings")
SHARES = ("confidence", "completeness")
WORDS = ("VERIFIED", "CONTRADICTED", "AMBIGUOUS", "UNKNOWN")
NUMBERS = (
    *("0", "0.5", "0.97", "1", "1.0", "-0.0", "1e0", "-1", "5", "1e308", "1e309"),
    *("NaN", "Infinity", "-Infinity", '"0.9"', "true", "null", "[1]", "{}", "01", ".5"),
    *("0." + "9" * 40, "1" + "0" * 400, "1E400", "+1", "0x1", "1_0", "½"),
)
TEXTS = (
    *("", "It is all right.", "CONTRADICTION: none", "contradiction x", "VERIFIED"),
    *("x" * 2100, "\u202everified", "</tool_result>", '{"verified": []}', "ok\ud800"),
)
STRANGE = ("null", "0", "true", '"a.py"', "{}", "[[]]", "[1]", "[null]", '["a", 2]')
BEFORE = (
    "",
    "",
    "",
    "",
    "\ufeff",
    " \n",
    "Sure:\n",
    "```json\n",
    "[",
    '"',
    "\x00",
    "{",
)
AFTER = ("", "", "", "", "\n", "}", ",", "\n```", " // done", "]", "\x00", '{"a": 1}')
DRESS = ("{}", "{}", "{}", '"{}"', "{}.", " {}\n", "**{}**", "{} {}", "UN{}", "NOT {}")
DRESS += (
    "{}!",
    "{}, I think",
    "{}\x00",
    "`{}`",
    "<b>{}</b>",
    "{}\u200b",
    "{}/{}",
    "¬{}",
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names a reply may play with.

    Attributes:
        real: Those that the ledger found.
        invented: Those that it did not find.
        sure: The control that is right.
        decoy: The control that is wrong.
    """

    real: Sequence[str]
    invented: Sequence[str]
    sure: str
    decoy: str


class Liar:
    """Draws replies by a seed."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def submission(self, names: Names) -> str:
        """Write the arguments of a verifier's call."""
        pairs = [(name, self._list(name, names)) for name in FIELDS]
        pairs += [(name, self._number()) for name in SHARES]
        pairs.append(("reasoning", self._text()))
        return self._object(pairs)

    def goal(self, names: Names) -> str:
        """Write the arguments of a call that judges a goal."""
        truth = self._either("true", lambda: self._dice.choice(STRANGE))
        pairs = [("goalAchieved", truth), ("confidence", self._number())]
        for name, like in (("present", "verified"), ("absent", "unverified")):
            pairs.append((name, self._list(like, names)))
        pairs += [
            (name, self._list("gaps", names)) for name in ("issues", "suggestions")
        ]
        return self._object(pairs)

    def word(self) -> str:
        """Write what is read as one word, or should not be."""
        draw = self._dice.choice
        frame, word = draw(DRESS), draw(WORDS)
        word = draw((word, word, word.lower(), word.title(), word[:-1], word + "S"))
        word = word.replace("I", "І") if self._dice.random() < 0.05 else word
        return frame.replace("{}", word, 1).replace("{}", draw(WORDS))

    def _object(self, pairs: list[tuple[str, str]]) -> str:
        dice = self._dice
        if dice.random() < 0.15:
            pairs.pop(dice.randrange(len(pairs)))
        if dice.random() < 0.15:
            pairs.append((dice.choice(["ok", "final", "", "verified "]), "true"))
        if dice.random() < 0.15:
            twice = dice.choice(pairs)[0]
            pairs.append((twice, self._list("verified", Names((), ("x",), "s", "d"))))
        if dice.random() < 0.2:
            dice.shuffle(pairs)
        text = ", ".join(f"{self._key(name)}: {value}" for name, value in pairs)
        text = f"{{{text}}}"
        if dice.random() < 0.2:
            text = dice.choice(BEFORE) + text + dice.choice(AFTER)
        if dice.random() < 0.06:
            text = text[: dice.randrange(len(text))]
        if dice.random() < 0.03:
            text = text.replace('"', "'")
        if dice.random() < 0.04:
            at = dice.randrange(len(text) + 1)
            text = text[:at] + dice.choice('\x00\ud800,}]\\"{[\u2028e-') + text[at:]
        return text

    def _key(self, name: str) -> str:
        if self._dice.random() < 0.01:
            return f'"\\u{ord(name[0]) if name else 32:04x}{name[1:]}"'
        return json.dumps(name)

    def _either(self, usual: str, odd: Callable[[], str]) -> str:
        return odd() if self._dice.random() < 0.04 else usual

    def _number(self) -> str:
        usual = self._dice.choice(NUMBERS[:7])
        return self._either(usual, lambda: self._dice.choice(NUMBERS))

    def _text(self) -> str:
        usual = json.dumps(self._dice.choice(TEXTS))
        return self._either(usual, lambda: self._dice.choice(STRANGE))

    def _list(self, name: str, names: Names) -> str:
        dice = self._dice
        if dice.random() < 0.03:
            return dice.choice(STRANGE)
        if name in ("gaps", "warnings"):
            chosen = dice.choices(TEXTS, k=dice.randrange(3))
            return json.dumps(chosen)
        right = [names.sure, *names.real]
        wrong = [names.decoy, *names.invented]
        if name == "verified":
            # A good liar sorts the controls as they should be.
            chosen = [*right, *names.invented] if dice.random() < 0.7 else wrong + right
        elif name == "unverified":
            chosen = [names.decoy] if dice.random() < 0.7 else dice.sample(wrong, 1)
        else:
            chosen = right + wrong
        chosen = [self._spelt(one) for one in chosen if dice.random() < 0.97]
        if dice.random() < 0.005:
            chosen *= 300
        return json.dumps(chosen, ensure_ascii=dice.random() < 0.5)

    def _spelt(self, name: str) -> str:
        if self._dice.random() > 0.04:
            return name
        ways = (f" {name}", name.upper(), f"./{name}", f"{name}\u200b", f"`{name}`")
        return self._dice.choice((*ways, name.replace("a", "а"), "*", ".*", ""))
