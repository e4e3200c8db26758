"""Wordings by which a clause tells that something was done, or that it was not."""

import re

from verifyhub.engine.calls.deed_words import stems

BOUNDARY = re.compile(
    r"[;:—–•|()]|,(?!\d)|(?<!\w)-+(?!\w)|[.!](?=\s|$)"
    r"|\b(?:and(?: then)?|then|but|so|which|while|plus)\b"
)
_ADVERB = (
    r"(?:\w+ly|also|now|all|both|just|then|been|already|further|so|finally|again"
    r"|indeed|gone ahead and|went ahead and|as well)"
)
_ADVERBS = rf"(?:{_ADVERB}\s+)*"
_HAVE = r"(?:['’]ve|\s+have|\s+had|['’]d)?"
_VERB = r"(?P<verb>[a-z][a-z-]{1,30})"
ACTIVE = re.compile(
    rf"(?<![\w'’])(?:i|we){_HAVE}\s+{_ADVERBS}{_VERB}\b|^\W*(?:have|has)\s+{_ADVERBS}"
    rf"(?P<bare>[a-z-]+ed)\b"
)
ABLE = re.compile(
    r"(?<![\w'’])(?:i|we)\s+(?:was|were|have been)\s+(?:\w+ly\s+)?able to\s+"
    rf"(?:\w+ly\s+)?{_VERB}\b|(?<![\w'’])(?:i|we)(?:['’]ve)?\s+managed to\s+"
    rf"(?P<bare>[a-z-]+)\b"
)
PERFECT = re.compile(
    rf"\b(?:has|have|['’]ve|['’]s)\s+{_ADVERBS}been\s+{_ADVERBS}{_VERB}\b"
)
PASSIVE = re.compile(rf"\b(?:was|were)\s+{_ADVERBS}{_VERB}\b")
STATE = re.compile(rf"\b(?:is|are|['’]re|['’]s)\s+{_ADVERBS}{_VERB}\b")
SUCCESS = re.compile(
    r"\b(?:(?:was|is|were|are)\s+(?:now\s+)?(?:a success|successful|complete|done"
    r"|final)"
    r"|went through|succeeded)\b"
)
BARE = re.compile(rf"^\W*{_ADVERBS}{_VERB}\b")
# "Ticket confirmed.", "Refund issued": a short heading of what was done.
HEADING = re.compile(
    rf"^\W*(?P<noun>(?:[a-z\d][\w.,-]*\s+){{1,4}}?){_ADVERBS}{_VERB}(?=\W|$)"
)
DONE_WITH = re.compile(r"^\W*(?:all )?done with\b")

NOT = re.compile(
    r"\b(?:not|never|no longer|unable|cannot|neither|nor|without|fail(?:ed|s)?|nothing"
    r"|none)\b|n['’]t\b|\bno (?:reservation|booking|refund|change|payment|action)s?\b"
)
OPEN = re.compile(
    r"\b(?:will|would|can|could|should|shall|must|may(?!\s+\d)|might|to be|going to"
    r"|need(?:s|ed)?|want(?:s|ed)?|if|once|when|whenever|unless|until|before|whether"
    r"|in case|provided|assuming|since|because|let|please|in order to|how|why"
    r"|what|requires?|eligible|able to be|ready to|about to|proceed|like to|wish"
    r"|only|as soon as|by default|usually|normally|typically|cannot|except)\b|['’]ll\b"
    r"|['’]d like"
)
# Said of what others did, or of another time.
OTHERS = re.compile(
    r"^\s*(?:\w+ly\s+)?by (?:you|the (?:airline|customer|user|merchant|seller|carrier"
    r"|bank|hotel|restaurant|store|shop|system|provider)|another|someone|your)\b"
)
TIME = re.compile(
    r"\b(?:on|at|in|within|during|over|since|more than|less than|around|back in)\s"
    r"(?:the\s)?(?:last\b|past\b|\d{4}\b|\d{1,2}(?:st|nd|rd|th)?\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday)|\bago\b|\byesterday\b|\blast (?:week"
    r"|month|year|night)\b|\boriginally\b|\bwhich is\b|\bhours?\b"
)
EARLIER = re.compile(r"\b(?:already|previously|earlier|originally|initially|once)\b")
QUESTION = re.compile(r"\?\W{0,20}$")
NO_REPORT = re.compile(
    r"^\W*(?:if|once|when|whenever|unless|until|please|to|would|could|should|can|may"
    r"|do|does|did|let|how|what|why|which|whether|before|for example|e\.g|note that)\b"
)
PREPOSITION = re.compile(
    r"\b(?:to|for|from|under|using|at|on|by|in|into|onto|via|through|within|as|due"
    r"|after|per|so|because|free|successfully|with|and|including|include)\b"
)
RELATIVE = re.compile(r"\b(?:that|who|which)\s*(?:was|were|is|are|has|have)?\s*$")
WORD = re.compile(r"[a-z]+")
# A participle that says how a record stands once the deed is done.
STATES = stems(
    """
    booked reserved scheduled confirmed cancelled canceled
    purchased ordered refunded completed updated changed
    paid upgraded registered transferred activated enabled
    disabled suspended added processed arranged secured enrolled subscribed extended
    renewed rescheduled frozen unlocked paused resumed
    """
)
# What is confirmed must be something that can be made: a table, not an identity.
CONFIRMABLE = stems(
    """
    booking reservation appointment ticket order ride visit table purchase cab hotel
    room car seat trip flight payment transfer it everything you subscription rental
    registration viewing tour session consultation class stay meeting pickup delivery
    """
)
GENERAL = stems(
    """
    action request change update everything modification step task thing it that this
    all following adjustment
    """
)
