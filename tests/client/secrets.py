"""Secrets of forty kinds, drawn when a test runs: none stands in the repository."""

import base64
import json
import random
import string

LETTERS = string.ascii_letters + string.digits
UPPER, LOWER_HEX = string.ascii_uppercase + "234567", "0123456789abcdef"


def planted(seed: int = 7) -> dict[str, tuple[str, str]]:
    """Return for each kind of secret a text that gives it away, and the secret."""
    draw = random.Random(seed)

    def some(letters: str, count: int) -> str:
        # A digit and both cases, so that no draw looks like a word.
        return "".join(draw.choices(letters, k=count - 3)) + (
            "7aK" if letters == LETTERS else "".join(draw.choices(letters, k=3))
        )

    def jwt(data: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")

    key_lines = "\n".join(some(LETTERS, 64) for _ in range(4))
    bare = {
        "aws": "AK" + "IA" + some(UPPER, 16),
        "aws session": "AS" + "IA" + some(UPPER, 16),
        "github": "gh" + "p_" + some(LETTERS, 36),
        "github fine": "github_" + "pat_" + some(LETTERS, 70),
        "gitlab": "gl" + "pat-" + some(LETTERS, 20),
        "slack": "xo" + "xb-" + "-".join(some(string.digits, 12) for _ in "ab"),
        "stripe": "sk_" + "live_" + some(LETTERS, 24),
        "anthropic": "sk-" + "ant-api03-" + some(LETTERS, 93),
        "openai": "sk-" + "proj-" + some(LETTERS, 48),
        "other llm": "sk-" + some(LETTERS, 48),
        "google": "AI" + "za" + some(LETTERS, 35),
        "google oauth": "ya" + "29." + some(LETTERS, 60),
        "google secret": "GO" + "CSPX-" + some(LETTERS, 28),
        "hugging face": "h" + "f_" + some(LETTERS, 34),
        "npm": "np" + "m_" + some(LETTERS, 36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + some(LETTERS, 80),
        "docker": "dckr_" + "pat_" + some(LETTERS, 27),
        "digitalocean": "dop_" + "v1_" + some(LOWER_HEX, 64),
        "sendgrid": "S" + "G." + some(LETTERS, 22) + "." + some(LETTERS, 43),
        "twilio": "S" + "K" + some(LOWER_HEX, 32),
        "databricks": "da" + "pi" + some(LOWER_HEX, 32),
        "shopify": "sh" + "pat_" + some(LOWER_HEX, 32),
        "vault": "hv" + "s." + some(LETTERS, 90),
        "grafana": "gl" + "sa_" + some(LETTERS, 32) + "_" + some(LOWER_HEX, 8),
        "telegram": some(string.digits, 10) + ":A" + "A" + some(LETTERS, 33),
        "jwt": ".".join((jwt({"alg": "HS256"}), jwt({"sub": "42"}), some(LETTERS, 43))),
        "own": "v" + "h_" + some(LETTERS, 43),
    }
    found = {name: (f"it printed {value} here", value) for name, value in bare.items()}
    word = some(LETTERS, 14)
    pem = "-----BEGIN {0} PRIVATE KEY-----\n{1}\n-----END {0} PRIVATE KEY-----"
    basic = base64.b64encode(f"app:{some(LETTERS, 9)}1".encode()).decode()
    azure = some(LETTERS, 86) + "=="
    return found | {
        "private key": (pem.format("RSA", key_lines), key_lines),
        "aws secret": (
            f"aws_secret_access_key = {(secret := some(LETTERS, 40))}",
            secret,
        ),
        "url": (f"postgres://app:{word}@db.internal:5432/app", word),
        "environment": (f"export DB_PASSWORD={word}", word),
        "yaml": (f"  password: {word}\n", word),
        "json": (json.dumps({"client_secret": word}), word),
        "escaped json": (json.dumps(json.dumps({"apiKey": word})), word),
        "python": (f"API_KEY = '{word}'", word),
        "flag": (f"tool login --token {word}", word),
        "query": (f"https://api.example.org/v1?access_token={word}&page=2", word),
        "bearer": (f"curl -H 'Authorization: Bearer {word}{word}' x", word + word),
        "basic": (f'"Authorization": "Basic {basic}"', basic),
        "cookie": (f"Cookie: sessionid={word}{word}; theme=dark", word + word),
        "azure": (f"AccountName=app;AccountKey={azure};", azure),
    }
