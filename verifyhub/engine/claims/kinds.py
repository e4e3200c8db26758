"""Classify sentences: fact, opinion, inference, guess, plan or question (E2).

Only explicit words count; a sentence without any is factual.
"""

import re

from verifyhub.engine.claim_results import SentenceKind


def _any(*phrases: str) -> re.Pattern[str]:
    """Match any phrase as whole words; `_` stands for blanks."""
    alternatives = "|".join(phrase.replace("_", r"\s{1,3}") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


# At the beginning of a sentence: who announces work states nothing yet.
_PLANS = {
    "en": _any(
        "i['’]ll", "we['’]ll", "i_will", "we_will", "let_me", "let_us", "let['’]s",
        "i['’]m_going_to", "i_am_going_to", "we['’]re_going_to", "we_are_going_to",
        "i_plan", "we_plan", "next,?_i", "next,?_we", "the_next_steps?",
        "next_steps?", "to[- ]?do", "todo", "i_intend", "we_intend", "i_am_about_to",
        "feel_free", "please", "make_sure", "try", "consider", "remember_to",
    ),
    "ru": _any(
        "я_буду", "мы_будем", "давайте", "давай", "планирую", "планируем",
        "собираюсь", "собираемся", "дальше_я", "далее_я", "сейчас_я", "следующий_шаг",
        "следующие_шаги", "осталось", "предстоит", "пожалуйста", "попробуйте",
        "сначала_я", "затем_я", "убедитесь",
    ),
    "fr": _any(
        "je_vais", "nous_allons", "on_va", "allons", "je_prévois", "nous_prévoyons",
        "je_compte", "ensuite,?_je", "prochaines?_étapes?", "à_faire", "veuillez",
        "n['’]hésitez_pas", "essayez", "assurez-vous", "je_ferai", "nous_ferons",
    ),
    "de": _any(
        "ich_werde", "wir_werden", "lass_uns", "lasst_uns", "lassen_sie_uns",
        "ich_plane", "wir_planen", "als_nächstes", "nächste_schritte?",
        "nächster_schritt", "ich_habe_vor", "wir_haben_vor", "bitte", "versuchen_sie",
        "denken_sie_daran", "zu_tun", "stellen_sie_sicher",
    ),
    "es": _any(
        "voy_a", "vamos_a", "planeo", "planeamos", "pienso_hacer", "a_continuación",
        "próximos?_pasos?", "siguientes?_pasos?", "por_hacer", "por_favor", "intenta",
        "intente", "asegúrate", "asegúrese", "haré", "haremos", "déjame", "déjeme",
    ),
}  # fmt: skip
_UNCERTAIN = {
    "en": _any(
        "may", "might", "could_be", "could_have", "can_be_assumed", "perhaps",
        "maybe", "possibly", "probably", "presumably", "likely", "unlikely", "seems?",
        "seemed", "appears?_to", "appeared_to", "apparently", "supposedly",
        "i['’]m_not_sure", "i_am_not_sure", "not_certain", "as_far_as_i_know",
        "if_i_recall", "i_guess", "i_assume", "i_suspect", "unclear",
        "it_is_possible", "it['’]s_possible", "i_don['’]t_know", "i_do_not_know",
    ),
    "ru": _any(
        "возможно", "вероятно", "может_быть", "могут_быть", "кажется", "похоже",
        "наверное", "наверняка", "предположительно", "видимо", "по-видимому",
        "скорее_всего", "должно_быть", "не_уверена?", "не_уверены", "насколько_я_знаю",
        "насколько_мне_известно", "неясно", "не_исключено", "якобы", "не_знаю",
    ),
    "fr": _any(
        "peut-être", "probablement", "vraisemblablement", "semble", "semblent",
        "semblait", "paraît", "sans_doute", "pourrait", "pourraient", "il_se_peut",
        "il_est_possible", "possiblement", "apparemment", "je_ne_suis_pas_sûre?",
        "à_ma_connaissance", "je_suppose", "je_ne_sais_pas",
    ),
    "de": _any(
        "vielleicht", "möglicherweise", "vermutlich", "wahrscheinlich", "scheint",
        "scheinen", "schien", "könnte", "könnten", "dürfte", "dürften", "anscheinend",
        "offenbar", "eventuell", "angeblich", "ich_bin_nicht_sicher",
        "soweit_ich_weiß", "ich_vermute", "es_ist_möglich", "ich_weiß_nicht", "unklar",
    ),
    "es": _any(
        "quizás?", "tal_vez", "probablemente", "posiblemente", "parece", "parecen",
        "parecía", "podrían?", "puede_que", "puede_ser", "es_posible", "aparentemente",
        "supuestamente", "no_estoy_segur[oa]", "que_yo_sepa", "supongo", "no_sé",
        "a_lo_mejor",
    ),
}  # fmt: skip
_OPINIONS = {
    "en": _any(
        "i_think", "we_think", "i_believe", "we_believe", "i_feel", "in_my_opinion",
        "in_my_view", "in_our_view", "personally", "i['’]d_say", "i_would_say",
        "i_recommend", "we_recommend", "i_suggest", "we_suggest", "i_prefer",
        "i_(?:really_)?(?:like|love|enjoy|hate|dislike)", "you_should", "we_should",
        "one_should", "i_hope", "i_wish", "i_agree", "i_disagree", "imho",
        "it_would_be_(?:better|best|nice|wise)", "worth_(?:a|the|it|trying|watching)",
        "my_favou?rite",
    ),
    "ru": _any(
        "я_думаю", "думаю", "я_считаю", "считаю", "по-моему", "на_мой_взгляд",
        "по_моему_мнению", "мне_кажется", "мне_нравится", "я_люблю", "рекомендую",
        "рекомендуем", "советую", "предлагаю", "я_предпочитаю", "лично_я", "надеюсь",
        "следует", "стоит", "лучше_бы", "согласен", "согласна",
    ),
    "fr": _any(
        "je_pense", "nous_pensons", "je_crois", "je_trouve", "à_mon_avis",
        "selon_moi", "personnellement", "je_recommande", "nous_recommandons",
        "je_suggère", "je_préfère", "j['’]aime", "j['’]adore", "je_déteste",
        "j['’]espère", "vous_devriez", "tu_devrais", "on_devrait", "il_faudrait",
        "il_vaut_mieux", "il_vaudrait_mieux",
    ),
    "de": _any(
        "ich_denke", "ich_glaube", "ich_finde", "wir_finden", "meiner_meinung_nach",
        "meines_erachtens", "aus_meiner_sicht", "persönlich", "ich_empfehle",
        "wir_empfehlen", "ich_schlage_vor", "ich_bevorzuge", "ich_mag", "ich_liebe",
        "ich_hasse", "ich_hoffe", "du_solltest", "sie_sollten", "man_sollte",
        "wir_sollten", "es_wäre_besser",
    ),
    "es": _any(
        "creo_que", "pienso_que", "opino", "en_mi_opinión", "a_mi_juicio",
        "a_mi_parecer", "personalmente", "recomiendo", "recomendamos", "sugiero",
        "prefiero", "me_gusta", "me_encanta", "odio", "espero_que", "deberías",
        "debería", "deberíamos", "convendría", "sería_mejor",
    ),
}  # fmt: skip
_INFERENCES = {
    "en": _any(
        "therefore", "thus", "hence", "consequently", "it_follows", "this_implies",
        "which_implies", "this_means", "which_means", "this_suggests",
        "which_suggests", "we_can_conclude", "one_can_conclude", "as_a_result",
        "accordingly", "so_it_must",
    ),
    "ru": _any(
        "следовательно", "таким_образом", "из_этого_следует", "отсюда_следует",
        "это_означает", "это_значит", "а_значит", "можно_заключить",
        "можно_сделать_вывод", "поэтому", "стало_быть",
    ),
    "fr": _any(
        "donc", "par_conséquent", "ainsi", "il_s['’]ensuit", "cela_implique",
        "cela_signifie", "ce_qui_implique", "ce_qui_signifie", "on_peut_conclure",
        "on_en_déduit", "cela_suggère",
    ),
    "de": _any(
        "daher", "deshalb", "folglich", "somit", "demnach", "also", "daraus_folgt",
        "das_bedeutet", "das_heißt", "infolgedessen", "lässt_sich_schließen",
        "das_legt_nahe",
    ),
    "es": _any(
        "por_lo_tanto", "por_tanto", "por_consiguiente", "en_consecuencia", "así_que",
        "se_deduce", "esto_implica", "lo_que_implica", "esto_significa",
        "lo_que_significa", "de_ello_se_sigue", "podemos_concluir",
    ),
}  # fmt: skip
# A heading that says what the items under it are.
_PLAN_HEADINGS = _any(
    "next_steps?", "to[- ]?do", "todos?", "plans?", "roadmap", "future_work",
    "следующие_шаги", "дальнейшие_шаги", "план", "планы", "prochaines_étapes",
    "à_faire", "suite", "nächste_schritte", "ausblick", "próximos_pasos",
    "siguientes_pasos", "por_hacer",
)  # fmt: skip
_ADVICE_HEADINGS = _any(
    "recommendations?", "suggestions?", "advice", "opinion", "рекомендации",
    "рекомендация", "советы", "предложения", "recommandations?", "conseils",
    "empfehlungen", "empfehlung", "vorschläge", "recomendaciones", "recomendación",
    "sugerencias", "consejos",
)  # fmt: skip
_LEAD_INS = {
    "en": _any("here", "below", "the_following", "as_follows", "in_summary", "summary",
               "in_short", "for_example", "note", "sources?", "answer"),
    "ru": _any("вот", "ниже", "следующее", "следующие", "итак", "итог", "кратко",
               "например", "источники?", "ответ"),
    "fr": _any("voici", "voilà", "ci-dessous", "suivants?", "suivantes?", "en_résumé",
               "résumé", "par_exemple", "sources?", "réponse"),
    "de": _any("hier", "nachfolgend", "folgende[nrs]?", "im_folgenden",
               "zusammenfassung", "kurz", "beispiel", "quellen?", "antwort"),
    "es": _any("aquí", "abajo", "siguientes?", "en_resumen", "resumen", "por_ejemplo",
               "a_continuación", "fuentes?", "respuesta"),
}  # fmt: skip
_GREETINGS = _any(
    "hi", "hello", "hey", "hi_there", "hello_there", "sure", "of_course", "certainly",
    "thanks", "thank_you", "you['’]re_welcome", "great_question", "good_question",
    "absolutely", "yes", "no", "ok", "okay", "привет", "здравствуйте", "конечно",
    "спасибо", "хороший_вопрос", "да", "нет", "bonjour", "salut", "bien_sûr", "merci",
    "bonne_question", "oui", "non", "hallo", "guten_tag", "natürlich", "gerne",
    "danke", "gute_frage", "ja", "nein", "hola", "buenos_días", "claro",
    "por_supuesto", "gracias", "buena_pregunta", "sí",
)  # fmt: skip
_SHORT_LEAD = 90
_BRIEF_LEAD = 8
_BEGINNING = 40
# The month, not the guess.
_MAY = re.compile(r"(?<!\w)May(?!\w)")
_QUESTION_END = re.compile(r"[?？][\"'”’»)\]*_`]{0,4}$")


def kind_of(text: str, language: str) -> SentenceKind:
    """Return the kind of a sentence, by the words of its language.

    Args:
        text: One sentence, without Markdown.
        language: Two letters; an unknown one is read as English.
    """
    if _QUESTION_END.search(text[-8:]) or text.startswith("¿"):
        return SentenceKind.QUESTION
    tongue = language if language in _PLANS else "en"
    small = _MAY.sub("month", text).casefold()
    if _PLANS[tongue].search(small, 0, _BEGINNING):
        return SentenceKind.PLAN
    if _OPINIONS[tongue].search(small):
        return SentenceKind.OPINION
    if _UNCERTAIN[tongue].search(small):
        return SentenceKind.UNCERTAIN
    if _INFERENCES[tongue].search(small):
        return SentenceKind.INFERENCE
    return SentenceKind.FACTUAL


def heading_kind(heading: str) -> SentenceKind:
    """Return the kind of sentences under a heading that do not show their own."""
    if _PLAN_HEADINGS.search(heading, 0, _SHORT_LEAD):
        return SentenceKind.PLAN
    if _ADVICE_HEADINGS.search(heading, 0, _SHORT_LEAD):
        return SentenceKind.OPINION
    return SentenceKind.FACTUAL


def is_lead_in(text: str, language: str) -> bool:
    """Return whether a sentence only greets, or announces what follows it."""
    small = text.casefold()
    if _GREETINGS.fullmatch(small.strip(" ,.!—-:")):
        return True
    tongue = language if language in _LEAD_INS else "en"
    if not small.endswith(":") or len(small) > _SHORT_LEAD:
        return False
    # `The release has 3 parts:` states something, `What it does:` does not.
    brief = small.count(" ") < _BRIEF_LEAD and not any(map(str.isdigit, small))
    return brief or bool(_LEAD_INS[tongue].search(small))
