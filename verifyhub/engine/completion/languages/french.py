"""French: the first person or the passive, and result words."""

from verifyhub.engine.completion.languages.model import (
    BUILDERS,
    LINTERS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
)
from verifyhub.engine.completion.languages.rows import GAP, build_language

_K = ClaimKind

_FR_HAVE = (
    r"\b(?:j['’]ai|je l['’]ai|je les ai|nous avons|on a|ai)"
    r"(?: (?:aussi|également|bien|ensuite|déjà|donc|tout))?\s+"
)
_FR_BEEN = r"\b(?:a|ont|est|sont)(?: (?:bien|aussi|désormais|maintenant))?(?: été)?\s+"
_FR = rf"(?:{_FR_HAVE}|{_FR_BEEN})"

FRENCH = build_language(
    exempt=(
        r"\?\W{0,20}$|^\W*(?:si|quand|lorsque|une fois|dès que|pour|afin|avant"
        r"|vous|votre"
        r"|vos|l['’]utilisat\w+ (?:dit|écrit|affirme)|selon|d['’]après"
        r"|le guide|la documentation)\b"
        r"|\b(?:voulez-vous|vérifiez|assurez-vous|veillez|souhaitez-vous|dois-je"
        r"|je peux|je vais|nous allons|vous"
        r" pouvez|vous devez|vous devriez|il faut|il faudrait|devrait|devraient"
        r"|pourrait|pourraient|serait|seraient|sera|seront|je propose"
        r"|je recommande|vous avez|n['’](?:ai|a|ont|est|avons))\b"
    ),
    blocked=r"\b(?:ne|pas|jamais|si|quand|lorsque|aucun|aucune|sans que)\b|\bn['’]",
    denied=r"\bpas\b(?! d['’e])|\bplus\b",
    others=(
        r"\bdans la version\b|\ben version \d|\ben (?:19|20)\d\d\b|\bil y a \d"
        r"|\bl['’](?:an|année) derni|\bpar (?:le|la|les|l['’]|un|une)\b"
        r"|\bau (?:démarrage|lancement)\b|\bà chaque\b"
    ),
    deeds=(
        _FR_HAVE
        + r"(?!(?:vérifié|regardé|trouvé|analysé|essayé|constaté|remarqué|examiné"
        r"|cherché|consulté|comparé|pensé|supposé|décidé|laissé|gardé|étudié|identifié"
        r"|relevé|noté|testé|demandé|utilisé|considéré|compté)\w*)\w{2,16}é(?:e?s?)\b"
    ),
    work=(
        (
            _K.EDIT,
            r"^\W*(?:ajout|mise à jour|modification|remplacement|renommage|refonte"
            r"|déplacement|extraction|simplification) (?:du|de|des|d['’])",
        ),
        (_K.DELETE, r"^\W*(?:suppression|retrait) (?:du|de|des|d['’])"),
        (_K.CREATE, r"^\W*création (?:du|de|des|d['’])"),
        (_K.FIX, r"^\W*correction (?:du|de|des|d['’])"),
        (_K.CREATE, _FR + r"(?:créé|créée|créés|créées|généré|écrit|rédigé)\w*\b"),
        (
            _K.EDIT,
            _FR + r"(?:modifié|changé|ajouté|remplacé|renommé|refactorisé|mis à"
            r" jour|mise à jour|mises à jour|déplacé|édité|adapté|introduit|réécrit"
            r"|simplifié|extrait|étendu|converti)\w*",
        ),
        (_K.DELETE, _FR + r"(?:supprimé|retiré|effacé|enlevé)\w*"),
        (_K.FIX, _FR + r"(?:corrigé|réparé|résolu)\w*"),
        (
            _K.COMMIT,
            _FR + r"(?:commité|committé|validé dans git)\w*"
            r"|\b(?:fait|créé) (?:un|le) commit",
        ),
        (_K.PUSH, _FR + r"(?:poussé)\w*|\bje viens de pousser\b"),
        (_K.SEND, _FR + r"(?:envoyé|publié|posté|ouvert|répondu|transmis|partagé)\w*"),
        (_K.INSTALL, _FR + r"(?:installé)\w*"),
        (_K.RUN, _FR + r"(?:exécuté|lancé|fait tourner|relancé)\w*"),
        (
            _K.OTHER,
            _FR + r"(?:déployé|fusionné|étiqueté|tagué|taggé|redémarré"
            r"|marqué)\w*",
        ),
    ),
    results=(
        (
            _K.TESTS,
            rf"\b(?:tests?|suite|{TEST_TOOLS})\b"
            + GAP
            + r"(?:\bpasse(?:nt)?\b|\b(?:au )?verts?\b|\bréussi(?:t|ssent)\b"
            r"|(?P<past>\b(?:sont|est|ont) (?:tous )?(?:passée?s?|réussie?s?))"
            r"|\bsans (?:erreur|échec)s?)",
        ),
        (_K.TESTS, r"\btout (?:passe|est vert)\b|\b\d+ tests? réussis\b"),
        (
            _K.LINT,
            rf"\b(?:linter|lint|{LINTERS})\b"
            + GAP
            + r"(?:passe|propre|sans (?:erreur|avertissement|problème)s?"
            r"|ne (?:signale|trouve|remonte|relève) (?:aucun|pas|rien)\w*(?: \w+)?)",
        ),
        (
            _K.TYPECHECK,
            rf"\b(?:vérification (?:des|de) types?|typage|types|{TYPE_CHECKERS})\b"
            + GAP
            + r"(?:passe|sans erreurs?|réussit"
            r"|ne (?:signale|trouve|remonte|relève) (?:aucun|pas|rien)\w*(?: \w+)?)",
        ),
        (
            _K.BUILD,
            rf"\b(?:build|compilation|projet|image(?: docker)?|{BUILDERS})\b"
            + GAP
            + r"(?:passe|réussit|a réussi|compile|sans erreurs?|aboutit"
            r"|se termine|se construit)",
        ),
        (
            _K.RUN,
            r"\ue000[^.;!?\n\ue000]{0,20}(?:\bpasse\b|\bréussit\b|sans erreur"
            r"|\bdonne \d+)",
        ),
        (
            _K.RUN,
            r"\b(?:migrations?|script|déploiement|conteneurs?|serveur)\b"
            + GAP
            + r"(?:sans (?:erreur|problème)s?|correctement|avec succès)",
        ),
    ),
)
