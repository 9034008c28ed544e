"""Files that are packed: which of them are read as they are, and what is told of the others.

Depends on: pillarbox.errors, adapters.  Never on: any format of records.

Law: a file that is packed as no adapter unpacks it is refused before any work, with how to unpack it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from pillarbox.errors import UsageError
from pillarbox_spark.adapters import opened

GZIP: Final = b"\x1f\x8b"
#: How such files begin, what packs them, and what unpacks them. No text begins so.
_PACKED: Final[Mapping[bytes, tuple[str, str]]] = {
    GZIP: ("gzip", "gunzip"),
    b"\x28\xb5\x2f\xfd": ("Zstandard", "unzstd"),
    b"BZh": ("bzip2", "bunzip2"),
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x04\x22\x4d\x18": ("LZ4", "unlz4"),
    b"PK\x03\x04": ("ZIP", "unzip"),
    b"7z\xbc\xaf\x27\x1c": ("7-Zip", "7z x"),
}
_LONGEST: Final = max(map(len, _PACKED))


def beginning(path: Path) -> bytes:
    """As much of a file as tells how it is packed."""
    with opened(path) as file:
        return file.read(_LONGEST)


def refuse_packed(files: Iterable[Path], *, but: bytes = b"") -> None:
    """Raises UsageError for a file that is packed, unless as those that begin with `but`."""
    for path in files:
        begin = beginning(path)
        for mark, (packing, command) in _PACKED.items():
            if begin.startswith(mark) and mark != but:
                taken = ", or pack it with gzip" if but == GZIP else ""
                raise UsageError(f"{path} is packed ({packing}); unpack it first (`{command}`){taken}")
