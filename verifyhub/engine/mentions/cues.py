"""Wordings, in five languages, after which a name does not have to exist.

Each language has: openings of a proposal and verbs of creating, both of which are
necessary ("you can see" proposes nothing); orders to create something; openings of a
supposition; denials before and after a name. Every expression is applied to one clause
only, with a limited reach.
"""

import re

import re2

from verifyhub.engine.text.tokens import encodable

# A proposal: an opening and, within reach, a verb of creating.
_MAKING = (
    # English: never the past tense, which reports facts.
    r"(?:add(?:ing)?|creat(?:e|ing)|introduc(?:e|ing)|writ(?:e|ing)|extract(?:ing)?"
    r"|implement(?:ing)?|defin(?:e|ing)|generat(?:e|ing)|build(?:ing)?|scaffold(?:ing)?"
    r"|set(?:ting)? up|provid(?:e|ing)|split(?:ting)?|mov(?:e|ing)|renam(?:e|ing)"
    r"|replac(?:e|ing)|put(?:ting)?|mak(?:e|ing)|hav(?:e|ing)|call(?:ing)? it"
    r"|nam(?:e|ing) it|us(?:e|ing) a|wrap(?:ping)?|expos(?:e|ing)"
    r"|(?:pull|carv|factor|break|spin|drop|split)(?:e|ing)? [^\n]{0,40}?(?:out|into)"
    r"|live in"
    r"|an? (?:new|separate|dedicated|small|thin)"
    # Russian
    r"|(?:созда|добав|вынес|вынос|завес|завед|напис|напиш|реализ|введ|ввест|ввод|сгенер"
    r"|сдела|перенес|разби|выдел|определ|внедр|полож|помест|переимен|добавл)\w{0,8}"
    # French: infinitive, present, future and subjunctive, but not the participle.
    r"|(?:cr[ée]{1,2}(?:er|ez|erai|erons|e|ons|era)|ajout(?:er|ez|erai|erons|e|ons|era)"
    r"|écri(?:re|vez|rai|rons|ve|vons)|introdui(?:re|sez|rai|se)|extrai(?:re|rai|ez|e)"
    r"|implément(?:er|ez|erai|e)|génér(?:er|ez|erai|e)|défini(?:r|ssez|rai|sse)"
    r"|déplac(?:er|ez|erai|e)|renomm(?:er|ez|erai|e)|mett(?:re|ez|e|rai)"
    r"|scind(?:er|ez|erai|e)|sépar(?:er|ez|erai|e))"
    # German
    r"|(?:anleg|anzuleg|erstell|zu erstell|hinzu(?:zu)?füg|schreib|einführ|einzuführ"
    r"|auslager|auszulager|implementier|erzeug|ergänz|definier|verschieb|umbenenn"
    r"|aufteil|generier|einricht)(?:e|en|n|st|t)?"
    # Spanish
    r"|(?:crea|añad|agrega|agreg|escrib|introdu[cz]|extra[ei]|implementa?|genera?|defin"
    r"|mover?|mueva|poner|ponga|renombra?|separa?|cre)"
    r"(?:r|e|a|é|á|ir|er|ar|emos|amos|iré|eré|aré|ría|ga|és|gue|guemos|mos)?)"
)
_OPENS = (
    r"(?:I(?:['’](?:ll|d))?|we(?:['’](?:ll|d))?)"
    r" (?:\w+ )?(?:will|would|could|can|might|may|should|shall|plan|intend|propose"
    r"|suggest|recommend|need|want|have to|am going)"
    r"|I['’](?:ll|d)|we['’](?:ll|d)|I['’]m going to|we['’]re going to"
    r"|you (?:can|could|should|may|might|would|will|need|must|want)|would you like"
    r"|(?:do you )?want me|shall (?:I|we)|should (?:I|we)|let me|let['’]s|going to"
    r"|plan(?:s|ned|ning)? to|propos\w{0,4}|suggest\w{0,4}|recommend\w{0,6}|consider"
    r"|could|should|would|might|must|needs? to|next steps?|options?|ideally"
    r"|if you (?:agree|want|like|prefer)|happy to|better to|cleaner|worth|how about"
    r"|what about|feel free|the plan is|love to"
    r"|буду|будем|предлага\w+|рекоменд\w+|совет\w+|можно|стоит|следует|нужно|надо"
    r"|план\w+|хотите|хочешь|давайте|давай|могу|бы|можете|можем|следующ\w+ шаг\w*"
    r"|необходимо|имеет смысл|было бы|неплохо|затем|потом"
    r"|je vais|nous allons|on va|on pourrait|je pourrais|vous pou[rv]\w+|tu p[eo]u\w+"
    r"|il faud\w+|il faut|je propose|je suggère|je recommande|voulez-vous|veux-tu"
    r"|souhait\w+|prochaines? étapes?|il serait|ce serait|ensuite|on peut envisager"
    r"|je peux|nous pourrions|on peut"
    r"|ich werde|wir werden|ich würde|ich könnte|ich kann|wir könnten|man könnte"
    r"|man sollte|du könntest|sie könnten|du solltest|sie sollten|du kannst|sie können"
    r"|soll ich|sollen wir|möchtest du|möchten sie|willst du|ich schlage|vorschlag"
    r"|ich empfehle|empfehlung|nächste[rn]? schritt\w*|als nächstes|wir sollten"
    r"|es wäre|danach|dann"
    r"|voy a|vamos a|podríamos|podría|se podría|podrías|puedes|puede|puedo|propongo"
    r"|sugiero|recomiendo|quieres que|quiere que|habría que|hay que|deber[ií]a\w*"
    r"|conviene|sería|luego|después|(?:siguiente|próximo) paso"
)
_FUTURE = (
    r"созда(?:м|дим)|добав(?:лю|им)|напиш(?:у|ем)|вынес(?:у|ем)|завед(?:у|ём|ем)"
    r"|сдела(?:ю|ем)|реализу(?:ю|ем)|перенес(?:у|ём|ем)|предлагаю|планирую"
    r"|(?:créer|ajouter|écrir|implémenter|générer)(?:ai|ons)"
    r"|(?:crear|añadir|agregar|escribir|implementar|generar)(?:é|emos)|propongo"
)
PROPOSED = re.compile(
    rf"(?i)\b(?:{_OPENS})\b[^\n]{{0,80}}?\b{_MAKING}\b"
    r"|\b(?:can|could|should|might|may|would|will|must) (?:then |also )?be"
    r" (?:added|created|introduced|written|extracted|implemented|moved|split|named"
    r"|called|replaced)\b"
    rf"|\b(?:{_FUTURE})\b"
)
# In German, the verb follows the name.
OPENED = re.compile(rf"(?i)\b(?:{_OPENS})\b")
MADE_AFTER = re.compile(rf"(?i)^[^.!?\n]{{0,60}}?\b{_MAKING}\b")
ORDERED = re.compile(
    r"(?i)^[\s>*_\d.)#(\[-]{0,12}(?:(?:please|then|next|bitte|also|first|finally|now)"
    r"[, ]+)?(?:add|create|introduce|write|implement|define|generate|build|scaffold"
    r"|set up|extract|split|move|rename|put"
    r"|создать|создайте|добавить|добавьте|написать|напишите|вынести|вынесите|завести"
    r"|реализовать|реализуйте|перенести|перенесите|ввести"
    r"|créer|créez|ajouter|ajoutez|écrire|écrivez|implémenter|extraire"
    r"|legen sie|lege|erstellen|erstelle|füge|fügen sie|schreibe|schreiben sie|anlegen"
    r"|crear|crea|cree|añadir|añade|añada|agregar|agrega|agregue|escribe|escribir"
    r"|implementar)\b"
)

