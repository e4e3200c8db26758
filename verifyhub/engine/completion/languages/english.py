"""English: simple past and perfect with "I", "we" or no subject."""

import re
from collections.abc import Iterator

from verifyhub.engine.calls.deed_words import stem, stems
from verifyhub.engine.completion.actions.clause_words import NO_DEEDS
from verifyhub.engine.completion.languages.english_lines import find_lines
from verifyhub.engine.completion.languages.english_reports import find_reports
from verifyhub.engine.completion.languages.english_results import find_results
from verifyhub.engine.completion.languages.english_states import (
    NEW_FILE,
    is_statement,
    read_state,
)
from verifyhub.engine.completion.languages.model import (
    FILE_KINDS,
    FORMATTERS,
    SCREENS,
    ClaimKind,
    ClaimWord,
    alternation,
    kinds_by_word,
    last_end,
)
from verifyhub.engine.completion.languages.outcomes import WELL
from verifyhub.engine.completion.languages.status_lines import find_status
from verifyhub.engine.completion.segments import CODE_MARK
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.text.tokens import word_set

_VERBS = kinds_by_word(
    {
        ClaimKind.EDIT: (
            "added updated changed modified edited replaced refactored renamed removed"
            " moved extracted rewrote rewritten simplified converted wired implemented"
            " introduced extended adjusted switched bumped inlined improved migrated"
            " reverted restored tweaked consolidated applied integrated hooked injected"
            " exposed dropped documented reordered reworked patched wrapped hardened"
            " enabled disabled cleaned cleaned_up unified merged_the streamlined"
            " deduplicated reorganized reorganised restructured tightened relaxed"
            " expanded shortened optimized optimised normalized normalised appended"
            " prepended commented_out uncommented registered propagated"
            " threaded aligned polished swapped stripped guarded ported upgraded"
            " downgraded pinned parameterized parametrized localized formatted"
            " reformatted fleshed_out rolled_back redesigned made_the"
            " configured inserted turned_off turned_on split flattened annotated"
            " adapted clarified trimmed tuned rewired"
            " memoized parallelized parallelised raised lowered retargeted"
            " narrowed widened broadened reframed reworded rephrased centralized"
            " centralised scrubbed redacted relocated hoisted deduped renumbered"
            " retitled refreshed"
        ),
        ClaimKind.CREATE: ("created wrote generated scaffolded drafted saved written"),
        ClaimKind.DELETE: "deleted purged",
        ClaimKind.FIX: "fixed resolved addressed repaired corrected auto-fixed",
        ClaimKind.RUN: (
            "ran executed re-ran reran rerun_the benchmarked profiled regenerated"
            " rebuilt tested measured trained proofread smoke-tested compiled"
        ),
        ClaimKind.COMMIT: "committed amended",
        ClaimKind.PUSH: "pushed force-pushed",
        ClaimKind.SEND: (
            "sent posted emailed e-mailed mailed replied notified messaged opened"
            " submitted filed published forwarded commented"
        ),
        ClaimKind.INSTALL: "installed",
        ClaimKind.OTHER: (
            "tagged deployed released merged rebased restarted uploaded downloaded"
            " squash-merged rotated backed_up provisioned closed cherry-picked squashed"
            " assigned"
            " cancelled canceled seeded vacuumed exported imported archived"
            " triggered re-triggered retriggered approved granted revoked scaled"
            " drained flushed invalidated promoted synced mirrored signed encrypted"
            " labeled labelled mounted stopped launched killed rolled_out reindexed"
            " pinged queued yanked announced tore_down pruned backfilled shipped"
            " cross-compiled reloaded symlinked bootstrapped staged"
        ),
    }
)
# Any verb of the past may claim work: what is not listed is a deed of no known kind.
_VERB = re.compile(
    rf"\b(?:{alternation(_VERBS)}|(?!un|mis)[a-z-]{{1,24}}ed(?![a-z-]))\b"
)
_NO_VERBS = stems(
    """
    need feed speed embed seed breed exceed proceed succeed indeed bed red shed hundred
    pass skip prefix suffix nest type hardcode detail dedicate relate require support
    return expose exist store delegate ignore defer emit trigger reject accept throw
    expand appear us treat tier abandon target
    """
)


def kind_of(verb: str, after: str) -> ClaimKind | None:
    """Return what a verb claims; None where it names no deed: "noticed".

    A page that is opened in a browser is not sent.
    """
    if (verb == "opened" and _IN_BROWSER.match(after)) or (
        verb.startswith("merged") and _BRANCHES.match(after)
    ):
        return ClaimKind.OTHER
    if verb in {"created", "wrote"} and _A_COMMIT.match(after):
        return ClaimKind.COMMIT
    known = _VERBS.get(verb) or _VERBS.get(verb.removeprefix("re"))
    if known is not None:
        return known
    root = stem(verb.removeprefix("re-"))
    return None if root in NO_DEEDS or root in _NO_VERBS else ClaimKind.OTHER


