"""Values of any type in any place: what a box takes it can read again, what it refuses it refuses by name.

Law. Whatever rows are put and operations are done, with whatever values in them: they are refused with an
error of ours and nothing is written, or afterwards every row of every table reads, all derived tables
follow, and the box opens again.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.law_machine import SCHEMAS, package_of
from tests.property.random_store import RandomStore
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox.box import Box
from pillarbox.codec import PatchAdd, PatchFlags, PatchMax, PatchMin, PatchSet, PatchUnset, patched
from pillarbox.errors import PillarboxError, RangeError
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields


class _Text(str):
    __slots__ = ()


class _Bytes(bytes):
    pass


class _Number(int):
    pass


#: What some place or other does not take, whatever type checkers say.
HOSTILE: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 7, 77, 256, 1 << 31, 1 << 63, (1 << 64) - 1, 1 << 70, -(1 << 63) - 1,
    0.5, 1.0, -0.0, math.nan, math.inf, complex(1, 2), "", "a\0b", "\ud800", _Text("z"), _Number(3),
    b"", b"\0\xff", _Bytes(b"ab"), bytearray(b"q"), memoryview(b"m"), (), (1, 2), (None,), [], [1], {},
    {1: 2}, set(), object(),
)  # fmt: skip


@cache
def store() -> RandomStore:
    package_of("values")
    return RandomStore(load_schema(SCHEMAS / "values"))


class Drawn:
    """Rows and operations in which now and then a value does not fit, at any depth, by the number of a seed.

    Strategies of this depth take hypothesis longer than all that is done with what they give.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._types, self._schema = store().types, store().schema

    def deed(self) -> tuple[str, Any]:
        """A row by its table, an operation, or a row of a list with the place that it is to have."""
        if self._random.random() < 0.1:
            row = self._row(self._schema.tables["l_states"])
            return "l_states", (row, self._value(model.Optional(model.Scalar("int32"))))
        primary = [table for table in self._schema.tables.values() if table.role == "primary"]
        table = self._random.choice([*primary, None, None, None, None, None])
        if table is not None:
            return table.name, self._row(table)
        operation = self._random.choice(list(self._schema.operations.values()))
        kind = getattr(package_of("values").operations, names.class_name(operation.name))
        return "", kind(**self._fields(operation.params))

    def times(self, most: int) -> range:
        return range(self._random.randint(1, most))

    def _row(self, table: model.Table) -> Any:
        kind = getattr(self._types, names.row_class(table.name))
        return kind(**self._fields(row_fields(table)))

    def _fields(self, fields: Iterable[model.Field]) -> dict[str, Any]:
        return {names.field(field.name): self._value(field.type) for field in fields}

    def _value(self, type_: model.Type) -> Any:
        return self._random.choice(HOSTILE) if self._random.random() < 0.05 else self._fitting(type_)

    def _fitting(self, type_: model.Type) -> Any:
        random = self._random
        match type_:
            case model.Scalar(name):
                few = {
                    "text": ("", "a b", "\0"),
                    "bytes": (b"", b"\0"),
                    "float64": (0.0, -0.0, 1.5, math.nan),
                }
                return random.choice((False, True) if name == "bool" else few.get(name, (0, 1, 1, 2, 3)))
            case model.Optional(item):
                return random.choice((None, self._value(item)))
            case model.BagOf(item):
                return random.choice(((), (self._value(item),)))
            case model.ListOf(item):
                return tuple(self._value(item) for _ in range(random.randint(0, 2)))
            case model.MapOf(key, value):
                return random.choice(((), ((self._value(key), self._value(value)),)))
            case model.RowOf(table):
                return self._row(self._schema.tables[table])
            case model.Named(name):
                return self._named(self._schema.types[name])
        raise AssertionError(f"{type_} is not stored")

    def _named(self, definition: model.TypeDef) -> Any:
        random = self._random
        kind: Any = getattr(self._types, definition.name, None)
        match definition:
            case model.IdType(base=base):
                return self._fitting(base)
            case model.PackedId():
                return self._types.file_id(random.choice(list(self._types.State)), True, random.randint(0, 2))
            case model.EnumType():
                return random.choice(list(kind))
            case model.FlagsType():
                return random.choice((0, 1, 2, 128))
            case model.UnionType(cases=cases):
                case_ = random.choice(cases)
                return getattr(self._types, case_.name)(**self._fields(case_.fields))
            case model.PatchType(fields=fields):
                changed = random.choice(fields)
                return kind(**{names.field(changed.name): self._change(changed.type)})
            case model.RecordType(fields=fields):
                return kind(**self._fields(fields))

    def _change(self, type_: model.Type) -> Any:
        """A change of any kind, also one that the patch does not offer for a field of this type."""
        value = self._value(type_)
        kinds = (PatchSet, PatchMax, PatchMin, PatchAdd, PatchFlags, lambda it: PatchFlags(0, it))
        return self._random.choice((PatchUnset(), value, *(kind(value) for kind in kinds)))


