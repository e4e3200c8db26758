"""Mask secrets and personal data in runs.

A mask is `‹aws-key:3f9a12bc›`: the kind, and a keyed digest of the value. With the same
key, a value always has the same mask, so that an answer can be compared with a trace.
Masked text contains nothing to mask.

The time is linear in any text: rules begin at fixed strings, and the text after one is
matched once, within a limited length. The formats of keys are those that their issuers
document.
"""

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

try:
    # Ten times as fast as the search in plain Python, where it is installed.
    import ahocorasick_rs
except ImportError:  # pragma: no cover - the server has it
    ahocorasick_rs = None  # type: ignore[assignment]

# Kinds of personal data that can be masked.
EMAIL, PHONE, CARD, IBAN = "email", "phone", "card", "iban"
PERSONAL = (EMAIL, PHONE, CARD, IBAN)
PASSWORD, SECRET = "password", "secret"

DIGEST_BYTES = 4
MASK = re.compile(r"‹([a-z0-9-]{1,40}):([0-9a-f]{8})›")

MAX_PATTERNS = 20
MAX_PATTERN = 100
# The maximum values of one run that are masked at all their places.
MAX_REPEATED = 200
MIN_REPEATED = 8

# Start, end and kind of a value in a text.
Found: TypeAlias = tuple[int, int, str]

_END = r"(?![A-Za-z0-9_])"


class PatternError(ValueError):
    """A project's own pattern is invalid, for the reason in the message."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of key that begins with fixed strings.

    Attributes:
        kind: The kind in the mask.
        anchors: The fixed strings.
        rest: Matched at an anchor; its group `value` is masked, or the whole match.
        is_whole: Whether no letter, digit, `_` or `-` may precede the anchor.
        check: Decides whether a value is masked.
    """

    kind: str
    anchors: tuple[str, ...]
    rest: re.Pattern[str]
    is_whole: bool = True
    check: Callable[[str], bool] | None = None


def _rule(
    kind: str,
    anchors: str,
    rest: str,
    *,
    is_whole: bool = True,
    check: Callable[[str], bool] | None = None,
) -> Rule:
    return Rule(kind, tuple(anchors.split()), re.compile(rest), is_whole, check)


def _is_mixed(value: str) -> bool:
    """Whether a value has letters and digits, like generated ones."""
    return any(one.isdigit() for one in value) and any(one.isalpha() for one in value)


def _is_no_example(value: str) -> bool:
    return not value.endswith("EXAMPLE")