_BOUNDARY = re.compile(r"[:;,(—–→•|+&✓✅✔]|\s-+\s|\band\b|\bthen\b|\bbut\b|\.\s|\*\*")
_WORD = re.compile(r"[a-z']+")
_ADVERBS = word_set(
    """
    also then just now successfully already finally additionally all both further newly
    first second lastly subsequently so far done yes ok okay completely fully safely
    manually carefully previously properly likewise plus well again afterwards instead
    and but
    """
)
_SUBJECTS = re.compile(
    r"\b(?:i|we)(?:['’]ve| have| had|['’]d)?(?: \w+ly| also| then| just| now| first"
    r"| already| both)*\s*\W*$"
)
_PERFECT = re.compile(
    r"(?<!\bmay )(?<!\bmight )(?<!\bcould )(?<!\bwould )(?<!\bshould )(?<!\bmust )"
    r"\b(?:has|have|['’]ve|['’]s)(?: \w+ly| now| also| all| already)* been"
    r"(?: \w+ly| also)*\s*\W*$"
)
_PASSIVE_NOUNS = (
    r"(?:everything|the|all|both|new|old|test|file|files|tests|script|change|changes"
    r"|fix|code|module|package|packages|dependency|dependencies|branch|email|e-mail"
    r"|report|release|version|result|results|missing|requested|required|necessary"
    r"|tags?|images?|changelog|readme|migrations?|v?\d+(?:\.\d+)+|notes|snapshots?"
    r"|fixtures?|imports?|screenshots?|docker|remote|local"
    r"|bugs?|issues?|problems?|errors?|regression|docs|documentation|commit|pr)"
)
_PASSIVE = re.compile(
    rf"^\W*(?:{_PASSIVE_NOUNS}\W+)*(?:(?:for|of) \S{{1,40}} )?"
    r"(?P<now>is|are|was|were|is now|are now)\s*\W*$"
)
# "A new release was published."
_ONE_MADE = re.compile(rf"^\W*an? (?:{_PASSIVE_NOUNS}\W+)+(?:was|were)\s*$")
# "`run()` fetches the job and pushed the result": one subject for both verbs.
_CODE_ACTS = re.compile(
    r"^\W*\ue000+ (?!was\b|has\b|is\b)[a-z]{2,20}[a-rt-z]s (?:the|an?|its|all|every)\b"
)
# "`deleteUser()` deleted the wrong rows": there the code is who did it.
_OBJECT = re.compile(
    r"^ (?:the|a|an|all|every|its|their|any|some|wrong)\b"
    # "deleted old rows": a bare plural, and no "in tests" or "as is".
    r"|^ (?!(?:\w{1,30}ly|to|from|in|on|at|by|with|without|for|of|as|and|or|but|so|via"
    r"|per|into|because|since|under|across|plus|is|was|has|this|its|yes)\b)"
    r"(?:[a-z]{1,30} )?[a-z]{2,30}(?<![su])s\b"
)
# "The stale cache directory was removed.": a whole sentence, and nothing behind it
# that could make it a story about the program.
_WHOLE = re.compile(
    r"^\W*(?:the|all|both|your|these|old|stale|unused|existing|remaining|outdated)"
    r"(?: [\w\ue000-]+){1,5} (?:was|were)(?: \w+ly)?\s*$"
)
_NOTHING_MORE = re.compile(
    r"^(?: up| out| off| down)?(?: manually| to match| accordingly| as well| too)?\W*$"
    r"|^ (?:to|from|into|with|at) \ue000+\W*$|^ (?:to|from) v?\d[\w.-]*\W*$"
    r"|^(?: (?!by\b|when\b|because\b|so\b|if\b)[\w.:%-]+){1,6}"
    r" (?:in|into|from) \ue000+\W*$"
)
# "Bug fixed.", "Dependencies installed."
_SHORT = re.compile(rf"^\W*(?:{_PASSIVE_NOUNS}\W+){{1,4}}$")
# "Docker image pushed to the registry": a line without a verb of its own, that tells
# what became of a thing. "Files changed in …" is a label.
_FRAGMENT = re.compile(
    r"^\W*(?:(?!(?:what|which|who|that|this|it|they|he|she|nothing|none|files?|lines?"
    r"|tests?|issues?|bugs?|functions?|is|are|was|were|be|been|being|has|have|had|not|both"
    r"|will|would|can|could|should|must|gets?|i|we|you|by|and|or|if|when|once|never"
    r"|no|as|per|to|for|from|in|on|of|with)\b)[a-z\d\ue000][\w.\ue000-]*[ ]){1,4}"
    r"(?:(?:in|for|of) \ue000+ )?"
    r"(?:(?:is|are|was|were|has been|have been|successfully|now|also|all) ){0,2}$"
)
_TOWARDS = re.compile(
    r"^\W*$|^\W*\(|^(?: (?:successfully|cleanly|beforehand|afterwards|again|too|now"
    r"|as well|accordingly|locally|twice|\w+ times))?"
    r"(?:\W*$|[.,;:!(—–]| (?:to|on|in|into|from|at|for|with|as|via|using|before|after"
    r"|under|without|against|but not)\b)"
)
# What happens to a thing only if somebody does it; code, too, adds and removes.
_BY_HAND = frozenset(
    {
        ClaimKind.COMMIT, ClaimKind.PUSH, ClaimKind.SEND, ClaimKind.INSTALL,
        ClaimKind.OTHER, ClaimKind.RUN,
    }
)  # fmt: skip
_MADE = re.compile(
    r"(?:applied|built|added|generated|created|updated|fixed|removed|deleted|written"
    r"|saved|exported|raised|bumped)\Z"
)
# "The hook ran before …": with an article and no auxiliary, the thing itself acts.
_STORY = re.compile(
    r"^\W*(?:the|an?|its|their|this|our|my) (?!.*\b(?:is|are|was|were|been) )"
    r"|.* (?:ran|replied|commented)\Z"
)
_LASTING_STATE = re.compile(r"\b(?:is|are) (?:\w+ )?$")
_LASTING = _BY_HAND - {ClaimKind.SEND, ClaimKind.RUN} | {ClaimKind.FIX}
_THIRD_PERSON = re.compile(
    r"^/(?![a-z]{2,20}ed\b)"
    r"|^\W*(?:earlier\b|by(?! \w+ing\b)|in response to|when|whenever|if|only if"
    r"|automatically|unless|upstream)\b"
)

# How far before a verb its subject is looked for, in characters.
_LOOK_BACK = 200
_FINITE = re.compile(r"\b(?:is|are|was|were|gets?|be|being|been)\b")
_EARLIER = re.compile(r"\b(?:already|previously|earlier|formerly|originally)\W*$")
# "Changed files:" and "fixed in 1a2b3c4" are a label and a reference.
_LABEL = re.compile(
    r"^\W*(?:files?|functions?|lines?|tests?)\b\W*$"
    r"|^ (?:files?|functions?|lines?|tests?|rows?|records?|items?) (?:is|are|was|were"
    r"|will|can|may|should|must|appears?|gets?|goes|go|shows?)\b"
    r"|^ in (?:\ue000|[a-f0-9]{7,40}\b|this branch|commit\b|pr\b|#\d|(?:19|20)\d\d\b)"
    r"|^ (?:using|earlier|out of|the (?:work|task|problem|question|job))\b"
    r"|^ in v(?:ersion)? ?\d|^: \d"
)

# "The flag has been documented in `README.md`", and no commit behind it.
_IN_CODE = re.compile(r"^ in (?:the )?\W?\ue000")

