"""A real Chromium, driven by Playwright and kept from calling home."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

# The first draws no windows around its pages, which takes half of the others' time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
CHROMIUM_FILES = "chromium-"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


@contextmanager
def launched() -> Iterator[Browser]:
    """Run the browser; `CHROMIUM` must have been found.

    It has a temporary folder of its own: a renderer that ends between creating shared
    memory and unlinking it leaves the file there.
    """
    with (
        tempfile.TemporaryDirectory(
            prefix=CHROMIUM_FILES, ignore_cleanup_errors=True
        ) as folder,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=ARGUMENTS,
            env={**os.environ, "TMPDIR": folder},
        )
        yield browser
        browser.close()
