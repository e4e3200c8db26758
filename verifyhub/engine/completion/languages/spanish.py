"""Spanish: the first person or the passive, and result words."""

from verifyhub.engine.completion.languages.model import (
    BUILDERS,
    LINTERS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
)
from verifyhub.engine.completion.languages.rows import GAP, build_language

_K = ClaimKind

_ES_HAVE = r"\b(?:he|hemos|se ha|se han|ha sido|han sido|fue|fueron)(?: \w+)?\s+"
_ES_YO = r"(?:^|[\s¡(,;:*])(?:yo )?"

SPANISH = build_language(
    exempt=(
        r"\?\W{0,20}$|¿|^\W*(?:el usuario (?:dice|escribe|afirma)|si|cuando"
        r"|una vez|para|antes|usted|tú|su|según"
        r"|como usted"
        r"|en cuanto)\b"
        r"|\b(?:quiere que|asegúrese|verifique|compruebe|quieres que|debería"
        r"|deberían|podría|podrían|puede|puedes"
        r"|hay que|se puede|se debe|tiene que|tienes que|voy a|vamos a|será|serán"
        r"|sería|habría|propongo|recomiendo|sugiero|usted|ejecute|conviene)\b"
    ),
    blocked=r"\b(?:no|nunca|si|cuando|ningún|ninguna|tampoco|sin que)\b",
    denied=r"\bno\b(?! (?:encuentra|reporta|muestra|da|hay|tiene|detecta|señala"
    r"|informa|avisa|devuelve))",
    others=(
        r"\ben la versión\b|\ben versión \d|\b(?:año|mes|semana) pasad[oa]\b"
        r"|\ben (?:19|20)\d\d\b|\bhace \d|\bpor (?:el|la|los|las|un|una)\b"
        r"|\bal (?:iniciar|arrancar)\b|\ben cada\b"
    ),
    deeds=(
        r"\b(?:he|hemos|se ha|se han|ha sido|han sido) (?:también |ya )?"
        r"(?!(?:revisad|verificad|comprobad|encontrad|analizad|intentad|buscad|leíd"
        r"|mirad|comparad|notad|pensad|decidid|dejad|podid|sido|tenid|identificad|probad"
        r"|detectad|consultad|observad|considerad|usad|utilizad|entendid)\w*)"
        r"\w{2,16}(?:ado|ido|ada|ida|ados|idos|adas|idas)\b"
    ),
    work=(
        (
            _K.CREATE,
            rf"{_ES_HAVE}(?:cread|generad|escrito|escrit)\w*"
            rf"|{_ES_YO}(?:creé|generé|escribí|creamos)\b",
        ),
        (
            _K.EDIT,
            rf"{_ES_HAVE}(?:modificad|actualizad|añadid|agregad|cambiad"
            r"|reemplazad|sustituid|renombrad|refactorizad|editad|movid|ajustad"
            r"|simplificad|reescrit|extraíd|ampliad)\w*"
            rf"|{_ES_YO}(?:modifiqué|actualicé|añadí|agregué|cambié|reemplacé|renombré"
            r"|refactoricé|edité|moví|reescribí|sustituí)\b",
        ),
        (
            _K.DELETE,
            rf"{_ES_HAVE}(?:eliminad|borrad|quitad)\w*"
            rf"|{_ES_YO}(?:eliminé|borré|quité)\b",
        ),
        (
            _K.FIX,
            rf"{_ES_HAVE}(?:corregid|arreglad|solucionad|reparad|resuelt)\w*"
            rf"|{_ES_YO}(?:corregí|arreglé|solucioné|reparé|resolví)\b"
            r"|\bestán? (?:corregid|arreglad|resuelt|solucionad)\w*",
        ),
        (
            _K.COMMIT,
            rf"(?:{_ES_HAVE}(?:commitead|confirmad|comiteado|hecho (?:el|un)"
            rf" commit)\w*|{_ES_YO}(?:commiteé|confirmé|comiteé|hice"
            rf" (?:el |un )?commit))|{_ES_HAVE}hecho (?:un |el )?commit\b",
        ),
        (
            _K.PUSH,
            rf"{_ES_HAVE}(?:subid|pushead|empujad)\w*|{_ES_YO}(?:subí|pusheé)\b"
            r"|\bestán? (?:ya )?subid\w+ (?:a|en) \w",
        ),
        (
            _K.SEND,
            rf"{_ES_HAVE}(?:enviad|publicad|mandad|abiert|respondid"
            rf"|compartid)\w*|{_ES_YO}(?:envié|publiqué|mandé|abrí|respondí"
            r"|compartí)\b|\b(?:pull request|pr|mr) está (?:ya )?abiert\w+",
        ),
        (_K.INSTALL, rf"{_ES_HAVE}instalad\w*|{_ES_YO}instalé\b"),
        (
            _K.RUN,
            rf"{_ES_HAVE}(?:ejecutad|lanzad|corrid|probad)\w*"
            rf"|{_ES_YO}(?:ejecuté|corrí)\b",
        ),
        (
            _K.OTHER,
            rf"{_ES_HAVE}(?:desplegad|fusionad|etiquetad|reiniciad)\w*"
            rf"|{_ES_YO}(?:desplegué|fusioné|etiqueté|reinicié)\b"
            r"|\bestá(?:n)? (?:etiquetad|desplegad|fusionad)\w*",
        ),
    ),
    results=(
        (
            _K.TESTS,
            rf"\b(?:pruebas?|tests?|suite|{TEST_TOOLS})\b"
            + GAP
            + r"(?:\bpasa(?:n)?\b|\ben verde\b|\bexitos\w+|\bsin (?:fallos|errores)"
            r"|(?P<past>\b(?:pasaron|pasó)\b))",
        ),
        (
            _K.TESTS,
            r"^\W*pasan (?:(?:todos|todas|los|las|\d+) ){1,3}(?:tests?|pruebas?)",
        ),
        (
            _K.TESTS,
            r"\btodo (?:pasa|está en verde|en verde)\b|\b\d+ pruebas? superadas",
        ),
        (
            _K.LINT,
            rf"\b(?:linter|lint|{LINTERS})\b"
            + GAP
            + r"(?:pasa|limpio|sin (?:advertencias|errores|avisos|problemas)"
            r"|no (?:informa|reporta|encuentra|detecta|señala"
            r"|muestra)\w*(?: \w+){0,2})",
        ),
        (
            _K.TYPECHECK,
            rf"\b(?:(?:comprobación|verificación) de tipos|tipos|{TYPE_CHECKERS})\b"
            + GAP
            + r"(?:pasa|sin errores|limpi\w+)",
        ),
        (
            _K.BUILD,
            rf"\b(?:compilación|build|proyecto|imagen|{BUILDERS})\b"
            + GAP
            + r"(?:pasa|termina|sin errores|compila|exitos\w+|correcta\w*)",
        ),
        (_K.RUN, r"\ue000[^.;!?\n\ue000]{0,20}(?:\bpasa\b|\bsin errores\b|\bda \d+)"),
        (
            _K.RUN,
            r"\b(?:migraci(?:ón|ones)|script|despliegue|contenedor(?:es)?|servidor)\b"
            + GAP
            + r"(?:sin (?:errores|problemas)|correctamente|con éxito|exitosamente)",
        ),
    ),
)
