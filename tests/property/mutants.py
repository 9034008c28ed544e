"""Planted faults: one line of the real code, changed for as long as a `with` block lasts.

A fault names the line that it changes, so a fault whose line is gone fails loudly instead of testing
nothing.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from hypothesis import Phase, core, settings
from tests.property.fresh import MADE
from tests.property.seeds import SEEDS

#: How hard a law looks for a planted fault: always at the same examples, and no longer once it is found.
HARD: Final = settings(
    max_examples=1_000,
    stateful_step_count=40,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    print_blob=False,
    report_multiple_bugs=False,
)


@dataclass(frozen=True)
class Fault:
    """`old` in the source of `owner.function` becomes `new`; it must be there exactly once."""

    name: str
    owner: type[Any] | ModuleType
    function: str
    old: str
    new: str

    def __str__(self) -> str:
        return self.name

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Run with the fault in place."""
        real = vars(self.owner)[self.function]
        source = textwrap.dedent(inspect.getsource(real))
        assert source.count(self.old) == 1, f"{self.name}: {self.old!r} is not once in {self.function}"
        text = "from __future__ import annotations\n" + source.replace(self.old, self.new)
        globals_ = inspect.unwrap(real).__globals__
        namespace: dict[str, Any] = {}
        if isinstance(self.owner, type):
            # Code outside of its class body has no class of its own for a bare super().
            text = text.replace("super()", f"super({self.owner.__name__}, self)")
        exec(compile(text, sys.modules[real.__module__].__file__ or "", "exec"), globals_, namespace)
        holders = [self.owner, *_modules_with(self.function, real)]
        for holder in holders:
            setattr(holder, self.function, namespace[self.function])
        try:
            # No box that was made without it is found, and none that was made with it stays.
            with _examples_of(SEEDS.get(self.name)), patch.dict(MADE, clear=True):
                yield
        finally:
            for holder in holders:
                setattr(holder, self.function, real)


def _modules_with(name: str, function: object) -> list[ModuleType]:
    """The modules that have imported a function by its name: there as well it is at fault."""
    return [it for it in list(sys.modules.values()) if getattr(it, "__dict__", {}).get(name) is function]


@contextmanager
def _examples_of(seed: int | None) -> Iterator[None]:
    """What is derandomized meanwhile draws the examples of this seed, in place of those of its source."""
    if seed is None or not hasattr(core, "function_digest"):
        yield
        return
    with patch.object(core, "function_digest", lambda *_: seed.to_bytes(2, "big")):
        yield
