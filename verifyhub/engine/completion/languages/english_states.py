"""English: how a thing stands or behaves, in a clause whose subject is that thing.

"The site builds", "no warnings remain", "a note sits in `NOTES.md`", "the fixture lost
its timeout". A clause is read as subject, predicate and rest. Whether work brought it
about only the trace can tell: a state is no claim where the trace is silent.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto

from verifyhub.engine.completion.languages.english_results import (
    HARM,
    is_blocked,
    takes_part_back,
)
from verifyhub.engine.completion.languages.model import SCREENS
from verifyhub.engine.completion.segments import CODE_MARK
from verifyhub.engine.text.screen import Screen


class StateForm(Enum):
    """What a predicate says of its subject.

    `WELL`: it ran, or works, as it should. `NONE_LEFT`: there is no harm in it. `DONE`:
    somebody's deed changed it. `PLACED`: it is in a file. `HOLDS`: it holds or tells
    something. `ACTS`: it does something to what the answer speaks of.
    """

    WELL = auto()
    NONE_LEFT = auto()
    DONE = auto()
    PLACED = auto()
    HOLDS = auto()
    ACTS = auto()


@dataclass(frozen=True, slots=True)
class State:
    """A clause that states how a thing is; offsets are those of the sentence.

    `changed`: its words say that it was not so before: "now", "too", "a new test".
    """

    form: StateForm
    subject: str
    rest: str
    start: int
    end: int
    changed: bool


_WORD = r"(?:\*\*)?[\w\ue000$#][\w\ue000'’./+#-]*(?:\*\*)?"
# What stands in brackets behind it names its parts: "All three helpers (`a`, `b`)".
_SUBJECT = rf"(?P<subject>(?:{_WORD} ){{1,8}}?)(?:\([^()]{{1,160}}\) )?"
_SOON = (
    r"(?:(?:now|also|all|both|still|again|already|then|too|even|finally|simply"
    r"|properly|correctly|fully|\w+ly) ){0,2}"
)
_IS = rf"(?:is|are|was|were|has been|have been|gets?|got|stays?|remains?) {_SOON}"
_WENT = (
    r"(?:builds|compiles|boots|starts|runs|works|passes|renders|validates|resolves?"
    r"|imports|installs|launches|parses|links|deploys|converges|completes|succeeds"
    r"|responds|answers|type-checks|typechecks|matches|agrees|executes|evaluates|loads"
    r"|passed|succeeded|completed|finished|worked|booted|matched|rendered|built"
    r"|compiled|(?<=s )(?:build|compile|pass|run|work|match|validate|render|load))"
)
_FINE = (
    r"(?:clean|green|quiet|happy|silent|satisfied|valid|compliant|healthy"
    r"|content(?= with\b)|ready|identical|unchanged|reachable|up|warning-free"
    r"|error-free|passing"
    r"|successful)"
)
_NOTHING = r"(?:no|zero|0|nothing|not a single|no longer|without)"
_SEES = (
    r"(?:has|have|had|sees?|saw|shows?|showed|reports?|reported|finds?|found|raises?"
    r"|raised|ends?|ended|gives?|gave|returns?|returned|prints?|printed|emits?|comes?"
    r" (?:back|up)|came (?:back|up)|turns? up|turned up|detects?|flags?|flagged)"
)
_TOLD_BY_TOOL = r"(?:suggestions?|complaints?|warnings?|errors?|findings?|" + HARM + ")"
_DEED = (
    r"(?:(?!(?:need|us|bas|relat|requir|suppos|expect|intend|design|limit|load|nest|call"
    r"|nam|hard-?cod|allow|us|own|shar|stor|return|pass|defin|declar|expos|assum|consider"
    r"|treat|affect|involv|trigger|mention|not|describ|tri|ti|focus|scop|dedicat|detail"
    r"|concern|interest|complicat|mix|limit|unrelat|unaffect|isolat|suit|align|surpris"
    r"|orphan|reject|fail|skip|miss|surviv|remain|refus|deni|crash|abort|cancel|lack|propos|recommend|suggest|plann|schedul|block|confus|outdat|deprecat|unus)ed\b)"
    r"[a-z]{2,20}(?:[a-z]-[a-z]{2,12})?ed|put|made|written|rewritten|brought|taken|kept"
    r"|built|rebuilt|drawn|given|gone|sent|cut|wired|set(?: up)?|moved)"
)
_IN_FILE = r"(?:in|under|at|inside|to|into|from|through|via|within|on|as|beside|by)"
_LIES = (
    r"(?:is|are|was|were|lives?|sits?|resides?|stands?|lies|ships?|goes|ended up|landed"
    r"|stays?|comes?|hides?|got|has gone)"
)
_TELLS = (
    r"(?:points|links|refers|carries|includes|mentions|explains|documents|describes"
    r"|lists|says|holds|contains|states|sets|uses|calls|exports|re-exports|pins|catches"
    r"|has(?! been)|gained|lost|got|received|accepts|takes|gains|loses|enforces|covers"
    r"|keeps|handles|registers|reads|ignores|excludes|shows|adopts|imports|accompanies"
    r"|no longer (?:lists|mentions|contains|includes|references)"
    r"|now share|shares|relies on|ships with|comes with|extends|validates"
    r"|(?<=s )(?:have(?! been)|cover"
    r"|carry|mention|include|use|contain|list|describe|explain|import|point))"
)
_BEGIN = r"^[^\w\ue000$#]*(?:(?:and|now|also|then|here|finally|plus|but|so) )?"
# How something went, and no object: what "runs lint on every push" is a description.
_MANNER = (
    r"(?=\W*$|[.,;:(]| (?:again|now|too|as well|also|fine|cleanly|without|with|in|under"
    r"|on|from|against|after|top to|end to|properly|correctly|successfully|through|like"
    r"|all|across|every(?:where)? time|each time|this|here)\b(?! (?:every|each|startup"
    r"|login|push)\b))"
)
_ROWS: tuple[tuple[StateForm, re.Pattern[str]], ...] = tuple(
    (form, re.compile(_BEGIN + text))
    for form, text in (
        (
            StateForm.NONE_LEFT,
            rf"(?:there (?:is|are) )?(?:no|zero) (?P<subject>(?:{_WORD} ){{1,4}}?)"
            rf"(?:(?:is|are|were) {_SOON}(?:left|reported|found|shown|flagged|detected"
            r"|raised|there)|remains?|remain(?:ed)?|shows? up|any ?more)\b",
        ),
        (
            StateForm.NONE_LEFT,
            rf"{_SUBJECT}{_SOON}(?:{_SEES}|{_IS})(?: (?:with|up|that))? ?{_NOTHING}"
            rf" (?:{_WORD} ){{0,3}}?(?:{_TOLD_BY_TOOL}|anything|to \w+)\b",
        ),
        (
            StateForm.NONE_LEFT,
            rf"{_SUBJECT}{_SOON}no longer (?:reports?|complains?|warns?|fails?|shows?"
            r"|prints?|finds?|raises?|flags?)\b",
        ),
        (
            StateForm.NONE_LEFT,
            rf"{_SUBJECT}{_SOON}(?:{_SEES}) (?:nothing\b|(?:no|zero|0) (?:missing"
            r"|broken|failing|failed|unresolved|dead|unused|untranslated|duplicate|invalid"
            r"|undefined|critical|known|new|further|more)\b)",
        ),
        (
            StateForm.WELL,
            rf"{_SUBJECT}{_SOON}(?!fails)[a-z]{{3,20}}s (?:it|them|everything|this) "
            r"(?:fine|cleanly|correctly|successfully|without (?:any )?" + HARM + r")\b",
        ),
        (
            StateForm.WELL,
            rf"{_SUBJECT}{_SOON}(?:gives? (?:it|them|this) (?:a|its|the) |{_IS}"
            rf"|comes? (?:back|out|up) |came (?:back|out|up) )(?:all |a )?{_FINE}\b"
            r"(?! (?:to|for|if|when|only|with respect)\b)",
        ),
        (StateForm.WELL, rf"{_SUBJECT}{_SOON}{_WENT}\b{_MANNER}"),
        (
            StateForm.WELL,
            rf"{_SUBJECT}{_IS}(?:(?:complete|done|finished|in place) and )?working\b"
            + _MANNER,
        ),
        (StateForm.DONE, rf"{_SUBJECT}{_IS}{_DEED}\b"),
        (
            StateForm.DONE,
            rf"{_SUBJECT}{_SOON}{_DEED}(?=\W*$| (?:in|on|with|by|from|under) )",
        ),
        (
            StateForm.PLACED,
            rf"{_SUBJECT}{_SOON}{_LIES} (?:{_WORD} ){{0,4}}?{_IN_FILE} (?:the )?"
            r"\W?\ue000",
        ),
        (StateForm.HOLDS, rf"{_SUBJECT}{_SOON}{_TELLS}\b"),
        (
            StateForm.ACTS,
            r"(?:(?:the|an?|its|all|both) )?(?P<subject>(?:"
            + _WORD
            + rf" ){{1,4}}?){_SOON}[a-z]{{3,20}}(?<![su])s(?: (?:to|on|in|with|from))?"
            r"(?= (?:it|them|both|the|this|these)\b)",
        ),
    )
)
_SCREEN = Screen((pattern for _, pattern in _ROWS), SCREENS)
# Subjects of other clauses, and words that make a clause a rule, a wish or a story.
_NO_SUBJECT = re.compile(
    r"^(?:there|after|before|in|on|with|under|for|from|by|during|without|at|as|verified"
    r"|confirmed|checked|tested|made|also|unused|see)\b"
    r"|ed and(?: then)?$|\b(?:shows?|showed|reports?|is|are|was|were|has|have|says?"
    r"|said|states?|claims?|means?|i|we|you|he|she|who|which|what|that|if|when|where"
    r"|while|because|since|once"
    r"|every time|each time|to|would|could|should|may|might|can|will|must|do|does|did"
    r"|not|never|only|some|most|any|users?|someone|developers?|agents?|anyone|nobody)\b"
)
_DENIED = re.compile(r"\b(?:not|never|no(?! longer)|nothing|none|hardly)\b")
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)"
)
_LATER = re.compile(
    r"\b(?:if|unless|until|would|could|should|may|might|will|must|only|but not|except"
    r"|when(?:ever)?|once|before|for example|e\.g|typically|usually|normally|by default"
    r"|yet|still|currently|today|previous(?:ly)?|prior|originally|already|because"
    r"|since|due to|ago|earlier|last|probably|apparently|seems?|need(?:s|ed)?|every"
    r"|each|instead of"
    r"|(?:19|20)\d\d|at startup|on (?:login|startup|demand|\w+ change)"
    rf"|(?:in|on) {_MONTH}|in (?:v|version )?\d"
    r"|by (?!hand\b|running\b|an? (?:[\w-]+ ){0,2}(?:script|tests?|command)\b)[\w@]+"
    r"|fails?|failed|failing|broken|not)\b|n['’]t\b|\?|:\W*$"
)
# "No leaks are reported by X": who would have reported them.
_BY_TOOL = re.compile(r"\bby\b")
# Of what was not so before, or is new.
_CHANGED = re.compile(
    r"\b(?:now|too|as well|also|either|any ?more|no longer|along the way|accordingly"
    r"|new|has been|have been|got|gained|lost|remains?|left)\b|^[^\w\ue000]*(?:an?|one"
    r"|two|three|four) "
)


# A sentence about the code, by its names, of how it is now.
_NO_STATEMENT = re.compile(
    r"\b(?:not|never|no|nor|lacks?|lacking|missing|without|problem|issues?|bugs?|cause"
    r"|because|instead|before|previously|old|was|were|had|should|would|could|may|might"
    r"|must|need(?:s|ed)?|if|unless|until|please|will|can|cannot|fail\w*|todo|you|your"
    r"|suggest\w*|recommend\w*|consider|try|i|we|why|how|what)\b|n['’]t\b|\?"
)
_STATES_NOW = re.compile(
    r"\b(?:is|are|has|have|uses?|calls?|returns?|holds?|contains?|makes?|loads?|reads?"
    r"|slides?|takes?|now|sets?|raised|describes?|covers?|checks?)\b"
)


# "They are defined in the new file `theme.css`."
NEW_FILE = re.compile(
    r"\bnew (?:[\w-]+ ){0,2}?(?:files?|modules?|components?|scripts?) \W?\ue000"
)


def is_statement(text: str) -> bool:
    """Return whether a sentence tells how named code is, by none of the known forms."""
    return (
        CODE_MARK in text
        and _STATES_NOW.search(text) is not None
        and _NO_STATEMENT.search(text) is None
    )


def read_state(text: str) -> State | None:
    """Return how a sentence says that a thing stands; None where it does not.

    Args:
        text: The sentence in lower case, code masked.
    """
    for place in _SCREEN.passed(text):
        form, pattern = _ROWS[place]
        match = pattern.match(text)
        if match is None:
            continue
        subject = match["subject"].strip()
        if _NO_SUBJECT.search(subject) or is_blocked(subject):
            continue
        if form is not StateForm.NONE_LEFT and _DENIED.search(match.group()):
            continue
        rest = text[match.end() :]
        statement = match.group() + rest
        if form is StateForm.NONE_LEFT:
            statement = _BY_TOOL.sub("", rest)
        if _LATER.search(statement) or takes_part_back(text):
            return None
        changed = _CHANGED.search(text) is not None
        start = match.start("subject")
        return State(form, subject, rest, start, match.end(), changed)
    return None
