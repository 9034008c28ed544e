"""What to type to install what is missing, from where the package itself came.

Depends on: nothing.  Never on: what is missing.
Law: who installed from a folder or a repository is not sent to the index, where the name may be a stranger's.
"""

from __future__ import annotations

import json
import shlex
from importlib.metadata import distributions
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname


def install_line(name: str, extra: str = "", *options: str) -> str:
    """The command that installs the distribution of this name, with an extra of it."""
    return shlex.join(("pip", "install", *options, *_requirement(name, f"[{extra}]" if extra else "")))


def _requirement(name: str, extra: str) -> tuple[str, ...]:
    origin = _origin(name)
    url: str = origin.get("url", "")
    if "dir_info" in origin:
        folder = url2pathname(urlsplit(url).path) + extra
        return ("--editable", folder) if origin["dir_info"].get("editable") else (folder,)
    if "vcs_info" in origin:
        repository = origin["vcs_info"]
        return (f"{name}{extra} @ {repository['vcs']}+{url}@{repository['commit_id']}",)
    return (f"{name}{extra} @ {url}" if url else name + extra,)


def _origin(name: str) -> Any:
    """What an installer wrote down where a distribution did not come from an index, as PEP 610 has it."""
    told = (found.read_text("direct_url.json") for found in distributions(name=name))
    return json.loads(next(filter(None, told), "{}"))  # what lies beside the sources of one tells nothing
