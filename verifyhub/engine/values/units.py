"""Words for currencies, units of time and measure, and parts of a day."""

from verifyhub.engine.text.quantity_words import FACTORS
from verifyhub.engine.text.tokens import word_set


def _table(rows: str) -> dict[str, str]:
    """Read rows of a code and its words."""
    return {
        word.casefold(): code
        for code, *words in map(str.split, rows.strip().splitlines())
        for word in words
    }


# A code of ISO 4217 with the signs and words that people use for it.
CURRENCY = _table(
    """
    USD $ us$ usd dollar dollars доллар доллара долларов dólar dólares
    /100 cent cents ct céntimos centimes копеек копейки копейка копеек
    AUD a$ au$ aud
    CAD c$ ca$ cad
    EUR € eur euro euros евро
    GBP £ gbp pound pounds фунт фунтов livre livres pfund libra libras
    JPY ¥ jpy yen иен йен
    CNY cny yuan юаней
    RUB ₽ rub руб рубль рубля рублей ruble rubles rouble roubles
    INR ₹ inr rupee rupees
    CHF chf franken
    SEK sek
    NOK nok
    DKK dkk
    PLN pln zł
    BRL brl
    MXN mxn pesos
    KRW krw
    CZK czk kč
    TRY ₺ try
    UAH ₴ uah гривен
    NZD nz$ nzd
    HKD hk$ hkd
    SGD s$ sgd
    ZAR zar
    AED aed dirhams
    ILS ₪ ils
    """
)
# What a hundred of make one of any currency.
MINOR = "/100"

# What a unit counts in, and how much of it: seconds, months, nights.
TIME_UNIT: dict[str, tuple[str, float]] = {
    word: (group, factor)
    for group, factor, words in (
        ("s", 1.0, "second seconds sec secs секунда секунды секунд seconde secondes"
         " sekunde sekunden segundo segundos"),
        ("s", 60.0, "minute minutes min mins минута минуты минут minuten minuto"
         " minutos"),
        ("s", 3600.0, "hour hours hr hrs h час часа часов heure heures stunde stunden"
         " hora horas"),
        ("s", 86400.0, "day days день дня дней jour jours tag tage tagen día días"),
        ("s", 604800.0, "week weeks неделя недели недель semaine semaines woche"
         " wochen semana semanas"),
        ("month", 1.0, "month months месяц месяца месяцев mois monat monate monaten mes"
         " meses"),
        ("month", 12.0, "year years yr yrs год года лет an ans année années jahr jahre"
         " jahren año años"),
        ("night", 1.0, "night nights ночь ночи ночей nuit nuits nacht nächte noche"
         " noches"),
    )
    for word in words.split()
}  # fmt: skip
# Between a number and a unit: days that count only in part, and words that add nothing.
BUSINESS = word_set(
    """
    business working рабочих рабочие рабочий ouvrables ouvrés hábiles laborables
    werktage werktagen
    """
)
FILLERS = word_set(
    """
    calendar full more additional extra consecutive whole
    """
)

# Behind a time: the half of the day.
DAY_PART = {
    part.replace("_", " "): half
    for half, parts in (
        ("am", "in_the_morning утра du_matin morgens de_la_mañana"),
        ("pm", "in_the_afternoon in_the_evening at_night дня вечера"
         " de_l'après-midi du_soir nachmittags abends de_la_tarde de_la_noche"),
    )
    for part in parts.split()
}  # fmt: skip

# Days that are told from the day of the talk, in one word or two.
RELATIVE_DAYS = word_set(
    """
    today tonight tomorrow yesterday сегодня завтра вчера послезавтра aujourd'hui
    demain hier heute morgen gestern übermorgen hoy mañana ayer
    """
)
STREETS = word_set(
    """
    street st avenue ave road rd drive dr lane ln boulevard blvd court ct way place
    plaza square terrace circle parkway pkwy highway hwy alley broadway trail
    rue boulevard chemin allée quai impasse cours
    """
)

# Units that are told from words by their capitals; a number before one is measured.
MEASURES = word_set(
    """
    tsp tbsp cup cups bpm m² m2 km² ft² sqft sqm l cl dl kcal kJ kW MW MWh mAh Ah A px
    dpi rpm psi bar hPa mph kph mmHg ppm dB IU mcg µg t tons tonnes Kbit Mbit Gbit
    MP KB MB GB TB PB kB MiB GiB Kbps Mbps Gbps mbps kg g mg lb lbs oz km m cm mm mi
    miles mile ft feet inch inches ml L kWh W V Hz kHz MHz GHz °C °F ° degrees degree
    """
)
DEGREES = word_set("°C °F ° degrees degree")
TEMPERATURE = word_set("temperature temp temperatur température temperatura")
SHARES = word_set("humidity humedad humidité luftfeuchtigkeit chance probability")
NO_SHARES = TEMPERATURE | word_set("wind gust gusts pressure uv")
SPEEDS = word_set("mph miles km kilometers kilometres knots kph millas meilen")
# What else is told of the weather, in units of its own.
WEATHER = word_set(
    "humidity precipitation rain wind pressure uv chance clouds cloudiness"
)
PERCENT = frozenset(
    ["percent", "percents", "процент", "процента", "процентов", "prozent"]
)
# The factors that stand behind digits; of the others some are units, as `m` is.
SCALES = {
    word: FACTORS[word]
    for word in word_set(
        """
        k thousand тыс тысяч mille tausend mil million millions млн millionen mio
        millones bn billion milliarden млрд
        """
    )
}

# Units by what they measure, each with how much of the first it is.
_SCALED = {
    "m": {"m": 1.0, "km": 1e3, "cm": 1e-2, "mm": 1e-3},
    "g": {"g": 1.0, "kg": 1e3, "mg": 1e-3, "t": 1e6},
    "l": {"l": 1.0, "L": 1.0, "ml": 1e-3, "cl": 1e-2, "dl": 1e-1},
    "Wh": {"Wh": 1.0, "kWh": 1e3, "MWh": 1e6},
    "W": {"W": 1.0, "kW": 1e3, "MW": 1e6},
    "MB": {"kB": 1e-3, "KB": 1e-3, "MB": 1.0, "GB": 1e3, "TB": 1e6, "PB": 1e9},
    "Mbps": {"Kbps": 1e-3, "Mbps": 1.0, "mbps": 1.0, "Gbps": 1e3},
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
}
# A unit, what it measures and its scale; a key has it in lower case.
SCALED = {
    unit: (base, scale)
    for base, units in _SCALED.items()
    for unit, scale in units.items()
}
KEY_SCALED = {unit.lower(): place for unit, place in SCALED.items()}
KEY_SCALED |= {
    word: SCALED[unit]
    for unit, words in (
        ("g", "gram grams"), ("kg", "kilogram kilograms"), ("m", "meters metres"),
        ("km", "kilometers kilometres"), ("l", "liters litres"),
    )
    for word in words.split()
}  # fmt: skip
# Words of a key that say in what a time is counted, beside those of `TIME_UNIT`.
KEY_TIMES = {"s": "second", "ms": "", "d": "day", "mins": "minute", "dias": "day"}
# Units as the last word of a key, each of which excludes the others.
KEY_UNITS = frozenset(KEY_SCALED) | word_set("lb lbs oz mi miles ft mph kph")
