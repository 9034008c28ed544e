"""Generated keys of random layouts: their order, their bytes, their errors, and that faults are seen.

`layouts` says in `construct` what `keys` does in `struct`; neither is made from the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.unit.codegen.builders import part, schema, table
from tests.unit.codegen.loading import key_modules, loaded

from pillarbox.errors import KeyCorrupt, PillarboxError, RangeError
from pillarbox_codegen import model

STATE = model.EnumType("State", model.Scalar("uint8"), (("open", 0), ("waiting", 3), ("closed", 200)))
DEPTH = model.EnumType("Depth", model.Scalar("int16"), (("under", -5), ("level", 0), ("over", 300)))
PROJECT = model.IdType("ProjectId", model.Scalar("int64"))
LOGIN = model.IdType("Login", model.Scalar("text"))
TYPES = (STATE, DEPTH, PROJECT, LOGIN)
ENUMS = {enum.name: enum for enum in (STATE, DEPTH)}

SCALARS: tuple[model.ScalarName, ...] = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "text", "bytes",
)  # fmt: skip
PART_TYPES: list[model.Type] = [
    *(model.Scalar(name) for name in SCALARS),
    *(model.Named(definition.name) for definition in TYPES),
]
part_types = st.sampled_from(PART_TYPES)
#: Few letters, so that texts share prefixes, end in zeros and meet the escapes.
texts = st.text(st.sampled_from("\0\1ab\x7fé\U0010ffff"), max_size=4)
raws = st.binary(max_size=4) | st.lists(st.sampled_from(b"\0\1\xfe\xff"), max_size=4).map(bytes)


@st.composite
def tables(draw: st.DrawFn) -> model.Table:
    parts = draw(st.lists(st.tuples(part_types, st.booleans()), min_size=1, max_size=4))
    key = [part(f"part_{number}", type_, desc=desc) for number, (type_, desc) in enumerate(parts)]
    return table("probe", 1, key)


def scalar_of(type_: model.Type) -> str:
    if isinstance(type_, model.Scalar):
        return type_.name
    assert isinstance(type_, model.Named)
    return {"State": "uint8", "Depth": "int16", "ProjectId": "int64", "Login": "text"}[type_.name]


def bounds(scalar: str) -> tuple[int, int]:
    bits = int(scalar.removeprefix("u").removeprefix("int"))
    return (0, (1 << bits) - 1) if scalar.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def values(type_: model.Type) -> st.SearchStrategy[Any]:
    if isinstance(type_, model.Named) and type_.name in ENUMS:
        return st.sampled_from([number for _, number in ENUMS[type_.name].values])
    match scalar_of(type_):
        case "bool":
            return st.booleans()
        case "text":
            return texts
        case "bytes":
            return raws
        case scalar:
            low, high = bounds(scalar)
            near = st.integers(max(low, -3), min(high, 3))
            return near | st.sampled_from([low, low + 1, high - 1, high]) | st.integers(low, high)


def keys_of(probe: model.Table) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(values(part.type) for part in probe.key))


def misfits(type_: model.Type) -> st.SearchStrategy[Any]:
    """Values of the right kind that the type does not hold."""
    if isinstance(type_, model.Named) and type_.name in ENUMS:
        return st.sampled_from([1, 2, 100, 255, -1, None])
    match scalar_of(type_):
        case "bool":
            return st.sampled_from([2, -1, 255, None, "", "x"])
        case "bytes":
            return st.just(None)
        case "text":
            return st.sampled_from(["\ud800", "a\udfff", None])
        case scalar:
            low, high = bounds(scalar)
            return st.sampled_from([low - 1, high + 1, 1 << 70, -(1 << 70), None, 1.0])


@st.composite
def torn(draw: st.DrawFn, key: bytes) -> bytes:
    """Near-valid bytes: cut, grown or with one byte changed."""
    at = draw(st.integers(0, len(key)))
    match draw(st.sampled_from(["cut", "grown", "changed", "inserted"])):
        case "cut":
            return key[:at]
        case "grown":
            return key + draw(st.binary(min_size=1, max_size=3))
        case "inserted":
            return key[:at] + draw(st.sampled_from([b"\0", b"\xff", b"\0\0", b"\0\1"])) + key[at:]
        case _:
            return key[:at] + bytes([draw(st.integers(0, 255))]) + key[at + 1 :]


# -------------------------------------------------------------------------------------------- laws


def precedes(probe: model.Table, first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Whether `first` comes before `second` by its fields: the model of key order."""
    for part_, one, two in zip(probe.key, first, second, strict=True):
        if one != two:
            return bool(one > two if part_.desc else one < two)
    return False


