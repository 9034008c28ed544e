"""The stored keys that begin alike, as text.

Depends on: model, names, frame.  Never on: words.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports


def range_of(imports: Imports, table: model.Table, parts: list[str]) -> str:
    """The text of (low, high): the stored keys of the rows of a table whose keys begin with these parts."""
    if not parts:
        return "(None, None)"
    if len(parts) == len(table.key):
        function = imports.use(".keys", names.key_function(table.name))
        return f"{imports.use('pillarbox.codec', 'one_key')}({function}({', '.join(parts)}))"
    function = imports.use(".keys", names.prefix_function(table.name, len(parts)))
    return f"{imports.use('pillarbox.codec', 'keys_under')}({function}({', '.join(parts)}))"
