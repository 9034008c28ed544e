"""What every generated module has: a header, a docstring, imports, a body.

Depends on: printing, wrapping, templates.  Never on: the schema's contents.

Every plan module offers `outputs(schema, frame) -> dict[str, str]`: file name inside the package ->
text, made with `frame.module`. `generate.py` collects them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import jinja2

from pillarbox_codegen import printing, wrapping

#: First words of every generated file; files that begin so are ours to remove.
MARK: Final = "# Generated from the schema "

_TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.PackageLoader("pillarbox_codegen", "templates"),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # Python, not HTML
)


class Imports:
    """The imports of one module, collected while it is planned and printed in the linter's order."""

    def __init__(self, package: str, module: str, defines: Iterable[str] = ()) -> None:
        """`module` is the module's own name with a leading dot; `defines` are its top-level names."""
        self._package = package
        self._own = module
        self._taken: dict[str, str] = dict.fromkeys(defines, module)
        self._names: dict[str, set[str]] = {}
        self._modules: set[str] = set()
        self._aliased: set[str] = set()

    def use(self, module: str, name: str) -> str:
        """The text that names `name` of `module`; a leading dot means the generated package.

        Where the plain name is taken already, the text is qualified: `_types.Project`.
        """
        if module == self._own:
            return name
        if self._taken.setdefault(name, module) != module:
            self._aliased.add(module)
            return f"_{module.rpartition('.')[2]}.{name}"
        self._names.setdefault(module, set()).add(name)
        return name

    def use_all(self, module: str, names: Iterable[str]) -> None:
        """Enter names that a template prints by itself."""
        for name in names:
            if self.use(module, name) != name:
                raise ValueError(f"the name {name} is taken in {self._own}")

    def use_module(self, module: str) -> str:
        """`import struct`, or `from package import types` for `.types`; gives the name to write."""
        if module.startswith("."):
            self._names.setdefault(".", set()).add(module[1:])
            return module[1:]
        self._modules.add(module)
        return module

    def text(self) -> str:
        """The import block, sections parted by a blank line; ends in a newline when not empty."""
        sections: list[list[str]] = [[], [], []]
        modules = {module: f"import {module}" for module in self._modules}
        for module in self._aliased:
            alias = f"_{module.rpartition('.')[2]}"
            if module.startswith("."):
                self._names.setdefault(".", set()).add(f"{module[1:]} as {alias}")
            else:
                modules[module] = f"import {module} as {alias}"
        for module in sorted(modules, key=printing.natural):
            sections[self._section(module)].append(modules[module])
        sources = {self._absolute(module): names for module, names in self._names.items()}
        for module in sorted(sources, key=printing.natural):
            names = sorted(sources[module], key=printing.member_order)
            plain_names = [name for name in names if " as " not in name]
            lines = sections[self._section(module)]
            if plain_names:
                lines.append(printing.from_import(module, plain_names))
            lines += [printing.from_import(module, [name]) for name in names if " as " in name]
        blocks = ["\n".join(section) + "\n" for section in sections if section]
        return "\n".join(blocks)

    def _absolute(self, module: str) -> str:
        if module == ".":
            return self._package
        return f"{self._package}{module}" if module.startswith(".") else module

    @staticmethod
    def _section(module: str) -> int:
        root = module.partition(".")[0]
        if root in sys.stdlib_module_names:
            return 0
        return 2 if re.match(r"pillarbox(_|$)", root) else 1


@dataclass(frozen=True, slots=True)
class Frame:
    """What is the same for all modules of one package."""

    #: `pillarbox_tracker`
    package: str
    #: The schema's own name, `tracker`.
    name: str
    #: 12 hex digits over everything the schema says.
    schema_hash: str

    def header(self) -> str:
        """The two comment lines at the top of every file."""
        return (
            f"{MARK}{self.name!r} by pillarbox_codegen. Edit that, then run `pillarbox generate`.\n"
            f"# schema-hash: {self.schema_hash}\n"
        )

    def imports(self, module: str, defines: Iterable[str] = ()) -> Imports:
        """An empty import block for the module with this name, such as `.types`."""
        return Imports(self.package, module, defines)

    def module(self, *, doc: str, imports: Imports, template: str, **values: object) -> str:
        """One module's text: `template` prints the body. Statements longer than a line are wrapped.

        `doc` may be of several paragraphs; `imports` is read last, so planning may go on in `values`.
        """
        body = re.sub(r"\n{4,}", "\n\n\n", render(template, **values).strip("\n"))
        parts = [
            f"{self.header()}{printing.docstring(doc)}\n",
            "from __future__ import annotations\n",
            imports.text(),
        ]
        head = "\n".join(part for part in parts if part)
        gap = "\n\n" if body.startswith(("class ", "def ", "@")) else "\n"
        return wrapping.fit(f"{head}{gap}{body}\n" if body else head)


def render(template: str, **values: object) -> str:
    """Print a template; it may use everything in `values` and nothing else."""
    return _TEMPLATES.get_template(template).render(**values)
