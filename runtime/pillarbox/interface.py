"""The number of what generated packages use of the runtime: its names, and what they are called with.

Depends on: errors.  Never on: anything else, for it is what a generated package imports first.

Law: a package is imported whole, or refused before any name that has moved is looked for.
"""

from __future__ import annotations

import os
from typing import Final

from pillarbox.errors import InterfaceDiffers

#: Moved with every name that generated code uses and that comes, goes, or is called otherwise. The generator
#: has it as well, in `plan/frame.py`; tests/golden/test_interface.py tells when it is due.
INTERFACE: Final = 5


def check_interface(wanted: int, file: str) -> int:
    """What a generated package was written for, as its `__init__` in `file` says. Raises InterfaceDiffers."""
    if wanted != INTERFACE:
        raise InterfaceDiffers(os.path.dirname(os.path.abspath(file)), wanted=wanted, offered=INTERFACE)
    return wanted
