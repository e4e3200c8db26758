"""Words for numbers, months and weekdays in five languages."""

import re

_SMALL = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать"
    " двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать"
    " восемнадцать девятнадцать двадцать",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize"
    " quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn"
    " vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece"
    " catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
}
# Articles in their language, and so no numbers; `once` is eleven in Spanish alone.
ARTICLES = frozenset({"one", "un", "один", "eins", "uno"})
TENS = {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "тридцать": 30, "сорок": 40, "пятьдесят": 50, "шестьдесят": 60,
    "семьдесят": 70, "восемьдесят": 80, "девяносто": 90, "trente": 30, "quarante": 40,
    "cinquante": 50, "soixante": 60, "dreißig": 30, "vierzig": 40, "fünfzig": 50,
    "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90, "treinta": 30,
    "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90, "dozen": 12, "dutzend": 12, "дюжина": 12, "douzaine": 12,
    "docena": 12, "hundred": 100, "сто": 100, "cent": 100, "hundert": 100, "cien": 100,
}  # fmt: skip
FACTORS = {
    "hundred": 100, "hundert": 100, "cents": 100, "k": 1e3, "thousand": 1e3,
    "thousands": 1e3, "тысяча": 1e3, "тысячи": 1e3, "тысяч": 1e3, "тыс": 1e3,
    "mille": 1e3, "milliers": 1e3, "tausend": 1e3, "mil": 1e3, "m": 1e6, "mn": 1e6,
    "million": 1e6, "millions": 1e6, "миллион": 1e6, "миллиона": 1e6,
    "миллионов": 1e6, "млн": 1e6, "millionen": 1e6, "mio": 1e6, "millón": 1e6,
    "millones": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "billions": 1e9,
    "миллиард": 1e9, "миллиарда": 1e9, "миллиардов": 1e9, "млрд": 1e9,
    "milliard": 1e9, "milliards": 1e9, "milliarde": 1e9, "milliarden": 1e9,
    "mrd": 1e9, "trillion": 1e12, "trillions": 1e12, "триллион": 1e12,
}  # fmt: skip
_MONTHS = {
    "en": "january february march april may june july august september october"
    " november december",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября"
    " декабря",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre"
    " décembre",
    "de": "januar februar märz april mai juni juli august september oktober november"
    " dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre"
    " noviembre diciembre",
}
_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec"
MONTH = {
    name: number
    for names in (*_MONTHS.values(), _SHORT)
    for number, name in enumerate(names.split(), 1)
} | {"sept": 9, "январь": 1, "февраль": 2, "март": 3, "апрель": 4, "май": 5,
     "июнь": 6, "июль": 7, "август": 8, "сентябрь": 9, "октябрь": 10, "ноябрь": 11,
     "декабрь": 12, "jänner": 1}  # fmt: skip

_WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "ru": "понедельник вторник среду четверг пятницу субботу воскресенье",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
# From 0 for Monday.
WEEKDAY = {
    name: number
    for names in _WEEKDAYS.values()
    for number, name in enumerate(names.split())
} | {"среда": 2, "пятница": 4, "суббота": 5, "понедельника": 0, "вторника": 1,
     "среды": 2, "четверга": 3, "пятницы": 4, "субботы": 5, "воскресенья": 6,
     "sonnabend": 5}  # fmt: skip
MONTH_PATTERN = "|".join(sorted(map(re.escape, MONTH), key=len, reverse=True))

SMALL_NUMBERS = {
    language: {word: float(number) for number, word in enumerate(words.split())}
    for language, words in _SMALL.items()
}
