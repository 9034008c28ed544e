# ruff: noqa: E501 -- a schema is shown as it is written
"""A small schema with views of all kinds, histories of its rows, and the law that each view keeps."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from hypothesis import strategies as st
from tests.unit.codegen_ops.making import Package, imported

TEXT = """
schema: {name: lab_of_lists, doc: Lists of views in many ways.}
types:
  Who: {id: int64}
  Bits: {flags: {odd: 0, high: 1}}
  Asked: {record: {score: [1, list<int32>], owner: [2, opt<Who>], bits: {number: 3, type: Bits, default: 0}}}
  Item: {union: {Everything: [1, {}], One: [2, {group: [1, int32], n: [2, int32]}], Owner: [3, {who: [1, Who]}]}}
tables:
  jobs:
    id: 1
    key: {group: int32, n: int32}
    record:
      text: [1, text]
      score: {number: 2, type: int32, default: 0}
      owner: [3, opt<Who>]
      bits: {number: 4, type: Bits, default: 0}
      helpers: [5, list<Who>]
  by_score: {id: 2, index: {from: jobs, when: score > 0, key: [group, score, n]}}
  by_owner: {id: 3, index: {from: jobs, when: owner is present, key: [{owner: owner // 0}, group, n]}}
  people:
    id: 4
    key: {who: Who}
    record: {name: [1, text], room: {number: 2, type: int32, default: 0}}
  marks: {id: 6, key: {group: int32, n: int32, mark: int32}, record: {name: [1, text]}}
  rooms: {id: 5, key: {room: int32}, record: {name: [1, text]}}
  by_name: {id: 8, index: {from: people, key: [name, who]}}
  by_helper: {id: 9, index: {from: jobs, each: {helper: helpers}, key: [helper, group, n]}}
  by_room: {id: 7, index: {from: people, key: [room, who]}}
operations:
  put_job: {code: 1, params: {job: [1, row<jobs>]}, steps: [{put: {into: jobs, row: job}}]}
  put_person: {code: 2, params: {person: [1, row<people>]}, steps: [{put: {into: people, row: person}}]}
  put_room: {code: 3, params: {room: [1, row<rooms>]}, steps: [{put: {into: rooms, row: room}}]}
  put_mark: {code: 4, params: {mark: [1, row<marks>]}, steps: [{put: {into: marks, row: mark}}]}
  drop_job: {code: 6, params: {group: [1, int32], n: [2, int32]}, steps: [{remove: {from: jobs, at: "[group, n]"}}]}
  drop_person: {code: 7, params: {who: [1, Who]}, steps: [{remove: {from: people, at: who}}]}
  drop_mark: {code: 5, params: {mark: [1, row<marks>]}, steps: [{remove: {from: marks, at: mark}}]}
shapes:
  with_owner: {owner: {get: people, at: row.owner, show: [name], back: [by_owner]}, marks: {scan: marks, prefix: [row.group, row.n], all: true, back: []}}
views:
  list:
    key: {group: int32, limit: int32, mark: opt<int32>, room: text}
    parts:
      jobs: {scan: jobs, prefix: [group], limit: limit, where: owner.room > 1 and (mark is none or mark in marks.mark), with: {shape: with_owner}}
      best:
        scan: by_score
        prefix: [group]
        newest_first: true
        limit: limit
        where: place.name == room
        with:
          who: {get: people, at: row.owner, show: none, back: [by_owner]}
          place: {get: rooms, at: who.room, back: [by_room, by_owner]}
  others:
    doc: With parts that are called as what is imported, or as what stands in lambdas.
    key: {group: int32}
    parts: {rows_under: {value: group}, beginning: {value: "'a'"}, found: {value: 1}, place: {value: 2}, given: {value: 3}, prefix: {value: 4}, reads: {value: 5}, let: {value: 6}, named: {scan: by_name, prefix: [], starts_with: beginning, limit: found}, asked: {scan: jobs, prefix: [rows_under], limit: place, where: owner.room >= found, with: {owner: {get: people, at: row.owner, back: [by_owner]}, some: {scan: by_owner, prefix: [row.owner], from: given, limit: row.n}}}, jobs: {scan: jobs, prefix: [group], all: true, with: {shape: with_owner}}, all: {aggregate: {every: size(marks) > 0}, of: jobs}, sum: {aggregate: {sum: row.n}, of: jobs}, next: {aggregate: {sum: size(marks)}, of: jobs}, iter: {aggregate: {first: 1}, of: by_score, prefix: [group]}}
  around:
    key: {group: int32, n: int32, more: list<int32>}
    parts:
      jobs: {window: {of: jobs, prefix: [group]}, anchor: {at: n}, before: 2, after: 1, where: owner.room > 1, with: {shape: with_owner}}
      best: {window: {of: by_score, each: more, prefix: [item]}, anchor: newest, before: 2, after: 0, where: size(marks) > 0 or owner is none, with: {shape: with_owner}}
      roomy: {aggregate: {first: 1}, of: jobs, where: size(marks) > 0}
      rooms: {aggregate: {sum: owner.room}, of: best, where: owner is present}
  lanes:
    key: {groups: list<int32>, limit: int32, since: opt<int32>, name: text}
    parts:
      jobs: {scan: jobs, prefix: [groups], newest_first: true, limit: limit}
      chained: {scan: by_score, prefix: [groups], combine: chain, limit: limit, where: row.text != "x", show: [text]}
      some: {scan: jobs, prefix: [first(groups)], from: since, to: 7, all: true}
      named: {scan: by_name, prefix: [], starts_with: name, all: true}
      helped: {scan: jobs, prefix: [groups], limit: limit, where: size(helping) > 1, with: {helping: {get_each: people, at: row.helpers, back: [by_helper]}}}
      deep: {scan: people, prefix: [], all: true, with: {tasks: {scan: by_owner, prefix: [row.who], limit: row.room, from: since, with: {marks: {scan: marks, prefix: [groups], limit: 2}}}}}
      roomy: {scan: by_score, prefix: [groups], limit: limit, where: who.room > 1, with: {who: {get: people, at: row.owner, back: [by_owner]}}}
  firsts:
    key: {group: int32, most: int32, whos: list<Who>}
    parts:
      jobs:
        scan: jobs
        prefix: [group]
        limit: 50
        with: {who: {get: people, at: row.owner, or: default}, marks: {scan: marks, prefix: [row.group, row.n], limit: 5}, top: {aggregate: {first: 1}, of: marks, where: row.mark > 2}, few: {aggregate: {first: most}, of: marks}}
      people: {get_each: people, at: whos}
      by_jobs: {get_each: people, at: jobs.owner}
      first_by_jobs: {aggregate: {first: 1}, of: by_jobs, where: row.room > 0}
      rooms: {each: whos, with: {who: {get: people, at: item}}}
      room_sum: {aggregate: {sum: who.room}, of: jobs, where: row.score > 1 or who.room == 2}
      any_marks: {aggregate: {any: size(marks) > 1}, of: jobs, show: none}
      least: {aggregate: {min: row.owner}, of: jobs, where: row.score > 1 or row.n == 2}
      first_roomy: {aggregate: {first: 1}, of: jobs, where: who.room > 1}
      first_few: {aggregate: {first: most}, of: jobs, where: row.score > 0, show: [text]}
      owners: {get_each: people, at: first_few.owner}
      first_of_table: {aggregate: {first: 1}, of: by_score, prefix: [group], where: row.score < 5, show: [n]}
      score_of_first: {value: first_of_table.score}
      few_of_table: {aggregate: {first: most}, of: jobs, prefix: []}
      first_person: {aggregate: {first: 1}, of: people, where: row.room > 0}
      rooms_known: {aggregate: {count: n}, of: rooms, where: who is present}
      first_room: {aggregate: {first: 1}, of: rooms, where: who.room == 1, when: most > 0}
      name: {value: first_person.name // first_roomy.text // ''}
  items:
    key: {items: list<Item>, asked: opt<Asked>, group: int32}
    parts:
      jobs: {get_each: jobs, at: "cases(items, One)"}
      owners: {get_each: people, at: "cases(items, Owner).who"}
      scored: {scan: by_score, prefix: [group], limit: 3, where: "matches(asked, row)"}
      rooms: {get_each: rooms, at: {each: scored, key: item.score, where: item.n > 1}}
      twins: {get_each: jobs, at: {each: scored, key: "[3 - item.group, item.n]"}}
      same: {get_each: jobs, at: scored}
      best: {each: scored, with: {owner: {get: people, at: item.owner}, marks: {scan: marks, prefix: [item.group, item.n], all: true}}}
      each_one: {each: "cases(items, One)", with: {job: {get: jobs, at: item, or: default}, count: {value: item.n + 1}}}
      whole: {value: "size(cases(items, Everything)) > 0"}
  deep:
    key: {group: int32}
    parts:
      jobs:
        scan: jobs
        prefix: [group]
        all: true
        with:
          who:
            get: people
            at: row.owner
            or: default
            with:
              room: {get: rooms, at: row.room}
              tasks:
                scan: by_owner
                prefix: [row.who]
                limit: 2
                with:
                  most: {value: row.score - 1}
                  above: {scan: jobs, prefix: [row.group], all: true, where: "row.n > most and (row.owner is none or 'x' in own.text)", show: [n], with: {own: {scan: by_owner, prefix: [row.owner], limit: row.n, back: [by_owner]}}}
                  few: {scan: by_score, prefix: [row.group], limit: most, where: row.score > most}
                  marks: {scan: marks, prefix: [row.group, row.n], all: true, with: {twin: {get: marks, at: "[3 - row.group, row.n, row.mark]"}, room: {get: rooms, at: row.mark}}}
          marks: {scan: marks, prefix: [row.group, row.n], all: true, show: none}
          again: {each: marks, with: {twin: {get: marks, at: "[3 - item.group, item.n, item.mark]"}}}
          twins: {get_each: jobs, at: {each: marks, key: "[item.group, item.mark]", where: item.mark > 1}, with: {first: {aggregate: {count: n}, of: marks, prefix: [row.group, row.n]}}}
  groups:
    key: {groups: list<int32>, mark: int32}
    parts:
      jobs_of: {each: groups, with: {jobs: {scan: jobs, prefix: [item], limit: 3, where: mark in marks.mark, with: {marks: {scan: marks, prefix: [row.group, row.n], all: true, back: []}}}}}
"""


@cache
def lab() -> Package:
    return imported(Path(mkdtemp()), TEXT)


_few: Final = st.integers(1, 3)
_jobs: Final = st.tuples(
    st.just("job"),
    st.integers(1, 2),
    st.integers(1, 4),
    st.sampled_from("xy"),
    st.integers(0, 5),
    st.none() | _few,
)
_people: Final = st.tuples(st.just("person"), _few, st.sampled_from("ab"), st.integers(0, 3))
_rooms: Final = st.tuples(st.just("room"), _few, st.sampled_from("ab"))
_marks: Final = st.tuples(st.sampled_from(("mark", "drop mark")), st.integers(1, 2), st.integers(1, 4), _few)
_gone: Final = st.tuples(st.just("drop job"), st.integers(1, 2), st.integers(1, 4)) | st.tuples(
    st.just("drop person"), _few
)
_changes: Final = st.one_of(_jobs, _jobs, _people, _people, _rooms, _marks, _gone)
commits: Final = st.lists(st.lists(_changes, min_size=1, max_size=3), min_size=1, max_size=8)


def operation(change: Any) -> Any:
    """What a change is as an operation."""
    package = lab()
    types, operations = package.types, package.operations
    match change:
        case ("job", group, n, text, score, owner):
            return operations.PutJob(
                job=types.Jobs(
                    group=group,
                    n=n,
                    text=text,
                    score=score,
                    owner=owner,
                    bits=score % 4,
                    helpers=(score, group),
                )
            )
        case ("person", who, name, room):
            return operations.PutPerson(person=types.People(who=who, name=name, room=room))
        case ("room", number, name):
            return operations.PutRoom(room=types.Rooms(room=number, name=name))
        case ("mark", group, n, mark):
            return operations.PutMark(mark=types.Marks(group=group, n=n, mark=mark, name="m"))
        case ("drop mark", group, n, mark):
            return operations.DropMark(mark=types.Marks(group=group, n=n, mark=mark, name="m"))
        case ("drop job", group, n):
            return operations.DropJob(group=group, n=n)
        case _:
            return operations.DropPerson(who=change[1])


def items() -> tuple[Any, ...]:
    types = lab().types
    return (
        types.Everything(), types.Owner(who=2), types.One(group=1, n=2), types.Owner(who=1), types.One(group=2, n=1),
    )  # fmt: skip


def keys() -> list[Any]:
    """Some views of each kind."""
    views = lab().views
    return [
        views.List(group=1, limit=2, mark=None, room="a"),
        views.List(group=1, limit=1, mark=1, room="b"),
        views.Lanes(groups=(2, 1), limit=2, since=None, name=""),
        views.Lanes(groups=(1, 1), limit=3, since=2, name="a"),
        views.Firsts(group=1, most=1, whos=(2, 1)),
        views.Firsts(group=1, most=0, whos=(3, 2, 1)),
        views.Groups(groups=(1, 2), mark=1),
        views.Items(items=items(), asked=None, group=1),
        views.Items(items=items()[1:], asked=lab().types.Asked(score=(1, 3)), group=1),
        views.Items(items=(), asked=lab().types.Asked(score=(), owner=2, bits=1), group=1),
        views.Deep(group=1),
        views.Others(group=1),
        views.Around(group=1, n=2, more=(2, 1)),
    ]


def check_lab(history: Any) -> None:
    """Every watched view is as if read anew, after every commit."""
    with lab().box.open_box(":memory:") as box:
        watched = [(key, box.watch(key)) for key in keys()]
        for commit in history:
            was = [subscription.latest.snapshot for _, subscription in watched]
            box.replay([operation(change) for change in commit])
            for (key, subscription), before in zip(watched, was, strict=True):
                snapshot = subscription.latest.snapshot
                assert snapshot == box.get(key), key
                assert snapshot is before or snapshot != before, "told without a difference"
