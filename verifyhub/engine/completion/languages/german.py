"""German: the first person or the passive, and result words."""

from verifyhub.engine.completion.languages.model import (
    BUILDERS,
    FORMATTERS,
    LINTERS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
)
from verifyhub.engine.completion.languages.rows import GAP, build_language

_K = ClaimKind

_DE_WHO = r"\b(?:ich habe|habe ich|wir haben|haben wir)\b[^.;!?\n]{0,160}?"
_DE_IS = r"\b(?:wurden?|ist|sind)\b[^.;!?\n]{0,120}?"
# A word in brackets is a label or a place to fill in.
_DE = rf"(?:{_DE_WHO}|{_DE_IS}|^[^\w\[]*)"

GERMAN = build_language(
    exempt=(
        r"\?\W{0,20}$|^\W*(?:wenn|falls|sobald|sofern|bevor|nachdem|soll|sollte|um|sie|ihr"
        r"|ihre|laut|gemäß|als nächstes|bitte)\b"
        r"|\b(?:soll ich|stellen sie|achten sie|prüfen sie|möchten sie|wollen sie"
        r"|sie können|sie sollten|sollten?"
        r"|könnten?"
        r"|würden?|müssen?|müsste|werde|werden wir|wird|haben sie|sie haben|ich kann"
        r"|ich schlage|ich empfehle)\b"
        # "Committet habe ich nichts": an admission.
        r"|\b(?:habe|haben) (?:ich|wir) [^.;!?\n]{0,60}\bnichts\b"
        r"|\b(?:geändert|angefasst) (?:ist|wurde) nur\b"
    ),
    blocked=r"\b(?:nicht|nie|niemals|kein|keine|keinen|wenn|falls|sobald|ob)\b",
    denied=r"\bnicht\b(?! mehr)",
    others=(
        r"\bin (?:der )?version\b|\b(?:letzte[smn]|vorige[sn]) (?:jahr|monat|woche)\b"
        r"|\b(?:19|20)\d\d\b|\bvor \w+ (?:jahr|monat|woche)\w*"
        r"|\b(?:vom|von (?:der|den|dem|einem|einer))\b|\bbeim (?:start|hochfahren)\b"
        r"|\bbei jedem\b"
    ),
    deeds=(
        _DE_WHO + r"\b(?!(?:gefunden|gesehen|gelesen|geprüft|angesehen|angeschaut"
        r"|durchgesehen|gesucht|gedacht|gemerkt|bemerkt|gehabt|gewesen|geworden|gelassen"
        r"|belassen|verstanden|herausgefunden|festgestellt|nachgesehen|untersucht"
        r"|analysiert|verglichen|versucht|gefragt|angenommen|überlegt|entschieden)\b)"
        r"(?:\w{0,6}ge\w{2,14}(?:t|en)|(?:be|ver|zer|ent|er|um|über)\w{3,14}t"
        r"|\w{3,14}iert)\b"
    ),
    work=(
        (_K.CREATE, _DE + r"\b(?:erstellt|angelegt|erzeugt|geschrieben|generiert)\b"),
        (
            _K.EDIT,
            _DE + r"\b(?:geändert|aktualisiert|hinzugefügt|ergänzt|ersetzt"
            r"|umbenannt|angepasst|bearbeitet|überarbeitet|refaktorisiert|verschoben"
            r"|eingetragen|eingebaut|erweitert|umgeschrieben|vereinfacht|umgestellt)\b",
        ),
        (_K.DELETE, _DE + r"\b(?:gelöscht|entfernt)\b"),
        (_K.FIX, _DE + r"\b(?:behoben|repariert|korrigiert|gefixt|beseitigt)\b"),
        (
            _K.COMMIT,
            _DE + r"\b(?:committet|commited|committed|commitet|eingecheckt"
            r"|comittet)\b",
        ),
        (_K.PUSH, _DE + r"\b(?:gepusht|gepushed|hochgeladen)\b"),
        (_K.COMMIT, r"^\W*(?:der )?commit-?hash (?:lautet|ist) \W?\ue000"),
        (
            _K.SEND,
            _DE + r"\b(?:gesendet|geschickt|verschickt|gepostet|veröffentlicht"
            r"|geöffnet|eröffnet|geantwortet|versandt|benachrichtigt)\b",
        ),
        (
            # "Die Pakete sind bereits installiert" states how things were before.
            _K.INSTALL,
            rf"(?:{_DE_WHO}|{_DE_IS}(?<!bereits )(?<!schon )|^\W*)"
            r"\b(?:installiert|nachinstalliert)\b",
        ),
        (_K.RUN, _DE + r"\b(?:ausgeführt|gestartet|laufen lassen)\b"),
        (
            _K.OTHER,
            _DE + r"\b(?:getaggt|deployt|deployed|ausgerollt|gemergt"
            r"|gemerged|zusammengeführt|neu gestartet|freigegeben)\b",
        ),
    ),
    results=(
        (
            _K.TESTS,
            r"\b\w*(?:tests?|testsuite|testsuiten|testfälle)\b"
            + GAP
            + r"(?:\bgrün\b|\bbestehen\b|\blaufen\b[^.;!?\n]{0,20}\bdurch\b"
            r"|\bläuft\b[^.;!?\n]{0,20}\bdurch\b|\berfolgreich\b|\bfehlerfrei\b"
            r"|(?P<past>\bbestanden\b|\bliefen\b[^.;!?\n]{0,20}\bdurch\b))",
        ),
        (_K.TESTS, r"\balles (?:ist )?grün\b"),
        (
            _K.TESTS,
            rf"\b(?:{TEST_TOOLS})\b"
            + GAP
            + r"(?:grün|durch\b|erfolgreich|fehlerfrei|ohne fehler|bestanden)",
        ),
        (
            _K.LINT,
            rf"\b(?:linter|lint|linting|{LINTERS})\b"
            + GAP
            + r"(?:sauber|ohne (?:warnung|fehler|befund|beanstandung)\w*|grün"
            r"|fehlerfrei"
            r"|(?:meldet|findet|zeigt) (?:keine?n?|nichts)\w*(?: \w+)?"
            r"|hat nichts (?:auszusetzen|zu beanstanden))",
        ),
        (
            _K.FORMAT,
            rf"\b(?:formatierer|{FORMATTERS})\b"
            + GAP
            + r"(?:sauber|zufrieden|hat nichts (?:auszusetzen|zu beanstanden)"
            r"|(?:meldet|findet) (?:keine?n?|nichts)\w*(?: \w+)?)",
        ),
        (
            _K.TYPECHECK,
            rf"\b(?:typprüfung|typcheck|typen|type-?check|{TYPE_CHECKERS})\b"
            + GAP
            + r"(?:sauber|ohne fehler|fehlerfrei|grün|erfolgreich|durch|besteht)",
        ),
        (
            _K.BUILD,
            rf"\b(?:(?:docker-?)?build|kompilierung|projekt|übersetzung|\w*image"
            rf"|{BUILDERS})\b"
            + GAP
            + r"(?:sauber|ohne fehler|fehlerfrei|grün|erfolgreich|durch"
            r"|kompiliert|baut|gebaut)",
        ),
        (
            _K.RUN,
            r"\ue000[^.;!?\n\ue000]{0,40}(?:\b(?:läuft|lief|laufen|liefen)\b"
            r"[^.;!?\n]{0,60}\bdurch\b|\bohne (?:fehler|befund)|\bfehlerfrei\b"
            r"|\bergibt \d+)",
        ),
        (
            _K.RUN,
            r"\b(?:migration(?:en)?|skript|deployment|container|server)\b"
            + GAP
            + r"(?:fehlerfrei|erfolgreich|ohne (?:fehler|probleme)|sauber)",
        ),
    ),
)