# "Split into several" speaks of parts, "ran into the problem" of nothing done.
_PARTED = word_set("ran run split divided grouped organized organised parsed")
_INTO_PARTS = re.compile(r"^ into (?:a|an|the|some|several|issues|problems)\b")

# A sentence with one of these is no report of the agent's own finished work.
_EXEMPT = re.compile(
    r"\?\W{0,20}$"
    r"|^\W*(?:if|when|once|unless|whenever|until|assuming|suppose|in case|should"
    # "To be safe I removed it" reports a deed, and why it was done.
    r"|to(?![^.;!?]{0,80}?\b(?:i|we)\b)|you"
    r"|your(?! (?:[\w#-]+ ){1,3}(?:has|have) been)|yours|according to|as you"
    r"|the user|upstream|the maintainers?|next|please|note that you|before|why|how"
    r"|what(?! (?:i|we) (?:did|changed|fixed))|where|who|let['’]s|per"
    r"|it appears|it seems|it looks like|maybe|perhaps|probably|presumably|ideally"
    r"|in theory|normally|usually|typically|by default|the reason|goals?|target"
    r"|acceptance(?: criteri(?:a|on))?|success criteria|definition of done|expected"
    r"|requirements?)\b"
    r"|\b(?:want me to|would you|should i|shall i|do you want|let me know|feel free"
    r"|(?<!so )(?<!so that )you can|you could|you may|you might|you should"
    r"|you['’]ll|you['’]d|you need"
    r"|i can|i could|i['’]ll|i will|i would"
    r"|i['’]d(?! (?:\w+ly )?(?!need|\w+ceed)[a-z]+ed\b)"
    r"|we should|we could|we['’]ll|we will"
    r"|i recommend|i suggest|i propose|going to|(?:for|as|an) example"
    r"|examples?(?=\W*(?::|would|could|might|$))|for instance|hypothetical"
    r"|e\.g|was supposed|were supposed|you asked|you said|you wrote|you mentioned"
    r"|you already|you have already|you['’]ve already|your message|could be|should be"
    r"|would be|must be|to be(?! (?:sure|safe|certain|precise|exact|clear))"
    r"|needs to be|need to be|has to be|have to be|ought to be"
    r"|still to be|yet to be|can be|may be|might be|will be"
    r"|won['’]t|cannot|can['’]t"
    r"|i (?:added|made|changed|wrote|ran) no"
    r"|requires? (?:\w+ ){1,4}to (?:push|commit|merge|deploy|publish|run|build|test))\b"
)

