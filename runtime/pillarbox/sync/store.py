"""What the engine reads and writes, carried out on a box.

Depends on: protocol, shown, signals, box.  Never on: transports, clocks, threads: it works where it is
called.

Law: a commit writes all of its draft, the cursor included, or nothing (A-11); what it did is told as an
input of the machine, an error too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeAlias

from pillarbox.box import Box
from pillarbox.errors import BoxClosed, LayoutConflict, StoreError, StoreMissing, UsageError
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.shown import said
from pillarbox.sync.signals import Commit, CommitFailed, Committed, Facts, Load, Loaded, Stale

#: The input that tells of it, once the time is known at which the machine hears of it.
Outcome: TypeAlias = Callable[[int], Loaded | Committed | CommitFailed]

_log = logging.getLogger("pillarbox.sync")


class Store:
    """One box, and how the rows of a protocol are read and written in it. Threads may take turns."""

    def __init__(self, box: Box[Any, Any], protocol: SyncProtocol) -> None:
        self._box = box
        self._protocol = protocol

    def run(self, output: Load | Commit) -> Outcome:
        """Do it now, in one transaction. Every error is an outcome, but for those of a box that is no more.

        These are BoxClosed, StoreMissing of one that was moved or replaced, and LayoutConflict of one that
        another process has upgraded: no later try of this process can do better. And UsageError, of what a
        callback raised that is no Exception.
        """
        try:
            return self._load(output) if isinstance(output, Load) else self._commit(output)
        except Stale as error:
            return _failed(output, said(error) or "what it was built on has changed", stale=True)
        except (BoxClosed, StoreMissing, LayoutConflict):
            raise
        except StoreError as error:  # of a disk, not of a program: that it happened is logged by the machine
            return _failed(output, f"{type(error).__name__}: {said(error)}", ill=True)
        except Exception as error:
            _log.exception("A-11: %s of %s wrote nothing", type(output).__name__, output.id)
            return _failed(output, f"{type(error).__name__}: {said(error)}")
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # as asyncio cancels with, after which a task ends without a word
            raise UsageError(
                f"what the box calls in a commit of the engine raised {type(error).__name__}; catch that in "
                f"the callback, of events or of a view, that raised it"
            ) from error

    def _load(self, output: Load) -> Outcome:
        self._box.refuse_reading()  # it would see an old commit, and ask for what has come since
        with self._box.reading() as tables:
            snapshot = output.plan.read(tables, self._protocol)
        return lambda now: Loaded(now, output.id, snapshot)

    def _commit(self, output: Commit) -> Outcome:
        applied = self._box.apply(lambda tx: output.draft.apply(tx, self._protocol))
        facts = Facts(applied.events, applied.result, applied.changed)
        return lambda now: Committed(now, output.id, facts)


def _failed(output: Load | Commit, reason: str, *, stale: bool = False, ill: bool = False) -> Outcome:
    return lambda now: CommitFailed(now, output.id, reason, stale, ill)