HYPOTHETICAL = re.compile(
    r"(?i)\b(?:such as|for example|e\.g\.|for instance|imagin(?:e|ing)|think of"
    r"|suppos(?:e|ing)|assum(?:e|ing)|hypothetical\w{0,3}|something like"
    r"|an? \w{1,20} like|say,|say you"
    r"|say there|let['’]s say|named like|placeholder|would look like"
    r"|if (?:you|it|we|they|the \w{1,20}|there) (?:had|were|was)"
    r"|if [^,\n]{1,40}? (?:add|create|introduce|rename)s?"
    r"|(?:could|might|may) be (?:named|called)|pretend|as if)(?=\W|$)"
    r"|\b(?:например|к примеру|допустим|предположим|представ(?:им|ьте|ь)|скажем|вроде"
    r"|если (?:бы|добав\w+|созда\w+|есть)|пусть|вообраз(?:им|ите)"
    r"|гипотетическ\w{1,4}|наподобие|типа|условн(?:ый|ого|ая))\b"
    r"|\b(?:par exemple|p\. ?ex|supposons|supposez|imaginons|imaginez|disons|mettons"
    r"|tel(?:le)?s? que|quelque chose comme|s['’]il y avait|si \w{1,20} avait"
    r"|hypothétique\w?|admettons|prenons|si [^,\n]{1,30}?(?:ajoute"
    r"|crée)\w{0,3})(?=\W|$)"
    r"|\b(?:zum beispiel|z\.\s?b\.|bspw|beispielsweise|angenommen|nehmen wir an"
    r"|stell(?:en sie sich| dir| euch)|gäbe es|gegeben sei(?:en)?|wenn es"
    r"|so etwas wie|wie etwa"
    r"|hypothetisch\w{0,2}"
    r"|etwa(?= \W| ein))(?=\W|$)"
    r"|\b(?:por ejemplo|p\. ?ej|supongamos|supón|imagina|imaginemos|digamos|algo como"
    r"|una? \w{1,20} como|tal(?:es)? como|si (?:hubiera|existiera|tuviera)"
    r"|hipotétic\w{1,3}|pongamos|si (?:añad|cre|agreg)\w+)(?=\W|$)"
)
# A past action is no supposition: "I added tests, for example in a.py".
REPORTED = re.compile(
    r"(?i)\b(?:added|created|updated|fixed|changed|edited|modified|wrote|moved|renamed"
    r"|removed|refactored|found|ran|read|implemented|introduced|extracted|deleted"
    r"|replaced|tested|verified|checked|reviewed"
    r"|(?:добав|созда|обнов|исправ|измен|написа|перенес|удали|провери|прочита"
    r"|запусти)\w*"
    r"(?:л|ла|ли|лся)|ajouté|créé|corrigé|modifié|écrit|supprimé|lu|testé|vérifié"
    r"|trouvé"
    r"|hinzugefügt|erstellt|geändert|behoben|geschrieben|gelöscht|gelesen|getestet"
    r"|geprüft|gefunden|añadido|añadí|creado|creé|corregido|corregí|modificado|escrito"
    r"|eliminado|leído|probado|verificado|encontré|agregué|agregado)\b"
)

