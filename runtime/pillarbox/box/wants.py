"""What live windows of the processes that share a box want to have fetched, told to each other.

Depends on: storage (presence), tables (what a key is), views.  Never on: the box, whose lock is held around
`hear` and `say`; transactions, who fetches.

Law: who fetches for all is told of the union of what all live views want, of this process and of every other
that has the box open, but of those names that another fetches itself. It is as of the last look of each: of
who ended, however that was, nothing at the next one.

It lies in the file by which processes see each other, and not in the box: it is no state, and nobody waits
for a disk or a lock to tell it. Nobody tells it while nobody else is there. docs/decisions/0035.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from pillarbox.errors import DataError, UsageError
from pillarbox.storage.presence import Presence
from pillarbox.tables import TableSpec
from pillarbox.views import Hole, Tracker, holes_as_bytes, holes_of_bytes

_NOTHING: Final[Mapping[int, bytes]] = {}
#: What comes of bytes that are no holes, or lists too deep, or of holes that no table here has.
_UNREADABLE: Final = (
    DataError,
    KeyError,
    RecursionError,
    TypeError,
    UsageError,
    ValueError,
    msgspec.MsgspecError,
)

_log = logging.getLogger("pillarbox")


class Wants:
    """One box's side of it."""

    def __init__(
        self, presence: Presence | None, specs: Mapping[int, TableSpec[Any]], tracker: Tracker
    ) -> None:
        self._presence = presence
        self._specs = specs
        self._tracker = tracker
        #: What others said that live views were told last.
        self._heard = _NOTHING
        #: What was said last, None where nobody knows; and which version of what live views want it was.
        self._said: bytes | None = b""
        self._version = -1

    def on_change(self, look: Callable[[], None]) -> None:
        """Call `look` when it is time for `hear` and `say`, which are called now and then anyway."""
        presence = self._presence

        def changed() -> None:
            if presence is not None and presence.had_company:
                look()

        self._tracker.ask_demand(lambda demand: demand.follow(changed))

    def hear(self) -> bool:
        """Look what others want; whether live views are to be told, by `settle`."""
        presence = self._presence
        hears = presence is not None and self._tracker.ask_demand(lambda demand: demand.hears)
        heard = presence.hear() if presence is not None and hears else _NOTHING
        if heard is self._heard:
            return False
        holes = self._by_name(heard.values())
        self._tracker.ask_demand(lambda demand: demand.hear(holes))
        self._heard = heard
        return not self._tracker.is_settled

    def _by_name(self, heard: Iterable[bytes]) -> Mapping[str, frozenset[Hole]]:
        found: dict[str, set[Hole]] = {}
        by_name = {spec.name: spec for spec in self._specs.values()}
        for said in heard:
            try:
                for hole in holes_of_bytes(said):
                    if hole.name is not None:
                        found.setdefault(hole.name, set()).add(_typed(hole, by_name[hole.table]))
            except _UNREADABLE as error:
                _log.warning("what another process wants to have fetched does not read: %r", error)
        return {name: frozenset(holes) for name, holes in found.items()}

    @property
    def owe(self) -> bool:
        """Whether others hear something that is not so any more. Takes no lock."""
        return self._said != b"" and self._version != self._tracker.interests.demand.version

    def say(self) -> None:
        """Tell the others what is wanted here and not fetched here, if that is not what they heard last."""
        presence = self._presence
        if presence is None or not presence.is_registered:
            return
        if self._tracker.interests.demand.version == self._version:
            return
        version, untended = self._tracker.ask_demand(lambda demand: (demand.version, demand.untended()))
        if untended and not presence.somebody_listens():
            return  # it is asked for again, at every look
        said = holes_as_bytes(untended) if untended else b""
        if said != self._said:
            was_heard = self._said is not None
            self._said = None
            if not presence.say(said):
                if was_heard:
                    _log.warning("no other process can be told what is wanted here: %d holes", len(untended))
                if presence.has_room_for(said):
                    return  # the disk is full, say: it is tried at every look
            self._said = said
        self._version = version


def _typed(hole: Hole, spec: TableSpec[Any]) -> Hole:
    """With fields as the key of its table has them. Raises UsageError, DataError or TypeError."""
    fields, width = _key(spec, hole.at, hole.start), len(hole.at)
    if hole.end not in (None, ()):
        _key(spec, hole.at, hole.end)
    if width:
        return msgspec.structs.replace(hole, at=fields[:width])
    return msgspec.structs.replace(hole, start=fields) if isinstance(hole.start, tuple) else hole


def _key(spec: TableSpec[Any], at: tuple[Any, ...], end: Any) -> tuple[Any, ...]:
    """The fields of a key, after they were a key."""
    fields = (*at, *(end if isinstance(end, tuple) else (end,)))
    return tuple(spec.key_fields(spec.key(*fields))) if fields else ()
