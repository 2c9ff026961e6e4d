"""The most memory that this process has had resident since begin()."""
from __future__ import annotations

import sys

_STATUS, _RESET = "/proc/self/status", "/proc/self/clear_refs"


def begin() -> int:
    """Forgets what was before, where the system lets us; what is resident now."""
    try:
        with open(_RESET, "w") as file:
            file.write("5")  # Linux: the peak is what there is now
    except OSError:
        pass
    return peak()


def peak() -> int:
    try:
        with open(_STATUS) as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # there is none on Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
