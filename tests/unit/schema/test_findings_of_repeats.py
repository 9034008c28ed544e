# ruff: noqa: E501 -- a table reads best with one case a line
"""What may come twice: which operations bear it, which are said to, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.repeats import Fault, doubt

#: Steps of an operation -> what speaks against doing them twice; none: nothing does.
STEPS: dict[str, str | None] = {
    "{put: {into: points, row: {n: n, total: total}}}": None,
    "{put: {into: points, row: point}}": None,
    "{put: {into: others, row: {n: n, total: total}}}": None,
    "{remove: {from: points, at: n}}": None,
    "{patch: {table: points, at: n, set: {total: total}}}": None,
    "{patch: {table: points, at: n, max: {total: total}}}": None,
    "{set_cursor: {cursor: feed, set: {rev: total}}}": None,
    "{emit: {event: told, n: n}}": None,
    "{add_range: {table: gaps, range: '[n, n]'}}": None,
    "{put: {into: points, row: point, only: new}}, {patch: {table: points, at: n, set: {total: total}}}": None,
    "{let: {other: others(n)}}, {put: {into: points, row: point}, when: other is none}": None,
    "{put: {into: points, row: point, only: new}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is present}": None,
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": None,
    "{put: {into: points, row: point}, as: it}, {if: it.was is none, then: [{patch: {table: others, at: n, add: {total: 1}}}]}": None,
    "{place: {list: ranks, item: n, at: front}}": None,
    "{unplace: {list: ranks, item: n}}": None,
    "{patch: {table: points, at: n, add: {total: 1}}}": "adds to `points.total`",
    "{if: n > 5, then: [{patch: {table: points, at: n, add: {total: 1}}}]}": "adds to `points.total`",
    "{put: {into: lines, row: {total: total}}}": "takes a number for `lines`",
    "{put: {into: points, row: point, only: new}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is present}": "more than once what hangs on `it`",
    # A row that goes again, or is not put, is new again.
    "{remove: {from: points, at: n}}, {put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}, {remove: {from: points, at: n}}": "more than once what hangs on `it`",
    "{put: {into: points, row: point, only: old}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point}, as: it, when: n > 5}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    "{put: {into: points, row: point, only: new}, as: it, when: n > 5}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is present}": None,
    "{put: {into: points, row: point}, as: it}, {if: it.was is none, then: [], else: [{patch: {table: others, at: n, set: {total: total}}}]}": "more than once what hangs on `it`",
    "{let: {was: points(n)}}, {put: {into: points, row: point}, when: was is none}": "looks at `points`",
    "{require: points(n) is none}, {put: {into: points, row: point}}": "looks at `points`",
    "{let: {was: 'by_total([total, n])'}}, {put: {into: points, row: point}, when: was is none}": "looks at `by_total`",
    "{patch: {table: points, at: n, set: {total: total}}}, {put: {into: points, row: point, only: new}}": "changes rows of `points` before",
    "{put: {into: points, row: point, only: old}}, {remove: {from: points, at: n}}": "changes rows of `points` before",
    "{put: {into: counted, row: {n: n, total: total}}}": None,
    "{put: {into: counted, row: {n: n, total: 1}}}, {patch: {table: counted, at: n, set: {total: total}}}": "in several steps, which `version` counts",
    "{unplace: {list: ranks, item: n, else: [{emit: {event: told, n: n}}]}}": "where `ranks` has the item no more",
    # What was changed only where it was is made later.
    "{patch: {table: points, at: n, set: {total: total}}}, {patch: {table: points, at: n, max: {total: 1}, create: {total: 1}}}": "changes rows of `points` before",
    "{put: {into: points, row: point, only: old}}, {put: {into: points, row: {n: n, total: total}, only: new}}": "changes rows of `points` before",
    "{put: {into: points, row: point, only: new}}, {remove: {from: points, at: n}}": None,
    "{put: {into: points, row: point, only: new}}, {put: {into: points, row: {n: n, total: total}, only: old}}": None,
    # One key may come twice in a list.
    "{put: {into: points, row: p}, each: more as p}": None,
    "{put: {into: points, row: p, only: new}, each: more as p}": None,
    "{patch: {table: points, at: p.n, set: {total: p.total}, create: {total: 1}}, each: more as p}": None,
    "{patch: {table: points, at: p.n, max: {total: p.total}}, each: more as p}": None,
    "{put: {into: counted, row: {n: p.n, total: p.total}}, each: more as p}": "in several steps, which `version` counts",
    "{replace: {table: shelved, under: '[n]', rows: {each: more as p, row: {shelf: n, n: p.n, total: p.total}}}}": "in several steps, which `version` counts",
    "{if: n > 1, each: more as p, then: [{put: {into: points, row: p, only: new}}, {patch: {table: points, at: p.total, set: {total: total}}}]}": "changes rows of `points` before",
    "{if: n > 1, each: more as p, then: [{put: {into: points, row: p, only: new}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.row is present}]}": None,
    "{if: n > 1, each: more as p, then: [{put: {into: named, row: {n: p.n, total: p.total}}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}]}": "more than once what hangs on `it`",
    "{place: {list: ranks, item: n, at: 1}}": None,
    "{place: {list: ranks, item: p.n, at: front}, each: more as p}": None,
    "{place: {list: ranks, item: p.n, at: 1}, each: more as p}": "hang on the others",
    "{place: {list: ranks, item: n, at: 1}}, {place: {list: ranks, item: point.n, at: front}}": "hang on the others",
    "{if: n > 1, each: more as p, then: [{place: {list: ranks, item: p.n, at: 1}}]}": "hang on the others",
    "{place: {list: ranks, item: n, at: end}}, {reorder: {list: ranks, items: {each: more as p, item: p.n}, same_set: true}}": "hang on the others",
    # What is kept hangs on what is written.
    "{put: {into: newest, row: {n: n, total: total, rev: point.total}}}": None,
    # Of several rows the newest stands, whatever else is kept with it.
    "{put: {into: newest, row: {n: n, total: p.total, rev: p.n}}, each: more as p}": None,
    "{put: {into: newest, row: {n: 1, total: p.total, rev: p.n}}, each: more as p}, {put: {into: newest, row: {n: 1, total: total, rev: 2}}}": None,
    "{put: {into: newest, row: {n: n, total: p.total, rev: p.n}}, each: more as p}, {patch: {table: newest, at: n, set: {rev: total}}}": "keeps fields of `newest` by what `rev` was",
    "{put: {into: newest, row: {n: n, total: p.total, rev: p.n}, keep: [{fields: [total], when: old.rev > new.rev}]}, each: more as p}": "keeps fields of `newest` by what `rev` was",
    "{put: {into: points, row: p, keep: [{fields: [total], when: old.total > new.total}]}, each: more as p}": None,
    "{put: {into: points, row: p, keep: [{fields: [total], when: old.total > new.total}]}, each: more as p}, {put: {into: points, row: point}}": "keeps fields of `points` by what `total` was",
    "{remove: {from: newest, at: n}}, {put: {into: newest, row: {n: n, total: p.total, rev: p.n}}, each: more as p}": "keeps fields of `newest` by what `rev` was",
    "{put: {into: fitful, row: {n: n, total: p.total, rev: p.n}}, each: more as p}": "keeps fields of `fitful` by what `rev` was",
    "{put: {into: doubly, row: {n: n, total: p.total, rev: p.n, size: p.n}}, each: more as p}": None,
    "{put: {into: crossed, row: {n: n, total: p.total, rev: p.n}}, each: more as p}": "keeps fields of `crossed` by what `rev` was",
    "{put: {into: fitful, row: {n: n, total: total, rev: point.total}}}": "keeps fields of `fitful` by what `rev` was",
    "{put: {into: fitful, row: {n: n, total: total, rev: point.total}, only: new}}": None,
    "{put: {into: partly, row: {n: n, total: total, rev: point.total, size: point.n}}}": None,
    "{put: {into: several, row: {n: n, total: total, rev: point.total, size: point.n}}}": "keeps fields of `several` by what `rev` was",
    "{put: {into: others, row: {n: n, total: total}, keep: [{fields: [total], when: old.total > new.total}]}}": None,
    "{put: {into: newest, row: {n: n, total: total, rev: point.total}, keep: [{fields: [rev], when: n > 1}]}}": "keeps fields of `newest` by what `rev` was",
    "{put: {into: erratic, row: {n: n, total: 3}}}": None,
    "{put: {into: erratic, row: {n: n, total: p.total}}, each: more as p}": "keeps fields of `erratic` by what `total` was",
    # Whether a row is put hangs on its owner.
    "{put: {into: owned, row: {n: n, total: total}}}": None,
    "{put: {into: points, row: point}}, {put: {into: owned, row: {n: n, total: total}}}": None,
    "{put: {into: owned, row: {n: n, total: total}}}, {put: {into: points, row: point}}": "puts rows of `points` behind those that need them",
    "{put: {into: owned, row: {n: n, total: total}}, as: it}, {patch: {table: others, at: n, add: {total: 1}}, when: it.was is none}": "more than once what hangs on `it`",
    # Words with a base count what comes behind it, or goes and comes.
    "{mark: {table: doubtful, at: n}}": None,
    "{remove: {from: votes, at: '[n, 1]'}}": None,
    "{put: {into: votes, row: {n: n, vote: 1}}}": None,
    "{put: {into: votes, row: {n: n, vote: 2}}}, {put: {into: votes, row: {n: n, vote: 3}}}": None,
    # A group is left: rows first, then what was said of it.
    "{remove: {from: votes, under: '[n]'}}, {remove: {from: looked, at: n}}": None,
    "{remove: {from: votes, under: '[n]'}}, {remove: {from: tally, at: n}}": None,
    "{remove: {from: looked, at: n}}, {remove: {from: votes, under: '[n]'}}": "writes what `looked` follows",
    "{put: {into: votes, row: {n: n, vote: 1}}}, {remove: {from: looked, at: n}}": "writes what `looked` follows",
    "{if: n > 1, then: [{remove: {from: votes, under: '[n]'}}, {remove: {from: looked, at: n}}]}": "writes what `looked` follows",
    "{remove: {from: votes, at: '[n, 1]'}}, {put: {into: votes, row: {n: n, vote: 1}}}": "takes away and puts rows of `votes`, which `tally` counts",
    "{anchor: {table: tally, at: n, set: {votes: total, upto: 1}}}": None,
    "{anchor: {table: tally, at: n, set: {votes: total, upto: 1}}}, {put: {into: votes, row: {n: n, vote: 2}}}": "writes what `tally` follows beside what it sets",
    "{advance: {table: looked, at: n, mark: seen, to: 2}}": None,
    "{anchor: {table: looked, at: n, set: {seen: 1, unseen: total}}}": None,
    "{anchor: {table: looked, at: n, set: {seen: 1}}}, {advance: {table: looked, at: n, mark: seen, to: 2}}": "sets `looked` and moves its marks",
}
TABLES = """\
sequences:
  line_numbers: {id: 70, type: int32, per: {}}