_NOUN = (
    r"(?:(?:such |single |actual |real )?(?:file|class|function|package|module|method"
    r"|directory|folder|command|reference|mention|sign|trace|entry)s?"
    r"(?: named| called| to| of| for)?"
    r"|файл\w{0,2}|класс\w{0,2}|функци\w|модул\w|fichier|classe|fonction|module"
    r"|datei|klasse|funktion|archivo|clase|función|módulo|fichero)"
)
NEGATED_BEFORE = re.compile(
    r"(?i)(?:\bthere (?:is|are|was|were) (?:no|never an?)|\bthere (?:isn['’]t"
    r"|aren['’]t|wasn['’]t)"
    r"(?: any| an?)?"
    r"|(?<!doubt )\b(?:no|nor|neither|found no|nothing|none) ?(?:named|called|like)?"
    r"|\b(?:couldn['’]t|could not|can['’]t|cannot|didn['’]t|did not|unable to"
    r"|failed to)"
    r" (?:find|locate|see)(?: any| a| the)?"
    r"|\b(?:doesn['’]t|does not|don['’]t|do not|didn['’]t) (?:have|contain|include"
    r"|exist)(?: any| an?| the)?"
    r"|\b(?:lacks?|lacking)(?: any| an?| the)?|\bwithout (?:any|an?)|\bmissing(?: an?)?"
    r"|\bнет|\bне (?:нашёл|нашел|нашла|наш[её]л\w*|найден\w{0,2}|существует|было|имеет)"
    r"|\bне удалось найти|\bне вижу|\bтакого файла,? как|\bникак(?:ого|ой|их)"
    r"|\bни одного|\bотсутствует|\bне содержит"
    r"|\bil n['’](?:y a|existe) (?:pas|aucune?)(?: de| d['’])?|\baucune?"
    r"|\bje n['’]ai (?:pas|jamais) trouvé(?: de)?|\bn['’]a (?:pas|aucune?)(?: de"
    r"| d['’])?"
    r"|\bil manque(?: une?| le| la)?|\bne contient (?:pas|aucune?)(?: de)?"
    r"|\bsans aucune?|\bimpossible de trouver|\bne vois (?:pas|aucune?)(?: de)?"
    r"|\bkein(?:e[nrms]?)?|\bes gibt nicht|\bohne (?:eine?n?|jede)"
    r"|\bno (?:hay|existe|existía|encontré|encontramos|tiene|contiene|veo"
    r"|se encontró|se pudo encontrar|pude encontrar)"
    r"(?: una?| el| la| ningún)?|\bning(?:ún|una?|uno)|\bfaltan?(?: una?| el| la)?"
    r"|\bcarece de|\bsin ning(?:ún|una))"
    rf"\s+(?:{_NOUN}\s+(?:is |are |was |were |: ?)?)?[`*\"'“«(\[]*$"
)
_STOP = (
    r"(?=\s*(?:[.,;:!?)|]|$)|\s+(?:yet|here|anymore|at all|from|in|any|and|so|but)\b)"
)
NEGATED_AFTER = re.compile(
    r"(?i)^[`*\"')\]”»]*(?:\s+(?:file|class|function|package|module|method|folder))?"
    r"(?:\s*[(—–:|-]+\s*(?:(?:file|it) )?(?:(?:is|was) )?(?:missing|absent|not found"
    r"|does not exist|doesn['’]t exist|no longer exists|404)(?=\s*(?:[.,;!?)|\n]|$))"
    r"|\s+(?:does|do) no longer exist|\s+no longer exists?"
    r"|[\s,]+(?:(?:does not|doesn['’]t|do not|did not|didn['’]t)(?: yet| even"
    r"| actually)?(?: (?:appear|seem) to)? exist"
    r"|(?:is not|isn['’]t|was never) (?:a )?part of"
    r"|(?:(?:was|were|is|are)|ha(?:s|ve) been) never (?:actually )?(?:defined|created"
    r"|implemented|declared|written|committed)"
    r"|(?:is|are|was|were)(?: not|n['’]t) (?:actually )?(?:defined|declared)"
    r"|никогда не (?:был\w? )?(?:созда|определ|реализов|объявл|существ)\w+"
    r"|не (?:был\w? )?(?:определ|объявл)[её]н\w{0,2}"
    r"|n['’](?:a|ont) jamais été (?:défini|créé|implémenté|déclaré|écrit)\w{0,2}"
    r"|n['’](?:est|a) pas (?:été )?(?:défini|déclaré)\w?"
    r"|(?:wurden?|ist|sind) (?:nie|niemals|nicht) (?:definiert|deklariert|angelegt"
    r"|implementiert)"
    r"|(?:nunca|no) (?:se (?:defini|cre|implement|declar)\w+|(?:fue|está|ha sido)"
    r" (?:definid|declarad)\w)"
    rf"|(?:is|are|was|were)(?: also| still)? (?:missing|absent){_STOP}"
    r"|(?:was|were|is|are|could|can)(?: not|n['’]t|not)(?: be)? (?:found|there|present"
    r"|available|located|in (?:the|this|your) (?:repo|project|tree|code|trace|package"
    r"|list|director|folder|listing|manifest|depend)\w*)"
    r"|cannot be found|not found|is nowhere|(?:has )?never existed|exists nowhere"
    r"|не существует|не существовал\w*|не (?:был\w? )?найден\w{0,2}|не обнаруж\w+"
    r"|в (?:репозитории|проекте|дереве|коде) нет|не удалось|(?:отсутствует"
    r"|нет)(?=\s*(?:[.,;:!?)]|$)|\s+(?:в|на|ни)\b)|не нашл\w+"
    r"|n['’](?:existe|a jamais existé|existait|a pas été trouvé\w?)"
    r"|est in(?:trouvable|existante?)"
    r"|est absente?|n['’]est pas (?:présente?|là|dans)|introuvable"
    r"|manque(?=\s*[.,;!?)])"
    r"|(?:existiert|existierte|gibt es) nicht|(?:wurde |konnte |konnten )?nicht"
    r" (?:gefunden|finden|vorhanden|da\b)|ist nicht (?:vorhanden|da\b)|fehlt"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:in|im)\b)"
    r"|no (?:existe|existía|se encuentra|se encontró|fue encontrad\w|está(?! en uso))"
    r"|(?:war |ist )?nirgends zu finden|es inexistente|nunca existió"
    r"|falta(?=\s*(?:[.,;:!?)]|$))))"
)
# Denials of several names: "`a.py` and `b.py` do not exist".
PLURAL = re.compile(
    r"(?i)^\W*(?:do\b|don['’]t|did|didn|are|were|aren|weren|could|can|cannot|have"
    r"|не (?:существуют|найдены|были|обнаружены)|отсутствуют|n['’](?:existent|ont)"
    r"|ne sont|sont|manquent|existieren|wurden|konnten|sind|fehlen"
    r"|no (?:existen|se encuentran|se encontraron|están|fueron)|faltan)"
)
# "I looked for a.py, but it is not there."
LOOKED = re.compile(
    r"(?i)\b(?:look(?:ed|ing)|search(?:ed|ing)|checked|tried|искал\w?|поиск\w*"
    r"|cherch\w+"
    r"|gesucht|suchte|busqu\w+|buscado)\b"
)
IN_VAIN = re.compile(
    r"(?i)^[`*\"')\]”»,.]*\s+(?:but|and|но|mais|aber|pero)\b[^.!?\n]{0,30}"
    r"(?:\bnot\b|n['’]t\b|\bnothing|\bno\b|\bне\b|\bнет\b|\bpas\b|\bnicht\b)"
)

