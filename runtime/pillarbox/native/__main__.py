"""`python -m pillarbox.native` builds the shared object; see build.py.

Depends on: build.  Never on: anything else.
Law: the exit code is what `build.main` answers.
"""

from __future__ import annotations

import sys

from pillarbox.native.build import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
