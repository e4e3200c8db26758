"""A wall clock that jumps: a library that is loaded before a program's others.

The time that it shows is the system's plus the seconds that a file holds. It reaches
the web server, the worker, the beat and the MCP server, which get the environment;
database and broker keep the system's time, as they would on another machine.
"""

import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *step(void) {
    static volatile long long *shared;
    static long long none;
    if (!shared) {
        const char *path = getenv("CHAOS_CLOCK");
        int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        void *got = file < 0 ? MAP_FAILED
            : mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
        if (file >= 0) close(file);
        shared = got == MAP_FAILED ? &none : got;
    }
    return shared;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, out);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += *step();
    return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(out, zone);
    if (!result) out->tv_sec += *step();
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
"""


class Clock:
    """The clock of the programs that are started with `environment`."""

    def __init__(self, folder: Path) -> None:
        """Build the library.

        Raises:
            OSError: If there is no C compiler, or it fails.
        """
        compiler = shutil.which("cc")
        if not compiler:
            raise OSError("no C compiler")
        self._steps = folder / "clock-step"
        self.set(0)
        source, library = folder / "clock.c", folder / "clock.so"
        source.write_text(SOURCE, encoding="utf-8")
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise OSError(f"the C compiler fails: {result.stderr[:200]}")
        self.environment = {
            "LD_PRELOAD": str(library),
            "CHAOS_CLOCK": str(self._steps),
        }

    def set(self, seconds: int) -> None:
        """Show a time so many seconds after the system's, or before it."""
        mode = "r+b" if self._steps.exists() else "wb"
        # In place: the programs see the same bytes.
        with self._steps.open(mode) as file:
            file.write(struct.pack("=q", seconds))