# "In a.py a check is missing": something else is missing in the named file.
WITHIN = re.compile(
    r"(?i)\b(?:in|inside|within|of|from|at|under|в|во|из|от|dans|de|du|depuis|im|aus"
    r"|von"
    r"|en|desde)\s+\W*$"
)
EXAMPLES = re.compile(
    r"(?i)\b(?:examples?|пример\w{0,2}|exemples?|beispiele?|ejemplos?):"
)

# "Add a check to a.py": the place of the new thing, which exists already; the place of
# something that is moved may be new, too.
ADDED_TO = re.compile(
    r"(?i)\b(?:add(?:ing)?\b[^\n]{1,80}? to|добав\w+\b[^\n]{1,80}? во?"
    r"|ajout\w+\b[^\n]{1,80}? (?:à|au)|hinzu\w+\b[^\n]{1,80}? zu"
    r"|(?:añad|agreg)\w+\b[^\n]{1,80}? al?)\s+\W*$"
)
TRANSFERRED = re.compile(
    r"(?i)\b(?:put|mov|extract|split|plac|stor|sav|перен|перем|вынес|помест|полож|mett"
    r"|déplac|extrai|auslager|verschieb|legen|mover|mueva|poner|ponga|guardar|guarde)"
)

# The beginnings of wordings before a name, searched once in an answer. The full
# expressions are only applied to a clause with one of them; otherwise the same words
# would be read again for each of ten thousand consecutive names.
_BEGINNINGS = (
    r"a |admettons|agregar|ajout|ajouter|algo |als |an |angenommen|as if|assum|aucun"
    r"|añadir|be |beispiels|better|bspw|can|carece|ce serait|cleaner|consider"
    r"|conviene|could|couldn|crear|créer|danach|dann|deber|después|did|digamos"
    r"|disons|do |does|don|du |e\.g\.|empf|ensuite|es |escribir|etwa|example|failed"
    r"|falta|feel free|for |found|gegeben|generar|going|gäbe|générer|habría|happy"
    r"|hay|hipot|how about|hypoth|i |i['’]|ich |ideal|if |il |imagin|implementar"
    r"|implémenter|impossible|je |kein|lack|let|love|luego|man |may|mettons|might"
    r"|missing|must|möchte|n['’]a|named like|ne |need|nehmen|neither|next|ning|no"
    r"|none|nothing|nous |nächste|ohne|on |option|p\. ?e|par |placeholder|plan|podr"
    r"|pongamos|por |prenons|pretend|prochain|propon|propos|próximo|pued|quelque"
    r"|quier|recom|s['’]il|sans|say|se|sería|shall|should|si |sie |siguiente|sin "
    r"|so etwas|soll|something|souhait|stell|such as|suger|suggest|sugier|supong"
    r"|suppos|supón|tal|tel|the plan|there|think of|tu|un |una |unable|vamos|veux"
    r"|vorschlag|voulez|vous |voy|want|we |we['’]|wenn|were|what about|wie etwa|will"
    r"|willst|wir |without|worth|would|you |z\.|zum |écrir|буд|бы|было|вообраз|вроде"
    r"|вынес|гипотет|дава|добав|допуст|если|завед|затем|имеет|к примеру|могу|можем"
    r"|может|можете|можн|надо|напиш|наподобие|например|не |необход|неплохо|нет|ни "
    r"|никак|нужно|отсутств|перенес|план|потом|предлага|предполож|представ|пусть"
    r"|реализ|рекоменд|сдела|скажем|след|совет|созда|стоит|такого|типа|условн|хот"
    r"|хоч"
)
# A linear-time engine, which tries all of them at once.
_HEADS = re2.compile(rf"(?i)(?:^|[^\pL\pN_])({_BEGINNINGS})")


def heads(text: str) -> list[int]:
    """Return the beginnings of possible wordings before names, in order."""
    return [match.start(1) for match in _HEADS.finditer(encodable(text))]
