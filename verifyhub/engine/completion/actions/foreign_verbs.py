"""Verbs of other languages that no list of deeds has.

A participle of the perfect, said by the agent of itself or of what the reader has, is a
deed unless it is one of those that change nothing. Those are listed; deeds need not be.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from verifyhub.engine.completion.languages.model import alternation
from verifyhub.engine.lazily import cached_property


@dataclass(frozen=True)
class OpenVerbs:
    """How an unlisted verb is read in a language.

    `own` is a first person with its participle, `passive` what was done to a thing;
    each has the group `verb`. `nothing` are verbs that find out, say, plan or befall;
    with `by_beginning` whatever begins so is one. `recent` has an infinitive, as in "je
    viens d'annuler"; `endings` are those of an infinitive and of its participle. `past`
    and `past_passive` have a simple past, as in "te reservé" and "se inició"; its
    participle follows from `past_endings`, or stands in `irregular`.
    """

    own: str
    passive: str
    nothing: str
    by_beginning: bool = False
    recent: str = r"(?!)(?P<verb>)"
    endings: tuple[str, str] = ("", "")
    past: str = r"(?!)(?P<verb>)"
    past_passive: str = r"(?!)(?P<verb>)"
    past_endings: tuple[tuple[str, str], ...] = ()
    irregular: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def patterns(self) -> tuple[tuple[re.Pattern[str], bool], ...]:
        """What the agent says it did, and what was done; whether it says I."""
        own = (self.own, self.recent, self.past)
        return (
            *((re.compile(pattern), True) for pattern in own),
            (re.compile(self.passive), False),
            (re.compile(self.past_passive), False),
        )

    @cached_property
    def _nothing(self) -> re.Pattern[str]:
        rest = r"\w*" if self.by_beginning else ""
        return re.compile(f"(?:{alternation(self.nothing.split())}){rest}")

    def is_simple_past(self, match: re.Match[str]) -> bool:
        """Whether a deed is told in the simple past, by which other words end too."""
        return match.re.pattern in {self.past, self.past_passive}

    def participle(self, verb: str) -> str:
        """Return the participle of a verb in the infinitive or the simple past."""
        if verb in self.irregular:
            return self.irregular[verb]
        for ending, participle in self.past_endings:
            if verb.endswith(ending):
                return verb.removesuffix(ending) + participle
        ending, participle = self.endings
        is_infinitive = bool(ending) and verb.endswith(ending)
        return verb.removesuffix(ending) + participle if is_infinitive else verb

    def matches(self, text: str) -> Iterator[tuple[re.Match[str], bool]]:
        """Yield each deed of a sentence in lower case, and whether the agent says I."""
        for pattern, is_own in self.patterns:
            for match in pattern.finditer(text):
                verb = self.participle(match["verb"]).removesuffix("é")
                if not self._nothing.fullmatch(verb):
                    yield match, is_own


_LEAD = r"(?:[^.;:!?\n]|\.(?=\d)|(?<=\d)[.:]){0,120}?\s"
_END = r"(?=\W*(?:$|[.,;:!)–—]|(?:und|sowie|aber|wie)\b))"
_GERMAN_PARTICIPLE = (
    r"(?P<verb>(?:(?:[a-zäöüß]{2,12}ge|ge|be|ver|ent|er|zer|über|um|unter|durch"
    r"|wider)[a-zäöüß]{2,20}(?:t|en)|[a-zäöüß]{3,20}iert))(?!\w)"
)
GERMAN = OpenVerbs(
    own=(
        r"\b(?:ich habe|habe ich|wir haben|haben wir)"
        rf"{_LEAD}{_GERMAN_PARTICIPLE}{_END}"
    ),
    passive=(
        r"\b(?:wurden?|(?:ist|sind)(?=[^.;!?\n]{0,140}\sworden\b))"
        rf"{_LEAD}{_GERMAN_PARTICIPLE}(?: worden)?{_END}"
    ),
    nothing="""
        gefunden gesehen nachgesehen angesehen eingesehen angeschaut nachgeschaut
        geschaut geprüft überprüft nachgeprüft gecheckt geguckt gesucht nachgeschlagen
        recherchiert verstanden bemerkt gemerkt festgestellt gelesen durchgelesen
        nachgelesen erhalten bekommen gehabt gewesen geworden versucht erwähnt erklärt
        erläutert
        entschuldigt identifiziert ermittelt abgerufen abgefragt abgeglichen aufgerufen
        verglichen zusammengefasst zusammengestellt aufgelistet aufgeführt angezeigt
        gezeigt genannt benannt beschrieben gedacht nachgedacht geglaubt gehofft
        empfohlen vorgeschlagen angeboten gebeten gefragt nachgefragt gesagt gehört
        geklärt bestätigt geplant beabsichtigt berechnet ausgerechnet nachgerechnet
        kalkuliert verifiziert validiert analysiert ausgewählt ausgesucht entschieden
        berücksichtigt beachtet verpasst vergessen geirrt verwechselt übersehen gemeint
        besprochen abgesprochen begonnen angefangen gewartet geholfen gefreut gearbeitet
        gewonnen verloren geliefert zugestellt verspätet eingetroffen abgelaufen
        angekommen gelandet beschädigt gestohlen verdient erreicht überschritten
        verbraucht genutzt verwendet benutzt gewählt gewünscht benötigt gebraucht bemüht
        erkannt entdeckt aufgefallen untersucht durchsucht durchgesehen eingegangen
        empfangen unterhalten verstoßen erfüllt beantwortet betroffen verbunden
        gesprochen mitbekommen erfahren vermutet erwartet geschätzt gewusst bekannt
        entnommen verfügt gehalten geblieben gegeben gemacht getan gebracht genommen
        unterbrochen entstanden erfolgt entsprochen verhindert begründet ergeben
        errechnet verlangt gefordert
    """,
)
_FRENCH_ADVERBS = (
    r"(?:(?:bien|donc|également|aussi|désormais|maintenant|tout|immédiatement|déjà"
    r"|ensuite|enfin|alors|[a-zéèê]{3,15}ment)\s+){0,3}"
)
_FRENCH_PARTICIPLE = (
    r"(?=[\w-]{4})(?P<verb>[a-zàâçéèêëîïôûùœ-]{0,24}?(?:é|(?:mis|pris|duit|clus|clu|scrit|vert|ffert"
    r"|rendu|vendu|pendu|tendu|scindu|tenu|bli|parti|pli|rni|verti|struit|rompu|solu"
    r"|joint|teint|fait|quis|reçu|grandi|rci|franchi|ffranchi|saisi|garanti|aisi)))"
    r"e?s?(?![\w’'-])"
)
FRENCH = OpenVerbs(
    endings=("er", "é"),
    recent=(
        r"\b(?:je viens|nous venons) d(?:e |['’])(?:vous |l['’]|les |le |la |lui )?"
        r"(?P<verb>[a-zéèêàçïû]{2,20}er)\b"
    ),
    own=(
        r"(?:\bj['’](?:y )?ai|\bje (?:(?:l|vous|vous l|les|la|le|lui)['’ ] ?)ai"
        r"|\bje (?:vous )?(?:les |lui )?ai|\bnous (?:vous |l['’])?avons)\s+"
        rf"{_FRENCH_ADVERBS}{_FRENCH_PARTICIPLE}"
    ),
    passive=(
        rf"\b(?:a|ont|avez) {_FRENCH_ADVERBS}été\s+"
        rf"{_FRENCH_ADVERBS}{_FRENCH_PARTICIPLE}"
    ),
    nothing="""
        trouv retrouv vérifi contrôl consult regard recherch cherch examin analys étudi
        constat remarqu essay tent mentionn expliqu excus identifi localis récupér
        compar calcul détermin résum list indiqu précis propos suggér recommand pens
        espér appréci affich montr présent choisi sélectionn décid gard conserv oubli
        confond manqu commenc arrêt aid livr arriv endommag vol gagn dépass utilis
        consomm souhait situ dat bas bass concern évalu estim détect parl discut abord
        confirm été not lu reçu compris appris repér relu passé contact
        rencontr tromp rappel déclar observ parcour explor valid entendu fait pris
    """,
)
_SPANISH_PARTICIPLE = (
    r"(?P<verb>[a-záéíñóúü]{2,24}(?:ad|id|íd)|hech|puest|[a-z]{0,8}puest|abiert"
    r"|[a-z]{0,8}scrit|[a-z]{0,6}vuelt|[a-z]{0,4}suelt|cubiert|impres|rot)[oa]s?(?!\w)"
)
_SPANISH_ADVERB = r"ya|también|además|ahora|[a-záéíóú]{3,15}mente"
_SPANISH_ADVERBS = rf"(?:(?:{_SPANISH_ADVERB})\s+){{0,3}}"
# "Te reservé una mesa", "Además, ya lo añadí": at the head of a clause.
_SPANISH_HEAD = (
    r"(?:^|[.;:,!¡(—–]|\b(?:y|pero))\W*"
    rf"(?:(?:{_SPANISH_ADVERB}|luego|después)\s+){{0,3}}"
    r"(?:(?:te|les?|se|l[ao]s?|os|me)\s+){0,2}"
)
SPANISH = OpenVerbs(
    past=rf"{_SPANISH_HEAD}(?P<verb>[a-zñáéíóú]{{2,20}}[éí]|hice|puse)(?!\w)",
    past_passive=(
        r"\bse (?:l[aeo]s? |te |os )?"
        r"(?P<verb>[a-zñáéíóú]{2,20}(?:ó|aron|ieron)|hizo|hicieron)(?!\w)"
    ),
    past_endings=(
        ("ició", "iciad"),
        ("vió", "viad"),
        ("mbió", "mbiad"),
        ("ció", "ciad"),
        ("dió", "did"),
        ("tió", "tid"),
        ("bió", "bid"),
        ("ieron", "id"),
        ("aron", "ad"),
        ("ó", "ad"),
        ("qué", "cad"),
        ("gué", "gad"),
        ("cé", "zad"),
        ("é", "ad"),
        ("í", "id"),
    ),
    irregular={
        "hice": "hech",
        "hizo": "hech",
        "hicieron": "hech",
        "puse": "puest",
        "abrí": "abiert",
        "abrió": "abiert",
        "devolví": "devuelt",
        "escribí": "escrit",
        "devolvió": "devuelt",
        "resolví": "resuelt",
        "resolvió": "resuelt",
        "inscribí": "inscrit",
        "inscribió": "inscrit",
        "pidió": "pedid",
    },
    endings=("r", "d"),
    recent=(
        r"\bacab(?:o|amos) de (?P<verb>[a-zñ]{2,20}[aei]r)"
        r"(?:[mts]e|les?|l[ao]s?){0,2}\b"
    ),
    own=rf"\b(?:he|hemos)\s+{_SPANISH_ADVERBS}{_SPANISH_PARTICIPLE}",
    passive=(
        rf"\b(?:se (?:l[aeo]s? |te |os )?han?|ha sido|han sido|fue|fueron"
        rf"|quedan?|quedó|quedaron|ha quedado|han quedado)\s+{_SPANISH_ADVERBS}"
        rf"{_SPANISH_PARTICIPLE}"
    ),
    nothing="""
        leíd leid sabid podid debid tenid sid estad habid encontrad hallad comprobad
        verificad revisad consultad buscad mirad examinad analizad entendid comprendid
        constatad notad observad recibid intentad tratad querid necesitad preguntad
        mencionad explicad disculpad identificad localizad recuperad comparad calculad
        determinad resumid listad indicad facilitad proporcionad propuest sugerid
        recomendad pensad creíd esperad mostrad elegid seleccionad decidid mantenid
        conservad olvidad confundid perdid empezad comenzad parad ayudad entregad llegad
        salid caducad vencid dañad robad ganad alcanzad superad usad utilizad consumid
        desead situad detectad descubiert hablad respondid contestad quedad tomad
        confirmad obtenid equivocad acordad seguid venid evaluad estimad echad dad
        valorad validad reunid expirad producid ocurrid pasad descrit escuchad sentid
        supuest previst considerad comentad
    """,
)
_RUSSIAN_PARTICIPLE = (
    r"(?!(?:за|с|от|из|об|раз)?мен[аыу]?(?!\w)|цен[аыу](?!\w)|смены)"
    r"(?P<verb>[а-яё]{3,24}?(?:ен|ён|ан|ян|ыт|ят|ут|ит))[аоы]?(?!\w)"
)
_RUSSIAN_PAST = r"(?P<verb>[а-яё]{1,24}[аеиоуыяё])(?:л|ла|ли)(?!\w)"
RUSSIAN = OpenVerbs(
    own=(
        r"(?<!\w)(?:(?:я|мы)\s(?:[а-яё]{2,20}\s){0,3}?|^\W*(?:готово\W+)?"
        r"(?=[а-яё]+л[аи]? [^.;]{0,40}\bва[мсш]))"
        rf"{_RUSSIAN_PAST}"
    ),
    passive=rf"(?<!\w){_RUSSIAN_PARTICIPLE}",
    by_beginning=True,
    nothing="""
        мину
        наш увиде виде смотре посмотре провер просмотре изуч прочита чита поня замет
        получ пробова попробова пыта хоте спроси сказа упомяну объясн извин определ
        уточн сравн посчита рассчита подсчита перечисл указа предлож совет посовет
        рекоменд дума реши показа приве привё выбра подобра остави оставле забы
        перепута ошиб нача жда помог достав прибы потеря использова мог смог был бы ста
        учё учл убеди обнаруж выясн узна подтвержд подтверд найд описа рассмотре
        доступ нуж долж возмож обяза связа располож предусмотре запрещ огранич извест
        основа принят задержа повреж заня знач обсуди говори отвеча ответи приш
        поиск слыша ждё времен экран магазин ресторан
        план стран рекламн пассажир роман карман диван соглас уверен готов сохран
        разреш просроч списан стакан стран устан причин начин един один господин
        телефон день пон сторон момент клиент размен отправлен дан жела ознаком
        прослежен истек истёк пришл приш закончи оконч случи произош
    """,
)
