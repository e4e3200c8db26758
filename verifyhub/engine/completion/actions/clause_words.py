"""Wordings by which a clause says that something was done, or that it was not."""

import re

from verifyhub.engine.calls.deed_words import IRREGULAR, stems

# How the names of months begin, and a name of a month or a day of the week.
_MONTHS = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
MONTH = rf"(?:{_MONTHS})"
MONTH_OR_DAY = rf"(?:{_MONTHS}|mon|tues|wednes|thurs|fri|satur|sun)[a-z]*\b"

BOUNDARY = re.compile(
    r"[;—–•|()]|(?<!\d):|:(?!\d)|,(?!\d)|(?<!\w)-+(?!\w)"
    r"|(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bno)[.!](?=\s|$)"
    r"|\b(?:(?<!ahead )and(?: then)?|then|but|so|which|while|plus)\b(?!-)"
)
_ADVERB = (
    r"(?:\w+ly|also|now|all|both|just|then|been|already|further|so|finally|again"
    r"|indeed|gone ahead and|went ahead and|as well|since|hereby|too|still|today|being)"
)
_ADVERBS = rf"(?:{_ADVERB}\s+)*"
_HAVE = r"(?:['’]ve|\s+have|\s+had|['’]d)?"
_VERB = r"(?P<verb>[a-z][a-z-]{1,30})"
ACTIVE = re.compile(
    rf"(?<![\w'’])(?:i|we){_HAVE}\s+{_ADVERBS}{_VERB}\b"
    r"|^\W*(?:the|our) system has (?:also |now )?"
    r"(?P<made>generated|created|issued|emailed|sent|scheduled)\b|^\W*you(?:['’]ve|\s+have)\s+"
    r"successfully\s+(?P<done>[a-z-]+)\b|^\W*(?:have|has)\s+(?!being|been)"
    rf"(?:(?!been|being){_ADVERB}\s+)*(?P<bare>[a-z-]+ed)\b"
)
ABLE = re.compile(
    r"(?<![\w'’])(?:i|we)\s+(?:was|were|have been)\s+(?:\w+ly\s+)?able to\s+"
    rf"(?:\w+ly\s+)?{_VERB}\b|(?<![\w'’])(?:i|we)(?:['’]ve)?\s+managed to\s+"
    rf"(?P<bare>[a-z-]+)\b"
)
# "I took the liberty of extending", "I had the desk flagged", "I got the fee removed".
CAUSED = re.compile(
    r"(?<![\w'’])(?:i|we)(?:['’]ve)?\s+(?:\w+ly\s+)?(?:took|taken) the liberty of\s+"
    r"(?:\w+ly\s+)?(?P<verb>[a-z-]+ing)\b"
)
HAD_DONE = re.compile(
    rf"(?<![\w'’])(?:i|we)(?:['’]ve|\s+have)?\s+{_ADVERBS}(?:had|gotten|got)\s+"
    r"(?P<object>(?:the|your|that|this|those|these|both|all|an?|it)\b"
    rf"(?:\s+[^\s,;]+){{0,6}}?)\s+{_ADVERBS}(?P<verb>[a-z-]+ed|sent|put|set|cut)\b"
)
PERFECT = re.compile(
    rf"\b(?:has|have|['’]ve|['’]s)\s+{_ADVERBS}been\s+{_ADVERBS}{_VERB}\b"
)
BEGUN = re.compile(rf"\b(?:has|have)\s+{_ADVERBS}(?P<verb>started|begun|ended)\b")
PASSIVE = re.compile(
    r"\b(?:was|were|(?<!\bi )(?<!\bwe )(?<!\byou )got"
    rf"(?=\s+{_ADVERBS}[a-z-]{{2,28}}ed\b))\s+{_ADVERBS}{_VERB}\b"
)
STATE = re.compile(rf"\b(?:is|are|['’]re|['’]s)\s+{_ADVERBS}{_VERB}\b")
# "The old order is gone", "the kitchen lights are off".
STANDS = re.compile(
    r"\b(?:is|are|['’]re|['’]s)\s+(?P<now>now\s+)?(?P<state>gone|live|on order"
    r"|off (?=(?:your|the|our)\s(?:[a-z]+\s)?(?:calendar|schedule|agenda|list|books"
    r"|timetable|roster|bill|invoice|account))"
    r"|off"
    r"|on(?=\s*$)|active|on hold|on (?:its|the) way|in place|underway|under way"
    r"|back (?:in service|up|on|online|to normal)|up and running|back(?=\s*$)"
    r"|yours(?=\s+(?:on|for|from|until|till|through|at)\b|\W*$)"
    r"|set(?=\s+(?:to|for)\b))\b"
    r"|\b(?:is|are|['’]re|['’]s)\s+(?P<also>now\s+)(?P<where>in|at|under|part of|with"
    r"|available|visible|effective|listed|on|due)\b"
    r"|\b(?:is|are|['’]re|['’]s)\s+(?:also\s+)?(?P<kept>(?:on\s+file"
    r"|(?:on|in)\s+(?:your|the|our)\s+(?:[a-z]+\s+)?(?:calendar|schedule|agenda|list"
    r"|waitlist|roster|books|queue|basket|cart|inbox|mailbox|wallet)"
    r"|waiting in your (?:account|inbox|mailbox|wallet|app)"
    r"|on (?:[a-z.]+ ){0,2}\w+[’']s (?:wait(?:ing )?list|schedule|calendar|list))\b)"
    r"|\b(?P<off>(?:is|are) no longer (?:on|in|up|for sale|listed|linked|active|valid"
    r"|shared|available|visible|registered|subscribed|enrolled|booked|open))\b"
    r"|\bnow (?P<reads>reads?|shows?|receives?|gets?|has (?:an?|its own)|includes?"
    r"|runs?(?= from\b)|takes? place|starts?|begins?|ends?|lasts?|ships?"
    r"|points?|belongs?|goes|covers?|departs?|arrives?)\b"
    r"|(?P<moved>\b(?:went|goes|has gone|have gone) (?:up|down) from\s.{1,60}\sto\b"
    r"|\b(?:drops?|rises?|rose|falls?|fell|switches|moves|changes|increases|decreases)"
    r"\s(?:over )?from\s.{1,60}\sto\b)"
    r"|\b(?:is|are) (?:also )?(?P<value>now)(?=\s+[+#$€£₽]?\d)"
    r"|\b(?P<until>now (?:runs?|ends?|expires?) (?:until|till|through))\b"
    r"|\b(?:is|are) (?P<put>(?:in|at|on|under)) (?:[\w’']{1,20} ){1,6}now\b"
    r"|\b(?:is|are) (?P<turned>void|valid|free|closed|paused|blocked) now\b"
    r"|\b(?P<taken>(?:went|came|(?:has|have) (?:gone|come)) off (?=your\b))"
    r"|^\W*you (?P<time>(?:now )?have (?=until\s+(?:\S*\d|[a-z]+ \d|(?:[a-z]+day"
    r"|tomorrow|the end)\b)))"
    r"|\b(?P<went>(?:went|(?:has|have) gone) (?:out\b(?! of\b)"
    r"|to (?=\S{1,40}@|your (?:e-?mail|inbox|phone|mobile))))"
    r"|\b(?:(?:is|are|['’]s|['’]re) )?now (?P<going>[a-z]{2,20}ing)\b"
    r"|\b(?:is|are) (?P<plays>playing)\b"
    r"|\bis (?P<opened>open(?= (?:at|as|with|for|under|in|on)\b|\W*$)|in(?=\W*$))"
    r"|\b(?:is|are) (?P<runs>running)(?= on\b| in\b| for\b)"
    r"|\bnow (?P<access>ha(?:s|ve) (?:[^\s,;]+ ){0,4}?access)\b"
    r"|^\W*you(?: now|['’]ve got|['’]ve| have)(?: have| got)?"
    r" (?:an?|one|two|three|four|five|six|\d{1,2}) (?:[a-z]+ ){0,2}?"
    r"(?P<had>reservation|appointment|booking|viewing|visit|room|table|seat|ticket|spot"
    r"|place|voucher|credit)s?\b"
)
STANDING = {
    "gone": "delete cancel remove", "off ": "cancel remove delete",
    "on order": "book create issue send", "live": "send enable",
    "on its way": "book create send issue", "on the way": "book create send issue",
    "on hold": "disable", "off": "disable remove", "on": "enable",
    "active": "enable create add book issue",
    "back in service": "enable", "back up": "enable", "back on": "enable",
    "back online": "enable", "back to normal": "enable change",
    "up and running": "enable create", "back": "enable",
    "yours": "book assign issue add create",
    "in place": "create add enable change book", "underway": "create enable",
    "under way": "create enable", "set": "change create book",
}  # fmt: skip
# "I've located your account", "your identity has been verified". What is confirmed
# of a booking is the booking.
_PERSON = r"(?:accounts?|profiles?|identity|(?:user |customer |member )?id)"
_RECORD = rf"(?:{_PERSON}|records?|details|orders?|reservations?|bookings?)"
_OF_READER = r"(?:your|the (?:user|customer)(?:['’]s)?) (?:[a-z]+ ){0,3}?"
LOOKED_UP = re.compile(
    rf"(?<![\w'’])(?:i|we)(?:{_HAVE}\s+{_ADVERBS}"
    r"|(?: was| were|['’]ve been| have been) (?:\w+ly )?able to )"
    rf"(?P<object>(?:(?:located?|found|find|identif(?:y|ied)|retrieved?|access(?:ed)?"
    rf"|(?:pull|look|brought)(?:ed)?(?: up)?) {_OF_READER}{_RECORD}"
    r"|(?:authenticated?|verif(?:y|ied)|confirm(?:ed)?|validated?)"
    rf" {_OF_READER}{_PERSON})\b)"
    rf"|\b(?P<subject>your (?:[a-z]+ ){{0,2}}?{_PERSON}) (?:(?:has|have) been|was)"
    rf" {_ADVERBS}(?:located|found|authenticated|verified|confirmed|validated)\b"
)
# Nouns of who somebody is; of anything else any look-up may tell.
IDENTITY = stems("account profile identity id")
# Who is told so that somebody proves who they are.
BY_MESSAGE = re.compile(
    r"\s*(?:by|via|with) (?:an? )?(?:text|sms|e-?mail|phone|call)\b"
)
# "let the team know", "gave you your money back", "put it on hold".
SAID = (
    (re.compile(r"\b(?:let)\s+(?:\S+\s+){1,6}?know\b"), "send"),
    (re.compile(r"\bg(?:iven|ave)\s+(?:\S+\s+){0,6}?back\b"), "refund return"),
    (re.compile(r"\b(?:copied|looped|cc['’]?e?d)\s+(?:\S+\s+){0,4}?in\b"), "send add"),
    (re.compile(r"\bput\s+(?:\S+\s+){0,6}?on hold\b"), "disable"),
    (
        # What one asks of those who serve, and not of the reader.
        re.compile(
            r"\b(?:asked|requested) for an? (?:[a-z-]+ ){0,3}?"
            r"(?:room|table|seat|bed|cot|crib|cake|chair|pillow|upgrade|pick-?up)\b"
        ),
        "send create assign book escalate",
    ),
    (
        re.compile(r"\b(?:put|got|gotten)\s+(?:\S+\s+){0,5}?(?:through|in)\b"),
        "create pay",
    ),
    (re.compile(r"\b(?:put|got|gotten)\s+(?:\S+\s+){0,5}?down for\b"), "book add"),
    (
        re.compile(
            r"\b(?:asked|instructed|requested)\s+(?!you\b|me\b|us\b|for\b|that\b|how"
            r"\b|what\b|if\b|whether\b|about\b|if\b|an?\b"
            r"|(?:the|your) (?:user|customer|question|same|following|model)\b)"
            r"(?:\S+\s+){1,4}?(?:to|for)\b"
        ),
        "send create assign book escalate",
    ),
    (
        re.compile(
            r"\b(?:called|phoned|rang|telephoned)\s+(?:them|him|her|(?:the|your)\s"
            r"(?:hotel|restaurant|kitchen|office|clinic|practice|pharmacy|doctor|driver"
            r"|bank|carrier|courier|airline|store|shop|seller|merchant|landlord|supplier"
            r"|provider|customer|venue|front desk|team|technician|property|host|insurer"
            r"|school|garage|dealer))\b"
        ),
        "send",
    ),
    (re.compile(r"\bgot\s+you\s+(?:an?|the|\d)\b"), "book add create issue change"),
    (
        re.compile(
            r"\b(?:selected|picked|chosen|chose) (?:(?!with\b)[^\s,;]+ ){1,4}?"
            r"(?:seat|room|table|cabin|berth|slot)s? for you\W*$"
        ),
        "book assign add change",
    ),
    (
        re.compile(
            r"\bnoted (?:\S+ ){1,6}?with (?:the|your) (?:kitchen|hotel|restaurant"
            r"|clinic|front desk|airline|driver|venue|team|chef|host|property|office)\b"
        ),
        "send record add",
    ),
    (re.compile(r"\btook\s+care\b|\btaken\s+care\b|\bsorted\b"), "any"),
    (
        re.compile(r"\bg(?:ave|iven)\s+(?:\S+\s+){0,4}?access\b"),
        "add enable approve issue",
    ),
    (
        re.compile(
            r"\bleft\s+(?:\S+\s+){0,4}?(?:note|comment|message)"
            r"|\b(?:note|comment|message) left\b"
        ),
        "add send record",
    ),
)
PARTICLE = re.compile(r"\s+(?:(?:it|them|this|that|you|him|her)\s+)?([a-z]+)\b")
# "switched the lamp off": the particle behind the object.
LATE_PARTICLE = re.compile(r"\b(on|off|up|down|back|out)\W*$")
SUCCESS = re.compile(
    r"\b(?:(?:was|is|were|are)\s+(?:now\s+)?(?:a success|successful|complete|done)"
    r"|(?:went|(?:has|have|['’]s) gone) through|succeeded|all set"
    r"|(?:goes|is going|went|has gone) (?:straight )?back (?:to|on|onto))\b"
    r"|(?<=[a-z])\s(?:successful|complete|confirmed)\W*$"
)
BARE = re.compile(rf"^\W*{_ADVERBS}{_VERB}\b")
# "Ticket confirmed.", "Refund issued": a short heading of what was done.
HEADING = re.compile(
    rf"^\W*(?P<noun>(?:[a-z\d#$€£₽][\w.,'’#-]*\s+){{1,5}}?){_ADVERBS}"
    rf"(?P<verb>(?!checked (?:bag|lugg))[a-z-]{{2,28}}ed|{'|'.join(IRREGULAR)})(?=\W|$)"
)
DONE_WITH = re.compile(r"^\W*(?:all )?done with\b")

