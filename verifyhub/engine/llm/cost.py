"""Calculate the cost of calls, in whole millionths of a US dollar."""

from collections.abc import Iterable

from verifyhub.engine.llm.endpoint import ChatEndpoint

TOKENS_PER_PRICE = 1_000_000
# What a protocol adds around the texts: roles, names of fields, a model's template.
FRAME_TOKENS = 1024


def cost_microdollars(
    endpoint: ChatEndpoint, input_tokens: int | None, output_tokens: int | None
) -> int | None:
    """Return the cost of a call at an endpoint; see `priced`."""
    prices = endpoint.input_microdollars_per_mtok, endpoint.output_microdollars_per_mtok
    return priced(prices, input_tokens, output_tokens)


def priced(
    prices: tuple[int | None, int | None],
    input_tokens: int | None,
    output_tokens: int | None,
) -> int | None:
    """Return the cost, rounded up; None where a price or a count is not known.

    Unknown is not free: a budget must tell the two apart.

    Args:
        prices: Micro-dollars per million tokens of input and of output.
        input_tokens: How many were read.
        output_tokens: How many were written.
    """
    if input_tokens is None or output_tokens is None:
        return None
    if prices[0] is None or prices[1] is None:
        return None
    total = input_tokens * prices[0] + output_tokens * prices[1]
    return -(-total // TOKENS_PER_PRICE)


def most_tokens(texts: Iterable[str]) -> int:
    """Return the most tokens a request of these texts can have: one for each byte."""
    return sum(map(_bytes, texts)) + FRAME_TOKENS


def worst_microdollars(
    endpoint: ChatEndpoint, texts: Iterable[str], max_output_tokens: int | None
) -> int | None:
    """Return the most a request at an endpoint can cost; None without its prices."""
    longest = endpoint.max_output_tokens
    if max_output_tokens is not None:
        longest = max(1, min(max_output_tokens, longest))
    return cost_microdollars(endpoint, most_tokens(texts), longest)


def _bytes(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        # A lone surrogate is sent as three signs of three bytes each.
        return 9 * len(text)
