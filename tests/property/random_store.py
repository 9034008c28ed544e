"""Operations and view keys of any schema, out of tiny domains so that they collide.

Depends on: random_values, the shipped schemas.  Never on: what is tested with them, or on what any shipped
schema is about.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st
from tests.property.random_values import RandomValues

from pillarbox.box import Package
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names

SCHEMAS: Final = Path(__file__).parents[2] / "schema"

_SCALARS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "bool": st.booleans(),
    "float64": st.sampled_from((0.0, -1.5, 2.0)),
    "text": st.sampled_from(("", "a", "b", "Zoë a")),
    "bytes": st.sampled_from((b"", b"\0", b"a\xff")),
}
_NUMBERS: Final = st.integers(0, 3)


class RandomStore(RandomValues):
    """Strategies for one schema and its generated package."""

    def __init__(self, schema: model.Schema) -> None:
        super().__init__(schema)
        self.package: Package[Any, Any] = self.module("").PACKAGE

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        """Few values of each type."""
        return _SCALARS.get(name, _NUMBERS)

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        """Of parts that are in order."""
        pack = getattr(self.types, names.pack_function(definition.name))
        return st.builds(pack, *(self.value(part.type) for part in definition.parts))

    def flags(self, definition: model.FlagsType) -> st.SearchStrategy[Any]:
        """Two of them at most."""
        few = st.sets(st.sampled_from([1 << bit for _, bit in definition.bits]), max_size=2)
        return few.map(sum)

    def operation(self) -> st.SearchStrategy[Any]:
        """Any operation with any arguments that its types allow."""
        module = self.module(".operations")
        return st.one_of(
            [
                self.struct(getattr(module, names.class_name(operation.name)), operation.params)
                for operation in self.schema.operations.values()
            ]
        )

    def operations(self, most: int) -> st.SearchStrategy[list[Any]]:
        """What one transaction does."""
        return st.lists(self.operation(), min_size=1, max_size=most)

    def view_keys(self) -> st.SearchStrategy[Any]:
        """The key of any view."""
        module = self.module(".views")
        return st.one_of(
            [
                self.struct(getattr(module, names.class_name(view.name)), view.key)
                for view in self.schema.views.values()
            ]
        )

    def encode_operation(self, operation: Any) -> bytes:
        """The bytes of an operation."""
        data: bytes = self.module(".operations").encode_operation(operation)
        return data

    def decode_operation(self, data: bytes) -> Any:
        """The operation of these bytes."""
        return self.module(".operations").decode_operation(data)


@cache
def random_store(name: str) -> RandomStore:
    """The strategies of a shipped schema."""
    return RandomStore(load_schema(SCHEMAS / name))
