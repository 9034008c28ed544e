"""A file system that refuses to write.

Depends on: apsw.  Never on: the engine.
"""

from __future__ import annotations

import apsw


class FaultyVfs(apsw.VFS):
    """The usual file system, until `errors` says what the next write shall raise."""

    def __init__(self) -> None:
        super().__init__("faulty", "")
        self.error: type[apsw.Error] | None = None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return FaultyFile(self, name, flags)


class FaultyFile(apsw.VFSFile):
    def __init__(self, vfs: FaultyVfs, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._faulty = vfs

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._faulty.error is not None:
            raise self._faulty.error("planted")
        super().xWrite(data, offset)