_NEW_FILE = re.compile(
    r"^\W*(?:new (?:\w+ ){0,2}?(?:files?|packages?|modules?|components?|scripts?"
    r"|class(?:es)?|migrations?|hooks?|manifests?|workflows?)\b"
    r"|(?:the )?changes? (?:is|are) in \ue000)"
    r"|(?:\ue000|\w\.\w{1,5})\W{0,5}\(new\)|\(new file\)"
)
# What was looked at is looked for in the calls, if it is a file.
LOOKED = (
    r"re-?read|read(?: through)?|reviewed|inspected|examined|studied|audited"
    r"|looked (?:at|into|through|over)|went (?:through|over)"
)
# Who did it, in a clause of its own or at the beginning of a line.
_OWN = r"(?:^\W*|\b(?:i|we)(?:['’]ve| have)? )(?:also |then |just |now )?"
SEARCHED = re.compile(
    _OWN
    + r"(?:re-?)?(?:searched|scanned|grepped) [^.;?!]{0,60}?\bfor [^.;?!]{0,40}?\ue000"
    r"|^\W*(?:a|the|my) (?:final |last |full )?(?:search|grep) for \W?\ue000"
)
# States that only the agent's own deed can have brought about.
_STATES: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(text))
    for kind, text in (
        (
            ClaimKind.SEND,
            r"\b(?:pull request|merge request|pr|mr)\b[^.;?!]{0,30}?"
            r" is (?:now )?(?:open|up)\b",
        ),
        (
            ClaimKind.SEND,
            r"(?:\b(?:is|are) (?:now )?(?:(?:available|live) on|published (?:on|to|at))"
            r"|\d\.\d+ is (?:now )?on|\b(?:is|are) (?:now )?on(?! \ue000))"
            r" (?:the )?(?:pypi|npm|\ue000+|rubygems|maven central|nuget|ghcr"
            r"|docker ?hub|packagist|github releases|(?:app|play) store)(?!\w)"
            r"(?=\W*$|[,;.(]| (?:as|now)\b)",
        ),
        (
            ClaimKind.SEND,
            r"^\W*(?:the )?(?:\w+ )?(?:release notes?|package|release|image|crate"
            r"|gem)s? (?:is|are) (?:now )?published\b(?! (?:by|when|if|once|after)\b)",
        ),
        (
            ClaimKind.FIX,
            r"\b(?:i|we) (?:was able|were able|managed) to (?:fix|resolve|correct)"
            r"|(?:^\W*|, so |\band (?:so )?)(?:the|this|that|it|both|all)"
            r"(?: [\w-]+){0,6}? (?:is|are)(?: now)? (?:fixed|resolved)(?: now)?\W*$",
        ),
        (
            ClaimKind.RUN,
            r"\b(?:i|we) (?:was able|were able|managed) to (?:run|execute)\b",
        ),
        (
            ClaimKind.RUN,
            r"\b(?:i|we)(?:['’]ve| have)(?: \w+ly| also| now| just| since| then)*"
            r" (?:re-?)?run (?!into\b|out\b)[\w\ue000]",
        ),
        (
            ClaimKind.OTHER,
            r"(?:^\W*|\band )(?:the |your |our )?(?:[\w-]+ ){0,2}(?:site|app"
            r"|application|service|release|version|api) (?:is|are) (?:now )?live\b"
            r"(?=\W*$|[,.;(]| (?:at|in (?:prod\w*|staging)|on)\b)",
        ),
        (
            ClaimKind.RUN,
            r"\b(?:i|we)(?:['’]ve| have)? (?:also )?(?:checked|inspected|reviewed"
            r"|watched) (?:the |all )?(?:\w+ ){0,2}logs\b",
        ),
        (
            ClaimKind.EDIT,
            r"\b(?:i|we)(?:['’]ve| have)? (?:also |then )?set (?:up )?[\w\ue000]",
        ),
        (
            ClaimKind.RUN,
            _OWN + r"(?:re)?started (?:up )?"
            r"(?:the|an?) (?:\w+ ){0,2}(?:servers?|services?|apps?|applications?"
            r"|stacks?|containers?|workers?|clusters?|programs?|emulators?|daemons?)\b",
        ),
        (
            ClaimKind.RUN,
            _OWN + r"(?:re)?started (?:up )?(?!(?:with|by|from|to|on|at|in|off|out|over"
            r"|as|after|when|the|an?|\w+ing)\b)[a-z\ue000]",
        ),
        (
            ClaimKind.TESTS,
            r"(?:^\W*|\btotal,? \W?|\b(?:i|we) )(?:\ue000+ )?(?:ran|executed)"
            r" (?:all )?\d+ (?:\w+ )?(?:tests?|specs?)\b",
        ),
        (
            ClaimKind.OTHER,
            r"\b(?:i|we)(?:['’]ve| have)?(?: \w+ly| also| then| just)* (?:"
            + LOOKED
            + r")\b[^.;?!]{0,200}?\ue000",
        ),
        (
            ClaimKind.EDIT,
            r"\b(?:i|we)(?:['’]ve| have)? (?:also |then )?marked [^.;!?]{1,60}?"
            r" in \W?\ue000",
        ),
        (
            ClaimKind.DELETE,
            r"^\W*(?:and )?(?:the |both |all )?"
            r"(?:(?!in\b|of\b|from\b|for\b|on\b)[a-z]+ ){0,2}\ue000+"
            r" (?:[a-z]+ )?(?:is|are) (?:now )?gone\b",
        ),
        (
            ClaimKind.EDIT,
            _OWN + r"(?:did|done) the same"
            r" (?:thing |change )?(?:in|for|to|with) \ue000",
        ),
        (
            ClaimKind.EDIT,
            r"\b(?:change|edit|rename|fix|update|replacement|adjustment)s?"
            r" (?:was|were|has been|have been) (?:also )?(?:made|done|applied)"
            r" (?:in|to|for) \W?\ue000",
        ),
        (ClaimKind.OTHER, SEARCHED.pattern),
        (
            ClaimKind.RUN,
            r"^\W*\ue000++ (?:was )?(?:executed|run) (?:against|on|with|over|after)\b",
        ),
        (
            ClaimKind.EDIT,
            _OWN + r"(?:listed|mentioned|noted|described|recorded|referenced|linked)"
            r" (?:it|them|this|both|(?:the|its) [\w-]+) (?:in|from|to) \W?\ue000",
        ),
        (
            ClaimKind.EDIT,
            r"^\W*(?:the |both )?(?:[\w-]+ ){1,3}in \W?\ue000+\W? (?:also )?(?:got"
            r"|received|gained) (?:the|an?|its)\b",
        ),
        (
            ClaimKind.RUN,
            _OWN + r"(?:verified|tested|checked|confirmed|reproduced)\b[^.;?!]{0,80}?"
            r" (?:through|via) \W?\ue000",
        ),
        (
            ClaimKind.EDIT,
            r"\b(?:i|we)(?:['’]ve| have)? (?:also )?made (?:[\w-]+ ){1,4}?"
            r"(?:changes?|edits?|fix(?:es)?|updates?|adjustments?) (?:in|to) \W?\ue000",
        ),
        (
            ClaimKind.FORMAT,
            rf"^\W*(?:{FORMATTERS})"
            r" (?:was |has been )?(?:applied|run)\b",
        ),
        (
            ClaimKind.RUN,
            r"^\W*(?:(?!(?:is|are|be)\b)[\w-]+ ){1,3}(?:checked|verified|validated"
            r"|measured|scanned) (?:with|using|via) [a-z][\w-]+\b",
        ),
        (
            ClaimKind.RUN,
            r"^\W*(?:the )?(?!(?:it|they|this|that|which|tests?|jobs?)\b)"
            r"(?:[\w-]+ ){1,4}"
            r"(?:was|were|has been|have been) (?:also )?(?:re-?)?(?:run|executed)\b"
            r"(?! (?:by|when|if|each|every|in ci|on (?:every|each)|last|earlier"
            r"|before)\b)",
        ),
        (
            ClaimKind.TESTS,
            r"^\W*(?:the |all )?(?:\w+ )?(?:tests?|specs?|suite) (?:was|were)"
            r" (?:re-?)?run (?:twice|again|(?:\d+|two|three|four|five|several) times"
            r"|locally)\b",
        ),
        (
            ClaimKind.SEND,
            _OWN + r"left (?:\w+ ){1,5}?"
            r"(?:comments?|notes?|repl(?:y|ies)|reviews?) on\b",
        ),
        (
            ClaimKind.EDIT,
            _OWN + r"left an? (?:\w+ )?"
            r"(?:todo|fixme|comment|\ue000+|marker) in\b",
        ),
        (
            ClaimKind.EDIT,
            r"\b(?:i|we)(?:['’]ve| have)? (?:also )?(?:put|brought|cut|tore|threw"
            r"|got rid of|hid|swept) (?:the|an?|all|both|every|it|\ue000)",
        ),
        (
            ClaimKind.RUN,
            r"\b(?:migrations?|script|benchmarks?|backfill|codegen|example|demo)\b"
            r"(?: \w+ly)? (?:now )?"
            r"(?:(?:was |were )?applied|ran|runs|works|complete[sd]|finishe[sd])"
            r" (?:successfully|cleanly|without (?:errors?|issues?|problems?))\b",
        ),
        (
            ClaimKind.OTHER,
            r"\byour (?:\w+ ){1,3}(?:has|have) been (?:\w+ly )?(?:processed|issued"
            r"|placed|confirmed|approved|completed)\b",
        ),
        (
            ClaimKind.RUN,
            _OWN + r"(?:re)?built (?:the )?"
            r"(?:\w+ )?(?:docs?|documentation|site|image|wheel|book)\b",
        ),
        (ClaimKind.RUN, _OWN + r"fuzzed \w"),
        (
            ClaimKind.PUSH,
            r"^\W*(?:the )?(?:pr|pull request|merge request|mr)(?: [#!]\d{1,7})? now"
            r" (?:has|includes|contains|carries) (?:the|an?|all|both|these|two)\b",
        ),
        (
            ClaimKind.SEND,
            r"(?:^\W*|[—:] )(?:(?!no\b|if\b)[\w-]+ ){0,4}"
            r"(?:threads|conversations|comments)"
            r" (?:(?:is|are|have|been|now|all|were) ){0,3}"
            r"(?:answered|replied to|marked (?:as )?resolved"
            r"|resolved (?=on (?:github|gitlab|the pr)))\b",
        ),
        (
            ClaimKind.SEND,
            r"(?:^\W*(?:\w+\W{2,6})?|\b(?:i|we)(?:['’]ve| have)? )(?:also |then )?"
            r"(?:(?:re-?)?requested (?:\S{1,40} )?(?:re-?|code )?reviews?\b"
            r"|asked \S{1,40} (?:for|to) (?:an? )?(?:\w+ )?review\b)",
        ),
        (
            ClaimKind.COMMIT,
            r"^\W*(?:(?!transaction|offset|row|record|cursor)[\w\ue000-]+ ){1,6}"
            r"(?:is|are|was|were|went in|landed|['’]s)(?: all| now| also)*"
            r"(?: committed(?= (?:as|on|to|locally|in \W?\ue000)\b|\W*$)"
            r"| (?:as|in) (?:one|a single|two|three|\d+)(?: \w+)? commits?\b)",
        ),
        (
            ClaimKind.COMMIT,
            r"^\W*(?:(?:all|everything) )?in (?:one|a single) commit\b"
            r"|^\W*(?:one|two|three|four|five|\d+) commits? (?:on|to) \W{0,2}\ue000",
        ),
        (
            ClaimKind.PUSH,
            r"^\W*(?!(?:only|each|every)\b)"
            r"(?!(?:an? )?(?:event|message|notification|metric|job|item|value|entr"
            r"|update|data|state))(?:[\w\ue000-]+ ){1,9}"
            r"(?:is|are|was|were|has been|have been)(?: (?!to\b)\w+){0,4} pushed"
            r" (?:to|on) (?:the )?[\w\ue000]",
        ),
        (
            ClaimKind.RUN,
            r"(?:^\W*|\b(?:i|we)\b(?:[^.;?!]{0,60} and)? )"
            r"(?:checked|cross-checked|verified|confirmed|reproduced|tested)"
            r"\b[^.;?!]{0,40}? by (?:re-?)?running [\w\ue000]",
        ),
        (
            ClaimKind.DELETE,
            r"^\W*(?:the |both |all )?(?:[\w-]+ ){0,3}\ue000+(?:(?:,| and) \ue000+)*"
            r"(?: [\w-]+){0,2} (?:is|are) (?:now )?out of \ue000",
        ),
        (
            ClaimKind.OTHER,
            r"\b(?:took|made|kept|captured) (?:an? )?(?:[\w\ue000]+ ){0,2}?"
            r"(?:backup|snapshot|dump|screenshot)s?\b",
        ),
        (
            ClaimKind.PUSH,
            r"\b(?:is|are) (?:now |also |already )?published (?:on|to) (?:the )?"
            r"(?:origin|upstream|remote)\b"
            r"|\ue000\W? on (?:the )?(?:remote|origin|github|gitlab) (?:now )?points"
            r" (?:at|to) (?:the )?(?:\w+ )?(?:commit )?\W?(?:\ue000|[a-f\d]{7,40}\b)",
        ),
        (
            ClaimKind.OTHER,
            r"(?:\b(?:i|we)(?:['’]ve| have)? |^\W*(?:the )?(?:branch )?\ue000+\W{1,8}"
            r"(?:is |was |has been )?)(?:hard )?reset (?:back )?to \W?\ue000",
        ),
        (
            ClaimKind.SEND,
            r"^\W*(?:the |both |two )?(?:[\w/-]+ ){0,2}(?:screenshots?|recordings?"
            r"|videos?|gifs?)(?: [\w/-]+){0,3} (?:is|are) (?:now )?attached\b",
        ),
        (
            ClaimKind.OTHER,
            r"^\W*(?:the |this )?(?:pr|pull request|mr|merge request)(?: [#!]\d{1,7})?"
            r" (?:is|was|has been) (?:now )?(?:marked|set)(?: as| to)?"
            r" (?:ready|draft)\b",
        ),
        (
            ClaimKind.OTHER,
            r"^\W*(?:the |all |both )?(?:[\w-]+\W{1,3}){0,2}(?:cards?|tickets?|issues?)"
            r" (?:(?:is|are|was|were) )?(?:now )?moved to \W?(?:done|closed"
            r"|in (?:progress|review)|review|doing|backlog)\b(?! by\b)",
        ),
        (
            ClaimKind.CREATE,
            r"^\W*an? (?:[\w-]+ ){0,4}file \W?\ue000+\W? is (?:now )?"
            r"(?:in place|there|ready)\W*$",
        ),
        (
            ClaimKind.RUN,
            r"(?:^\W*|\b(?:i|we)\b(?:[^.;?!]{0,60} and)? )"
            r"(?:checked|verified|tested|tried|confirmed|looked (?:at|through|over))"
            r"\b[^.;?!]{0,60}?"
            r"\b(?:in|on|inside|against|under) (?:(?:the|an?|my|our) )?(?:\w+ ){0,2}?"
            r"(?:servers?|containers?|clusters?|emulator|vm|docker|linux|windows|macos"
            r"|databases?)\b",
        ),
        (
            ClaimKind.OTHER,
            r"(?:^\W*(?:(?!(?:is|are|be|not|it|which|that|to|was|were)\b)[\w-]+ ){0,4}?"
            r"|\b(?:i|we)\b(?:[^.;?!]{0,60} and)? )"
            r"(?:checked|verified|tested|tried|compared|inspected|validated|viewed"
            r"|looked (?:at|through|over))\b[^.;?!]{0,60}?"
            r"\b(?:(?:own|actual) renderer|w3c (?:checker|validator)"
            r"|your (?:[\w-]+ ){0,2}(?:dashboard|console|portal)|browser|chrome"
            r"|firefox|safari|grafana|datadog|kibana|sentry|postman"
            r"|staging|production|device|console|repl|simulator|emulator|by hand"
            r"|manually|visually)\b",
        ),
    )
)


