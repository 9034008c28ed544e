"""Plans `box.py`, `__init__.py` and `py.typed`: the way in.

Depends on: model, frame.  Never on: what is in the box.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan.frame import INTERFACE, Frame
from pillarbox_codegen.printing import literal


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`box.py`, `__init__.py`, `py.typed`."""
    box = frame.imports(".box")
    box.use("os", "PathLike")
    box.use("typing", "Final")
    box.use("pillarbox", "box")
    box.use("pillarbox.box", "Durability")
    box.use("pillarbox.box", "Package")
    box.use_module(".specs")
    box.use_all(".layout", ["LAYOUT", "LAYOUT_HASH"])
    box.use_all(".replay", ["replay", "seed_box"])
    box.use_all(".transaction", ["Tables", "Transaction"])
    box.use(".views", "VIEWS")
    init = frame.imports(".")
    init.use("pillarbox.interface", "check_interface")
    wants = sorted(frozenset[str]().union(*(view.wants for view in schema.views.values())))
    about = f"\n\n{schema.doc}" if schema.doc else ""
    return {
        "box.py": frame.module(
            doc=f"A box of the schema {schema.name!r}.",
            imports=box,
            template="box.py.j2",
            name=schema.name,
            wants=f"frozenset({{{', '.join(map(literal, wants))}}})" if wants else "frozenset()",
        ),
        "__init__.py": frame.module(
            doc=f"The schema {schema.name!r} as Python: open a box with `open_box`.{about}",
            imports=init,
            template="init.py.j2",
            package=frame.package,
            interface=INTERFACE,
        ),
        "py.typed": "",
    }
