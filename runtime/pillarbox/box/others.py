"""What a box and the other processes that share its file tell each other of commits.

Depends on: master, opening, rounds, wants, storage, tables, views.  Never on: the box, whose lock is
held around all of it.

Laws. After `meet` every live view shows the commit that the engine sees, as if freshly loaded: by replaying
exactly what the others did where the journal tells all of it, else by loading anew. A commit is journaled
exactly if somebody else listens, or if nobody can tell.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pillarbox.box.master import Master
from pillarbox.box.opening import Opened, SeenLayout
from pillarbox.box.package import Package
from pillarbox.box.rounds import Rounds
from pillarbox.box.wants import Wants
from pillarbox.errors import DataError, LayoutConflict, StoreMissing
from pillarbox.storage import MEMORY, Engine
from pillarbox.storage.journal import REFRESH, Journal, nobody_writes
from pillarbox.storage.presence import Presence, is_possible
from pillarbox.storage.sqlite import SqliteEngine
from pillarbox.tables import ChangeRecord, carried, united
from pillarbox.views import Delivery, Tracker

#: No engine has this version: the views are to be loaded anew before anything else looks at them.
_STALE: Final = -1
#: A commit of more keys is told as the mark: loading anew is no more work.
_KEYS_MAX: Final = 4_096
#: How long the commit of a writer may take that has begun its log anew.
_PATIENCE_SECONDS: Final = 0.05

_log = logging.getLogger("pillarbox")


@dataclass(slots=True)
class Met:
    """How the commits of other processes came in, counted since the box was opened."""

    #: Commits of others that were replayed, and how many replays that took: what gathers is one.
    commits: int = 0
    replays: int = 0
    #: How often all views were loaded anew, for want of a journal that tells everything.
    refreshes: int = 0
    #: Own commits that were written to the journal.
    journaled: int = 0
    #: Own commits that changed something, and how often something of others was met. An own commit that
    #: failed is neither, though views are loaded anew after it.
    own: int = 0
    news: int = 0


class Others:
    """One box's side of it."""

    def __init__(
        self,
        engine: Engine,
        package: Package[Any, Any],
        opened: Opened,
        tracker: Tracker,
        rounds: Rounds,
    ) -> None:
        """Raises LayoutConflict where another process has upgraded the box since it was `opened`."""
        self._engine = engine
        self._specs = specs = package.specs_by_id
        self._tracker = tracker
        self._careful = tracker.careful
        self._rounds = rounds
        #: The engine's data version of what was met last; `_kept` is it also while a commit is on its way,
        #: and after one that failed.
        self._seen = self._kept = engine.data_version()
        self._layout = SeenLayout(engine, package, opened)
        self._layout.check(engine)  # behind the version, which tells of whatever comes later
        self._journal = Journal(engine)
        self._presence = None if engine.path == MEMORY else Presence.meet(engine.path)
        if self._presence is not None and isinstance(engine, SqliteEngine):
            engine.take_turns(self._presence)
        #: There may be others who see each other, and whom this box cannot see.
        self._is_blind = self._presence is None and engine.path != MEMORY and is_possible()
        self.master = Master(engine)
        self.wants = Wants(self._presence, specs, tracker)
        self.met = Met()
        #: The journal tells every commit since what was met last: each began when we were registered.
        self._is_certain = False
        #: What was met last was met when we were registered.
        self._was_registered = False
        #: What the open transaction wrote for others.
        self._version: int | None = None
        #: When something was first seen to have moved that no entry tells of.
        self._puzzled_since: float | None = None
        self._took = False
        #: What views emit for a commit of which it is not known yet whether it landed.
        self._untold: Sequence[Delivery] = ()
        #: Views were interrupted, or what they have to tell was lost.
        self._is_torn = False
        self._listeners: dict[object, Callable[[], None]] = {}
        #: Who is told, once, that nothing can be met any more.
        self._enders: dict[object, Callable[[BaseException], None]] = {}
        self._journal.look()

    # ------------------------------------------------------------------------------------ own commits

    def tell(self, record: ChangeRecord) -> None:
        """Write to the open transaction what others are to know of it. From now on views are ahead of the
        file, until `landed`; if that never comes, the next `meet` loads them anew.
        """
        self._kept, self._seen = self._seen, _STALE
        self._took = self.master.write()
        presence, journal = self._presence, self._journal
        if not self._is_certain:  # it is if we are registered: nobody else is in a transaction
            self._is_certain = presence is not None and presence.is_registered
        if self._is_blind:  # they count on an entry for each commit
            self._version = journal.append(REFRESH)
        elif presence is not None and presence.somebody_listens():
            entry = carried(record, self._specs, _KEYS_MAX)
            self._version = journal.append(REFRESH if entry is None else entry)
        else:
            self._version = None
            if journal.is_long:
                journal.shorten()
        self._is_torn = True  # last: no view has heard of a transaction that cannot even be told of

    def failed(self, untold: Sequence[Delivery]) -> None:
        """The transaction that was told of may not be committed; `untold` is what views emit for it."""
        self._untold, self._is_torn = untold, False

    def landed(self, *, changed: bool) -> None:
        """The transaction that was told of is committed, and what views emit for it waits in the rounds.

        It `changed` something, or was there only to be told of.
        """
        self._seen = self._kept
        self._untold, self._is_torn = (), False
        self.met.own += changed
        if self._took:
            self.master.landed()
            self._rounds.add((), call=self.master.news())
        if self._version is not None:
            self._journal.landed(self._version)
            self.met.journaled += 1
            if self._presence is not None:
                self._presence.ring()

    # --------------------------------------------------------------------------------- others' commits

    def listen(self) -> None:
        """Be told of commits from now on; outside of transactions, before a view is loaded."""
        if self._presence is not None and not self._presence.is_registered and self._presence.register():
            self._is_certain = nobody_writes(self._engine)

    def moved(self, version: int | None = None) -> bool:
        """Whether there is something to meet; `version` is the engine's, if it was asked just now.

        Raises StoreMissing where the file was replaced, in which no commit will be met any more.
        """
        if version is None:
            try:
                self._engine.refuse_moved()
            except StoreMissing as error:
                self._end(error)
                raise
            version = self._engine.data_version()
        return version != self._seen or self._careful.is_torn

    def meet(self, *, patient: bool = False) -> bool | None:
        """Bring the views to the commit that the engine sees; whether there was something to meet.

        To be called while the engine sees one commit, in a read or a write transaction. What is to be
        delivered waits in the rounds. The `patient` do not load anew at once where nothing tells what moved,
        and get None: they are to ask again soon. Raises LayoutConflict where another process has upgraded the
        box beyond what this package can read.
        """
        version = self._engine.data_version()
        is_news = version != self._seen or self._tracker.is_torn
        if is_news:
            if patient and self._may_be_told():
                return None
            self._puzzled_since = None
            if version != self._kept:
                self._kept = version
                self.met.news += 1
            try:
                is_doubtful = self._layout.check(self._engine) or self._seen == _STALE
            except LayoutConflict as error:
                self._end(error)
                raise
            self._seen = _STALE  # while views are between two commits
            self._rounds.add(self._catch_up(is_doubtful))
            self._untold, self._is_torn = (), False  # not before that waits: else nobody would be told
            self.master.look()
            self._rounds.add((), call=self.master.news())
            if self._listeners:
                self._rounds.add((), call=self._tell_news)
            self._seen = version
            # Who was in a transaction when we came, and knew nothing of us, has committed by now.
            self._is_certain = self._is_certain or self._was_registered
        self._was_registered = self._presence is not None and self._presence.is_registered
        return is_news

    def _end(self, error: StoreMissing | LayoutConflict) -> None:
        """No view can follow any more: who only listens must not take the last snapshot for today's."""
        self._rounds.add(self._tracker.failed(error))
        if self._enders:
            self._rounds.add((), call=partial(self._tell_end, error))

    def _may_be_told(self) -> bool:
        """Whether something moved that no entry tells of, and it is early to say that none will.

        For the version moves also when a writer begins its log anew, a moment before its commit is there.
        """
        if self._seen == _STALE or not self._is_certain or self._journal.newest() != self._journal.head:
            return False
        now = time.monotonic()
        if self._puzzled_since is None:
            self._puzzled_since = now
        return now - self._puzzled_since < _PATIENCE_SECONDS

    def _catch_up(self, is_doubtful: bool) -> Sequence[Delivery]:
        journal, version = self._journal, self._journal.head
        journal.look()
        if is_doubtful:
            journal.undone()
        was_torn, self._is_torn = self._is_torn, True
        if was_torn or self._tracker.is_torn:
            self.met.refreshes += 1
            return self._unheard(self._tracker.renew())
        return self._followed(version, is_doubtful) if self._tracker.has_subscriptions else ()

    def _followed(self, version: int, is_doubtful: bool) -> Sequence[Delivery]:
        """What views emit that replay what came since, or are loaded anew."""
        if self._is_certain and not is_doubtful:
            entries = self._journal.since(version)
            if entries is not None:
                try:
                    record = united(entries, self._specs)
                except DataError as error:
                    _log.warning("what another process did cannot be read: views are loaded anew: %s", error)
                else:
                    self.met.commits += len(entries)
                    self.met.replays += 1
                    return self._tracker.replay(record)
        self.met.refreshes += 1
        deliveries = self._tracker.refresh_all(self._untold)
        return self._unheard(deliveries) if self._untold else deliveries

    def _unheard(self, deliveries: Sequence[Delivery]) -> Sequence[Delivery]:
        """Of what is told to who may know it: what differs from the last that was heard, if that is sure."""
        if not self._rounds.is_idle:
            return deliveries
        return [
            (one, what)
            for one, what in deliveries
            if isinstance(what, Exception) or what.snapshot != one.latest.snapshot
        ]

    @property
    def has_listeners(self) -> bool:
        """Whether somebody waits to be told of news."""
        return bool(self._listeners)

    def on_news(
        self, listener: Callable[[], None], ended: Callable[[BaseException], None] | None
    ) -> Callable[[], None]:
        """Call `listener` after each `meet` that met something, and `ended` once where none can any more.

        Call the result to stop.
        """
        entry = object()
        self._listeners[entry] = listener
        if ended is not None:
            self._enders[entry] = ended

        def stop() -> None:
            self._listeners.pop(entry, None)
            self._enders.pop(entry, None)

        return stop

    def _tell_news(self) -> None:
        _tell(self._listeners.values())

    def _tell_end(self, error: BaseException) -> None:
        enders, self._enders = self._enders, {}
        _tell(partial(ended, error) for ended in enders.values())

    @property
    def bell(self) -> str | None:
        """The path of a file that is written to when there is news, if there is one."""
        return None if self._presence is None else self._presence.bell

    def close(self) -> None:
        """Be gone for the others."""
        if self._presence is not None:
            self._presence.close()


def _tell(listeners: Iterable[Callable[[], None]]) -> None:
    for listener in tuple(listeners):
        try:
            listener()
        except Exception:
            _log.exception("a listener failed that was told of commits of other processes")