_SCREEN = Screen((*(state for _, state in _STATES), _VERB, _NEW_FILE), SCREENS)
_AT_VERB, _AT_NEW_FILE = len(_STATES), len(_STATES) + 1


def find_english(text: str) -> Iterator[ClaimWord]:
    """Yield the claims' words of a masked sentence in lower case."""
    words = [*_work(text), *find_results(text)]
    kinds = {word.kind for word in words}
    words += [word for word in find_status(text) if word.kind not in kinds]
    kinds = {word.kind for word in words}
    words += [
        word
        for word in (*find_reports(text), *find_lines(text))
        if word.kind not in kinds and not (word.state and words)
    ]
    plain = _MADE_TO_BE.sub(r"\1", text) if "to be" in text else text
    plain = OFFERED.sub("", plain) if ";" in text else plain
    if words and not _EXEMPT.search(plain):
        yield from words


# "Changed the rows to be sorted by name": how they are now, and no wish.
_MADE_TO_BE = re.compile(
    r"(\b(?:updated|changed|modified|refactored|rewrote|converted|adjusted|adapted"
    r"|reordered|moved|made|extended|fixed) (?:[\w\ue000-]+ ){1,5})to be\b"
)


# "I removed the cache; let me know if …": the offer takes nothing back.
OFFERED = re.compile(
    r"; (?:and )?(?:let me know|tell me|feel free|just say|say the word|want me to)"
    r"\b[^;]*\Z"
)
_EXAMINED = (
    r"(?:(?:double-|cross-|spot-|sanity-|re-?)?checked|compared|(?:re)?verified|validated"
    r"|confirmed|measured|watched|monitored|inspected|simulated|tried|exercised"
    r"|rehearsed|counted|(?:stress-|load-|smoke-)?tested|profiled|benchmarked|timed"
    r"|replayed|reproduced|observed|scanned|audited|trained|probed|walked through)"
)
# "I compared both dumps", "the logs were watched for an hour": up to what follows.
_EXAMINES = re.compile(
    r"(?:(?:^|[;,] |\band |\bthen )[^\w\ue000]*(?:(?:i|we)(?:['’]ve| have)? )?"
    r"(?:(?:also|then|just|even|both|\w+ly) ){0,2}"
    + _EXAMINED
    + r"\b(?= (?:that|if|whether|the|an?|all|both|every|each|it|this|these|those|its|on"
    r"|in|with|against|for|before|after|under|by|through|via|two|three|\d+"
    r"|(?:[a-z-]+ )?[a-z-]+s\b)|\W*$|,)[^.;]*"
    r"|^[^\w\ue000]*[^.;:,\ue000]{3,80}? (?:was|were|has been|have been)"
    r" (?:(?:also|then|both|all|\w+ly) ){0,2}(?:run|" + _EXAMINED + r")\b[^.;]*)"
)


