"""How the kernel is compiled: without the interpreter's lock, and kept between runs (kept.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import njit

from skatspec.archive.kernel import kept

_FOLDER = kept.folder()


def compiled(called: bool = False) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function when it is first called.

    What is `called` by the interpreter has the code for that, and is kept with all it calls.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if not called:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def decorate(function: Any) -> Any:
        if not called or _FOLDER is None:
            return njit(**options)(function)
        # the folder is read while the function is decorated, and by nobody else
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(_FOLDER)
        try:
            return njit(cache=True, **options)(function)
        finally:
            settings.CACHE_DIR = before

    return decorate
