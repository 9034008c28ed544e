"""An engine that fails on demand, before or after it has done what was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pillarbox.storage import Engine


class FaultyEngine:
    """Passes every call on to a real engine, but the ones that a plan spoils.

    `fail(call, error)` spoils the next `call`, or the one after `skip` of them; with `landed` the real
    engine does it first.
    """

    def __init__(self, real: Engine) -> None:
        self.real = real
        self._plans: dict[str, tuple[int, BaseException, bool]] = {}
        #: The commit landed, which the box is not told.
        self._over = False
        #: How often each call came since the last `fail`.
        self.calls: dict[str, int] = {}

    def fail(self, call: str, error: BaseException, *, skip: int = 0, landed: bool = False) -> None:
        self.calls.clear()
        self._plans[call] = (skip, error, landed)

    def heal(self) -> None:
        """No more failures."""
        self._plans.clear()

    def __getattr__(self, name: str) -> Any:
        real = getattr(self.real, name)
        if not callable(real):
            return real
        return lambda *args, **options: self._call(name, real, args, options)

    def _call(self, name: str, real: Callable[..., Any], args: Any, options: Any) -> Any:
        count = self.calls[name] = self.calls.get(name, 0) + 1
        skip, error, landed = self._plans.get(name, (-1, None, False))
        if name == "rollback" and self._over:
            self._over = False  # as an engine that learnt of its commit by an error
            return None
        if error is None or count != skip + 1:
            return real(*args, **options)
        if landed:
            real(*args, **options)
            self._over = name == "commit"
        raise error