_EXAMINES_SCREEN = Screen((_EXAMINES,), SCREENS)


def own_check(text: str) -> str:
    """Return the words that tell of an examination of any kind; empty without them.

    Args:
        text: The sentence in lower case, code masked.
    """
    match = _EXAMINES.search(text) if _EXAMINES_SCREEN.passes(text) else None
    if match is None or _EXEMPT.search(text) or _NEGATED.search(match.group()):
        return ""
    return match.group()


# What a program may have printed: "validation accuracy: 0.64".
_FIGURE = re.compile(r"(?<![\w.:/#@-])\d")


def is_exempt(text: str) -> bool:
    """Return whether a sentence, in lower case, is a plan, a wish or advice."""
    return _EXEMPT.search(text) is not None


def is_imperative(text: str) -> bool:
    """Return whether a sentence, in lower case, begins with the base form of a deed."""
    word = _WORD.match(text)
    return word is not None and _past_of(word.group()) is not None


def standing(text: str, *, statements: bool) -> ClaimWord | None:
    """Return how a sentence says that a thing stands; None in a plan or a wish.

    Args:
        text: The sentence in lower case, code masked.
        statements: Whether any statement about named code counts.
    """
    state = read_state(text)
    if _EXEMPT.search(text):
        return None
    if state is None:
        named = NEW_FILE.search(text) or (statements and is_statement(text))
        if not (named or _FIGURE.search(text) or WELL.search(text)):
            return None
        kind = ClaimKind.OTHER if named else ClaimKind.RUN
        return ClaimWord(kind, 0, len(text), state=True, known=False, soft=True)
    return ClaimWord(ClaimKind.OTHER, state.start, state.end, state=True, known=False)


def _work(text: str) -> Iterator[ClaimWord]:
    passed = tuple(_SCREEN.passed(text))
    if _AT_VERB in passed:
        yield from _verbs(text)
    for place in passed:
        if place < len(_STATES):
            kind, pattern = _STATES[place]
            state = pattern.search(text)
            if state and not _NEGATED.search(text[: state.end()]):
                yield ClaimWord(kind, state.start(), state.end())
    if _AT_NEW_FILE in passed and CODE_MARK in text:
        new = _NEW_FILE.search(text)
        if new:
            yield ClaimWord(ClaimKind.CREATE, new.start(), new.end(), soft=True)


# "… were updated two commits earlier", "… last sprint": the actor is not named.
_LONG_AGO = re.compile(
    r"[^.;!?,]{0,40}?\b(?:(?:commits?|days?|weeks?|months?|years?|releases?)"
    r" (?:ago|earlier|before)|yesterday"
    r"|(?:last|previous|earlier) (?:week|month|year|sprint|release|quarter|step|turn"
    r"|session|round|message|iteration))\b"
)


def _is_label(verb: str, after: str) -> bool:
    # Who "committed the work" or "reran the job" did something.
    if after.startswith(" the ") and (
        verb in {"committed", "pushed"} or _VERBS.get(verb) is ClaimKind.RUN
    ):
        return False
    return bool(_LABEL.match(after)) or (
        verb in _PARTED and bool(_INTO_PARTS.match(after))
    )