tables:
  points: {id: 71, key: {n: int32}, record: {total: [1, int64]}}
  others: {id: 72, key: {n: int32}, record: {total: [1, int64]}}
  lines: {id: 73, key: {line: {type: int32, fill: line_numbers}}, record: {total: [1, int64]}}
  counted: {id: 79, key: {n: int32}, record: {total: [1, int64], version: {number: 2, type: uint32, default: 0}}, upsert: [{bump: version}]}
  gaps: {id: 74, ranges: {group: {}, over: {n: int32}, from: 1, to: 99}}
  by_total: {id: 75, index: {from: points, key: [total, n]}}
  ranks: {id: 76, list: {group: {}, item: {n: int32}, places: {id: 78}}}
  named: {id: 80, key: {n: int32}, record: {total: [1, int64]}}
  by_name: {id: 81, index: {from: named, unique: identity, key: [total], value: {n: n}}}
  newest: {id: 82, key: {n: int32}, record: {total: [1, int64], rev: [2, int64]}, upsert: [{keep: [rev, total], when: old.rev > new.rev}]}
  fitful: {id: 83, key: {n: int32}, record: {total: [1, int64], rev: [2, int64]}, upsert: [{keep: [total], when: old.rev > new.rev}]}
  partly:
    id: 84
    key: {n: int32}
    record: {total: [1, int64], rev: [2, int64], size: [3, int32]}
    upsert: [{keep: [rev], when: old.rev > new.rev}, {keep: [size], when: old.rev > new.rev and new.total > 1}]
  several:
    id: 85
    key: {n: int32}
    record: {total: [1, int64], rev: [2, int64], size: [3, int32]}
    upsert: [{keep: [rev], when: old.rev > new.rev and new.total > 1}, {keep: [size], when: old.rev > new.rev}]
  erratic:
    id: 96
    key: {n: int32}
    record: {total: [1, int64]}
    upsert: [{keep: [total], when: old.total == 3 and new.total == 1 or old.total == 1 and new.total == 2}]
  doubly:
    id: 97
    key: {n: int32}
    record: {total: [1, int64], rev: [2, int64], size: [3, int32]}
    upsert: [{keep: [rev, size], when: new.rev <= old.rev}, {keep: [total, size], when: old.total < new.total}]
  crossed:
    id: 98
    key: {n: int32}
    record: {total: [1, int64], rev: [2, int64]}
    upsert: [{keep: [rev, total], when: old.rev > new.rev}, {keep: [rev], when: new.total == 1}]
  owned: {id: 86, key: {n: int32}, record: {total: [1, int64]}, owned: {by: points, key: [n], orphans: skip}}
  votes: {id: 87, key: {n: int32, vote: int32}}
  tally: {id: 88, count: {from: votes, group: [n], sum: {votes: 1}, anchor: {given: votes, base: {upto: int32}, covers: vote <= upto, stale: doubtful}}}
  shelved: {id: 95, key: {shelf: int32, n: int32}, record: {total: [1, int64], version: {number: 2, type: uint32, default: 0}}, upsert: [{bump: version}]}
  doubtful: {id: 89, stale: {of: tally}}
  looked: {id: 93, marker: {over: votes, group: [n], by: vote, marks: [seen], counted: seen, base: {count: unseen}, stale: doubtful_looks}}
  doubtful_looks: {id: 94, stale: {of: looked}}
