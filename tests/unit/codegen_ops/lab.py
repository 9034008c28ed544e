"""A schema in which every step is an operation of its own, imported once for all tests of steps."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.unit.codegen_ops.making import Package, imported

TEXT = """
schema: {name: lab_of_steps, doc: Every step in an operation of its own.}
types:
  Marks: {flags: {seen: 0, pinned: 1, late: 2}}
  Who: {id: int64}
sequences:
  numbers: {id: 101, type: int32, per: {group: int32}, start: 1}
tables:
  jobs:
    id: 1
    key: {group: int32, n: int32}
    record:
      text: [1, text]
      marks: {number: 2, type: Marks, default: 0}
      score: {number: 3, type: int32, default: 0}
      best: [4, opt<int32>]
      owner: [5, opt<Who>]
  orders:
    id: 2
    key: {group: int32, at: int64, n: {type: int32, fill: numbers}}
    record: {text: [1, text]}
  order_ids:
    id: 3
    index: {from: orders, unique: identity, key: [group, n], value: {at: at}}
  order_count:
    id: 4
    count: {from: orders, group: [group], sum: {orders: 1}}
  plain: {id: 5, key: {n: int64}, record: {value: [1, int32]}}
cursors:
  stream:
    id: 111
    per: {group: int32}
    parts:
      at: {kind: stamp, number: 2}
      rev: {kind: counter, number: 1, claim: {key: group, end: rev, count: count}}
  all: {id: 112, parts: {seq: {kind: counter, number: 1}}}
events:
  told: {code: 1, fields: {text: [1, text], n: {number: 2, type: int64, default: 0}}}
  seen: {code: 2, fields: {n: [1, int32], was: [2, bool]}}

