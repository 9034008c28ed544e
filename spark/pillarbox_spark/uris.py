"""Paths as Spark's users write them: those of this machine may have a scheme.

Depends on: nothing.  Never on: what lies there.
"""

from __future__ import annotations

import os
import re
from typing import Final
from urllib.parse import unquote

#: A file of this machine, with its scheme.
_LOCAL: Final = re.compile(r"file:(?://(?:localhost)?)?(/(?!/).*)", re.DOTALL)
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|file:")


def local_path(path: str) -> str:
    """A path, also of one with a scheme, as Spark takes it (`file:/a b`), or of a URI (`file:///a%20b`)."""
    found = _LOCAL.fullmatch(path)
    if found is None:
        return path
    return found[1] if os.path.lexists(found[1]) else unquote(found[1])


def is_uri(path: str) -> bool:
    """Whether it has a scheme, so that it may well be no path of this machine."""
    return _URI.match(path) is not None
