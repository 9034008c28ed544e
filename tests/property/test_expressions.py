"""Laws of the schema's front end: expressions read back as they were written, and nothing crashes it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.codes import CODES
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import Diagnostic, SchemaErrors
from pillarbox_codegen.expr_check import check
from pillarbox_codegen.expr_parse import DEPTH_MAX, parse_text
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import (
    At,
    AttrNode,
    BinaryNode,
    CallNode,
    ConstNode,
    HasNode,
    IfNode,
    IsNode,
    ListNode,
    NamedNode,
    NameNode,
    Syntax,
    UnaryNode,
)
from pillarbox_codegen.expr_tokens import WORDS
from pillarbox_codegen.findings import Findings, Invalid
from pillarbox_codegen.model import EnumType, IdType, ListOf, Local, Named, Optional, Scalar, Type
from pillarbox_codegen.type_rules import BOOL, INT64, TEXT, assignable, show
from pillarbox_codegen.yaml_nodes import SourceFile, YamlList, YamlMap, YamlNode, YamlScalar
from pillarbox_codegen.yaml_source import parse

#: An expression costs microseconds, so these laws get many more examples than most.
CHEAP = settings(max_examples=8 * settings().max_examples)

TRACKER = Path(__file__).resolve().parents[2] / "schema/tracker"


def scalar(text: str) -> YamlScalar:
    return YamlScalar(SourceFile("case.yaml", text), 1, 1, text, None, 0, len(text))


def parsed(text: str) -> tuple[Syntax | None, Findings]:
    findings = Findings()
    try:
        return parse_text(scalar(text), text, 0, findings), findings
    except Invalid:
        return None, findings


# ------------------------------------------------------------------------------ written and read back

NOWHERE = At(scalar(""), 0)
names = st.sampled_from(["a", "b", "state", "present", "flags", "min", "_x"])
values = st.one_of(st.integers(0, 10**19), st.booleans(), st.none(), st.text(max_size=4))
consts: SearchStrategy[Syntax] = st.builds(ConstNode, values, st.just(NOWHERE))


def grown(inner: SearchStrategy[Syntax]) -> SearchStrategy[Syntax]:
    at = st.just(NOWHERE)
    several = st.lists(inner, max_size=3).map(tuple)
    named = st.lists(st.builds(NamedNode, names, inner, at), max_size=2).map(tuple)
    sums, logic = st.sampled_from(["+", "-", "*", "//"]), st.sampled_from(["and", "or"])
    comparisons = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in"])
    return st.one_of(
        st.builds(AttrNode, inner, names, at, at),
        st.builds(CallNode, names, several, named, at),
        st.builds(ListNode, several, at),
        st.builds(UnaryNode, st.sampled_from(["-", "not"]), inner, at),
        st.builds(BinaryNode, sums, inner, inner, at),
        st.builds(BinaryNode, logic, inner, inner, at),
        st.builds(BinaryNode, comparisons, inner, inner, at),
        st.builds(IsNode, inner, st.sampled_from(["present", "none", "Case"]), at, at),
        st.builds(HasNode, inner, names, at, at),
        st.builds(IfNode, inner, inner, inner, at),
    )


trees = st.recursive(consts | st.builds(NameNode, names, st.just(NOWHERE)), grown, max_leaves=12)

#: Loosest first, as the grammar lists them.
LEVELS = {"if": 0, "or": 1, "and": 2, "not": 3, "==": 4, "+": 5, "*": 6, "-x": 7, "//": 8, "postfix": 9}


def level(node: Syntax) -> int:
    match node:
        case IfNode():
            return LEVELS["if"]
        case UnaryNode(op=op):
            return LEVELS["not"] if op == "not" else LEVELS["-x"]
        case BinaryNode(op=op):
            return LEVELS.get("+" if op == "-" else op, LEVELS["=="])
        case IsNode() | HasNode():
            return LEVELS["=="]
        case _:
            return LEVELS["postfix"]


def is_negative(node: Syntax) -> bool:
    """Whether it is a minus, or several, before what needs no parentheses anywhere."""
    while isinstance(node, UnaryNode) and node.op == "-":
        node = node.operand
        if level(node) == LEVELS["postfix"]:
            return True
    return False


def written(node: Syntax) -> str:
    """The text of a tree with no more parentheses than the levels ask for."""

    def operand(child: Syntax, least: int) -> str:
        return written(child) if level(child) >= least else f"({written(child)})"

    match node:
        case ConstNode(value=str() as value):
            escaped = value.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case ConstNode(value=value):
            return str(value).lower()
        case NameNode(name=name):
            return name
        case AttrNode(of=of, name=name):
            return f"{operand(of, 9)}.{name}"
        case CallNode():
            named = [f"{one.name}: {written(one.value)}" for one in node.named]
            return f"{node.function}({', '.join([*map(written, node.arguments), *named])})"
        case ListNode(items=items):
            return f"[{', '.join(map(written, items))}]"
        case UnaryNode(op=op, operand=inner):
            return f"{op} {operand(inner, level(node))}"
        case BinaryNode(op=op, left=left, right=right):
            own = level(node)
            leftmost = own if op in ("+", "-", "*", "and", "or", "//") else own + 1
            if op == "//" and is_negative(right):
                return f"{operand(left, leftmost)} // {written(right)}"
            return f"{operand(left, leftmost)} {op} {operand(right, own + 1)}"
        case IsNode(of=of, what=what):
            return f"{operand(of, 5)} is {what}"
        case HasNode(of=of, flag=flag):
            return f"{operand(of, 5)} has {flag}"
        case IfNode(condition=condition, then=then, otherwise=otherwise):
            return f"if {written(condition)} then {written(then)} else {written(otherwise)}"
        case _:
            raise AssertionError(node)


@CHEAP
@given(trees)
def test_what_is_written_reads_back_as_itself(tree: Syntax) -> None:
    text = written(tree)

    read, findings = parsed(text)

    assert read == tree, (text, findings.diagnostics)


TOKENS = [*sorted(WORDS), "a", "Case", "min", "(", ")", "[", "]", ",", ".", ":", "+", "-", "*", "//", "==",
          "<", "7", "'t'", "'", '"', "\\", "=", "!", "é", " ", "\n", "1.5", "9" * 25]  # fmt: skip


@CHEAP
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map(" ".join) | st.text(max_size=12))
def test_any_text_is_a_tree_or_one_finding_inside_it(text: str) -> None:
    read, findings = parsed(text)

    assert (read is None) == (len(findings.diagnostics) == 1)
    for found in findings.diagnostics:
        lines = text.split("\n")
        assert found.code in CODES
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1


@given(st.integers(1, 400), st.sampled_from(["(", "[", "-", "not ", "f(", "if a then b else ", "a.b + "]))
def test_depth_is_refused_before_it_hurts(depth: int, opening: str) -> None:
    closing = {"(": ")", "[": "]", "f(": ")"}.get(opening, "")

    read, findings = parsed(opening * depth + "a" + closing * depth)

    if read is None:
        assert depth >= DEPTH_MAX - 1
        assert [found.code for found in findings.diagnostics] in (["too-deep"], ["too-big"])


# --------------------------------------------------------------------------------------- well-typed

STATE, ID = Named("State"), Named("IssueId")
FIELDS: dict[str, Type] = {
    "big": INT64, "small": Scalar("uint8"), "title": TEXT, "yes": BOOL, "state": STATE, "id": ID,
    "maybe": Optional(INT64), "who": Optional(ID), "labels": ListOf(INT64), "states": ListOf(STATE),
}  # fmt: skip
SOURCES = st.sampled_from(sorted(FIELDS))


def context() -> Context:
    entry = Entry(scalar("a"), YamlMap(SourceFile("case.yaml", ""), 1, 1), sound=True)
    made = Context(Findings(), {"types": {"State": entry, "IssueId": entry}})
    made.types["State"] = EnumType("State", Scalar("uint8"), (("open", 0), ("closed", 1)))
    made.types["IssueId"] = IdType("IssueId", INT64)
    return made


@st.composite
def typed(draw: DrawFn, type: Type, depth: int = 3) -> str:
    """The text of an expression that has the type by construction."""
    own = [name for name, known in FIELDS.items() if known == type]
    leaves = [*own, *LITERALS.get(show(type), [])]
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(leaves))

    def sub(wanted: Type) -> str:
        return f"({draw(typed(wanted, depth - 1))})"

    forms = [lambda: f"if {sub(BOOL)} then {sub(type)} else {sub(type)}"]
    match type:
        case Scalar("int64"):
            forms += [
                lambda: f"{sub(INT64)} + {sub(INT64)}",
                lambda: f"-{sub(INT64)}",
                lambda: f"max({sub(INT64)}, {sub(INT64)})",
                lambda: f"{sub(Optional(INT64))} // {sub(INT64)}",
                lambda: f"size({sub(ListOf(INT64))})",
                lambda: f"if maybe is present then maybe + {sub(INT64)} else 0",
            ]
        case Scalar("bool"):
            forms += [
                lambda: f"{sub(INT64)} < {sub(INT64)}",
                lambda: f"{sub(STATE)} == {sub(STATE)}",
                lambda: f"{sub(Optional(ID))} == {sub(ID)}",
                lambda: f"{sub(INT64)} in {sub(ListOf(INT64))}",
                lambda: f"not {sub(BOOL)} and {sub(BOOL)}",
                lambda: f"{sub(Optional(INT64))} is none",
                lambda: f"who is none or who == {sub(ID)}",
            ]
        case Scalar("text"):
            forms += [lambda: f"concat({sub(TEXT)}, {sub(TEXT)})"]
        case Optional():
            forms += [lambda: f"first({sub(ListOf(INT64))})"] if type == Optional(INT64) else []
        case ListOf(item):
            forms += [
                lambda: f"[{sub(item)}, {sub(item)}]",
                lambda: f"{sub(type)} + {sub(type)}",
                lambda: f"join({sub(type)}, {sub(type)})",
            ]
        case _:
            pass
    return draw(st.sampled_from(forms))()


LITERALS = {
    "int64": ["0", "7"], "bool": ["true"], "text": ["'t'"], "State": ["State.open"], "IssueId": ["id"],
    "opt<int64>": ["maybe"], "opt<IssueId>": ["who"], "list<int64>": ["labels"], "list<State>": ["states"],
}  # fmt: skip


@st.composite
def typed_pairs(draw: DrawFn) -> tuple[Type, str]:
    type = FIELDS[draw(SOURCES.filter(lambda name: name != "small"))]
    return type, draw(typed(type))


@CHEAP
@given(typed_pairs())
def test_what_is_typed_by_construction_is_typed_so_by_the_checker(pair: tuple[Type, str]) -> None:
    type, text = pair
    made = context()
    scope = Scope({name: Local(name, "field", known) for name, known in FIELDS.items()})
    read, _ = parsed(text)
    assert read is not None

    try:
        expr = check(made, read, type, scope)
    except Invalid:
        # Behind a test of `maybe` or `who` another one does nothing, which is told, and rightly.
        told = {diagnostic.code for diagnostic in made.findings.diagnostics}
        assume(told != {"never-none"} or " is " not in text)
        raise

    assert assignable(expr.type, type, made.types)
    assert made.findings.diagnostics == []


# ------------------------------------------------------------------------------------ nothing crashes

FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(TRACKER.glob("*.yaml"))}


def scalars(node: YamlNode) -> list[YamlScalar]:
    match node:
        case YamlMap():
            return [one for key, value in node for one in (key, *scalars(value))]
        case YamlList(items=items):
            return [one for item in items for one in scalars(item)]
        case YamlScalar():
            return [node]


TREES = {name: parse(SourceFile(name, text), []) for name, text in FILES.items()}
SCALARS = {name: scalars(tree) for name, tree in TREES.items() if tree is not None}
TEXTS = sorted({one.file.text[one.start : one.end] for found in SCALARS.values() for one in found})
ODD = ["", "[]", "{}", "null", "1.0", "-1", "0", "9" * 20, "9" * 5000, "true", "row", "seeds", "seeds.x",
       "x" * 3000, "opt<opt<text>>", "''", "[[[", "*a", "&a b", "!t x", "a: b", "- a", "'", '"', "\\", "\t",
       "list<", "x as y", "case(a, B)", "none", "make(State)", "é", "a.b.c.d", "[1, 2]", "{a: 1}",
       "__import__('os')"]  # fmt: skip


@st.composite
def mutated(draw: DrawFn) -> dict[str, str]:
    """The tracker with one file changed: scalars replaced, lines moved or lost, or bytes written over."""
    name = draw(st.sampled_from(sorted(FILES)))
    text = FILES[name]
    match draw(st.sampled_from(["scalars", "lines", "characters"])):
        case "scalars":
            chosen = draw(st.lists(st.sampled_from(SCALARS[name]), min_size=1, max_size=3, unique_by=id))
            for one in sorted(chosen, key=lambda node: -node.start):
                new = draw(st.sampled_from(TEXTS) | st.sampled_from(ODD))
                text = text[: one.start] + new + text[one.end :]
        case "lines":
            lines = text.split("\n")
            start, stop = sorted((draw(st.integers(0, len(lines))), draw(st.integers(0, len(lines)))))
            target = draw(st.integers(0, len(lines)))
            kept = lines[:start] + lines[stop:]
            kept[target:target] = lines[start : min(stop, start + 3)]
            text = "\n".join(kept)
        case _:
            for _ in range(draw(st.integers(1, 3))):
                at = draw(st.integers(0, len(text) - 1))
                new = draw(st.characters(codec="utf-8") | st.sampled_from("[]{}:,'\"\n "))
                text = text[:at] + new + text[at + 1 :]
    return FILES | {name: text}


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_a_changed_schema_is_a_schema_or_findings_and_nothing_else(files: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_bytes(text.encode("utf-8", "surrogatepass"))

        found = findings_of(Path(folder))

    for one in found:
        lines = files.get(one.file, "").split("\n")
        assert one.code in CODES
        assert one.text
        assert one.file == "." or 1 <= one.line <= len(lines)
        assert one.column >= 1


def findings_of(folder: Path) -> tuple[Diagnostic, ...]:
    try:
        load_schema(folder)
    except SchemaErrors as errors:
        errors.render()
        return errors.diagnostics
    return ()
