"""The package of a random protocol, imported, and what its values are called there.

Depends on: protocol_models, the generator.  Never on: what the package is held against.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from tests.property.protocol_models import Model, Span
from tests.unit.codegen_ops.making import Bench, loaded_schema, written

from pillarbox.sync.claims import Claim
from pillarbox.sync.protocol import Around, Poll, ResetAsk, Row, SyncProtocol
from pillarbox_codegen.names import class_name

NAME: Final = "drawn"


class Printed:
    """The package of a model, imported."""

    def __init__(self, model: Model) -> None:
        # One place for all, since an error is told apart from others by where it is.
        folder = Path(tempfile.gettempdir(), f"{NAME}_{os.getpid()}")
        try:
            schema = loaded_schema(folder / "schema", model.text)
            sys.path.insert(0, str(written(folder / "generated", schema)))
            try:
                invalidate_caches()
                modules = (
                    "protocol",
                    "updates",
                    "containers",
                    "answers",
                    "requests",
                    "operations",
                    "keys",
                    "types",
                    "transaction",
                    "replay",
                    "specs",
                )
                self.modules = {it: import_module(f"pillarbox_{NAME}.{it}") for it in modules}
            finally:
                sys.path.pop(0)
                for module in [it for it in sys.modules if it.startswith(f"pillarbox_{NAME}")]:
                    del sys.modules[module]
        finally:
            shutil.rmtree(folder)
        self.protocol: SyncProtocol = self.modules["protocol"].PROTOCOL

    def make(self, module: str, name: str, env: dict[str, Any], **more: Any) -> Any:
        """A struct with these values."""
        mode = self.modules["types"].Mode(env["mode"])
        return getattr(self.modules[module], class_name(name))(**{**env, "mode": mode}, **more)

    def key(self, number: Any) -> Any:
        """As it is stored."""
        return b"" if number is None else self.modules["keys"].box_key(number)

    def claim(self, span: Span | None, env: dict[str, Any]) -> Claim | None:
        """What a span is for these values."""
        found = None if span is None else span.of(env)
        if found is None:
            return None
        cursor, key, part, start, end = found
        return Claim(cursor, self.key(key), part, start, end)

    def told(self, entries: Sequence[Any], env: dict[str, Any]) -> list[Any]:
        """What entries become: operations, and acts."""
        return [self.one(one) for entry in entries for one in entry.told(env)]

    def row(self, ab: tuple[int, int]) -> Row:
        """A row of the one table, as it is named."""
        return 1, self.modules["keys"].lines_key(*ab)

    def bench(self, stood: dict[tuple[int, int], int]) -> Bench:
        """An open transaction in which these rows stand."""
        bench = Bench(SimpleNamespace(**self.modules))  # type: ignore[arg-type]
        bench.replay(*(self.modules["operations"].SetRow(*ab, x) for ab, x in stood.items()))
        return bench

    def around(self, stood: dict[tuple[int, int], int]) -> Around:
        """Where these rows stand."""
        rows = {self.row(ab): self.modules["types"].Lines(*ab, x) for ab, x in stood.items()}
        return Around(row=rows.get)

    def one(self, one: tuple[Any, ...]) -> Any:
        """What an operation or an act is there."""
        match one:
            case ("set_row", a, b, x):
                return self.modules["operations"].SetRow(a=a, b=b, x=x)
            case ("poll", cursor, key, hint):
                return Poll(cursor, self.key(key), hint)
            case ("reset", name):
                return ResetAsk(name)
        raise AssertionError(one)