def check_order(modules: Any, probe: model.Table, first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    encode = modules.keys.probe_key
    assert (encode(*first) < encode(*second)) == precedes(probe, first, second)
    assert (encode(*first) == encode(*second)) == (first == second)


def check_roundtrip(modules: Any, probe: model.Table, key: tuple[Any, ...]) -> None:
    decoded = modules.keys.probe_key_fields(modules.keys.probe_key(*key))
    assert tuple(decoded) == key
    for part_, value in zip(probe.key, decoded, strict=True):
        if isinstance(part_.type, model.Named) and part_.type.name in ENUMS:
            assert type(value) is getattr(modules.types, part_.type.name)


def check_prefixes(modules: Any, probe: model.Table, key: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for length in range(1, len(key)):
        prefix = getattr(modules.keys, f"probe_prefix_{length}")(*key[:length])
        assert modules.keys.probe_key(*key).startswith(prefix)
        assert modules.keys.probe_key(*other).startswith(prefix) == (key[:length] == other[:length])


def refused(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives, or the word that it raised."""
    try:
        return function(*arguments)
    except Exception:
        return "refused"


def check_same_bytes(modules: Any, probe: model.Table, key: tuple[Any, ...]) -> None:
    """`struct` and `construct` encode alike, or both refuse."""
    names = [part.name for part in probe.key]
    enums = [
        getattr(modules.types, part.type.name)
        if isinstance(part.type, model.Named) and part.type.name in ENUMS
        else None
        for part in probe.key
    ]
    members = [
        value if enum is None else refused(enum, value) for enum, value in zip(enums, key, strict=True)
    ]
    built = refused(modules.layouts.PROBE_KEY.build, dict(zip(names, members, strict=True)))
    try:
        encoded = modules.keys.probe_key(*key)
    except RangeError:
        encoded = "refused"
    if "refused" in members:  # A number without a name is no enum.
        built = "refused"
    assert encoded == (int.from_bytes(built, signed=True) if isinstance(encoded, int) else built)


def check_same_fields(modules: Any, probe: model.Table, data: bytes) -> None:
    """`struct` and `construct` decode alike, or both refuse."""
    parsed = refused(modules.layouts.PROBE_KEY.parse, data)
    try:
        decoded = tuple(modules.keys.probe_key_fields(data))
    except KeyCorrupt:
        decoded = None
    assert (decoded is None) == (parsed == "refused")
    if decoded is not None:
        assert decoded == tuple(parsed[part.name] for part in probe.key)
        assert modules.keys.probe_key(*decoded) == data


@given(data=st.data(), probe=tables())
def test_stored_keys_keep_all_laws_whatever_their_parts_are(data: st.DataObject, probe: model.Table) -> None:
    declared = schema("probe", types=TYPES, tables=[probe])
    with loaded(declared, key_modules(declared)) as modules:
        drawn = data.draw(st.lists(keys_of(probe), min_size=2, max_size=6), label="keys")
        for first in drawn:
            check_roundtrip(modules, probe, first)
            check_same_bytes(modules, probe, first)
            for second in drawn:
                check_order(modules, probe, first, second)
                check_prefixes(modules, probe, first, second)


@given(data=st.data(), probe=tables())
def test_values_out_of_range_are_refused_by_both_declarations(
    data: st.DataObject, probe: model.Table
) -> None:
    declared = schema("probe", types=TYPES, tables=[probe])
    with loaded(declared, key_modules(declared)) as modules:
        parts = [misfits(part.type) | values(part.type) for part in probe.key]
        for key in data.draw(st.lists(st.tuples(*parts), min_size=1, max_size=6), label="keys"):
            check_same_bytes(modules, probe, key)


@given(data=st.data(), probe=tables())
def test_torn_bytes_decode_alike_in_both_declarations(data: st.DataObject, probe: model.Table) -> None:
    declared = schema("probe", types=TYPES, tables=[probe])
    with loaded(declared, key_modules(declared)) as modules:
        key = modules.keys.probe_key(*data.draw(keys_of(probe), label="key"))
        if isinstance(key, int):  # An integer key is no bytes; SQLite keeps it whole.
            return
        check_same_fields(modules, probe, key)
        for bytes_ in data.draw(st.lists(torn(key), min_size=1, max_size=8), label="torn"):
            check_same_fields(modules, probe, bytes_)


# ------------------------------------------------------------------------------- faults that are seen

#: One part of each kind, and falling ones.
WITNESS = table(
    "probe",
    1,
    [
        part("amount", "int32"),
        part("at", "int64", desc=True),
        part("login", model.Named("Login")),
        part("raw", "bytes", desc=True),
        part("size", "uint16", desc=True),
        part("state", model.Named("State")),
        part("done", "bool"),
    ],
)


def _replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    def fault(text: str) -> str:
        for pattern, new in pairs:
            text, count = re.subn(pattern, new, text)
            if not count:  # no AssertionError, which would pass for a fault that is seen
                raise LookupError(f"the fault {pattern!r} finds nothing to spoil")
        return text

    return fault


#: What is spoilt in `keys.py` -> how. Encoder and decoder are spoilt together where that hides the fault
#: from every law but one.
FAULTS: dict[str, Callable[[str], str]] = {
    "no sign flip": _replaced(
        (r"amount \+ INT32_BIAS", "amount & 0xFFFFFFFF"),
        (r"amount - INT32_BIAS", "amount - (amount >> 31 << 32)"),
    ),
    "little-endian": _replaced((r'Struct\(">', 'Struct("<')),
    "descending integer not inverted": _replaced(
        (r"INT64_BIAS \+ ~at\)", "at + INT64_BIAS)"), (r"INT64_BIAS \+ ~at,", "at - INT64_BIAS,")
    ),
    "descending unsigned not inverted": _replaced((r"0xFFFF - size", "size")),
    "text not ended": _replaced((r"escape\(login\.encode\(\)\)", "escape(login.encode())[:-2]")),
    "zero not escaped": _replaced((r"escape\(login\.encode\(\)\)", "(login.encode() + bytes(2))")),
    "descending bytes not inverted": _replaced(
        (r"invert\(escape\(raw\)\)", "escape(raw)"), (r"unescape\(flipped", "unescape(key")
    ),
    "prefix holds one part too many": _replaced(
        (r"(def probe_prefix_1\(.*\n.*\n.*\n        return ).*", r"\1_PACK_IQ(amount + INT32_BIAS, 0)")
    ),
    "prefix holds one part too few": _replaced(
        (r"(def probe_prefix_2\(.*\n.*\n.*\n        return ).*", r"\1_PACK_I(amount + INT32_BIAS)")
    ),
    "unknown enum value passes": _replaced((r"STATE__OF\[state\]", "state")),
    "unknown enum value is written": _replaced((r"if state not in STATE__OF", "if state is None")),
    "unknown bool is written": _replaced((r" or done not in \(False, True\)", "")),
    "unknown bool passes": _replaced((r"\(False, True\)\[done\]", "bool(done)")),
    "trailing bytes pass": _replaced((r"if end \+ \d+ != len\(key\):", "if False:")),
    "parts in another order": _replaced(
        (r"_PACK_HBB\((.*?), (\w+), (\w+)\)", r"_PACK_HBB(\1, \3, \2)"),
        (r"size, state, done = _TAKE", "size, done, state = _TAKE"),
    ),
}


def check_everything(modules: Any, data: st.DataObject) -> None:
    # Few values, so that neighbours differ in one part only.
    few = st.tuples(
        st.sampled_from([-(1 << 31), -1, 0, 1, 256]), st.sampled_from([-1, 0, 1, 255, 256]),
        st.sampled_from(["", "\0", "a", "a\0", "ab"]), st.sampled_from([b"", b"\0", b"a", b"\xff"]),
        st.sampled_from([0, 1, 255, 256]), st.sampled_from([0, 3, 200]), st.booleans(),
    )  # fmt: skip
    first, second = data.draw(few), data.draw(few)
    shared = data.draw(st.integers(0, len(first)))
    second = first[:shared] + second[shared:]
    check_order(modules, WITNESS, first, second)
    check_roundtrip(modules, WITNESS, first)
    check_prefixes(modules, WITNESS, first, second)
    check_same_bytes(modules, WITNESS, first)
    check_same_bytes(modules, WITNESS, (*first[:5], 1, first[6]))
    check_same_bytes(modules, WITNESS, (*first[:6], 2))
    key = modules.keys.probe_key(*first)
    check_same_fields(modules, WITNESS, key + b"\0")
    for at in range(len(key)):
        check_same_fields(modules, WITNESS, key[:at])
        for flipped in (0x01, 0x02, 0xFF):
            check_same_fields(modules, WITNESS, key[:at] + bytes([key[at] ^ flipped]) + key[at + 1 :])


def run_laws(fault: Callable[[str], str]) -> None:
    declared = schema("probe", types=TYPES, tables=[WITNESS])
    texts = key_modules(declared)
    texts["keys.py"] = fault(texts["keys.py"])
    with loaded(declared, texts) as modules:

        @settings(
            max_examples=100,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            report_multiple_bugs=False,
        )
        @given(data=st.data())
        def laws(data: st.DataObject) -> None:
            check_everything(modules, data)

        laws()


def test_the_witness_itself_keeps_the_laws() -> None:
    run_laws(lambda text: text)


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_seen(fault: str) -> None:
    with pytest.raises((AssertionError, PillarboxError)):
        run_laws(FAULTS[fault])
