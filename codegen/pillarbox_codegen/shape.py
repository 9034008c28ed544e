"""The shape of schema files: `pillarbox.schema.json`, with its errors told in sentences, at their places.

Depends on: jsonschema_rs, yaml_nodes, names, findings.  Never on: what names and expressions mean.

Law: an entry in which nothing was found has every key the checks read, and each of the right kind.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError

from pillarbox_codegen.diagnostics import all_of, did_you_mean, left_out, one_of
from pillarbox_codegen.findings import Findings, TooMany
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import INT_RANGES
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, plain, scalar_value

SCHEMA_FILE: Final = "pillarbox.schema.json"

#: A file with so many misshapen places is not looked at to its end.
ERRORS_MAX: Final = 2_000

#: Words of other languages -> ours.
_ALIASES: Final = {
    "add": "put", "delete": "remove", "fetch": "get", "find": "search", "insert": "put", "list": "scan",
    "query": "scan", "select": "scan", "switch": "match", "update": "patch", "upsert": "put",
}  # fmt: skip
#: So many words are told one by one.
_FEW: Final = 4
_FIELD: Final = "write its number and its type, such as [1, text]"
_CUT: Final = "quote the text before it: inside { } a comma ends a text without quotes"
#: What no key of a schema has, so that a key with one is the rest of a text.
_OF_EXPRESSIONS: Final = frozenset(" ()[]<>='\"")
#: How a step goes through a list.
_LOOPED: Final = re.compile(r"(.{1,40}?)\s+as\s+([a-z][a-z0-9_]{0,30})")
#: A name of something else.
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,60}")
#: A whole number that no type holds; YAML's reader takes it for a text.
_MANY_DIGITS: Final = re.compile(r"-?[1-9][0-9]{20,}")
_KINDS: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "nothing",
}


@cache
def _rules() -> Any:
    text = files("pillarbox_codegen").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
    # The checks judge names themselves, with reasons; `propertyNames` is for editors.
    return _without(json.loads(text), "propertyNames")


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(_rules())


def _without(value: Any, word: str) -> Any:
    if isinstance(value, dict):
        return {key: _without(item, word) for key, item in value.items() if key != word}
    return [_without(item, word) for item in value] if isinstance(value, list) else value


def check_shape(tree: YamlNode, findings: Findings) -> set[tuple[str, str]]:
    """Report every misshapen place of one file; returns the (kind, name) of the entries they are in."""
    errors = list(islice(_validator().iter_errors(_judged(tree)), ERRORS_MAX))
    undecided = {tuple(error.instance_path) for error in errors if error.schema_path[-1] == "oneOf"}
    misshapen: set[tuple[str, str]] = set()
    turned = {tuple(error.instance_path[:-1]) for error in errors if _is_turned(error, tree)}
    for error in errors:
        path = error.instance_path
        kind, name = [*map(str, path[:2]), "", ""][:2]
        misshapen.add((kind, name))
        if tuple(path[:-1]) in turned:  # both places are wrong, for one reason
            if path[-1] == 0:
                _report_turned(_node_at(tree, path[:-1]), findings)
        # Where two kinds of thing are mixed, each would call the other's keys unknown.
        elif error.schema_path[-1] != "additionalProperties" or tuple(path) not in undecided:
            _report(error, _node_at(tree, path), findings)
    if len(errors) == ERRORS_MAX:  # the rest of the file was not looked at
        raise TooMany
    return misshapen


def _is_turned(error: ValidationError, tree: YamlNode) -> bool:
    """Whether a number that belongs first stands second, in a list of two."""
    if error.schema_path[-3:] != ["prefixItems", 0, "type"]:
        return False
    given: Any = plain(_node_at(tree, error.instance_path[:-1]))
    return len(given) == 2 and type(given[1]) is int and not isinstance(given[0], int)


def _report_turned(node: YamlNode, findings: Findings) -> None:
    first, number = plain(node)  # a list of two
    second = first[:60] if isinstance(first, str) else "{..}"
    findings.add(node, "wrong-shape", "the number comes first", f"write [{number}, {second}]")


def _judged(node: YamlNode) -> Any:
    """As `plain`, but for a number with a point: JSON Schema would take 1.0 for a whole one."""
    if isinstance(node, YamlMap):
        return {name: _judged(value) for name, value in node.values.items()}
    if isinstance(node, YamlList):
        return [_judged(item) for item in node.items]
    value = scalar_value(node)
    if not isinstance(value, float):
        return value
    return value // 1 + 0.5 if abs(value) < 1e15 else 0.5


def _node_at(tree: YamlNode, path: list[str | int]) -> YamlNode:
    for step in path:
        match tree, step:
            case YamlMap(), str():
                tree = tree.values[step]
            case YamlList(), int():
                tree = tree.items[step]
            case _:
                break
    return tree


def _report(error: ValidationError, node: YamlNode, findings: Findings) -> None:
    *way, keyword = error.schema_path
    rule: Any = _rules()
    for step in way:
        rule = rule[step]
    wanted: Any = rule[keyword]
    given: Any = plain(node)
    noun = rule.get("x-is", "this")
    match keyword:
        case "additionalProperties":
            _report_keys(given, node, noun, rule, findings)
        case "required":
            told = rule.get("additionalProperties") is False  # what is no key of it
            known = {*rule.get("properties", ()), *rule.get("x-later", ())} if told else {*given}
            missing = left_out(wanted, given, known)
            added = ", ".join(f"`{word}:`" for word in missing)
            if missing:
                findings.add(node, "missing-key", f"{noun} needs {all_of(missing)}", f"add {added}")
        case "oneOf":
            if isinstance(node, YamlMap):  # else its type is told
                _report_choice(given, node, noun, rule, findings)
        case "type" if wanted == "integer" and isinstance(given, str) and _MANY_DIGITS.fullmatch(given):
            findings.add(node, "range", f"{_brief(given)} is out of range", _numbers_hint(rule))
        case "type":
            kinds = one_of_kinds(wanted if isinstance(wanted, list) else [wanted])
            text = f"expected {kinds}, found {_found(given)}"
            cut = given is None and _is_cut(error.instance_path[-1:])
            hint = _CUT if cut else _FIELD if noun == "a field" else _shape_hint(wanted, given)
            hint = _opened(error.instance_path[-1:], given, rule) or hint
            findings.add(node, "wrong-shape", text, hint)
        case "maxLength":
            text = f"the name is {len(given)} characters long, at most {wanted} are read"
            findings.add(node, "name", text, "choose a shorter one")
        case "enum" | "const" | "pattern":
            _report_word(str(keyword), wanted, given, node, findings)
        case "minimum" | "maximum":
            findings.add(node, "range", f"{_brief(given)} is out of range", _numbers_hint(rule))
        case "minItems" | "maxItems":
            findings.add(node, "wrong-shape", f"{noun} is a list of {_items(rule)}", _items_hint(noun, given))
        case "uniqueItems":
            place = next(at for at, one in enumerate(given) if one in given[:at])
            code = "number-taken" if isinstance(given[place], int) else "name-taken"
            second = _node_at(node, [place])
            findings.add(second, code, f"{_brief(given[place])} is named twice", "name it once")
        case "minProperties":
            findings.add(node, "missing-key", f"{noun} is empty", "name at least one")
        case "maxProperties":
            findings.add(node, "one-of", f"{noun} has several keys", "keep one of them")
        case _:
            text, hint = error.message[:200], "the page of this word in docs/schema says what stands here"
            findings.add(node, "wrong-shape", text, hint)


def _numbers_hint(rule: dict[str, Any]) -> str:
    low, high = rule.get("minimum", INT_RANGES["int64"][0]), rule.get("maximum")
    return f"numbers here go from {low} to {high}" if high is not None else f"numbers here go from {low} on"


def _is_cut(place: list[str | int]) -> bool:
    """Whether a key without a value is the rest of a text behind a comma, such as `0)` of `min(a, 0)`."""
    return any(isinstance(word, str) and not word.isidentifier() for word in place)


def _opened(place: list[str | int], given: object, rule: dict[str, Any]) -> str | None:
    """What to do with a lone word where a mapping should stand: mostly its first key is left out."""
    if rule.get("type") != "object" or not isinstance(given, str) or not _WORD.fullmatch(given):
        return None
    if place == ["do"]:
        return f"write `do: {{{given}: {{..}}}}`"
    if place and rule.get("x-is") == "a type":
        return f"write `{place[0]}: {{id: {given}}}`; what is no id is written where it is used, as `{given}`"
    needed = rule.get("required", ())
    more = ", .." if len(needed) > 1 else ""
    return f"write `{place[0]}: {{{needed[0]}: {given}{more}}}`" if place and needed else None


def _items_hint(noun: str, given: list[Any]) -> str:
    """What to do with a list of another length; `[1, map<text, int32>]` is one of three to YAML."""
    if len(given) > 2 and isinstance(given[1], str) and "<" in given[1]:
        return f'quote the type: [{given[0]}, "{", ".join(map(str, given[1:]))}"]'[:100]
    return _FIELD if noun == "a field" else "name as many, or leave the key out"


def _report_keys(
    given: dict[str, Any], node: YamlNode, noun: str, rule: dict[str, Any], findings: Findings
) -> None:
    known = rule["properties"]
    assert isinstance(node, YamlMap)
    for word in given:
        if word in known:
            continue
        if word in rule.get("x-later", ()):
            _report_later(node, word, findings)
            continue
        hint = did_you_mean(word, known) or f"its keys are {one_of(sorted(known))}"
        hint = _inside(noun, given, word) or hint
        if set(word) & _OF_EXPRESSIONS:
            hint = _CUT
        findings.add(node.keys[word], "unknown-key", f"{noun} has no key `{word[:60]}`", hint)


def _inside(noun: str, given: dict[str, Any], word: str) -> str | None:
    """What to do with a key beside the word of a step that has a lone word where its mapping should stand."""
    step = noun.removeprefix("the step ").strip("`")
    if not isinstance(given.get(step), str):
        return None
    inside = f"{given[step][:60]}: {{{word[:60]}: ..}}" if step == "do" else f".., {word[:60]}: .."
    return f"it stands inside: `{step}: {{{inside}}}`"


def _report_later(node: YamlMap, word: str, findings: Findings) -> None:
    text = f"`{word}` is kept for a later version of the schema language"
    findings.add(node.keys[word], "not-yet", text, "leave it out for now")


def _report_choice(
    given: dict[str, Any], node: YamlMap, noun: str, rule: dict[str, Any], findings: Findings
) -> None:
    words: list[str] = rule["x-choice"]
    present = [word for word in given if word in words]
    if present:
        text = f"{noun} has one of {one_of(words)}, this one has {' and '.join(present)}"
        findings.add(node.keys[present[1]], "one-of", text, "keep one of them")
        return
    later = [word for word in given if word in rule.get("x-later", ())]
    if later:
        _report_later(node, later[0], findings)
        return
    known = _keys_of(rule)
    for word in (word for word in given if word not in known):
        alias = _ALIASES.get(word, "")
        near = f"did you mean `{alias}`?" if alias in words else did_you_mean(word, words)
        if near:
            findings.add(node.keys[word], "unknown-key", f"{noun} has no key `{word[:60]}`", near)
            return
    strange = next((word for word in given if word not in known), None)
    if strange is not None:
        hint = f"it has one of {one_of(words)}"
        if noun == "a step":
            hint += f"; an operation is a step as `do: {{{strange[:60]}: {{..}}}}`"
        findings.add(node.keys[strange], "unknown-key", f"{noun} has no key `{strange[:60]}`", hint)
        return
    findings.add(node, "missing-key", f"{noun} needs one of {one_of(words)}", "add one of them")


def _keys_of(rule: dict[str, Any]) -> set[str]:
    """The keys that any of the kinds has between which a rule chooses."""
    kinds = [one["then"] for one in rule.get("allOf", ())]
    kinds = [_rules()["$defs"][kind["$ref"].rpartition("/")[2]] if "$ref" in kind else kind for kind in kinds]
    return {key for kind in (rule, *kinds) for key in kind.get("properties", ())}


def _report_word(rule: str, wanted: Any, given: Any, node: YamlNode, findings: Findings) -> None:
    match rule:
        case "enum":
            words = [_spelled(word) for word in wanted]
        case "const":
            words = [_spelled(wanted)]
        case _:
            words = wanted.strip("^()$").split("|")
    if words[0].startswith("[a-z]"):  # the pattern of a name
        found = snake_problem(str(given))
        if found is not None:
            findings.add(node, "name", *found)
        return
    # Of a few all are named: the one that is spelled alike may mean the opposite.
    near = did_you_mean(str(given), words) if len(words) > _FEW else None
    hint = near or f"it must be {one_of(words)}"
    findings.add(node, "unknown-word", f"{_brief(given)} cannot stand here", hint)


def one_of_kinds(kinds: list[str]) -> str:
    nouns = [_KINDS[kind] for kind in kinds]
    return nouns[0] if len(nouns) == 1 else ", ".join(nouns[:-1]) + f" or {nouns[-1]}"


def _found(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return f"`{_spelled(value)}`"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case _:
            return _brief(value)


def _shape_hint(kinds: str | list[str], value: object) -> str | None:
    if kinds == "boolean" and value is not None:
        return "write `true` or `false`, without quotes"
    if kinds == "integer" and value is not None:
        return "write a decimal number, without quotes"
    if value is None and {"object", "array"}.issuperset([kinds] if isinstance(kinds, str) else list(kinds)):
        written = "{ }" if kinds == "object" else "[ ]" if kinds == "array" else "{ } or [ ]"
        return f"a key without a value; write one behind it, within {written}, or leave the key out"
    if value is None:
        return "a key without a value; write one behind it, or leave the key out"
    if kinds == "array" and isinstance(value, str) and value[:1] == "[" and value[-1:] == "]":
        return "it is one text, since it is quoted: take the quotes off, and quote what in it has a comma"
    if kinds == "array":
        return "put [ ] around it, or `- ` before each one in lines of their own"
    looped = _LOOPED.fullmatch(value) if kinds == "object" and isinstance(value, str) else None
    if looped is not None:
        return f"write `{{{looped[2]}: {looped[1]}}}`; only steps say `{looped[0]}`"
    if kinds == "object" or kinds == ["object", "array"]:
        return "write `name: value` for each one, in lines of their own or inside { }"
    if isinstance(kinds, list) and "string" in kinds and isinstance(value, list):
        return "write one expression; that of a list stands in quotes"
    if kinds == "string" and isinstance(value, int | float):
        return "write a word; what is meant as text stands in quotes"
    if kinds == "string" and isinstance(value, list) and len(value) == 1:
        return f"write it without [ ]; a type that holds several is `list<{_spelled(value[0])[:60]}>`"
    if kinds == "string" or (isinstance(kinds, list) and "string" in kinds):
        return "write one word, or one expression in quotes"
    return None


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _brief(value: object) -> str:
    text = _spelled(value)
    return f"`{text[:60]}`" + ("..." if len(text) > 60 else "")


def _items(rule: dict[str, Any]) -> str:
    if "prefixItems" in rule:
        return "two: its number, then its type or its fields"
    return f"at least {rule.get('minItems', 0)}"
