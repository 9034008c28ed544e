"""Files that are packed: a run ends before it begins, and tells how to unpack them."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from pillarbox.errors import UsageError
from pillarbox_spark.adapters import Adapter
from pillarbox_spark.sources import chitchat, news, telegram_export

TEXT = b"{}\n"
PACKED = {
    "zst": (b"\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00{}\n", r"Zstandard\); unpack it first \(`unzstd`\)"),
    "bz2": (bz2.compress(TEXT), r"bzip2\); unpack it first \(`bunzip2`\)"),
    "xz": (lzma.compress(TEXT), r"xz\); unpack it first \(`unxz`\)"),
    "lz4": (b"\x04\x22\x4d\x18\x64\x40", r"LZ4\); unpack it first \(`unlz4`\)"),
    "zip": (b"PK\x03\x04\x14\x00", r"ZIP\); unpack it first \(`unzip`\)"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00", r"7-Zip\); unpack it first \(`7z x`\)"),
}
ADAPTERS: dict[str, Adapter] = {
    "posts.ndjson": news.ADAPTER,
    "messages.ndjson": chitchat.ADAPTER,
    "dataset.json": chitchat.ADAPTER,
    "result.json": telegram_export.ADAPTER,
}


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("name", ADAPTERS)
def test_a_packed_file_is_told_to_be_one_with_what_unpacks_it(name: str, ending: str, tmp_path: Path) -> None:
    data, told = PACKED[ending]
    path = tmp_path / f"{name}.{ending}"
    path.write_bytes(data)

    with pytest.raises(UsageError, match=f"{name}.{ending} is packed .{told}"):
        ADAPTERS[name].inputs(path)


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_packed_file_is_told_whatever_it_is_called_and_in_a_folder_too(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(PACKED["zst"][0])

    with pytest.raises(UsageError, match=r"is packed \(Zstandard\)"):
        ADAPTERS[name].inputs(tmp_path)


def test_gzip_is_what_newline_json_may_be_packed_with_and_no_other_form(tmp_path: Path) -> None:
    for name, adapter in ADAPTERS.items():
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress(TEXT))
        if ".ndjson" in name:
            assert adapter.inputs(path) == (path,)
        else:
            with pytest.raises(UsageError, match=r"is packed \(gzip\); unpack it first \(`gunzip`\)$"):
                adapter.inputs(path)
    (tmp_path / "a.ndjson").write_bytes(PACKED["xz"][0])
    with pytest.raises(UsageError, match="or pack it with gzip"):
        news.ADAPTER.inputs(tmp_path / "a.ndjson")


@pytest.mark.parametrize("data", [b"", b"{", b"B", b"7z"])
def test_a_file_that_is_short_is_not_packed(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(data)

    assert news.ADAPTER.inputs(path) == (path,)