def do(box: Box[Any, Any], turn: list[tuple[str, Any]]) -> bool:
    """All of it in one transaction; whether it was taken."""
    try:
        with box.transaction() as tx:
            for table, what in turn:
                if isinstance(what, tuple):
                    getattr(tx, names.table_attribute(table)).place(*what)
                elif table:
                    getattr(tx, names.table_attribute(table)).put(what)
                else:
                    store().package.replay(tx, [what])
    except PillarboxError:
        return False
    return True


@settings(max_examples=settings().max_examples // 2, deadline=None)
@given(seed=st.integers(0, (1 << 32) - 1))
def test_what_is_taken_can_be_read_and_what_is_not_is_refused_by_us(seed: int) -> None:
    package, drawn = store().package, Drawn(seed)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        path = Path(folder, "a.box")
        with Box(path, package, durability="relaxed") as box:
            for _ in drawn.times(5):
                do(box, [drawn.deed() for _ in drawn.times(3)])
        assert found_in(path, package, "derived") == []
        with Box(path, package, durability="relaxed") as box, box.transaction() as tx:
            for spec in package.specs:
                cells = getattr(tx, names.table_attribute(spec.name)).scan_cells(None, None)
                assert [spec.key_of(spec.row(*one)) for one in cells] == [key for key, _ in cells]


def thing(**changes: Any) -> Any:
    """A row of `things` in which everything fits, but for what is changed."""
    types = store().types
    fresh, level, file = types.State.FRESH, types.Depth.LEVEL, types.file_id(0, True, 1)
    spot = types.Spot(state=fresh, depth=None, at=0.5, name="", raw=b"", ok=True, n=1, file=file)
    fits = {
        "state": fresh, "n": 1, "b": True, "i8": 1, "u64": 1, "f": 0.5, "t": "a b", "raw": b"",
        "depth": level, "wide": None, "marks": 0, "file": file, "spot": spot, "content": types.Nothing(),
        "notes": (), "states": (), "byname": (), "bystate": (), "login": "", "num": None,
    }  # fmt: skip
    return types.Things(**(fits | changes))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("t", None), ("t", 7), ("spot", None), ("spot", 3), ("content", None), ("notes", None)),
        *(("notes", (1, 2)), ("states", None), ("states", 1.0), ("byname", 3), ("bystate", (1,))),
        *(("i8", None), ("depth", 7)),
    ],
)
def test_a_value_of_another_type_is_told_by_its_field(field: str, value: Any) -> None:
    with Box(":memory:", store().package) as box:
        with pytest.raises(RangeError) as refused, box.transaction() as tx:
            tx.things.put(thing(**{field: value}))
        assert refused.value.field == f"things.{field}"
        assert box.transact(lambda tx: tx.things.put(thing())).title == "a b"


def test_a_case_without_fields_is_no_list() -> None:
    """Its bytes are those of a list with its number in it, which names a member here."""
    nothing = store().types.Nothing()
    say = package_of("values").operations.Say
    with Box(":memory:", store().package) as box:
        with pytest.raises(RangeError) as refused, box.transaction() as tx:
            tx.things.put(thing(states=nothing))
        assert refused.value.field == "things.states"
        with pytest.raises(RangeError) as refused:
            box.replay([say(c=nothing, s=nothing, m=())])
        assert refused.value.field == "Say.s"


def test_an_integer_where_a_float_belongs_is_not_what_one_stumbles_over() -> None:
    """It is taken, at any depth; so what is told is what does not fit, of whatever row."""
    fits = thing(n=2, f=3, spot=msgspec.structs.replace(thing().spot, at=4))
    with Box(":memory:", store().package) as box:
        box.transact(lambda tx: tx.things.put(fits))
        with pytest.raises(RangeError) as refused:
            box.transact(lambda tx: [tx.things.put(row) for row in (fits, thing(states=None))])
        assert refused.value.field == "things.states"


@pytest.mark.parametrize("at", [{}, "x", 1.5, 0.0])
def test_a_place_that_is_no_number_is_told(at: Any) -> None:
    types = store().types
    row = types.LStates(s=types.State.FRESH, position=0, d=types.Depth.LEVEL, t="", w=types.Wide.A, f=0.5)
    with Box(":memory:", store().package) as box:
        with pytest.raises(RangeError) as refused:
            box.transact(lambda tx: tx.l_states.place(row, at))
        assert refused.value.field == "l_states.position"