def _verbs(text: str) -> Iterator[ClaimWord]:
    foreign, claimed, joined = False, False, 0
    for match in _VERB.finditer(text):
        verb, after = match.group(), text[match.end() : match.end() + 60]
        kind = kind_of(verb, after)
        if kind is None:
            continue
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        if _THIRD_PERSON.match(after) or _LONG_AGO.match(after):
            foreign = True
            continue
        if _is_label(verb, after) and not (
            _NOW.match(before) or (_IN_CODE.match(after) and _PERFECT.search(before))
        ):
            continue
        if before.rstrip().endswith(CODE_MARK) and _OBJECT.match(after):
            continue
        if (_CODE_ACTS.match(text) and not _SUBJECTS.search(before)) or (
            kind in FILE_KINDS and _SHOWN_BY.match(text)
        ):
            continue
        if before.rstrip().endswith(",") and not claimed and _BARE.match(after):
            continue
        if _is_state(before, after) or (
            _GOES_ON_PASSIVE.search(before) and not claimed
        ):
            continue
        chained = joined and _AND.fullmatch(text, joined, match.start())
        is_claim = _is_claim(before, verb, kind, after) or bool(
            verb in _VERBS
            and (chained or (kind in _HANDED_OVER and _is_handed_over(before, after)))
        )
        if is_claim and not (foreign and _GOES_ON.search(before)):
            claimed = True
            joined = match.end() if chained or _AUXILIARY.search(before) else 0
            yield ClaimWord(kind, *match.span(), known=verb in _VERBS)
        active = not is_claim and _OBJECT.match(after)
        foreign = not is_claim and bool(active or not _FRAGMENT.match(before))


def _is_claim(before: str, verb: str, kind: ClaimKind, after: str) -> bool:
    """Whether a verb reports the agent's own finished work."""
    if verb not in _VERBS:
        if _TICKED.match(before) and not after.strip(" .!*_)"):
            return _FRAGMENT.match(before) is not None
        # Without a subject it may be an adjective: "Nested loops", "Cached results".
        is_own = _SUBJECTS.search(before) or _PERFECT.search(before)
        if (not is_own and not _DETERMINER.match(after)) or _LASTING_TIME.match(after):
            return False
        return _says_done(before, kind)
    short = not after.strip(" .!*_)✅✓") and _SHORT.match(before)
    short = short or (_NOTHING_MORE.match(after) and _WHOLE.match(before))
    short = short or (_NOW.match(before) and _PLACE.match(after.lstrip()))
    return bool(short) or _is_fragment(before, verb, after) or _says_done(before, kind)


# "State locking is now enabled in `backend.tf`."
_NOW = re.compile(r"^\W*(?:the )?(?:[\w\ue000-]+ ){1,5}(?:is|are) now $")
# "The value has been cached since startup": a state, without an actor.
_LASTING_TIME = re.compile(r" (?:since|for (?:years|months|ages|a while|long))\b")
_DETERMINER = re.compile(
    r" (?:the|an?|all|both|every|each|its|my|your|our|this|that|these|those|it|them|two"
    r"|three|four|five|six|seven|eight|nine|ten|\d+)\b| \ue000"
)


# In a list, "exposed ports, and …": there it is no verb.
_BARE = re.compile(r" (?!(?:tests|docs|files)\b)[a-z]{2,30}(?<![su])s\W*(?:,|and\b|$)")
# "The maintainers fixed this and added a test": the second verb has the same subject.
_GOES_ON = re.compile(r"\b(?:and|then|but) (?:\w+ly |also |then )?$")
# "The output shows that the importer created the rows": what a program did.
_SHOWN_BY = re.compile(
    r"\W*(?:the|this|its) (?:[\w-]+ )?(?:output|logs?|results?|run|trace|console)"
    r" (?:also )?(?:shows?|showed|confirms?|confirmed|indicates?)\b"
)
# "It has been written and pushed": one auxiliary for both.
_AUXILIARY = re.compile(
    r"\b(?:been|was|were|is|are)(?: \w+ly| now| all| both| also)*\W*$"
)
_AND = re.compile(r"(?:,|,? and) (?:\w+ly |also |then )?")
_DONE_AND = re.compile(
    r"\b(?:is|are|was|were|been)(?: \w+ly| now| all| both)*"
    r" (?:done|complete|finished|ready) and (?:\w+ly |also |then )?$"
)
_HANDED_OVER = frozenset({ClaimKind.COMMIT, ClaimKind.PUSH})
# "The session ended and was cleaned up": of what was said to have done the first.
_GOES_ON_PASSIVE = re.compile(
    r"\b(?:and|then|but) (?:\w+ly |also |then )?(?:was|were|is|are|has been|have been)"
    r" (?:\w+ly )?$"
)
# "Covered and aligned.": what a thing is, where nothing is said to be done to another.
_PAIRED = re.compile(r"(?:^|[|—:.])\W*(?:\w+ )?(?P<first>\w+ed) and (?:\w+ly )?$")
# "Hash matches → fully committed": what follows from it, in a table of cases.
_CASE = re.compile(
    r"\b(?:matches|differs|exists|equals|is|are|has|have|not|no|if|when)\b"
    r"[^→]{0,60}→\W*(?:\w+ly |partial )?$"
)


# "The corrected list is now committed": what is said of any thing, at its end.
_NO_MORE = re.compile(
    r"(?: \w+ly| too| as well| now)?(?:[\s*_]*(?:$|[.;,(—–]|and\b)|(?: as)? \W?\ue000"
    r"|,? (?:to|on|in|at) (?:the |a |one )?\W?(?:\ue000|main\b|master\b|origin\b"
    r"|remote\b|upstream\b|branch\b|github\b|gitlab\b|repo|commit\b))"
)
_NO_REPORT = re.compile(
    r"\b(?:not|never|nothing|none|no|only|if|when|whenever|once|until|before|after"
    r"|which|that|what|whatever|who|each time|every time|already|yesterday|earlier"
    r"|state)\b"
)


def _is_handed_over(before: str, after: str) -> bool:
    """Whether a thing of any name is said to be committed or pushed."""
    if _DONE_AND.search(before):
        return True
    states = _AUXILIARY.search(before) and _NO_MORE.match(after)
    return bool(states) and not _NO_REPORT.search(before)


def _is_state(before: str, after: str) -> bool:
    """Whether a participle describes a thing, and not what was done to it."""
    if _CASE.search(before):
        return True
    paired = _PAIRED.search(before)
    ends = re.match(r"\W*(?:$|[.;|—])", after)
    return bool(paired and ends and paired["first"] not in _VERBS)


