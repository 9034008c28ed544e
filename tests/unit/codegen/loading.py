"""Imports a generated package from its text, without a folder on disk."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

from pillarbox_codegen import model
from pillarbox_codegen.generate import frame_of
from pillarbox_codegen.plan import keys, layouts, packed, types

_numbers = itertools.count()


def key_modules(schema: model.Schema) -> dict[str, str]:
    """The modules of a schema that encode and decode: name -> text."""
    frame = frame_of(schema)
    outputs: dict[str, str] = {}
    for plan in (types, keys, packed, layouts):
        outputs |= plan.outputs(schema, frame)
    return outputs


@contextmanager
def loaded(schema: model.Schema, texts: Mapping[str, str]) -> Iterator[SimpleNamespace]:
    """The modules in `texts`, in this order, under a package name of their own; gone after the block."""
    name = f"pillarbox_{schema.name}"
    alias = f"{name}_{next(_numbers)}"
    package = ModuleType(alias)
    package.__path__ = []
    sys.modules[alias] = package
    found = SimpleNamespace()
    try:
        for file, text in texts.items():
            module = ModuleType(f"{alias}.{file.removesuffix('.py')}")
            sys.modules[module.__name__] = module
            exec(compile(text.replace(name, alias), f"<{file}>", "exec"), module.__dict__)
            setattr(package, file.removesuffix(".py"), module)
            setattr(found, file.removesuffix(".py"), module)
        yield found
    finally:
        for loaded_name in [known for known in sys.modules if known.split(".")[0] == alias]:
            del sys.modules[loaded_name]