RULES: tuple[Rule, ...] = (
    _rule(
        "private-key",
        "-----BEGIN",
        # The end may be missing in truncated text.
        r"-----BEGIN (?P<value>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[A-Za-z0-9+/=\s:,.()-]|\\[nr]){0,20000})",
        is_whole=False,
    ),
    _rule("private-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}" + _END),
    _rule(
        "aws-key",
        "AKIA ASIA ABIA ACCA",
        r"[A-Z]{4}[A-Z2-7]{16}" + _END,
        check=_is_no_example,
    ),
    _rule(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}" + _END,
    ),
    _rule("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}" + _END),
    _rule(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glagent-",
        r"gl[a-z]{2,5}-[A-Za-z0-9_.-]{20,255}",
    ),
    _rule("slack-token", "xox xapp-", r"x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,255}"),
    _rule(
        "slack-webhook",
        "hooks.slack.com/services/",
        r"hooks\.slack\.com/services/(?P<value>[A-Za-z0-9_/]{20,100})",
        is_whole=False,
    ),
    _rule(
        "discord-webhook",
        "/api/webhooks/",
        r"/api/webhooks/(?P<value>[0-9]{15,22}/[A-Za-z0-9_-]{50,100})",
        is_whole=False,
    ),
    _rule(
        "stripe-key",
        "sk_live_ rk_live_ sk_test_ rk_test_",
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}" + _END,
    ),
    _rule("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,255}"),
    _rule("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,255}"),
    _rule(
        "openai-key",
        "sk-proj- sk-svcacct- sk-admin-",
        r"sk-[a-z]{4,8}-[A-Za-z0-9_-]{20,255}",
    ),
    _rule("api-key", "sk-", r"sk-[A-Za-z0-9_-]{32,255}", check=_is_mixed),
    _rule("google-key", "AIza", r"AIza[A-Za-z0-9_-]{35}" + _END),
    _rule("google-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1000}"),
    _rule("google-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _rule(
        "azure-key",
        "AccountKey= SharedAccessKey=",
        r"[A-Za-z]{10,15}=(?P<value>[A-Za-z0-9+/]{40,100}={0,2})",
    ),
    _rule(
        "azure-signature",
        "&sig= ?sig=",
        r".sig=(?P<value>[A-Za-z0-9%+/_-]{30,200}={0,2})",
        is_whole=False,
    ),
    _rule("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,60}" + _END),
    _rule("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}" + _END),
    _rule("pypi-token", "pypi-Ag", r"pypi-Ag[A-Za-z0-9_-]{50,1000}"),
    _rule("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{20,100}"),
    _rule(
        "digitalocean-token",
        "dop_v1_ doo_v1_ dor_v1_",
        r"do[por]_v1_[a-f0-9]{64}" + _END,
    ),
    _rule("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}"),
    _rule("twilio-key", "SK", r"SK[0-9a-f]{32}" + _END),
    _rule("mailgun-key", "key-", r"key-[0-9a-f]{32}" + _END),
    _rule("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?" + _END),
    _rule(
        "shopify-token",
        "shpat_ shpca_ shppa_ shpss_",
        r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}" + _END,
    ),
    _rule("linear-key", "lin_api_", r"lin_api_[A-Za-z0-9]{32,64}" + _END),
    _rule("atlassian-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{50,300}"),
    _rule("vault-token", "hvs. hvb.", r"hv[sb]\.[A-Za-z0-9_-]{20,300}"),
    _rule("grafana-token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}" + _END),
    _rule("newrelic-key", "NRAK-", r"NRAK-[A-Z0-9]{27}" + _END),
    _rule("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{40,500}"),
    _rule("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" + _END),
    _rule("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}"),
    _rule("verifyhub-key", "vh_", r"vh_[A-Za-z0-9_-]{32,100}", check=_is_mixed),
    _rule(
        "jwt",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}",
    ),
    _rule(
        PASSWORD,
        "://",
        r"://[^\s/:@'\"<>‹›\x00]{0,128}:(?P<value>[^\s/@'\"<>‹›\x00\\]{1,256})@",
        is_whole=False,
        check=lambda value: not _is_placeholder(value),
    ),
)
# In `name = value`, as JSON, YAML, shells, programs and headers write it. The words are
# looked for in lower case; what stands before one belongs to the name.
_WORDS = (
    *("passw", "passphrase", "pwd", "secret", "token", "credential"),
    *("apikey", "api_key", "api-key", "accesskey", "privatekey", "_key"),
)
_NAMED = re.compile(
    r"(?P<word>passw(?:or)?d|passphrase|pwd|secret(?:[_-]?(?:access[_-]?)?key)?(?:_base)?"
    r"|token|credential|api[_-]?key|accesskey|privatekey|_key)"
    r"(?:\\?[\"'])?(?:[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|(?P<gap>[ ]))"
    r"(?:\\?[\"'`](?P<quoted>[^\s'\"`‹›\x00\\]{4,512})\\?[\"'`]"
    r"|(?P<plain>[^\s'\"`‹›\x00\\,;&|(){}<>\[\]=]{4,512}={0,2})(?P<next>[(\[{<]?))",
    re.IGNORECASE,
)
_KEY_NAMES = re.compile(
    r"(?:access|private|auth|signing|encryption|account|master|service|storage|shared"
    r"|client|license|webhook|hmac|session)_key\Z",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(
    r"(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|api[_-]?key"
    r"|(?:secret|access|private|signing|encryption)[_-]?key|authorization)\Z",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"authorization(?:\\?[\"'])?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\?[\"'])?"
    r"(?:[A-Za-z][A-Za-z-]{2,20}[ \t]{1,4})?"
    r"(?P<value>[A-Za-z0-9._~+/:-]{8,4000}={0,2})",
    re.IGNORECASE,
)
_BEARER = re.compile(
    r"bearer[ \t]{1,4}(?P<value>[A-Za-z0-9._~+/-]{16,4000}={0,2})", re.IGNORECASE
)
_COOKIE = re.compile(
    r"cookie[ \t]{0,4}:[ \t]{0,4}[A-Za-z0-9_.-]{1,64}="
    r"(?P<value>[^\s;,'\"‹›\x00\\]{16,4000})",
    re.IGNORECASE,
)
_CURL_USER = re.compile(
    r"-u[ =]?[\"']?[^\s:'\"‹›\x00]{1,64}:(?P<value>[^\s'\"‹›\x00$\\]{4,256})"
)
# Anchor in lower case, kind, what follows.
_IN_LOWER = (
    ("authorization", "authorization", _HEADER),
    ("bearer ", "authorization", _BEARER),
    ("cookie", "cookie", _COOKIE),
)
# The number of a bot stands before what tells its token.
_TELEGRAM = re.compile(r":AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])")
_NO_VALUES = frozenset(
    """
    password passwd pass pwd secret token apikey api_key none null true false nil
    undefined changeme change_me example placeholder redacted masked hidden string bytes
    unset empty required optional default unknown username user text number integer
    object array value process environ getenv self function async await import return
    const basic bearer
    """.split()  # noqa: SIM905 - read as prose
)
_TYPED = re.compile(r"(?:u?int|float|bytes|big|base|sha|md|utf|oauth|auth)\d", re.I)
_WORDY = re.compile(r"[A-Za-z]+(?:[._ /:-][A-Za-z]+)*\Z")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z")


def _is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder."""
    lowered = value.lower()
    return (
        lowered in _NO_VALUES
        or lowered.startswith(("your", "my-", "my_", "xxx", "...", "<", "[", "{"))
        or value[0] in "$%*"
        or "${" in value
        or "{{" in value
        or len(set(value)) < 3
    )


def _is_mask(text: str, at: int) -> bool:
    """Whether a name is the kind in a mask."""
    return text[at - 1 : at] == "‹"


def _is_credential(value: str) -> bool:
    """Whether the value of a header is generated, not the name of a variable."""
    return not _is_placeholder(value) and (_is_mixed(value) or value.endswith("="))


def _is_given(value: str, name: str, *, is_password: bool) -> bool:
    """Whether an unquoted value is a literal, not a variable."""
    if (
        value.isdigit()
        # `-` as in `${DB_PASSWORD:-none}`.
        or value.startswith(("/", "./", "~", "-", "?"))
        or _is_placeholder(value)
        or _DOTTED.match(value)
        or _TYPED.match(value)
        or (value.isupper() and value.isidentifier())
    ):
        return False
    if name.isupper():
        return len(value) >= 6 and (is_password or not _WORDY.match(value))
    if is_password:
        return len(value) >= 8 and _is_mixed(value)
    return len(value) >= 12 and _is_mixed(value) and "_" not in value


def _is_quoted_secret(value: str, *, is_password: bool) -> bool:
    return (
        len(value) >= 6
        and (is_password or not _WORDY.match(value))
        and not _is_placeholder(value)
        and not _DOTTED.match(value)
    )


def _assigned(found: re.Match[str], text: str) -> Found | None:
    """Return the value that is assigned to a name such as `password`, if secret."""
    word = found["word"].lower()
    name = _before(text, found.start(), _NAME, 40) + found["word"]
    if _is_mask(text, found.start("word") - len(name) + len(word)):
        return None
    if word == "_key" and not _KEY_NAMES.search(name):
        return None
    if found["gap"] and not name.startswith("--"):
        return None
    is_password = word.startswith(("pass", "pwd"))
    kind = PASSWORD if is_password else SECRET
    if (value := found["quoted"]) is not None:
        if not _is_quoted_secret(value, is_password=is_password):
            return None
        return found.start("quoted"), found.end("quoted"), kind
    value = found["plain"].rstrip(".:")
    if found["next"] or not value:
        return None
    if not _is_given(value, name.strip("-"), is_password=is_password):
        return None
    return found.start("plain"), found.start("plain") + len(value), kind


_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_LOCAL_PART = _NAME | frozenset(".%+'")
_DIGITS = frozenset("0123456789")


def _before(text: str, at: int, letters: Collection[str], most: int) -> str:
    """Return the longest string of some characters that ends at a place."""
    start = at
    while start > 0 and at - start < most and text[start - 1] in letters:
        start -= 1
    return text[start:at]


# Personal data.
_DOMAIN = re.compile(
    r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.(?P<top>[A-Za-z]{2,24})(?!\w)"
)
# `icon@2x.png` is a file, and `git@github.com` an account of a machine.
_FILE_ENDINGS = frozenset(
    "png jpg jpeg gif svg webp js ts css py json html md".split()  # noqa: SIM905
)
_PHONE = re.compile(
    r"(?<![\w.+-])(?:(?:\+|00)[1-9](?:[ ().-]{0,2}[0-9]){7,14}"
    r"|\([2-9][0-9]{2}\) ?[0-9]{3}[-. ][0-9]{4}"
    r"|[2-9][0-9]{2}[-. ][0-9]{3}[-. ][0-9]{4})"
    r"(?![\w-])"
)
_CARD = re.compile(r"(?<![\w.-])[2-6][0-9](?:[ -]?[0-9]){11,17}(?![\w-])")
_IBAN = re.compile(r"(?<![\w])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}")
# Characters of an IBAN, by country (ISO 13616).
_IBAN_LENGTHS = {
    name: int(length)
    for name, length in re.findall(
        r"([A-Z]{2})(\d\d)",
        "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29CH21CR22CY28CZ24DE22DK18DO28EE20EG29"
        "ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IS26IT27JO30KW30KZ20"
        "LB28LI21LT20LU20LV21MC27MD24ME22MK19MR27MT31NL18NO15PK24PL28PS29PT25QA29RO24"
        "RS22SA24SE24SI19SK24SM27TN24TR26UA29VG24XK20",
    )
}


def _has_luhn(value: str) -> bool:
    digits = [int(one) for one in reversed(value) if one.isdigit()]
    doubled = sum(sum(divmod(2 * one, 10)) for one in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0


def _iban_length(value: str) -> int:
    """Return the length of the IBAN at the beginning of a text; 0 without one."""
    wanted, seen = _IBAN_LENGTHS.get(value[:2], 0), 0
    for place, one in enumerate(value):
        seen += one != " "
        if seen == wanted:
            plain = value[: place + 1].replace(" ", "")
            number = "".join(str(int(one, 36)) for one in plain[4:] + plain[:4])
            return place + 1 if int(number) % 97 == 1 else 0
    return 0


def _emails(text: str) -> Iterator[Found]:
    for place in _at(text, "@"):
        domain = _DOMAIN.match(text, place)
        if domain is None or domain["top"].lower() in _FILE_ENDINGS:
            continue
        local = _before(text, place, _LOCAL_PART, 64).lstrip(".'-")
        if local and local != "git":
            yield place - len(local), domain.end(), EMAIL


def _phones(text: str) -> Iterator[Found]:
    for match in _PHONE.finditer(text):
        yield match.start(), match.end(), PHONE


def _cards(text: str) -> Iterator[Found]:
    for match in _CARD.finditer(text):
        if _has_luhn(match[0]):
            yield match.start(), match.end(), CARD


def _ibans(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        if length := _iban_length(match[0]):
            yield match.start(), match.start() + length, IBAN


_PERSONAL: Mapping[str, Callable[[str], Iterator[Found]]] = {
    EMAIL: _emails,
    IBAN: _ibans,
    CARD: _cards,
    PHONE: _phones,
}


@dataclass(frozen=True, slots=True)
class OwnPattern:
    """A project's own pattern of texts to mask, such as staff numbers.

    Attributes:
        name: The kind in the mask: lower-case letters, digits and `-`.
        pattern: Literal text, with `#` for a digit, `?` for a letter or digit, and one
            `*` for up to 64 letters, digits, `_`, `.` or `-`. It is not a regular
            expression, so that the time stays linear for any pattern.
    """

    name: str
    pattern: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", self.name):
            raise PatternError(
                f"{self.name!r}: a name has up to 40 lower-case letters, digits and -."
            )
        if not 3 <= len(self.pattern) <= MAX_PATTERN or "\x00" in self.pattern:
            raise PatternError(
                f"{self.name}: a pattern has 3 to {MAX_PATTERN} characters."
            )
        if self.pattern.count("*") > 1 or self.pattern.startswith("*"):
            raise PatternError(f"{self.name}: at most one *, and not at the beginning.")
        if len(self.pattern.strip("*?")) < 3 or set("‹›").intersection(self.pattern):
            raise PatternError(
                f"{self.name}: a pattern needs three characters besides * and ?."
            )

    def compiled(self) -> re.Pattern[str]:
        """Return a regular expression that takes linear time."""
        wild = {"#": "[0-9]", "?": "[A-Za-z0-9]", "*": "[A-Za-z0-9_.-]{0,64}"}
        inner = "".join(wild.get(one) or re.escape(one) for one in self.pattern)
        return re.compile(rf"(?<![A-Za-z0-9_]){inner}(?![A-Za-z0-9_])")


def _at(text: str, anchor: str) -> Iterator[int]:
    place = text.find(anchor)
    while place >= 0:
        yield place
        place = text.find(anchor, place + len(anchor))


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # A few letters have two characters in lower case.
    return "".join(one.lower() if one.isascii() else one for one in text)


class _Anchors:
    """Searches for several fixed strings at once."""

    def __init__(self, anchors: Sequence[str]) -> None:
        self._anchors = anchors
        self._automaton: Any = None

    def places(self, text: str) -> Mapping[str, Sequence[int]]:
        """Return the places of the strings that occur."""
        if ahocorasick_rs is not None:
            try:
                return self._by_automaton(text)
            except UnicodeEncodeError:
                # The automaton does not accept lone surrogates.
                pass
        found = ((anchor, list(_at(text, anchor))) for anchor in self._anchors)
        return {anchor: places for anchor, places in found if places}

    def _by_automaton(self, text: str) -> Mapping[str, Sequence[int]]:
        if self._automaton is None:
            self._automaton = ahocorasick_rs.AhoCorasick(self._anchors)
        held: dict[str, list[int]] = {}
        for number, start, _end in self._automaton.find_matches_as_indexes(
            text, overlapping=True
        ):
            held.setdefault(self._anchors[number], []).append(start)
        return held


_KEY_ANCHORS = _Anchors([*(one for rule in RULES for one in rule.anchors), ":AA"])
_WORD_ANCHORS = _Anchors([*(anchor for anchor, _, _ in _IN_LOWER), *_WORDS, "curl"])


def _keys(text: str) -> Iterator[Found]:
    found_at = _KEY_ANCHORS.places(text)
    if not found_at:
        return
    for rule in RULES:
        for anchor in rule.anchors:
            end = 0
            for place in found_at.get(anchor, ()):
                if rule.is_whole and place and text[place - 1] in _NAME:
                    continue
                # Inside of what the rule has found already.
                match = rule.rest.match(text, place) if place >= end else None
                if match is None:
                    continue
                group = "value" if "value" in rule.rest.groupindex else 0
                if rule.check is None or rule.check(match[group]):
                    end = match.end()
                    yield match.start(group), match.end(group), rule.kind
    for place in found_at.get(":AA", ()):
        number = _before(text, place, _DIGITS, 10)
        if len(number) >= 8 and (match := _TELEGRAM.match(text, place)):
            yield place - len(number), match.end(), "telegram-token"


def _named_values(text: str) -> Iterator[Found]:
    found_at = _WORD_ANCHORS.places(_lower(text))
    for anchor, kind, pattern in _IN_LOWER:
        end = 0
        for place in found_at.get(anchor, ()):
            match = pattern.match(text, place) if place >= end else None
            if match and _is_credential(match["value"]) and not _is_mask(text, place):
                end = match.end()
                yield match.start("value"), match.end("value"), kind
    for word in _WORDS:
        for place in found_at.get(word, ()):
            named = _NAMED.match(text, place)
            if named and (assigned := _assigned(named, text)):
                yield assigned
    if "curl" in found_at:
        for place in _at(text, " -u"):
            if match := _CURL_USER.match(text, place + 1):
                yield match.start("value"), match.end("value"), PASSWORD


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked document.

    Attributes:
        document: The document with masks.
        values: The original values by mask.
        counts: How many values of each kind were masked.
    """

    document: Any
    values: Mapping[str, str]
    counts: Mapping[str, int]


class Masker:
    """Masks secrets and some kinds of personal data.

    Args:
        key: Up to 32 bytes; the masks of values depend on it.
        personal: Kinds of `PERSONAL`.
        patterns: A project's own patterns.
    """

    def __init__(
        self,
        key: bytes,
        *,
        personal: Collection[str] = (),
        patterns: Sequence[OwnPattern] = (),
    ) -> None:
        self._key = key
        self._personal = [_PERSONAL[name] for name in PERSONAL if name in personal]
        self._patterns = [(one.name, one.compiled()) for one in patterns]

    def mask(self, kind: str, value: str) -> str:
        """Return the mask of a value."""
        data = value.encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(data, key=self._key, digest_size=DIGEST_BYTES)
        return f"‹{kind}:{digest.hexdigest()}›"

    def text(self, text: str) -> str:
        """Return a text with masks."""
        return str(self.document(text).document)

    def document(self, document: Any) -> Masked:
        """Mask all texts of a JSON document, including keys of objects.

        A value that is found once is masked at all its places, unless it may be an
        ordinary word, since an answer may repeat a password without the name.
        """
        leaves = _Leaves()
        leaves.collect(document)
        whole, starts = leaves.joined()
        found = self._found(whole, leaves.named(starts))
        if not found:
            return Masked(document, {}, {})
        kinds: dict[str, str] = {}
        for start, end, kind in found:
            kinds.setdefault(whole[start:end], kind)
        masks = {value: self.mask(kind, value) for value, kind in kinds.items()}
        changed = _replaced(whole, starts, leaves.texts, found, masks)
        return Masked(
            leaves.rebuilt(document, changed),
            {mask: value for value, mask in masks.items()},
            Counter(kind for _, _, kind in found),
        )

    def _found(self, whole: str, named: list[Found]) -> list[Found]:
        places = _Places(len(whole))
        places.add_all(_keys(whole))
        places.add_all(named)
        places.add_all(_named_values(whole))
        for personal in self._personal:
            places.add_all(personal(whole))
        for name, pattern in self._patterns:
            places.add_all(
                (one.start(), one.end(), name) for one in pattern.finditer(whole)
            )
        if places.found:
            places.add_all(_repeated(whole, places.found))
        return sorted(places.found)


# Fields of a run that are not masked: ids and names, which are used for lookups.
FIELDS_AS_SENT = frozenset(
    {
        "id",
        "session",
        "agent",
        "parent",
        "parent_expected",
        "manifest",
        "verification_type",
        "trace_signature",
        "usage",
        "context_sha256",
    }
)


def masker_for(key: str) -> Masker:
    """Return a masker of secrets for the runs of an API key."""
    return Masker(hashlib.sha256(f"verifyhub mask {key}".encode()).digest())


def masked_run(body: Mapping[str, Any], masker: Masker) -> dict[str, Any]:
    """Return the document of a run with masked texts; ids of calls do not change."""
    texts = {name: body[name] for name in body if name not in FIELDS_AS_SENT}
    calls = texts.pop("tool_calls", ())
    shown = [{name: one.get(name) for name in ("input", "output")} for one in calls]
    texts, shown = masker.document([texts, shown]).document
    made = [
        one | {name: text for name, text in masked.items() if name in one}
        for one, masked in zip(calls, shown, strict=True)
    ]
    return {**body, **texts, **({"tool_calls": made} if "tool_calls" in body else {})}


class _Places:
    """The places of values in a text, without overlaps; the first one counts."""

    def __init__(self, size: int) -> None:
        self.found: list[Found] = []
        self._size = size
        self._taken: bytearray | None = None

    def add_all(self, found: Iterator[Found] | list[Found]) -> None:
        for start, end, kind in found:
            if self._taken is None:
                self._taken = bytearray(self._size)
            if self._taken.find(1, start, end) < 0:
                self._taken[start:end] = b"\1" * (end - start)
                self.found.append((start, end, kind))


def _repeated(whole: str, found: Sequence[Found]) -> Iterator[Found]:
    """Yield further places of values, longer ones first, which may contain others."""
    kinds: dict[str, str] = {}
    for start, end, kind in found:
        value = whole[start:end]
        if len(value) >= MIN_REPEATED and _is_mixed(value):
            kinds.setdefault(value, kind)
        if len(kinds) >= MAX_REPEATED:
            break
    for value in sorted(kinds, key=len, reverse=True):
        for place in _at(whole, value):
            end = place + len(value)
            inside = place and whole[place - 1].isalnum() and value[0].isalnum()
            if not inside and not (whole[end : end + 1].isalnum()):
                yield place, end, kinds[value]


def _replaced(
    whole: str,
    starts: Sequence[int],
    texts: Sequence[str],
    found: Sequence[Found],
    masks: Mapping[str, str],
) -> dict[int, str]:
    """Return the changed texts by number."""
    pieces: dict[int, list[str]] = {}
    reached: dict[int, int] = {}
    for start, end, _ in found:
        number = bisect_right(starts, start) - 1
        begin = starts[number]
        held = pieces.setdefault(number, [])
        held.append(texts[number][reached.get(number, 0) : start - begin])
        held.append(masks[whole[start:end]])
        reached[number] = end - begin
    return {
        number: "".join(held) + texts[number][reached[number] :]
        for number, held in pieces.items()
    }


@lru_cache(maxsize=4096)
def _names_secret(key: str) -> str:
    """Return the kind of secret that a key of an object names; empty for none."""
    match = _SECRET_NAME.search(key) if len(key) <= 100 else None
    if match is None:
        return ""
    return PASSWORD if match[0].lower().startswith(("pass", "pwd")) else SECRET


class _Leaves:
    """The texts of a JSON document, in the order of the traversal."""

    # No rule matches across it.
    BETWEEN = "\n\x00\n"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._named: list[tuple[int, str]] = []

    def collect(self, value: Any) -> None:
        """Collect the texts of a document, also keys of dictionaries."""
        if isinstance(value, str):
            self.texts.append(value)
        elif isinstance(value, dict):
            for key, one in value.items():
                self.texts.append(key)
                if isinstance(one, str) and (kind := _names_secret(key)):
                    self._named.append((len(self.texts), kind))
                self.collect(one)
        elif isinstance(value, list | tuple):
            for one in value:
                self.collect(one)

    def joined(self) -> tuple[str, list[int]]:
        """Return all texts joined, and the position of each."""
        starts, place = [], 0
        for text in self.texts:
            starts.append(place)
            place += len(text) + len(self.BETWEEN)
        return self.BETWEEN.join(self.texts), starts

    def named(self, starts: Sequence[int]) -> list[Found]:
        """Return the texts that are secrets because of their keys."""
        return [
            (starts[number], starts[number] + len(text), kind)
            for number, kind in self._named
            if _is_named_secret(text := self.texts[number], kind)
        ]

    def rebuilt(self, document: Any, changed: Mapping[int, str]) -> Any:
        """Return the document with some of its texts changed."""
        numbers = iter(range(len(self.texts)))

        def text(value: str) -> str:
            return changed.get(next(numbers), value)

        def walk(value: Any) -> Any:
            if isinstance(value, str):
                return text(value)
            if isinstance(value, dict):
                return {text(key): walk(one) for key, one in value.items()}
            if isinstance(value, list | tuple):
                return type(value)(walk(one) for one in value)
            return value

        return walk(document)


def _is_named_secret(text: str, kind: str) -> bool:
    if len(text) > 512 or any(one.isspace() or one in "‹›" for one in text):
        return False
    return _is_quoted_secret(text, is_password=kind == PASSWORD)
