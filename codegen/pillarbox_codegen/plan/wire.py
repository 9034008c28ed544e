"""Plans `requests.py`, `containers.py` and `answers.py`: what goes over the wire besides updates.

Depends on: model, structs, frame.  Never on: what is made of it.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.structs import StructPlan, plan_struct

_DOCS: Final[dict[model.WireKind, str]] = {
    "request": "The requests of the schema {!r}: what its server can be asked, as plain data.",
    "container": "The containers of the schema {!r}: what its server sends unasked, as plain data.",
    "answer": "The answers of the schema {!r}: what its server says to requests, as plain data.",
}


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """A module for each kind of which there is one."""
    if schema.protocol is None:
        return {}
    files: dict[str, str] = {}
    for kind in _DOCS:
        wires = schema.protocol.wires(kind)
        if wires:
            files[f"{kind}s.py"] = _module(schema, frame, kind, wires)
    return files


def _module(schema: model.Schema, frame: Frame, kind: model.WireKind, wires: dict[str, model.Wire]) -> str:
    imports = frame.imports(f".{kind}s", {kind.capitalize(), *map(names.wire_class, wires)})
    imports.use_all("typing", ["Final", "TypeAlias"])
    imports.use("pillarbox.codec", "TaggedCodec")
    structs = [_struct(schema, imports, wire, wires) for wire in wires.values()]
    members = [struct.name for struct in structs]
    if kind == "answer":
        members += [hints.annotation(schema, imports, one) for one in answering(schema)]
    return frame.module(
        doc=_DOCS[kind].format(schema.name),
        imports=imports,
        template="wire.py.j2",
        kind=kind,
        union_name=kind.capitalize(),
        article="An" if kind == "answer" else "A",
        structs=structs,
        union=" | ".join(members),
        codec_doc=printing.docstring(f"One {kind} as bytes, its code first. Raises RangeError.", 4),
    )


def answering(schema: model.Schema) -> list[model.WireOf]:
    """The containers with which requests are answered."""
    assert schema.protocol is not None
    found = [one for wire in schema.protocol.requests.values() for one in wire.answers]
    return list(dict.fromkeys(one for one in found if one.kind == "container"))


def _struct(
    schema: model.Schema, imports: Imports, wire: model.Wire, beside: dict[str, model.Wire]
) -> StructPlan:
    return plan_struct(
        schema,
        imports,
        name=names.wire_class(wire.name),
        doc=wire.doc or f"The {wire.kind} `{wire.name}`.",
        fields=wire.fields,
        reserved=wire.reserved,
        tag=wire.code,
        beside=[one.fields for one in beside.values()],
    )