@pytest.mark.parametrize(
    "changes",
    [
        *({"notes": PatchMax(3)}, {"states": PatchMin(3)}, {"t": PatchAdd(1)}, {"t": PatchFlags(1, 0)}),
        *(
            {"marks": PatchFlags(0, HOSTILE[-1])},
            {"raw": PatchMax(memoryview(b""))},
            {"i8": PatchAdd(HOSTILE[0])},
            {"f": 3},
        ),
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_change_that_is_not_offered_is_told_by_its_field(changes: dict[str, Any]) -> None:
    types = store().types
    patch = types.PatchThings(**changes)
    with pytest.raises(RangeError) as refused:
        patched(thing(), patch)
    assert refused.value.field == f"PatchThings.{next(iter(changes))}"
    with Box(":memory:", store().package) as box:
        box.transact(lambda tx: tx.things.put(thing()))
        with pytest.raises(RangeError):
            box.replay([package_of("values").operations.Alter(s=types.State.FRESH, n=1, p=patch)])


def refused_by(make: Any, parts: dict[str, Any]) -> Any:
    """What is made of the parts, or the field that is refused."""
    try:
        return make(**parts)
    except RangeError as error:
        return error.field


@pytest.mark.parametrize("part", ["store", "ok", "number"])
def test_a_part_of_a_packed_id_is_a_number_that_fits_or_told(part: str) -> None:
    types = store().types
    for value in HOSTILE:
        parts = {"store": types.State.FRESH, "ok": True, "number": 1, part: value}
        made = refused_by(types.file_id, parts)
        assert made == f"FileId.{part}" or getattr(types, f"file_id_{part}")(made) == value


def test_arguments_of_another_type_are_told_by_their_names() -> None:
    operations = package_of("values").operations
    with (
        Box(":memory:", store().package) as box,
        pytest.raises(RangeError, match=r"Say\.s is 5,"),
    ):
        box.replay([operations.Say(c=store().types.Nothing(), s=5, m=())])


@pytest.mark.parametrize("number", [7, -1, 256, None, "x"])
def test_a_number_without_a_name_is_written_nowhere(number: Any) -> None:
    types = store().types
    fresh, level, a = types.State.FRESH, types.Depth.LEVEL, types.Wide.A
    rows = {
        "by_enum": types.ByEnum(s=number, x=1),
        "by_num": types.ByNum(n=1, x=number),
        "by_text": types.ByText(t="", x=number),
        "bare": types.Bare(s=number, t=""),
        "packed_enums": types.PackedEnums(s=fresh, n=1, d=number, w=a),
        "owned": types.Owned(s=fresh, x=number, y=None),
        "things": thing(state=number),
    }
    with Box(":memory:", store().package) as box:
        box.transact(lambda tx: tx.by_enum.put(types.ByEnum(s=fresh, x=1)))
        for table, row in rows.items():
            with pytest.raises(RangeError), box.transaction() as tx:
                getattr(tx, table).put(row)
        for place in (
            types.LStates(s=number, position=0, d=level, t="", w=a, f=0.5),
            types.LStates(s=fresh, position=0, d=number, t="", w=a, f=0.5),
            types.LStates(s=fresh, position=0, d=level, t="", w=number, f=0.5),
        ):
            with pytest.raises(RangeError), box.transaction() as tx:
                tx.l_states.place(place)
    with pytest.raises(RangeError):
        types.file_id(number, True, 1)


def test_what_is_bytes_only_nearly_is_no_key() -> None:
    """A `bytearray` finds nothing and is stored nowhere: it can change."""
    nearly: Any = bytearray(b"q")
    with Box(":memory:", store().package) as box:
        for call in (
            lambda tx: tx.by_raw.put(store().types.ByRaw(r=nearly, x="")),
            lambda tx: tx.by_raw.get(nearly),
            lambda tx: tx.by_raw.remove(nearly),
            lambda tx: tx.by_raw.all(after=nearly),
        ):
            with pytest.raises(RangeError) as refused:
                box.transact(call)
            assert refused.value.field == "by_raw.r"


def test_a_number_that_is_no_bool_is_written_nowhere() -> None:
    with Box(":memory:", store().package) as box:
        with pytest.raises(RangeError), box.transaction() as tx:
            tx.by_bool.put(store().types.ByBool(b=2, x=1))
        assert box.transact(lambda tx: tx.by_bool.all()) == []