cursors:
  feed: {id: 77, parts: {rev: {kind: counter, number: 1}}}
events:
  told: {code: 70, fields: {n: [1, int32]}}
operations:
"""
PUSHED = "containers:\n  push: {code: 1, fields: {updates: [1, list<update>]}, items: updates}\n"


#: Its claim is that of all in it that have none of their own.
CLAIMED = """\
containers:
  push: {code: 1, fields: {updates: [1, list<update>], first: [2, int64], last: [3, int64]}, items: updates, claims: {domain: feed.rev, %s}}
"""
ONE, SPAN, PERHAPS = "end: last", "first: first, last: last", "end: last, unless: last == 0"
UNCLAIMED = "  bare: {code: 2, fields: {updates: [1, list<update>]}, items: updates}\n"


#: Another cursor, whose difference brings updates, too.
OTHER = """\
debts: {id: 60}
requests: {look: {code: 1, fields: {n: [1, int32]}, answers: [seen]}}
answers: {seen: {code: 30, fields: {updates: [1, list<update>], rev: [2, int64]}}}
bodies: {page: {lists: [{list: updates, as: update%s}], covered: [topic.rev]}}
"""
TOPIC = (
    "\n  topic: {id: 61, per: {n: int32}, parts: {rev: {kind: counter, number: 1}}, difference: "
    "{request: look, with: {n: n}, answers: {seen: {kind: full, set: {rev: rev}, body: page}}}}\nevents:"
)


def beside(text: str, only: str = "") -> str:
    """The same, and another cursor's difference brings updates."""
    return text.replace("\nevents:", TOPIC, 1) + OTHER % only