_A_COMMIT = re.compile(
    r" (?:the|an?|one|two|three|four|\d{1,2}|all|both)(?: [\w-]+){0,2}? commits?\b"
    r"(?! \w*hook)"
)
_BRANCHES = re.compile(r"(?: [\w\ue000]+){0,2} (?:branch|pull request|pr|mr)\b")
_IN_BROWSER = re.compile(r"[^.;?!]{0,50}\bbrowser\b")


_LABELLED = re.compile(
    r"^\W*(?:[\w./-]+ ){0,3}[\w./-]+(?:\*\*|__)?(?::|\s[—–-])(?:\*\*)?\s"
)
_PLACE = re.compile(r"(?:to v?\d[\w.-]{0,20} )?(?:to|in|into|from|for|at) \ue000+")


def _is_fragment(before: str, verb: str, after: str) -> bool:
    """Whether a line only says what was done to a thing: "Image pushed to ECR"."""
    label = _LABELLED.match(before)
    before = before[label.end() :] if label else before
    if not _FRAGMENT.match(before) or not _TOWARDS.match(after) or ")" in after[:1]:
        return False
    if _STORY.match(f"{before}{verb}") or _FINITE.search(after):
        return False
    if _VERBS[verb] in _BY_HAND:
        return not _LASTING_STATE.search(before) or _VERBS[verb] is ClaimKind.PUSH
    rest = after.strip(" .!*_)✅✓✔")
    ends = not rest or rest in _JUST_SO or bool(_PLACE.fullmatch(rest))
    return ends and (rest == "" or _MADE.match(verb) is not None)


_JUST_SO = frozenset(
    ["accordingly", "too", "as well", "to match", "again", "afterwards", "beforehand"]
)


def _says_done(prefix: str, kind: ClaimKind) -> bool:
    """Return whether a verb after `prefix` reports the agent's own finished work."""
    if _EARLIER.search(prefix):
        return False
    subject = _SUBJECTS.search(prefix)
    if subject:
        before = prefix[: subject.start()]
        subject_text = before[last_end(_BOUNDARY, before) :] + prefix[subject.start() :]
        return not (_NEGATED.search(subject_text) or _RELATIVE.search(before))
    boundary = last_end(_BOUNDARY, prefix)
    clause = prefix[boundary:]
    words = [word for word in _WORD.findall(clause) if word not in _ADVERBS]
    # "and `x` shared helper": after "and" or a comma, code is what the verb describes.
    if boundary and prefix[:boundary].endswith(("and", "then", ",", "+", "&")):
        words += [CODE_MARK] if CODE_MARK in clause else []
        words += ["is"] if _FINITE.search(prefix[:boundary]) else []
    if (
        prefix.rstrip().endswith("+")
        or prefix.endswith(("-", "["))
        or (prefix[:boundary].endswith("(") and ")" not in clause)
    ):
        return False
    if not words:
        # "#1380 merged into main": of a pull request that only is spoken of.
        return _NUMBERED.search(clause) is None
    if _NEGATED.search(clause):
        return False
    passive = _PASSIVE.match(clause)
    if _ONE_MADE.match(clause):
        return True
    # "The file is created by ..." describes; "the release is tagged" reports.
    describes = passive and passive["now"] in {"is", "are"} and kind not in _LASTING
    return bool(_PERFECT.search(clause) or (passive and not describes))


_NUMBERED = re.compile(r"(?<!\w )#\d{1,7}\W*\Z")


# "the code we just added", "since we rewrote it": no report but a reminder.
_RELATIVE = re.compile(
    r"\b(?:since|because|when|if|once|code|bug|change|changes|test|tests|file|files|one"
    r"|fix|function|comment|helper|thing|things|that|ones|block|as)\W*$"
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|nor|nothing|none|nobody)\b|n['’]t\b|\bwhen i\b|\bif i\b"
)


_BASES = {stem(verb): verb for verb in _VERBS if " " not in verb}
# A step and, in another cell or behind a mark, that it is done.
_STEP_DONE = re.compile(
    r"[—–→:]\W{0,6}(?:done|completed?|created|added|updated|applied|pushed|committed"
    r"|merged|succeeded|success(?:ful)?|[✅✓✔☑](?: ?(?:success(?:ful)?|done|ok|passed"
    r"|completed?))?)\W*\Z|\A\W*[✅✓✔☑]"
)
_TICKED = re.compile(r"\W*[✅✓✔☑]")
# "✅ Push to origin", and no "✅ Release build".
_AIMED = re.compile(
    r" (?:the|an?|all|both|to|from|my|your|new|missing|\d+)\b| \W{0,2}\ue000"
)
_STEP = re.compile(r"[\W_]*(?:\d+\W+)?([a-z]{2,20})\b(?=\s+[\w\ue000])")


def done_deed(text: str, *, ticked: bool = False) -> tuple[ClaimWord, str] | None:
    """Return the deed of a step that a line marks as done: "Push to origin | done".

    The verb is in its base form; the text comes back with its past. `ticked`: the box
    before the line is.
    """
    match = _STEP.match(text)
    if match is None or not (ticked or _STEP_DONE.search(text)):
        return None
    if _TICKED.match(text) and not _AIMED.match(text, match.end()):
        return None
    past = None if match[1].endswith(("ed", "s")) else _past_of(match[1])
    if past is None or _EXEMPT.search(text) or _NEGATED.search(text):
        return None
    start, end = match.span(1)
    kind = _VERBS.get(past, ClaimKind.RUN)
    return ClaimWord(kind, start, end), f"{text[:start]}{past}{text[end:]}"


def _past_of(base: str) -> str | None:
    """Return the past of the verb of a step; `start` alone may begin anything else."""
    return "started" if base == "start" else _BASES.get(stem(base))


_BARE_DEED = re.compile(
    r"[^\w(]*(?:also |then |successfully )?([a-z-]{2,24}ed)(?= [\w\ue000])"
)


def bare_deed(text: str) -> ClaimWord | None:
    """Return the deed that an item of a list of deeds begins with: "Backfilled slugs".

    Elsewhere such a word may be an adjective.
    """
    match = _BARE_DEED.match(text)
    if match is None or _EXEMPT.search(text):
        return None
    after = text[match.end() :]
    kind = kind_of(match[1], after)
    if kind is None:
        return None
    if (
        _is_label(match[1], after)
        or _THIRD_PERSON.match(after)
        or _FINITE.search(after)
    ):
        return None
    return ClaimWord(kind, *match.span(1), known=match[1] in _VERBS)