operations:
  require_text:
    code: 1
    params: {text: [1, text], n: [2, int64]}
    steps:
      - require: text != ""
        else: [{emit: {event: told, text: "'no text'"}}]
      - {put: {into: plain, row: {n: n, value: 1}}}
  require_each:
    code: 2
    params: {ns: [1, list<int32>]}
    steps:
      - if: n <= 0
        then: [{require: false, else: [{emit: {event: told, text: "'bad'", n: n}}]}]
        each: ns as n
      - {require: size(ns) > 0, when: size(ns) < 5}
      - {emit: {event: told, text: "'all good'"}}
  nested:
    code: 3
    params: {a: [1, bool], b: [2, bool]}
    steps:
      - if: a
        then:
          - if: b
            then: [{require: false}]
            else: [{emit: {event: told, text: "'a only'"}}]
        else: [{emit: {event: told, text: "'no a'"}}]
      - {emit: {event: told, text: "'end'"}}
  put_job:
    code: 4
    params: {job: [1, row<jobs>]}
    steps: [{put: {into: jobs, row: job}}]
  put_jobs:
    code: 5
    params: {jobs: [1, list<row<jobs>>], least: [2, int32]}
    steps:
      - {put: {into: jobs, row: j}, each: jobs as j, when: j.score >= least, as: stored}
      - {emit: {event: seen, n: s.row.n, was: s.was is present}, each: stored as s}
  put_new:
    code: 6
    params: {jobs: [1, list<row<jobs>>]}
    steps:
      - {put: {into: jobs, row: j, only: new}, each: jobs as j, as: stored}
      - {emit: {event: told, text: "'new'", n: size(stored)}}
  put_old:
    code: 7
    params: {job: [1, row<jobs>]}
    steps:
      - {put: {into: jobs, row: job, only: old}, as: stored}
      - {emit: {event: told, text: stored.was.text // 'none'}}
  put_if:
    code: 8
    params: {job: [1, row<jobs>], wanted: [2, bool]}
    steps:
      - {put: {into: jobs, row: job}, when: wanted, as: stored}
      - {emit: {event: told, text: stored.row.text // 'none'}}
  order:
    code: 9
    params: {group: [1, int32], at: [2, int64], text: [3, text]}
    steps:
      - {put: {into: orders, row: {group: group, at: at, text: text}}, as: made}
      - {emit: {event: told, text: text, n: made.row.n}}
  order_new:
    code: 10
    params: {orders: [1, list<row<orders>>]}
    steps:
      - {put: {into: orders, row: o, only: new}, each: orders as o, as: stored}
      - {emit: {event: told, text: s.row.text, n: s.row.n}, each: stored as s}
  count_orders:
    code: 11
    params: {group: [1, int32], at: [2, int64]}
    steps:
      - {put: {into: orders, row: {group: group, at: at, text: "'x'"}}}
      - let: {counted: order_count(group)}
      - {emit: {event: told, text: "'orders'", n: counted.orders // 0}}
  patch_job:
    code: 12
    params: {group: [1, int32], n: [2, int32], by: [3, int32], set: [4, Marks], clear: [5, Marks]}
    steps:
      - patch:
          table: jobs
          at: "[group, n]"
          add: {score: by}
          max: {best: by}
          flags: {marks: {set: set, clear: clear}}
  own_job:
    code: 13
    params: {group: [1, int32], n: [2, int32], owner: [3, opt<Who>], text: [4, text]}
    steps:
      - patch:
          table: jobs
          at: "[group, n]"
          set: {owner: owner, text: text}
          add: {score: 1}
          create: {score: 10}
  make_job:
    code: 14
    params: {group: [1, int32], n: [2, int32]}
    steps: [{patch: {table: jobs, at: "[group, n]", create: {text: "'made'"}}}]
  remove_job:
    code: 15
    params: {group: [1, int32], n: [2, opt<int32>]}
    steps:
      - if: n is present
        then: [{remove: {from: jobs, at: "[group, n]"}}]
        else: [{remove: {from: jobs, under: "[group]"}}]
  clear_jobs: {code: 20, params: {}, steps: [{remove: {from: jobs, under: []}}]}
  clear_plain: {code: 21, params: {}, steps: [{remove: {from: plain, under: []}}]}
  set_rev:
    code: 16
    params: {group: [1, int32], rev: [2, int64]}
    steps: [{set_cursor: {cursor: stream, at: group, set: {rev: rev}}}]
  set_both:
    code: 17
    params: {group: [1, int32], rev: [2, int64], at: [3, int64]}
    steps: [{set_cursor: {cursor: stream, at: group, set: {rev: rev, at: at}}}]
  look:
    code: 18
    params: {group: [1, int32], n: [2, opt<int32>]}
    steps:
      - let: {found: "jobs([group, n])"}
      - {emit: {event: told, text: found.text // 'nothing'}}
  take_best:
    code: 19
    doc: Twice the same names, for other things.
    params: {group: [1, int32], ns: [2, list<int32>]}
    steps:
      - {patch: {table: jobs, at: "[group, x]", min: {best: x}}, each: ns as x}
      - if: size(ns) > 1
        then: [{let: {x: "'many'"}}, {emit: {event: told, text: x}}]
        else: [{let: {x: "'few'"}}, {emit: {event: told, text: x}}]
  raise_job:
    code: 22
    params: {group: [1, int32], n: [2, int32], times: [3, list<int32>]}
    steps:
      - let: {known: "jobs([group, n])"}
      - {patch: {table: jobs, at: "[group, n]", add: {score: by}}, each: times as by}
      - {patch: {table: jobs, at: "[group, n]", add: {score: 1}}}
      - let: {raised: "jobs([group, n])"}
      - require: raised is present
        else: [{emit: {event: told, text: known.text // 'nothing'}}]
      - {patch: {table: jobs, at: "[group, n]", add: {score: 10}}, when: raised.score > 3}
      - {patch: {table: jobs, at: "[group, n]", add: {score: 100}}}

updates:
  jobs_came:
    code: 1
    fields: {group: [1, int32], jobs: [2, list<row<jobs>>], rev: [3, int64], count: [4, int32]}
    claims: stream.rev
    emits:
      - {put_job: {job: j}, each: jobs as j, when: j.group == group}
      - {set_both: {group: group, rev: 0, at: 7}, when: size(jobs) > 1}
  looked:
    code: 2
    fields: {group: [1, int32], n: [2, opt<int32>], silent: [3, bool], seq: [4, int64]}
    claims: {domain: all.seq, end: seq, unless: silent}
    emits: [{look: {group: group, n: n}}]
  nothing: {code: 3, fields: {text: [1, text]}}
sources:
  sheet:
    adapter: csv:rows
    group: [group]
    columns: {group: int32, ns: list<int32>, owner: opt<Who>}
    emits:
      - {own_job: {group: group, n: n, owner: owner, text: "'sheet'"}, each: ns as n}
      - {make_job: {group: group, n: 0}, when: owner is none}
  empty: {adapter: csv:rows, columns: {n: int32}, emits: []}
"""


@cache
def lab() -> Package:
    """The package."""
    return imported(Path(mkdtemp()), TEXT)
