"""What a box offers to processes that share its file: news, how they came in, and who is the master.

Depends on: master, opening, others, watcher, storage.  Never on: transactions, which the box has.

Law: as of `master` and `others`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from pillarbox.box.master import MasterListener
from pillarbox.box.opening import Opened, newer_by
from pillarbox.box.others import Met, Others
from pillarbox.box.package import Package
from pillarbox.box.watcher import Watcher
from pillarbox.errors import LayoutNewer, StoreFailed, StoreReadOnly
from pillarbox.storage import MEMORY, Engine
from pillarbox.storage.places import ran_out
from pillarbox.views import Tracker


class Shared:
    """The half of a box that is about others."""

    opened: Opened
    package: Package[Any, Any]
    read_only: bool
    _engine: Engine
    _others: Others
    _tracker: Tracker
    _watcher: Watcher

    @abstractmethod
    def _locked(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Any]: ...

    @abstractmethod
    def _look(self, *, patient: bool = True) -> bool | None: ...

    def refuse_newer(self) -> None:
        """For who wants to write. Raises LayoutNewer where a newer package wrote the box."""
        if self.opened == "newer":
            raise LayoutNewer(self._engine.path, [newer_by(self._engine, self.package)])

    def poll(self) -> bool:
        """Look whether another process has committed, and bring the views up to it if so.

        Runs by itself while views are watched or somebody listens. It waits for nobody: while another thread
        writes or looks it is False, and that thread brings the views up. `box.get` needs none of it.
        """
        return bool(self._look(patient=False))

    def _keep_looking(self) -> None:
        if self._engine.path != MEMORY:
            master = self._others.master
            others = self._others
            try:
                self._watcher.start(
                    lambda: (
                        self._tracker.has_subscriptions
                        or master.has_listeners
                        or others.has_listeners
                        or others.wants.owe
                    )
                )
            except OSError as error:
                failed = StoreFailed(self._engine.path, f"commits of others cannot be heard ({error})")
                raise ran_out(self._engine.path, error.errno) or failed from error

    @property
    def met(self) -> Met:
        """How the commits of other processes came in: counters, which go on."""
        return self._others.met

    @property
    def commits(self) -> int:
        """How much was written since this box was opened: commits of this process that changed something,
        and how often something was met that other processes had written.
        """
        return self.met.own + self.met.news

    def on_others(
        self, listener: Callable[[], None], ended: Callable[[BaseException], None] | None = None
    ) -> Callable[[], None]:
        """Call `listener` when another process has committed; several commits may be one call.

        Within milliseconds, in whatever thread notices. `ended` is called once where no commit can be met any
        more, with LayoutConflict or StoreMissing. Call the result, any number of times, to stop.
        """
        with self._locked():
            stop = self._others.on_news(listener, ended)
        self._keep_looking()
        return stop

    @property
    def client_id(self) -> int:
        """A random number of this open box, 64 bits: it is the master while the file says this number."""
        return self._others.master.client_id

    @property
    def is_master(self) -> bool:
        """Whether this box is the one of all that share the file that does what only one may do.

        As of the last commit it met: those of others are met when a transaction begins, and within
        milliseconds while views are watched or `on_master` listens.
        """
        return self._others.master.is_own

    def take_master(self, *, always: bool = False, now: bool = False) -> None:
        """Become master with the next commit that changes something, whoever is it now.

        With `now`, with a commit of its own, which is made before this returns. With `always`, take it back
        whenever another has taken it, with the next commit that changes something; two that both say so take
        it from each other for ever. Raises StoreReadOnly, or LayoutNewer.
        """
        self.refuse_newer()
        if self.read_only:
            raise StoreReadOnly(
                self._engine.path,
                "who opens a box for reading only cannot be its master",
                remedy=StoreReadOnly.OPENED_SO,
            )
        if now:
            self.poll()  # or it is taken for granted though another has just taken it
        with self._locked():
            self._others.master.take(always=always, urgent=now)
        if now:
            with self.transaction():
                pass

    def on_master(self, listener: MasterListener) -> Callable[[], None]:
        """Call `listener` with True when this box becomes master, with False when another does.

        As of now it is what `is_master` says. Call the result, any number of times, to stop.
        """
        with self._locked():
            stop = self._others.master.listen(listener)
        self._keep_looking()
        return stop
