"""The packages of drawn schemas, and rows of one version as those of another has them.

Depends on: the checker and the generator, random_store.  Never on: how layouts are compared.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.property.drawn_schemas import NAME, Tree
from tests.property.random_store import RandomStore
from tests.property.written_schemas import text_of
from tests.unit.codegen_ops import making

from pillarbox.codec import Unknown
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import SchemaErrors
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields

#: A value without names: of records by the numbers of fields, of unions with the number of the case.
Plain: TypeAlias = Any
#: Stands for a case that is not known.
UNKNOWN: Final = ("a case of a newer package",)
#: Key parts stand before the fields of a row, whose numbers begin at 1.
_KEY: Final = -100


class Version(RandomStore):
    """One version of the schema: what its operations are, and what its rows are without names."""

    def __init__(self, schema: model.Schema, alias: str, words: Mapping[str, str]) -> None:
        self._alias = alias
        self._words = words
        super().__init__(schema)

    def named(self, word: str) -> str:
        """What is called by this version what was called so at first."""
        return self._words.get(word, word)

    def module(self, name: str) -> Any:
        """A module of the package of this version."""
        return import_module(f"{self._alias}{name}")

    def plain_row(self, table: model.Table, row: Any) -> Plain:
        """A row without names."""
        return self._plain_fields(_numbered(table), row)

    def row_of(self, table: model.Table, plain: Plain) -> Any:
        """The row, with the defaults of this version for what is not told."""
        kind = getattr(self.types, names.row_class(table.name))
        return kind(**self._made_fields(_numbered(table), plain))

    def _plain_fields(self, fields: Mapping[int, model.Field], value: Any) -> Plain:
        return {at: self.plain(it.type, getattr(value, names.field(it.name))) for at, it in fields.items()}

    def _made_fields(self, fields: Mapping[int, model.Field], plain: Plain) -> dict[str, Any]:
        held = {at: it for at, it in fields.items() if at in plain}
        return {names.field(it.name): self.made(it.type, plain[at]) for at, it in held.items()}

    def plain(self, type_: model.Type, value: Any) -> Plain:
        """A value without names."""
        match type_:
            case model.Optional(item):
                return None if value is None else self.plain(item, value)
            case model.ListOf(item) | model.BagOf(item):
                return [self.plain(item, each) for each in value]
            case model.MapOf(key, item):
                return [(self.plain(key, one), self.plain(item, other)) for one, other in value]
            case model.RowOf(table):
                return self.plain_row(self.schema.tables[table], value)
            case model.Named(name):
                match self.schema.types[name]:
                    case model.RecordType(_, fields):
                        return self._plain_fields({it.number: it for it in fields}, value)
                    case model.UnionType(cases=cases):
                        tag = value.tag if isinstance(value, Unknown) else value.__struct_config__.tag
                        case = next((it for it in cases if it.number == tag), None)
                        if case is None:
                            return (*UNKNOWN, tag)
                        return tag, self._plain_fields({it.number: it for it in case.fields}, value)
                    case model.EnumType() | model.FlagsType():
                        return int(value)
        return value

    def made(self, type_: model.Type, plain: Plain) -> Any:
        """The value of this version."""
        match type_:
            case model.Optional(item):
                return None if plain is None else self.made(item, plain)
            case model.ListOf(item) | model.BagOf(item):
                return tuple(self.made(item, each) for each in plain)
            case model.MapOf(key, item):
                return tuple((self.made(key, one), self.made(item, other)) for one, other in plain)
            case model.RowOf(table):
                return self.row_of(self.schema.tables[table], plain)
            case model.Named(name):
                kind = getattr(self.types, names.type_class(name), None)
                match self.schema.types[name]:
                    case model.RecordType(_, fields):
                        assert kind is not None
                        return kind(**self._made_fields({it.number: it for it in fields}, plain))
                    case model.UnionType(cases=cases):
                        case = next(it for it in cases if it.number == plain[0])
                        held = self._made_fields({it.number: it for it in case.fields}, plain[1])
                        return getattr(self.types, names.type_class(case.name))(**held)
                    case model.EnumType():
                        assert kind is not None
                        return kind(plain)
        return plain

    def operation_from(self, other: Version, operation: Any) -> Any | None:
        """The operation of another version as it is here; None where there is none of it."""
        name = next(
            name
            for name in other.schema.operations
            if names.class_name(name) == type(operation).__name__.rstrip("_")
        )
        if name not in self.schema.operations:
            return None
        params = zip(other.schema.operations[name].params, self.schema.operations[name].params, strict=True)
        said = {
            names.field(new.name): self.made(
                new.type, other.plain(old.type, getattr(operation, names.field(old.name)))
            )
            for old, new in params
        }
        return getattr(self.module(".operations"), type(operation).__name__)(**said)


def _numbered(table: model.Table) -> dict[int, model.Field]:
    """The fields of a row by their numbers, parts of the key by theirs."""
    parts = {_KEY + at: it for at, it in enumerate(row_fields(table)[: len(table.key)])}
    return parts | {it.number: it for it in table.fields}


@cache
def _version_of(text: str, words: tuple[tuple[str, str], ...]) -> Version | None:
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "schema").mkdir()
        (folder / "schema/schema.yaml").write_text(text)
        schema = load_schema(folder / "schema")
        alias = f"pillarbox_{NAME}_{_version_of.cache_info().misses}"
        making.version(folder / "made", text, alias)
        return Version(schema, alias, dict(words))
    except SchemaErrors:
        return None
    finally:
        shutil.rmtree(folder)


def version_of(tree: Tree) -> Version | None:
    """The version that a schema is; None where the checker refuses it."""
    return _version_of(text_of(tree), tuple(tree["names"].items()))