PARAMS = "n: [1, int32], total: [2, int64], point: [3, row<points>], more: [4, list<row<points>>]"


def operation(steps: str, words: str = "") -> str:
    return f"{TABLES}  act:\n    code: 70\n    params: {{{PARAMS}}}\n{words}    steps: [{steps}]\n"


def pushed(steps: str, words: str = "", claims: str = "", rest: str = PUSHED, name: str = "«act") -> str:
    """An update that becomes the operation."""
    fields = "fields: {n: [1, int32], total: [2, int64], point: [3, row<points>], rev: [4, int64]}"
    emits = f"emits: [{{{name}: {{n: n, total: total, point: point, more: '[]'}}}}]"
    return f"{operation(steps, words)}updates:\n  moved: {{code: 1, {fields}, {claims}{emits}}}\n{rest}"


#: A container without a claim, and what is in it is made there.
MADE = '  bare: {code: 2, fields: {n: [1, int32], more: [2, list<update>]}, items: "%s"}\n'
HEARD, MOVED = "make(heard, n: n)", "make(moved, n: n, total: 1, point: make(points, n: n, total: 1), rev: 1)"


def heard(text: str) -> str:
    """The same, and another update, which becomes nothing."""
    return text.replace("updates:\n", "updates:\n  heard: {code: 2, fields: {n: [1, int32]}, emits: []}\n", 1)


