"""The names that generated modules need for themselves, by what they would hide.

Depends on: nothing.  Never on: a schema.

Law: a thing of a schema with one of these names is printed with an underscore behind it; but types and rows
keep theirs, and are named with their module where others are.
"""

from __future__ import annotations

#: Class names that templates print by themselves.
CLASSES = frozenset(
    {"Adapter", "All", "Any", "ArrayType", "Asking", "BinaryType", "BooleanType", "Box", "Builder", "ByKey",
     "Byte", "ByteType", "Callable", "Cell", "Claim", "ClassVar", "Closest", "Computed", "Const",
     "Construct", "Count", "DecimalType", "DerivedTable", "DoubleType", "Durability", "Edges", "Emit",
     "Emitted", "Engine", "Entries", "Event", "ExprAdapter", "ExprValidator", "Final", "Flag", "Float64b",
     "Float64l", "FollowedTable", "Generic", "GreedyBytes", "HoleSpec", "Identity", "IfThenElse", "Index",
     "Int16sb", "Int16sl", "Int16ub", "Int16ul", "Int32sb", "Int32sl", "Int32ub", "Int32ul", "Int64sb",
     "Int64sl", "Int64ub", "Int64ul", "Int8sb", "Int8sl", "Int8ub", "Int8ul", "IntEnum", "IntegerType",
     "InternTable", "Iterable", "Iterator", "KeyParts", "ListTable", "Literal", "LongType", "LookingIndex",
     "Lookup", "MapType", "Mapping", "Members", "NamedTuple", "NewType", "Operation", "OperationVisitor",
     "OrderedReader", "OutboxKind", "OutboxSpec", "Package", "Packed", "PackedField", "ParquetTable",
     "PascalString", "PatchAdd", "PatchFlags", "PatchMax", "PatchMin", "PatchSet", "PatchUnset", "PathLike",
     "PlacesTable", "Position", "Prefetch", "Prefixed", "PrimaryWriter", "Protocol", "Put", "RangeError",
     "RangesReader", "RangesTable", "ReadOptions", "Readers", "Rebuild", "RecordCodec", "RecordCorrupt",
     "Replay", "Row", "SPEC", "SeedMarks", "SeededReader", "SeededTable", "Seeds", "Self", "Sequence",
     "SequenceTable", "ShortType", "StoredKey", "Stretch", "StringType", "Struct", "StructError",
     "StructField", "StructType", "T", "TableLayout", "TableReader", "TableSpec", "Tables", "TaggedCodec",
     "Terminated", "Top", "TopShape", "TouchLog", "Transaction", "TypeAlias", "TypeVar", "UniqueIndex",
     "Unknown", "Unpack", "Update", "UpdateVisitor", "UsageError", "Via", "View", "Window"}
)  # fmt: skip
#: Those of them that the module of types and rows prints by itself.
TYPES = frozenset({"Any", "Final", "IntEnum", "NewType", "RangeError", "Struct", "TypeAlias"})
#: Those of `CLASSES` that end as the classes of a table do, and stand in one module with them.
BESIDE = frozenset(
    {"DerivedTable", "FollowedTable", "InternTable", "ListTable", "OrderedReader", "PlacesTable",
     "RangesReader", "RangesTable", "SeededReader", "SeededTable", "SequenceTable", "StoredKey",
     "TableReader"}
)  # fmt: skip
#: Struct fields and key parts whose annotations or machinery these names would hide.
FIELDS = frozenset(
    {"accept", "beside", "bool", "bytes", "claim", "cls", "float", "frozenset", "int", "needs", "self",
     "str", "tuple"}
)  # fmt: skip
#: A NamedTuple is a tuple, whose methods these are.
KEY_FIELDS = FIELDS | {"count", "index"}
#: Names of the base classes of `Transaction` and `Tables`.
TABLES = frozenset(
    {"begin", "by_id", "carried", "commit", "data_version", "emit", "end_record", "fill", "followers_of",
     "is_open", "keep_replaced", "pour", "remember", "rollback", "rules_for", "seal", "self", "settle",
     "settle_failed", "stored_slices", "table_at", "unite"}
)  # fmt: skip
CONSTANTS = frozenset(
    {"ALL", "CURSORS", "FOLLOWING", "INT16_BIAS", "INT32_BIAS", "INT64_BIAS", "INT8_BIAS", "LAYOUT",
     "LAYOUT_HASH", "PACKAGE", "PARQUET", "SPEC", "STORED", "STORED_INT", "TABLES", "VIEWS"}
)  # fmt: skip
#: Parameters of generated functions whose bodies use these names themselves.
PARAMETERS = FIELDS | {
    "after", "before", "escape", "invert", "limit", "newest_first", "options", "packed", "range_error",
    "replace", "row", "specs", "successor",
}  # fmt: skip
