"""The time of each page's first request after a start, and of later ones.

    python -m bench.first_hits [--home FOLDER]

Starts a server in the home, or in a fresh one, signs in, and requests every page of the
navigation and every tab of the metrics three times. The first request of a page
includes what is imported, compiled or read for it alone. Prints milliseconds of the
first and the fastest later request, the slowest first, with the load.
"""

import argparse
import os
import re
import tempfile
import time
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from bench.deciding import url_of
from bench.fresh_home import fresh_home

RAIL = re.compile(r'<nav[^>]* id="rail".*?</nav>', re.DOTALL)
# Tabs of the metrics, which are one page in the navigation.
TABS = ("progress", "inventions", "checks", "confidence", "cost", "people", "compare")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def main() -> None:
    """Measure, and print a line for each page."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_hits")
    parser.add_argument("--home", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        home = asked.home or Path(folder)
        with fresh_home(home) as (_, server):
            url = url_of(server)
            opener = _signed_in(url, (home / "first-password").read_text().strip())
            took = {path: _times(opener, url + path) for path in _pages(opener, url)}
    print(f"load {os.getloadavg()[0]:.1f}")
    for path, (first, *later) in sorted(took.items(), key=lambda one: -one[1][0]):
        print(f"{first:7.0f} ms first  {min(later):6.0f} ms later  {path}")


def _signed_in(url: str, password: str) -> OpenerDirector:
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    page = opener.open(f"{url}/accounts/login/").read().decode()
    token = TOKEN.search(page)
    assert token
    sent = {"username": "admin", "password": password, "csrfmiddlewaretoken": token[1]}
    opener.open(f"{url}/accounts/login/", urlencode(sent).encode()).read()
    return opener


def _pages(opener: OpenerDirector, url: str) -> list[str]:
    page = opener.open(f"{url}/p/main/review/").read().decode()
    rail = RAIL.search(page)
    assert rail, "no navigation: not signed in?"
    links = [unescape(link) for link in re.findall(r'href="([^"#]+)"', rail[0])]
    return list(dict.fromkeys([*links, *(f"/p/main/metrics/{tab}/" for tab in TABS)]))


def _times(opener: OpenerDirector, address: str) -> list[float]:
    took = []
    for _ in range(3):
        begun = time.perf_counter()
        opener.open(address).read()
        took.append(1000 * (time.perf_counter() - begun))
    return took


if __name__ == "__main__":
    main()
