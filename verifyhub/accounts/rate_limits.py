"""Limit the requests of an API key and of its project: token buckets in the broker.

A bucket holds as many tokens as requests are allowed in a minute, and fills up evenly.
Each request takes one of the key's and one of the project's, or none where either is
empty. The broker counts for all web processes, by its own clock. While it is away
nobody is held back: a limit protects the server, and must not be what stops it.

Source of the header fields: draft-ietf-httpapi-ratelimit-headers-11 for
RateLimit-Policy and RateLimit; drafts up to -06, which most clients read, for the
three others.
"""

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from redis import Redis, RedisError

from verifyhub.accounts.models import ApiKey
from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

WINDOW_SECONDS = 60
TIMEOUT_SECONDS = 0.25
SILENCE_SECONDS = 10.0
# KEYS are buckets, ARGV their sizes and tokens a second. Answers whether all had a
# token, and then how many each holds, in thousandths.
SPEND = """
local now = redis.call('TIME')
local seconds = tonumber(now[1]) + tonumber(now[2]) / 1000000
local held, enough = {}, 1
for i, key in ipairs(KEYS) do
  local size, rate = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local bucket = redis.call('HMGET', key, 'tokens', 'at')
  local tokens = size
  if bucket[1] then
    local passed = math.max(0, seconds - tonumber(bucket[2]))
    tokens = math.min(size, tonumber(bucket[1]) + passed * rate)
  end
  if tokens < 1 then enough = 0 end
  held[i] = tokens
end
local reply = {enough}
for i, key in ipairs(KEYS) do
  local tokens = held[i] - enough
  local text = string.format('%.6f', tokens)
  redis.call('HSET', key, 'tokens', text, 'at', string.format('%.6f', seconds))
  redis.call('EXPIRE', key, ARGV[2 * #KEYS + 1])
  reply[i + 1] = math.floor(tokens * 1000)
end
return reply
"""


@dataclass(frozen=True, slots=True)
class Bucket:
    """One limit after a request.

    Attributes:
        name: `key` or `project`, as the header fields call the policy.
        size: Requests a minute, which may all come at once.
        tokens: How many are left; parts of one fill up again.
    """

    name: str
    size: int
    tokens: float

    @property
    def rate(self) -> float:
        """Tokens added per second."""
        return self.size / WINDOW_SECONDS

    @property
    def whole_in(self) -> int:
        """Seconds until it is full again."""
        return math.ceil((self.size - self.tokens) / self.rate)

    @property
    def next_in(self) -> int:
        """Seconds until there is a token; at least 1, as clients count."""
        return max(1, math.ceil((1 - self.tokens) / self.rate))


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """The result of the rate limits for one request.

    Attributes:
        is_allowed: Whether every limit had a token left.
        buckets: The limits that apply; empty while nothing is counted.
    """

    is_allowed: bool = True
    buckets: tuple[Bucket, ...] = ()

    @property
    def exhausted(self) -> tuple[Bucket, ...]:
        """The limits that refused it."""
        return tuple(bucket for bucket in self.buckets if bucket.tokens < 1)

    def headers(self) -> dict[str, str]:
        """The response headers that tell a client its limits and remaining requests."""
        if not self.buckets:
            return {}
        nearest = min(self.buckets, key=lambda bucket: bucket.tokens)
        policy = (f'"{b.name}";q={b.size};w={WINDOW_SECONDS}' for b in self.buckets)
        left = (f'"{b.name}";r={int(b.tokens)};t={b.whole_in}' for b in self.buckets)
        return {
            "RateLimit-Policy": ", ".join(policy),
            "RateLimit": ", ".join(left),
            "RateLimit-Limit": str(nearest.size),
            "RateLimit-Remaining": str(int(nearest.tokens)),
            "RateLimit-Reset": str(nearest.whole_in),
        }


@dataclass(slots=True)
class RateLimiter:
    """Asks the broker for tokens; pauses for a while after it did not answer."""

    silent_until: float = 0.0
    _lock: Any = field(default_factory=threading.Lock)
    _url: str = ""
    _script: Any = None

    def spend(self, key: ApiKey) -> RateLimitResult:
        """Take a token for one request of a key, if every limit has one."""
        candidates = [
            ("key", f"rate:key:{key.id}", settings.KEY_REQUESTS_PER_MINUTE),
            (
                "project",
                f"rate:project:{key.project_id}",
                settings.PROJECT_REQUESTS_PER_MINUTE,
            ),
        ]
        limits = [candidate for candidate in candidates if candidate[2] > 0]
        if (
            not limits
            or not settings.COUNTERS_URL
            or time.monotonic() < self.silent_until
        ):
            return RateLimitResult()
        try:
            reply = self._ask(limits)
        except (RedisError, ValueError) as error:
            # Told once for each silence: a line for every request says no more.
            self.silent_until = time.monotonic() + SILENCE_SECONDS
            logger.warning("rate_limits.not_counted", error=type(error).__name__)
            return RateLimitResult()
        buckets = (
            Bucket(name, size, thousandths / 1000)
            for (name, _, size), thousandths in zip(limits, reply[1:], strict=True)
        )
        return RateLimitResult(is_allowed=bool(reply[0]), buckets=tuple(buckets))

    def _ask(self, limits: Sequence[tuple[str, str, int]]) -> list[int]:
        sizes = (str(n) for _, _, q in limits for n in (q, q / WINDOW_SECONDS))
        reply: list[int] = self._connected()(
            keys=[place for _, place, _ in limits],
            args=[*sizes, str(WINDOW_SECONDS + 1)],
        )
        return reply

    def _connected(self) -> Any:
        """The script at the broker of the settings; connections are kept and shared."""
        with self._lock:
            if self._url != settings.COUNTERS_URL:
                client = Redis.from_url(
                    settings.COUNTERS_URL,
                    socket_timeout=TIMEOUT_SECONDS,
                    socket_connect_timeout=TIMEOUT_SECONDS,
                )
                self._script = client.register_script(SPEND)
                self._url = settings.COUNTERS_URL
            return self._script


limiter = RateLimiter()
