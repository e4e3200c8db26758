"""Control names: two names of the run's style whose right judgement is known.

One stands nowhere, the other is listed as read. Both are put together from words, with
a folder and an ending that the run uses, so that neither a judge nor a text that talks
to the judge can tell them from the others; three words out of some two hundred make
millions of names, so that they cannot be written into the material beforehand.
"""

import random
from collections.abc import Collection, Sequence

# Parts of file names as they are common in many repositories.
WORDS = tuple(
    """
    access account action adapter address admin agenda alert alias archive asset
    audit backup badge balance banner basket batch billing binding block bootstrap
    border bridge broker browser bucket budget buffer builder bundle button cache
    calendar campaign canvas carrier catalog category channel charge chart checkout
    client clock cluster codec column command comment commit compare config connect
    console contact container content context contract control convert cookie
    counter coupon courier cursor dashboard dataset decoder default delivery deploy
    detail device dialog digest dispatch display document domain download draft
    driver editor email encoder endpoint engine entry envelope error event export
    factory feature feed fetcher field filter flag folder footer format formatter
    forward fragment frame gateway grid group guard guide handler header history
    holder hook icon image import inbox index input install inventory invoice issue
    item journal keyboard label layer layout ledger lexer license limit linker
    listing loader locale locker logger login lookup mailer manager manifest mapper
    marker matcher member memory menu merge message meter migrate mirror mixin mode
    model module monitor mount network node notice number object offer option order
    outbox output owner packet page pager panel parcel parser partner password patch
    payment payload permit picker pipeline planner player plugin policy pool portal
    position preset preview price printer privacy process product profile project
    prompt provider proxy publish quota range rate reader receipt record redirect
    refund region registry relay release reminder render repair report request reset
    resolver resource response retry review reward role roster router sampler
    sandbox scanner schedule schema scope screen script search section segment
    selector sender session settings shelf shipping sidebar signal signup snapshot
    socket sorter source splitter stage staging status storage stream style subject
    submit summary supplier switch symbol sync table target task template tenant
    theme thread throttle ticket timeline timer token toolbar topic tracker trader
    traffic transfer trigger tunnel update upload usage vendor version viewer
    voucher wallet watcher webhook widget window wizard worker workflow wrapper
    writer
    """.split()  # noqa: SIM905 - read as prose, not as 300 quoted literals
)
ENDINGS = ("py", "ts", "go", "java", "md", "json", "yaml", "rs")
MAX_TRIES = 100
_MAX_FOLDER_CHARACTERS = 120
_MAX_ENDING_CHARACTERS = 5


def control_names(
    paths: Collection[str], texts: Sequence[str], rng: random.Random
) -> tuple[str, str]:
    """Return a name that is in no text, and one to be listed as read.

    Args:
        paths: Paths of the run, whose folders and endings are borrowed.
        texts: Everything that the run holds; neither name stands in any of it.
        rng: The source of chance; it must be unpredictable from outside.
    """
    haystack = [text.casefold() for text in texts]
    folders = sorted({_folder(path) for path in paths}) or [""]
    endings = sorted({_ending(path) for path in paths} - {""}) or list(ENDINGS)
    names: list[str] = []
    words = 3
    for tries in range(MAX_TRIES):
        stem = "_".join(rng.sample(WORDS, words))
        # A text that holds so many of them was made for it: longer ones follow.
        words = 3 + tries // 10
        if any(stem in text for text in haystack) or any(
            stem in name for name in names
        ):
            continue
        names.append(f"{rng.choice(folders)}{stem}.{rng.choice(endings)}")
        if len(names) == 2:
            return names[0], names[1]
    raise RuntimeError("no name was left that the run does not hold")


def _folder(path: str) -> str:
    folder = path.replace("\\", "/").rpartition("/")[0]
    return f"{folder}/" if folder and len(folder) <= _MAX_FOLDER_CHARACTERS else ""


def _ending(path: str) -> str:
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    fits = stem and ending.isascii() and ending.isalpha()
    return ending if fits and len(ending) <= _MAX_ENDING_CHARACTERS else ""