ADD = "{patch: {table: points, at: n, add: {total: 1}}}"
NEW = "{let: {was: points(n)}}, {put: {into: points, row: point}, when: was is none}"
SAID = "    idempotent: true\n"
CASES = [
    Case("repeat", pushed(ADD), "no counter guards `moved` in `push`, so it may come twice, and `act` adds to `points.total`"),
    Case("repeat", pushed(ADD), "`because:`"),
    Case("repeat", pushed(NEW), "say `idempotent: true` of it"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1, unless: rev == 0}, "), "may come twice"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1, when_old: apply}, "), "may come twice"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: total}, "), "a claim of `moved` may be of no length, so it may come twice, and `act` adds"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 0}, "), "say `zero: refused` of the part"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev}, ").replace("kind: counter,", "kind: watermark,"), "what is pushed moves no watermark, so `moved` may come twice"),
    Case("repeat", pushed(ADD, rest=CLAIMED % ONE).replace("kind: counter,", "kind: watermark,"), "no counter guards `moved`"),
    Case("repeat", pushed(ADD, rest=CLAIMED % SPAN), "no counter guards `moved`"),
    Case("repeat", pushed(ADD, rest=CLAIMED % PERHAPS), "no counter guards `moved`"),
    Case("repeat", pushed(ADD, rest=CLAIMED % ONE + UNCLAIMED), "no counter guards `moved` in `bare`"),
    Case("repeat", heard(pushed(ADD, rest=CLAIMED % ONE + MADE % f"[{HEARD}, {MOVED}]")), "no counter guards `moved` in `bare`"),
    Case("repeat", heard(pushed(ADD, rest=CLAIMED % ONE + MADE % f"if n == 1 then [{HEARD}] else [{MOVED}]")), "no counter guards `moved` in `bare`"),
    Case("repeat", heard(pushed(ADD, rest=CLAIMED % ONE + MADE % f"[{HEARD}] + more")), "no counter guards `moved` in `bare`"),
    Case("repeat", pushed(ADD, claims="claims: {domain: feed.rev, end: rev, unless: rev == 0}, ", rest=CLAIMED % ONE), "may come twice"),
    Case("claim", pushed(ADD, claims="«claims: {domain: feed.rev, end: rev}, ", rest=CLAIMED % ONE, name="act"), "what `moved` comes in claims `feed.rev` as well"),
    Case("repeat", beside(pushed(ADD, rest=CLAIMED % ONE)), "what is missing of `topic` brings `moved` besides, so it may come twice"),
    Case("repeat", beside(pushed(ADD, rest=CLAIMED % ONE), ", only: [moved]"), "claim a counter itself, leave it out by `only:`"),
    Case("repeat", operation(ADD, "    «idempotent: true\n"), "is said to be idempotent, but it adds to `points.total`"),
    Case("repeat", operation(ADD, "    «because: It is never seen.\n"), "add `idempotent: true`"),
    Case("repeat", operation("{remove: {from: points, at: n}}", "    idempotent: true\n    «because: It goes once.\n"), "leave `because` out"),
    Case("repeat", operation(ADD) + "containers:\n  one: {code: 1, fields: {point: [1, row<points>]}, side: [{«act: {n: 1, total: 1, point: point, more: '[]'}}]}\n", "comes with each part of it that applies"),
]  # fmt: skip
ACCEPTED = [
    heard(pushed(ADD, rest=CLAIMED % ONE + MADE % f"[{HEARD}]", name="act")),
    heard(
        pushed(
            ADD,
            rest=CLAIMED % ONE + MADE % f"[{HEARD}] + (if n == 1 then [] else [{HEARD}, {HEARD}])",
            name="act",
        )
    ),
    pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: 1}, ", name="act"),
    pushed(ADD, claims="claims: {domain: feed.rev, end: rev}, ", name="act"),
    pushed(ADD, claims="claims: {domain: feed.rev, end: rev, count: total}, ", name="act").replace(
        "kind: counter,", "kind: counter, zero: refused,"
    ),
    pushed(ADD, f"{SAID}    because: The points are never shown.\n", name="act"),
    pushed(NEW, SAID, name="act"),
    # It shares the fate of its container, and each that it may come in is counted.
    pushed(ADD, name="act", rest=CLAIMED % ONE),
    pushed(ADD, name="act", rest=CLAIMED % SPAN).replace("kind: counter,", "kind: counter, zero: refused,"),
    # It may come in one that claims nothing.
    pushed(ADD, claims="claims: {domain: feed.rev, end: rev}, ", rest=CLAIMED % ONE + UNCLAIMED, name="act"),
    # Another cursor's difference does not bring it, or it claims something itself.
    beside(pushed(ADD, name="act", rest=CLAIMED % ONE), ", only: [other]").replace(
        "updates:\n  moved:", "updates:\n  other: {code: 2, fields: {n: [1, int32]}, emits: []}\n  moved:"
    ),
    beside(pushed(ADD, claims="claims: {domain: feed.rev, end: rev}, ", rest=PUSHED, name="act")),
    # What no container has comes in answers alone, which are written once.
    pushed(ADD, rest="", name="act"),
]


@pytest.mark.parametrize("case", CASES)
def test_what_may_come_twice_has_to_bear_it(case: Case, tmp_path: Path) -> None:
    check_case(tmp_path, case)


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_is_guarded_shown_or_said_is_accepted(text: str, tmp_path: Path) -> None:
    accepted(tmp_path, text)


@pytest.mark.parametrize(("steps", "expected"), STEPS.items())
def test_steps_show_whether_a_second_time_does_nothing(
    steps: str, expected: str | None, tmp_path: Path
) -> None:
    schema = accepted(tmp_path, operation(steps))

    found = doubt(schema.operations["act"], schema.tables)

    assert (found is None) is (expected is None), found
    assert expected is None or (found is not None and expected in found)
    assert isinstance(found, Fault) is (
        expected is not None and expected.split()[:2] in (["adds", "to"], ["takes", "a"])
    )
