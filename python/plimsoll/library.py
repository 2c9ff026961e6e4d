"""The shared library behind the package, through ctypes. Python's lock is released while it plans."""
import ctypes
import json
import os
import pathlib
import threading
from typing import Any, Dict, Optional, Tuple

from plimsoll.error import Error

_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def _find() -> str:
    """PLIMSOLL_LIBRARY names another copy; else the one that the wheel brought."""
    named = os.environ.get("PLIMSOLL_LIBRARY")
    if named:
        return named
    here = pathlib.Path(__file__).parent
    for path in sorted((here / "lib").glob("libplimsoll*.so*")):
        return str(path)
    raise Error("the library libplimsoll.so is not beside the package", str(here / "lib"),
                "install the wheel, or name a copy in PLIMSOLL_LIBRARY")


def _opened(path: str) -> ctypes.CDLL:
    """The library; on a machine without the runtime of C++ (a bare Debian has none) the wheel's own goes first."""
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        missing = str(error).split(":")[0]
        own = sorted((pathlib.Path(path).parent / "runtime").glob("*.so*"))
        if not any(one.name == missing for one in own):
            raise
        for one in own:  # libgcc_s before libstdc++, which needs it
            ctypes.CDLL(str(one), ctypes.RTLD_GLOBAL)
        return ctypes.CDLL(path)


def _load() -> ctypes.CDLL:
    global _loaded
    with _lock:
        if _loaded is None:
            path = _find()
            try:
                library = _opened(path)
            except OSError as error:
                raise Error(f"the library cannot be loaded: {error}", path) from None
            text = ctypes.POINTER(ctypes.c_void_p)
            library.plimsoll_version.restype = ctypes.c_char_p
            library.plimsoll_ask.argtypes = [ctypes.c_char_p, ctypes.c_char_p, text]
            library.plimsoll_load_model.argtypes = [ctypes.c_char_p, ctypes.c_size_t, text, text]
            library.plimsoll_ask_model.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, text]
            library.plimsoll_free.argtypes = [ctypes.c_void_p]
            library.plimsoll_free.restype = None
            library.plimsoll_free_model.argtypes = [ctypes.c_void_p]
            library.plimsoll_free_model.restype = None
            _loaded = library
    return _loaded


def _taken(answer: ctypes.c_void_p) -> Dict[str, Any]:
    """Reads the library's text and frees it."""
    if not answer.value:
        raise MemoryError("plimsoll had no memory for an answer")
    try:
        fields: Dict[str, Any] = json.loads(ctypes.string_at(answer.value).decode())
    finally:
        _load().plimsoll_free(answer)
    if fields.get("schema") == "plimsoll.error/1":
        raise Error.from_dict(fields)
    return fields


def version() -> str:
    """Of the library."""
    return str(_load().plimsoll_version().decode())


class Loaded:
    """A network that the library has read from bytes; freed with the last reference."""

    def __init__(self, content: bytes) -> None:
        self._handle = ctypes.c_void_p()
        error = ctypes.c_void_p()
        _load().plimsoll_load_model(content, len(content), ctypes.byref(self._handle), ctypes.byref(error))
        if not self._handle.value:
            _taken(error)
            raise Error("the bytes are no network")

    def ask(self, verb: str, request: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
        answer = ctypes.c_void_p()
        words = json.dumps(request).encode()
        code = _load().plimsoll_ask_model(verb.encode(), self._handle, words, ctypes.byref(answer))
        return code, _taken(answer)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and handle.value and _loaded is not None:
            _loaded.plimsoll_free_model(handle)


def ask(verb: str, request: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
    """The exit code that the command line would have, and the answer. Raises Error."""
    answer = ctypes.c_void_p()
    code = _load().plimsoll_ask(verb.encode(), json.dumps(request).encode(), ctypes.byref(answer))
    return code, _taken(answer)
