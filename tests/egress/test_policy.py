"""What a URL may say: spellings that other readers take for an address inside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy, UrlTarget, host_of

LOOPBACK_SPELLINGS = [
    "127.1",
    "127.0.1",
    "127.000.000.001",
    "0127.0.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f.1",
    "0X7F000001",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "00000000177.0.0.01",
    "0",
    "0x0",
    "00",
    "0.0.0.0",  # noqa: S104 - a spelling, not a socket
    "127.0.0.1.",
    "127.0.0.0x1",
    "localhost.127.0.0.1",
    "1.2.3.4.5",
    "256.256.256.256",
    "127.0.0.1%00.example.com",
    "127.0.0.1%0d%0a",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "ⓛocalhost",
    "ⅼocalhost",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1%25lo]",
    "[::1%25lo]",
    "[::1",
    "::1",
    "[127.0.0.1]",
    "[v1.x]",
    "",
    ".",
    "..",
    "-",
    "-a.example",
    "a-.example",
    "a..b",
    "exa mple.com",
    "exa%20mple.com",
    "example.com%2f",
    "a" * 64 + ".com",
    ".".join(["a" * 60] * 5),
]
ADDRESSES_INSIDE = [
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[fc00::1]",
    "[fe80::1]",
    "[ff02::1]",
]
OTHER_FAULTS = [
    "",
    " ",
    "example.com",
    "//example.com",
    "/v1",
    "ftp://example.com",
    "file:///etc/passwd",
    "gopher://example.com",
    "dict://example.com",
    "data:text/plain,x",
    "javascript:alert(1)",
    "unix:///run/x.sock",
    "http+unix://x",
    "ws://example.com",
    "http:example.com",
    "http:/example.com",
    "http://",
    "http:///v1",
    "http://user@example.com",
    "http://user:password@example.com",
    "http://:password@example.com",
    "http://127.0.0.1@example.com",
    "http://example.com@127.0.0.1",
    "http://example.com:80@127.0.0.1",
    "http://example.com\\@127.0.0.1",
    "http://example.com:0",
    "http://example.com:65536",
    "http://example.com:99999",
    "http://example.com:-1",
    "http://example.com:x",
    "http://example.com:22",
    "http://example.com:25",
    "http://example.com:53",
    "http://example.com:587",
    "http://exa\nmple.com",
    "http://exa\tmple.com",
    "http://exa\x00mple.com",
    "http://[",
    "http://]",
    "http://" + "a" * 3000,
]


def blocked(url: str, policy: EgressPolicy) -> None:
    with pytest.raises(EgressError) as caught:
        policy.check_url(url)
    assert caught.value.reason == "blocked"


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", [*LOOPBACK_SPELLINGS, *ADDRESSES_INSIDE])
def test_a_strangers_url_names_no_address_inside_in_any_spelling(scheme, host):
    blocked(f"{scheme}://{host}/v1", EgressPolicy())
    blocked(f"{scheme}://{host}:8080/v1", EgressPolicy())


@pytest.mark.parametrize("url", OTHER_FAULTS)
def test_what_is_no_plain_web_address_is_refused(url):
    blocked(url, EgressPolicy())


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://api.example.com/v1", UrlTarget("https", "api.example.com", 443)),
        ("http://API.Example.COM./v1", UrlTarget("http", "api.example.com", 80)),
        ("http://models.example:8000", UrlTarget("http", "models.example", 8000)),
        ("https://8.8.8.8", UrlTarget("https", "8.8.8.8", 443)),
        (
            "https://[2606:4700:4700:0::1111]:8443/",
            UrlTarget("https", "2606:4700:4700::1111", 8443),
        ),
        ("https://bücher.example", UrlTarget("https", "xn--bcher-kva.example", 443)),
        ("http://a_b.example", UrlTarget("http", "a_b.example", 80)),
    ],
)
def test_an_ordinary_address_is_read_in_one_spelling(url, target):
    assert EgressPolicy().check_url(url) == target


OLLAMA = EgressPolicy(allowed=frozenset({("127.0.0.1", 11434), ("::1", 11434)}))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:11434/v1", "http://[::1]:11434", "http://[0::1]:11434"]
)
def test_the_operator_opens_one_host_and_port(url):
    OLLAMA.check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:11435/v1",
        "http://127.0.0.1/v1",
        "http://127.0.0.2:11434/v1",
        "http://127.1:11434/v1",
        "http://2130706433:11434/v1",
        "http://[::ffff:127.0.0.1]:11434/v1",
        "http://10.0.0.1:11434/v1",
    ],
)
def test_and_nothing_beside_it(url):
    blocked(url, OLLAMA)


@pytest.mark.parametrize("host", ["169.254.169.254", "224.0.0.1", "0.0.0.0"])  # noqa: S104
def test_metadata_and_multicast_stay_closed_even_if_the_operator_opens_them(host):
    policy = EgressPolicy(allowed=frozenset({(host, 80)}))

    blocked(f"http://{host}/", policy)


def test_the_operator_may_open_an_odd_port():
    policy = EgressPolicy(allowed=frozenset({("models.example", 81)}))

    assert policy.check_url("http://models.example:81/").port == 81


@pytest.mark.parametrize("text", ["Localhost", "LOCALHOST.", "localhost"])
def test_a_host_has_one_spelling(text):
    assert host_of(text) == "localhost"


@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://", "http://a:"]))
def test_any_text_is_a_target_or_blocked(text, before):
    try:
        target = EgressPolicy().check_url(before + text)
    except EgressError:
        return
    assert target.scheme in {"http", "https"}
    assert target.host == host_of(target.host)
    assert target.host.isascii()
