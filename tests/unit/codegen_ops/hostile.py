"""A schema whose names are those that generated code uses itself, and whose docs try to be code."""

TEXT = r"""
schema: {name: hostile, doc: "Quotes \" and ''' and \"\"\" and \\ and {{ braces }} {% and %} # type: ignore"}
types:
  Id: {id: int64, doc: "\"\"\""}
  Transaction: {enum: {tx: 0, name: 1}}
  Struct: {record: {str: [1, text], int: [2, int32], accept: [3, opt<Id>]}}
  Put: {packed: int64, parts: {value: {type: int32, bits: 31}, row: {type: int32, bits: 32}}}
  Part: {union: {Count: [1, {cls: [1, int32]}], Claim: [2, {bytes: [1, bytes], type: [2, opt<text>]}]}}
tables:
  operation:
    id: 1
    doc: "A \"row\".\n\nSecond \\ paragraph: \"\"\""
    key: {operation: Id, list: int32}
    record: {str: [1, text], struct: [2, opt<Struct>]}
  tx: {id: 2, key: {put: Put}, record: {part: [1, Part], count: [2, int32], replace: [3, list<int32>]}}
  commit: {id: 3, key: {key: int32, index: int32}, record: {row: [1, text]}}
  view: {id: 4, index: {from: operation, key: [str, operation, list]}}
cursors:
  settle: {id: 110, per: {key: int32}, parts: {parts: {kind: counter, number: 1}}}
events:
  event: {code: 1, doc: "\\", fields: {tx: [1, int32]}}
  emission: {code: 2, fields: {accept: [1, text], type: [2, opt<text>]}}
operations:
  replay:
    code: 1
    doc: "Ends in a quote \""
    params:
      tx: [1, int32]
      operation: [2, Id]
      replace: [3, list<int32>]
      len: [4, list<row<tx>>]
      row: [5, opt<row<operation>>]
      print: [6, text]
      bytes: [7, list<bytes>]
    steps:
      - let: {old: "operation([operation, tx])", text: print, isinstance: "size(replace)", unused: "1"}
      - require: row is present or old is present
        else: [{emit: {event: emission, accept: "concat(text, '\"\"\" {{ x }} \\\\ ', print)"}}]
      - {put: {into: operation, row: row}, when: row is present, as: ignored}
      - {patch: {table: operation, at: "[operation, tx]", set: {str: print}, create: {}}}
      - {patch: {table: operation, at: "[operation, l]", set: {str: print}}, each: replace as l}
      - {put: {into: tx, row: tuple}, each: len as tuple, when: size(tuple.replace) > isinstance}
      - put:
          into: tx
          row:
            put: "make(Put, value: 1, row: 2)"
            part: "make(Claim, bytes: self_made)"
            count: 1
            replace: replace
        each: bytes as self_made
      - {emit: {event: event, tx: tx}, each: replace as unused_item}
      - {remove: {from: commit, under: "[tx]"}}
      - {set_cursor: {cursor: settle, at: tx, set: {parts: 3}}}
  read:
    code: 2
    params: {accept: [1, bool], claim: [2, int32], type: [3, opt<int32>]}
    steps: [{require: accept}, {remove: {from: commit, at: "[claim, claim]"}}]
  prefetch: {code: 3, params: {}, steps: [{emit: {event: event, tx: 1}}]}
  builder:
    code: 4
    params: {self_made: [1, opt<int32>]}
    steps: [{put: {into: commit, row: {key: 1, index: 1, row: "'l'"}}}]
updates:
  refresh:
    code: 1
    fields: {key: [1, int32], claim: [2, int64], operations: [3, list<bool>], type: [4, opt<int32>]}
    claims: {domain: settle.parts, key: key, end: claim}
    emits: [{read: {accept: update, claim: key}, each: operations as update}, {prefetch: {}}]
  list: {code: 3, fields: {list: [1, list<int32>]}, emits: []}
  visitor: {code: 2, doc: "\"\"\"", fields: {}, emits: []}
views:
  page:
    key: {key: int32, readers: int32, type: opt<text>, property: opt<int32>}
    parts:
      specs: {scan: commit, prefix: [key], limit: readers}
      builder: {get: operation, at: "[2, 1]"}
      view: {get: operation, at: "[builder.operation, key]", when: builder is present}
  builder: {key: {}, parts: {tx: {scan: tx, prefix: [], all: true}}}
  get: {doc: "'''", key: {}, parts: {view: {scan: view, prefix: [], all: true, bare: true, show: [str]}}}
  page_snapshot:
    key: {str: text}
    parts: {getter: {get: settle, at: "1", or: default}, tx: {get: tx, at: none}}
sources:
  operation:
    adapter: csv:rows
    group: [row]
    doc: "\\\""
    columns: {row: int32, wanted: bool}
    emits: [{read: {accept: wanted, claim: row}}, {prefetch: {}, by: [wanted]}]
"""