NOT = re.compile(
    r"\b(?:not|never|no longer|unable|cannot|neither|nor|without|fail(?:ed|s)?|nothing"
    r"|none)\b|n['’]t\b"
    r"|\bno\b(?! (?:problem|worries|longer|extra|additional c|charge|cost))"
)
# "No charge has been made."
NONE = re.compile(r"^\W*(?:no|none|nothing|nobody|neither)\b(?! (?:problem|worries))")
OPEN = re.compile(
    r"\b(?:will|would|can|could|should|shall|must|(?<!\d )may(?!\s+\d)|might|to be"
    r"|going to"
    r"|need(?:s|ed)?|want(?:s|ed)?|if|once|when|whenever|unless|before|whether"
    rf"|until(?!\s+(?:the\s+)?(?:\d|{MONTH_OR_DAY}|tomorrow\b|next\b))"
    r"|in case|provided|assuming|since|because|let|please|in order to|how|why"
    r"|what|understand|sorry|apologi[sz]e|hear"
    r"|requires?|eligible|able to be|ready to|about to|proceed|like to|wish"
    r"|only|as soon as|by default|usually|normally|typically|cannot|except)\b|['’]ll\b"
    r"|['’]d like"
)
# Said of what others did, or of another time.
OTHERS = re.compile(
    r"^\s*(?:\w+ly\s+)?by\s+(?!\s|me\b|us\b|express\b|courier\b|priority\b|special\b"
    r"|tracked\b|direct\b|air\b|bus\b|train\b|taxi\b|e?-?mail\b|post\b|phone\b|text\b|sms\b|card\b"
    r"|default\b|mistake\b|bank\b|wire\b|check\b|cheque\b|credit\b|the end\b|tomorrow\b"
    r"|today\b|next\b|[a-z]{2,15}ing\b|[$€£₽\d]|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|an? (?:week|day|month|year|hour|half)\b|(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|twelve|half|several)\b"
    r"|the (?:window|aisle|door|exit|entrance|pool|fire|lift|bar|stage|water|garden"
    r"|sea|beach|lake|river)\b)"
)
# What follows a rule: "tests are cancelled if you are late".
RULE = re.compile(
    r"\b(?:if|when|whenever|unless|once|every|each|always|automatically after)\b"
    rf"|\buntil\b(?!\s+(?:the\s+)?(?:\d|{MONTH_OR_DAY}|tomorrow\b|next\b))"
    r"|\bat (?:pick-?up|check-?in|check-?out|delivery|collection|arrival|boarding)\b"
    r"|\b(?:after|within)\s+(?:\d|[a-z]+\s+(?:hours?|days?|weeks?|months?|years?)\b)"
)
TIME = re.compile(
    r"\b(?:on|at|in|within|during|over|since|more than"
    r"|less than|around|back in)\s(?!\d{1,2}:\d\d)(?:the\s)?(?:last\b|past\b"
    r"|(?:19|20)\d\d\b|\d{1,2}(?:st|nd|rd|th)?\b(?!\.\d)"
    rf"|{MONTH}\w*\b|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday)"
    r"|(?<!\ba moment )(?<!\ba minute )(?<!\ba second )\bago\b|\byesterday\b"
    r"|\blast (?:week|month|year|night)\b|\bthis (?:week|month|year)\b|\boriginally\b"
    r"|\bwhich is\b|\bhours?\b"
    r"|\bat (?:pick-?up|check-?in|check-?out|sign-?up|the time|booking|purchase)\b"
)
EARLIER = re.compile(
    r"\b(?:recently|long|previously|earlier|originally|initially|once)\b"
)
QUESTION = re.compile(r"\?\W{0,20}$")
NO_REPORT = re.compile(
    r"^\W*(?:if|once|when|whenever|unless|until|please|to|would|could|should|can|may"
    r"|do|does|did|let|how|what|why|which|whether|before|for example|e\.g|note that)\b"
)
# What stands behind it is told by another: "the note says the fault was reproduced".
TOLD = re.compile(
    r"\b(?:notes?|records?|logs?|entry|comments?|reports?|history|systems?|accounts?|file"
    r"|status|e-?mail|message|page|site|website|tracking|carrier|policy|invoice|details"
    r"|notification|screen|app|user|you|he|she|they)\b[^.;]{0,60}?\b(?:says?|said|states?"
    r"|stated|shows?|showed|indicates?|indicated|mentions?|mentioned|reports?|reported"
    r"|reads?|wrote|told|claims?|confirms?)\b"
)
# "Marked as resolved": the state is the deed.
MARKED_AS = re.compile(r"\s*(?:\S+\s+){0,6}?as\s+([a-z-]+)\b")
PREPOSITION = re.compile(
    r"\b(?:to|for|from|under|using|at|on|by|in|into|onto|via|through|within|as|due"
    r"|after|per|so|because|free|successfully|with|and|including|include|until|till"
    r"|before|during|starting|effective|worth)\b"
)
RELATIVE = re.compile(r"\b(?:that|who|which)\s*(?:was|were|is|are|has|have)?\s*$")
WORD = re.compile(r"[a-z]+")
# A participle that says how a record stands once the deed is done.
STATES = stems(
    """
    booked reserved scheduled confirmed cancelled canceled reordered rebooked
    purchased ordered refunded completed updated changed paid upgraded registered
    transferred activated enabled disabled suspended added processed arranged
    secured enrolled subscribed extended renewed rescheduled frozen unlocked paused
    resumed closed locked resolved archived published posted ticketed armed muted
    listed rerouted redirected assigned removed deleted waived revoked terminated
    voided moved blocked unblocked linked synced approved acknowledged escalated
    reset set sent submitted filed created downgraded switched turned made placed
    recorded logged queued saved accepted started granted requested initiated attached
    uploaded shared invited notified forwarded stored held texted mailed emailed
    """
)
# What an agent does to find out or report, and what happens to a record by itself.
NO_DEEDS = stems(
    """
    find check look see review verify notice understand realize realise receive get
    have be try attempt want need ask say mention explain apologize apologise
    identify locate retrieve search consult analyze analyse compare calculate
    compute determine gather summarize summarise list provide include discuss hear
    learn think believe hope appreciate recommend suggest offer show read pull query
    count track monitor detect encounter run fail decide consider keep reach go
    start begin assume come inspect validate assess evaluate examine investigate
    double cross view access scan speak tell know feel wish agree note outline
    describe detail highlight focus miss overlook misread mistake limit base relate
    concern interest involve mean cover qualify expect plan intend propose call use
    follow work continue stop wait stand handle process complete do make take give
    leave let help assist manage choose select pick prefer like love enjoy thank
    welcome experience face hit meet delay ship deliver arrive depart land lose
    damage break steal expire discontinue exceed sell redeem earn accrue declare age
    design build found lead situate live born name rate rank price cost total own
    hold contain gain rise fall grow drop increase decrease average result affect
    impact cause happen occur estimate unchange
    label mark flag classify display appear seem open
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
# Words of an object that do not identify it.
UNSPECIFIC = GENERAL | stems(
    """
    a an the your you my our their his her its it this that these those them they he she
    we and or of one two three four five six seven eight nine ten first second third
    new old current previous existing original additional extra another other same
    latest last next final full partial total free complete entire whole some any every
    each both more few several also now successfully just already here there following
    above below own order booking reservation account request record system
    service detail information info data file profile option setting preference status
    process successful requested updated corrected relevant appropriate
    necessary respective corresponding specific certain way side end time date day
    today tomorrow tonight morning afternoon evening week month year hour minute night
    monday tuesday wednesday thursday friday saturday sunday january february march
    april may june july august september october november december
    worth with for from to in on at by
    customer user client guest member caller recipient requester attendee tenant person
    people team everyone name number id code
    unused remaining spare empty place spot slot
    has have had been was were is are am will would ve re ll us me him
    usd eur dollar euro amount sum money cost price back online manual automatic
    automatically proper properly right away up down off out over dear great good
    access permission
    perfect excellent sure thank sorry unfortunately ok okay yes well additionally
    furthermore moreover however meanwhile finally item thing stuff page list entry
    """
)
# A line or an introduction that says that what it marks is done.
MARKED = re.compile(r"^\W*[\u2705\u2714\u2713\u2611]|[\u2705\u2714\u2713\u2611]\W*$")
DONE_LIST = re.compile(
    r"\b(?:done|completed|i(?:['’]ve| have)?(?: also)? (?:did|done|made|completed"
    r"|taken)"
    r"|(?:changes|updates|actions) (?:made|taken|completed)|all set"
    r"|summary of (?:the )?"
    r"(?:changes|actions|updates)|what i(?:['’]ve)? (?:did|done)|taken care of|actions?"
    r"|erledigt|effectué|fait|hecho|realizado|готово|сделано)\b"
)
