"""Words of risky topics in five languages, without accents.

Source: E6, source 004, mended: its `\\b(diagnos|prescri|medic)\\b` asks for whole
words that nobody writes, so here a stem is the beginning of a word. Words that mean
something else at least as often (`traitement`, `Behandlung`, `tratamiento`) are left
out: the model is asked where no rule speaks.
"""

import unicodedata
from dataclasses import dataclass

from verifyhub.engine.layer_results import RiskLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic that makes a text risky.

    Attributes:
        name: A stable name, listed among the factors of a risk.
        level: The risk that it gives a text.
        stems: Beginnings of words.
        words: Whole words.
        phrases: Words that follow each other, with anything between them.
    """

    name: str
    level: RiskLevel
    stems: frozenset[str]
    words: frozenset[str]
    phrases: tuple[tuple[str, ...], ...] = ()


def folded(text: str) -> str:
    """Return a text without case and accents, as the words here are compared."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _set(words: str) -> frozenset[str]:
    return frozenset(folded(words).split())


def _phrases(rows: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.split()) for row in rows.split(","))


# Beginnings that a stem must not be taken for.
EXCEPTIONS = ("investig", "secretar", "секретар", "gesetzt")

MEDICAL = Topic(
    name="medical",
    level=RiskLevel.CRITICAL,
    stems=_set(
        """
        diagnos prescri medic dosage dosing overdos therap symptom surger surgic
        antibiotic vaccin insulin chemotherap ibuprofen paracetamol aspirin opioid
        диагно лечени лекарств медиц дозировк симптом терапи хирург антибиотик вакцин
        таблетк инсулин posolog symptom chirurg antibiotiq maladie verschreib mediz
        medik arznei dosier antibiot krankheit prescrip dosific sintoma cirug vacun
        terap enfermedad
        """
    ),
    words=_set(
        """
        dose doses treatment treatments доза дозу дозы дозе дозой врач врача врачу
        ordonnance dosis arzt arzte impfung impfungen
        """
    ),
)
LEGAL = Topic(
    name="legal",
    level=RiskLevel.CRITICAL,
    stems=_set(
        """
        lawsuit liabilit statut attorney lawyer litigat plaintiff subpoena юридич
        адвокат юрист судебн законодат уголовн прокурор juridi tribuna litig rechtsanw
        rechtsberat juristi haftung strafrecht gesetz abogad pleito
        """
    ),
    words=_set(
        """
        liable defendant defendants иск иска иску иски исков суд суда суде avocat
        avocate avocats proces plainte penal penale anwalt anwalte anwaltin klage
        klagen gericht
        """
    ),
    phrases=_phrases(
        "legal advice, conseil juridique, responsabilite civile, asesoria legal, "
        "responsabilidad civil"
    ),
)
FINANCIAL = Topic(
    name="financial",
    level=RiskLevel.CRITICAL,
    stems=_set(
        """
        invest mortgag dividend cryptocurrenc bitcoin инвест ипотек дивиденд облигац
        пенси hypothequ aktie geldanlag hypothek rentenversicherung anlageberat
        inversor hipotec accionist
        """
    ),
    words=_set(
        """
        stock stocks portfolio portfolios loan loans pension pensions акция акции
        акций акциях портфель портфеля кредит кредита кредиту bourse portefeuille
        retraite retraites inversiones
        """
    ),
    phrases=_phrases(
        "financial advice, interest rate, conseil financier, bolsa de valores, "
        "asesoria financiera"
    ),
)
COMMANDS = Topic(
    name="commands",
    level=RiskLevel.HIGH,
    stems=frozenset({"mkfs"}),
    words=frozenset({"sudo", "chmod", "chown", "exec", "eval", "iex"}),
    phrases=_phrases(
        "rm rf, rm fr, rm r, rm f, dd if, kill 9, drop table, drop database, "
        "truncate table, git push force, git push f, git reset hard, git clean fd, "
        "remove item recurse, remove item force, invoke expression, shutdown h, "
        "shutdown r, shutdown now"
    ),
)
SECRETS = Topic(
    name="secrets",
    level=RiskLevel.HIGH,
    stems=_set(
        """
        password passwd passphras secret credential apikey парол секрет passw kennwort
        zugangsdat geheimnis contrasen credencial
        """
    ),
    words=frozenset(),
    phrases=_phrases(
        "api key, api keys, access key, private key, учетные данные, закрытыи ключ, "
        "закрытого ключа, mot de passe, mots de passe, cle privee, cle api, "
        "privater schlussel, clave privada, clave api"
    ),
)
# The most severe first: the first topic that matches gives the text's level.
TOPICS = (MEDICAL, LEGAL, FINANCIAL, COMMANDS, SECRETS)
# After a number they make a dose of it.
DOSE_UNITS = frozenset({"mg", "mcg", "мг", "мкг"})
