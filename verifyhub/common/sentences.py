"""Every English sentence that is stored or raised and that pages show (`wording.py`).

A test holds the sentences of errors against it. Places are named by what they take
(`wording._SHAPES`); all others take a name in quotes (`engine.text.quoting`).
"""

from verifyhub.common.wording import Sentence, sentence

# Kinds of names, fields and other words that sentences are put together from.
WORDS = (
    sentence("file"),
    sentence("directory"),
    sentence("package"),
    sentence("class"),
    sentence("function"),
    sentence("identifier"),
    sentence("command"),
    sentence("url"),
    sentence("environment variable"),
    sentence("commit"),
    sentence("version"),
    sentence("name"),
    sentence("claim"),
    sentence("answer"),
    sentence("this answer"),
    sentence("session %(session)s"),
    sentence("%(kind)s %(name)s"),
    sentence("reason"),
    sentence("verdict"),
    sentence("status"),
    sentence("text"),
    sentence("kind"),
    sentence("correction"),
    sentence("decision"),
    sentence("note"),
    sentence("reply"),
    sentence("colleague"),
    sentence("answers"),
    sentence("claims"),
    sentence("gold"),
    sentence("item"),
    sentence("proposal"),
    sentence("mention"),
    sentence("index"),
    sentence("key"),
    sentence("override"),
    sentence("input"),
    sentence("output"),
    # Presets and tiers, cut-offs, and what models are asked for.
    sentence("strict"),
    sentence("balanced"),
    sentence("lenient"),
    sentence("small"),
    sentence("medium"),
    sentence("embedding"),
    sentence("large"),
    sentence("cross tier"),
    sentence("grounding"),
    sentence("agent"),
    sentence("orchestrator"),
    sentence("moderator"),
    sentence("goal"),
    sentence("retry above unverified"),
    sentence("reformulate below confidence"),
    sentence("follow up below completeness"),
    sentence("uncertain below confidence"),
    sentence("model above characters"),
    # What can be exported.
    sentence("interactions"),
    sentence("mentions"),
    sentence("verdicts"),
    sentence("judgements"),
    sentence("overrides"),
)
# Why a constraint is retired (`Constraint.retired_reason`).
RETIRED = (
    sentence("A reviewer said that the name is right."),
    sentence(
        "Evidence that no agent can write showed the name after a reviewer had called"
        " it invented."
    ),
    sentence("The name was found in the evidence of another answer."),
    sentence("No answer supports it any more."),
    sentence("A lead retired it."),
    sentence("Merged into %(name)s"),
)
# Warnings and problems of verdicts.
WARNINGS = (
    sentence("The %(kind)s was not found in what the tools returned."),
    sentence("The %(kind)s is spelt with characters that look like others."),
    sentence("The tool calls speak against a claim of work done."),
    sentence("The tool calls do not show a claim of work done."),
    sentence(
        "The answer names nothing and claims no work that the tool calls could confirm."
    ),
    sentence("Confidence is %(share)s."),
    sentence("The agent is much surer of its answer than the evidence is."),
    sentence(
        "A text of the run uses words of VerifyHub's own questions to judges; perhaps"
        " it talks to them."
    ),
    sentence("A check that answers of this kind need stayed open."),
    sentence("Two verifiers judge this answer differently."),
    sentence("The verifier does not accept names that the trace holds."),
    sentence(
        "The verifier accepted names that the trace does not show; they stay"
        " unverified."
    ),
    sentence(
        "The verifier judged a control name wrongly; only what the trace itself shows"
        " counts, and a person should look."
    ),
    sentence("The stronger model gave no usable reply."),
    sentence("The verifier's confidence lay outside 0..1."),
    sentence("The verifier's completeness lay outside 0..1."),
    sentence(
        "The judge of the goal sorted a control name wrongly; a person should look."
    ),
    sentence("Whether the goal was reached could not be judged."),
    sentence("Verification could not be completed"),
    sentence("The file does not have this SHA-256."),
    sentence("The file does not hold this text."),
    sentence("The file is not there."),
    sentence("The run does not show this work."),
    sentence("The claim is not right."),
)
SENTENCES: tuple[Sentence, ...] = (
    *WORDS,
    *RETIRED,
    *WARNINGS,
)
