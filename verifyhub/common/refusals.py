"""What errors of services say, as pages show it (`wording.py`).

Errors of a decision name the field first ("reason: say why …"): `worded` says the two
parts apart.
"""

from verifyhub.common.wording import sentence

# Of webhooks: what cannot be, why one was switched off, what an attempt came to.
WEBHOOKS = ()
REFUSALS = (
    sentence("must be a list of rules"),
    sentence("has more than %(n)s rules"),
    sentence("must name a tool and a kind, and nothing else"),
    sentence("the tool must be a name of 1 to %(n)s characters"),
    sentence("a star may only stand at the end, after __ or . or / or :"),
    sentence("the kind must be one of %(list)s"),
    sentence("the tool has a rule already"),
    sentence("is not a number of its kind"),
    sentence("is out of range"),
    sentence("is not one of %(list)s"),
    sentence("must be an object"),
    sentence("must be an array of strings"),
    sentence("is required: a small letter, then small letters, digits, - and _"),
    sentence("is unknown; known are %(list)s"),
    sentence("at most %(n)s, of 1 to %(most)s characters each"),
    sentence("has more than %(n)s rows"),
    sentence(
        "No text could pass: with every raw score at 1 the layers reach at most"
        " %(list)s; their mean is %(share)s, below the floor %(floor)s."
    ),
)
