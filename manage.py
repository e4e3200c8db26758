#!/usr/bin/env python
"""Django's command line for this project; `verifyhub manage` is the same."""

import sys

from verifyhub.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["manage", *sys.argv[1:]]))
