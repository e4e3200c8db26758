"""Words that decide what a sentence states. English alone: in other languages the
cross-check finds nothing, rather than something wrong."""

from verifyhub.engine.text.tokens import word_set

NEGATORS = word_set(
    "no not never none neither nor without cannot can't don't doesn't didn't isn't"
    " aren't wasn't weren't won't hasn't haven't couldn't shouldn't zero nowhere"
)
# A sentence with one of these states nothing, or something of another time.
HEDGES = word_set(
    "if unless whether should would could might may maybe perhaps must will shall can"
    " until once when ensure suppose assuming before previously earlier formerly"
    " originally expected likely probably seems appears"
)
TESTS = word_set("test tests testsuite suite specs")
PASSES = word_set("pass passes passed passing green succeed succeeds succeeded")
FAILS = word_set(
    "fail fails failed failing failure failures broken red error errors errored"
)
# How far before a result its negation may stand, in words.
REACH = 3

EXISTS = word_set("exists exist present")
MISSING = word_set("missing absent nonexistent gone")
FINDS = word_set("found find")

# What stands before a number that counts or measures, and not before one that is part
# of a name ("line 12", "version 3").
COUNTS = word_set(
    "has have had contains contain defines define holds hold includes include exports"
    " export declares declare lists list are is with exactly only all of returns return"
    " uses use takes take needs need requires require equals = : to"
)
VALUES = word_set("is equals = : to returns return")
# Who has what is counted, where a sentence only says that there is so much of it.
GENERIC = word_set(
    "there it we i project repository repo codebase code whole total altogether"
    " found counted count counts see saw identified detected shows shown show"
    " contains contain has have had includes include comprises consists holds hold"
    " exactly only both now currently set configured defaults"
    " their our your my his her"
)
# Numbers after these are names of places, steps and releases, and count nothing.
NUMBERED = word_set(
    "line lines version step section chapter page issue pr python node task subtask"
    " attempt phase part column row commit release ticket round"
)
# What stands before how often or how long something does what it does.
SPANS = word_set("after every within")
# Words that tell of one time, or of what the agent did itself.
HAPPENED = word_set(
    "i we my our took ran was were had did went came got made wrote read saw this these"
)
UNITS = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 1)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("time", 1_000)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("time", 60_000)),
    **dict.fromkeys(("h", "hour", "hours"), ("time", 3_600_000)),
    **dict.fromkeys(("day", "days"), ("time", 86_400_000)),
    **dict.fromkeys(("b", "byte", "bytes"), ("size", 1)),
    **dict.fromkeys(("kb", "kib", "kilobytes"), ("size", 1_024)),
    **dict.fromkeys(("mb", "mib", "megabytes"), ("size", 1_048_576)),
    **dict.fromkeys(("gb", "gib", "gigabytes"), ("size", 1_073_741_824)),
    **dict.fromkeys(("percent", "%"), ("share", 1)),
}
ROUGH = word_set(
    "about around approximately roughly nearly almost over under least most up more"
    " fewer less some"
)

# Words of `STOP` that are counted as well.
COUNTED = word_set(
    "file files function functions class classes module modules method methods"
)
# Left out when two sentences are compared: they carry no meaning of their own.
STOP = word_set(
    "a an the this that these those it its is are was were be been being do does did"
    " has have had to of in on at by for from with and or as also there here any all"
    " only just now currently actually indeed file files function functions class"
    " classes module modules method methods"
)
