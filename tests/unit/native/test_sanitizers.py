"""The C code under the address and the undefined-behaviour sanitizer: damaged input, and the other tests.

The deep profile (`make test-deep`) runs a hundred times as many inputs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from array import array
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from tests.native_support import need_compiler

from pillarbox.codec import Packed, PackedField
from pillarbox.native.build import SOURCES, find_compiler, source_files
from pillarbox.native.keys import encode_keys
from pillarbox.native.layouts import KeyLayout, KeyPart, TailColumn
from pillarbox.native.pages import build_page

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WARNINGS = ("-std=c11", "-g", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}", "-DPBX_INTERFACE_HASH=none")
IS_DEEP = settings.get_current_profile_name() == "deep"
ROUNDS = 2_000_000 if IS_DEEP else 20_000
TARGETS = ("page", "keys", "records", "sort", "json")
#: SQLite itself is what the table function needs; the tests drive that one.
SOURCE_FILES = [str(path) for path in source_files() if path.stem != "page_vtab"]


@cache
def can_sanitize(compiler: str, *flags: str) -> bool:
    """Whether this compiler links a program with these sanitizers."""
    command = [compiler, *flags, "-x", "c", "-o", os.devnull, "-"]
    source = (
        b"#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerTestOneInput(const uint8_t *d, size_t s);\n"
    )
    source += b"int LLVMFuzzerTestOneInput(const uint8_t *d, size_t s) { (void)d; (void)s; return 0; }\n"
    if "-fsanitize=fuzzer" not in flags:
        source += b"int main(void) { return 0; }\n"
    return subprocess.run(command, input=source, capture_output=True, check=False).returncode == 0


def run(command: list[str], **environment: str) -> str:
    """What the command prints; the test fails with all of it if the command does."""
    settings_ = {**os.environ, **environment}
    done = subprocess.run(command, env=settings_, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def seeds(target: str) -> list[bytes]:
    """Good inputs, in the form that the target takes."""
    if target == "page":
        fixed = build_page([b"aa", b"bb"], [b"x", b""], 2)
        return [b"\2\1" + fixed, b"\0\1" + build_page([b"", b"abc"], [b"", b"y"], 0), b"\2\0" + fixed[:8]]
    if target == "keys":
        numbers = KeyLayout("t", (KeyPart("a", "uint16", desc=True), KeyPart("b", "bool")))
        texts = KeyLayout(
            "t", (KeyPart("a", "text"), KeyPart("b", "bytes", desc=True), KeyPart("c", "int64"))
        )
        tails = [TailColumn.of([b"a\0b", "é".encode()]), TailColumn.of([b"\0\xff", b""])]
        return [
            b"\1\1\x08\0\0" + encode_keys(numbers, (array("q", [1, 2]), array("q", [0, 1]))),
            b"\2\x0a\x0d\7\0" + encode_keys(texts, (*tails, array("q", [-1, 1]))),
        ]
    if target == "records":
        # u8 with default 7, optional int16, text with default "ab", bytes: kinds 0, 3, 8 and 9.
        fields = (
            PackedField("a", "uint8", default=7),
            PackedField("b", "int16", optional=True),
            PackedField("c", "text", default="ab"),
            PackedField("d", "bytes"),
        )
        rows = [(7, None, "ab", b""), (1, -2, "é", b"\0\xff"), (7, 5, "", b"x")]
        records = [Packed("t", fields).encode(*row) for row in rows]
        chosen = b"\x46\x21\x44\x09\xff"
        keyed = build_page([b"aa", b"bb", b"cc"], records, 2)
        return [b"\0" + chosen + build_page(records, None, 0), b"\1" + chosen + keyed]
    if target == "sort":
        one, other = build_page([b"bb", b"aa", b"bb"], [b"x", b"", b"y"], 2), build_page([b"aa"], [b"z"], 2)
        long = build_page([b"12345678b", b"12345678", b"12345678a"], None, 0)
        return [
            bytes((2, len(one), len(other), 0)) + one + other,
            bytes((0, len(long), len(long), 0)) + long + long,
        ]
    return [
        b'\5{"a": [{"b": [1, "]\\"", {"c": []}], "d": 2}, {"b": []}], "b": [[], null], "c": 3}',
        b'\x4f{"b":["' + b"\\\\" * 40 + b'"],"c":[[1],[{"x":"' + b"y" * 70 + b'"}]]}',
    ]


@cache
def objects(compiler: str, *flags: str) -> tuple[str, ...]:
    """What all targets are linked with, compiled once; it goes when the tests end."""
    folder = Path(tempfile.mkdtemp())
    made = {str(folder / f"{Path(source).stem}.o"): source for source in SOURCE_FILES}
    assert len(made) == len(SOURCE_FILES)
    for target, source in made.items():
        run([compiler, *WARNINGS, "-O1", *flags, "-c", source, "-o", target])
    return tuple(made)


def compiled(compiler: str, target: str, folder: Path, *flags: str, driver: tuple[str, ...] = ()) -> Path:
    """The program of one target."""
    program = folder / f"fuzz_{target}"
    parts = [*driver, str(SOURCES / "fuzz" / f"fuzz_{target}.c"), *objects(compiler, *flags)]
    run([compiler, *WARNINGS, "-O1", *flags, *parts, "-o", str(program)])
    return program


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_input_meets_no_undefined_behaviour(target: str, tmp_path: Path) -> None:
    need_compiler()
    compiler = find_compiler()[0]
    if not can_sanitize(compiler, *SANITIZERS):
        pytest.skip(f"{compiler} has no sanitizers; install libasan and libubsan")
    files = []
    for number, seed in enumerate(seeds(target)):
        files.append(tmp_path / f"seed{number}")
        files[-1].write_bytes(seed)

    program = compiled(compiler, target, tmp_path, *SANITIZERS, driver=(str(SOURCES / "fuzz" / "driver.c"),))
    printed = run([str(program), str(ROUNDS), "1", *map(str, files)])

    assert printed == f"{ROUNDS} inputs\n"
    assert run([str(program), "2000", "1"]) == "2000 inputs\n"


@pytest.mark.parametrize("target", TARGETS)
def test_the_targets_run_under_libfuzzer(target: str, tmp_path: Path) -> None:
    if shutil.which("clang") is None or not can_sanitize("clang", "-fsanitize=fuzzer"):
        pytest.skip("there is no clang with libFuzzer; install clang")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed{number}").write_bytes(seed)

    program = compiled("clang", target, tmp_path, *SANITIZERS, "-fsanitize=fuzzer")

    run([str(program), f"-runs={ROUNDS}", "-seed=1", f"-artifact_prefix={tmp_path}/", str(corpus)])


def test_the_other_tests_pass_over_a_sanitized_object() -> None:
    need_compiler()
    compiler = find_compiler()[0]
    if sys.platform != "linux" or not can_sanitize(compiler, *SANITIZERS):
        pytest.skip(f"{compiler} has no sanitizers that can be preloaded")
    libraries = [
        run([compiler, f"-print-file-name={name}"]).strip() for name in ("libasan.so", "libubsan.so")
    ]
    here = Path(__file__).parent
    tests = [
        str(here / f"test_{name}.py")
        for name in ("table_function", "pages", "keys", "records", "json_ranges")
    ]
    properties = here.parents[1] / "property"
    laws = (
        [str(properties / f"test_native{part}.py") for part in ("", "_json", "_records")] if IS_DEEP else []
    )

    printed = run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--capture=sys", *tests, *laws],
        PILLARBOX_TEST_CFLAGS=" ".join((*SANITIZERS, "-g")),
        LD_PRELOAD=" ".join(libraries),
        ASAN_OPTIONS="detect_leaks=0",  # the interpreter's own
        HYPOTHESIS_PROFILE="ci",
    )

    assert " passed" in printed
