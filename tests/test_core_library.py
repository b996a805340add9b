"""The embedded Lean: found, compiled, kept intact, with no more axioms than it says; it proves what it should."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lean_gym.core import build
from lean_gym.core.bindings import demangle, mangle, quote
from lean_gym.core.build import CoreBuildError, CoreLibrary, core_library, is_intact, read_sources
from lean_gym.core.elf import NotElf, dynamic_symbols
from lean_gym.core.library import LeanLibrary, LeanNotFound, find_library, library_path, run_lean
from lean_gym.olean import Kind, Olean
from lean_gym.terms import Terms

LEAN_FILES = Path(__file__).with_name("lean")
SMALL = {"A": "prelude\naxiom a : Type\n", "A.B": "prelude\nimport A\naxiom b : a\n"}


@pytest.fixture(scope="module")
def core() -> CoreLibrary:
    return core_library(progress=False)


@pytest.fixture
def small_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`core_library` over two tiny modules of its own and a cache of its own; the folder of the sources."""
    sources = tmp_path / "sources"
    for module, text in SMALL.items():
        path = sources / (module.replace(".", "/") + ".lean")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(build, "SOURCES", sources)
    return sources


def messages(core: CoreLibrary, path: Path) -> list[dict[str, object]]:
    done = run_lean(core.library, "--json", str(path), lean_path=core.root)
    return [json.loads(line) for line in done.stdout.splitlines()]


# --- the library


def test_library_is_found_with_its_version(core: CoreLibrary) -> None:
    assert core.library.path.is_file()
    assert re.fullmatch(r"4\.\d+\.\d+\S*", core.lean_version)
    assert re.fullmatch(r"[0-9a-f]{40}", core.library.githash)
    assert find_library() == core.library


@pytest.mark.parametrize("as_folder", [False, True])
def test_variable_names_the_library(core: CoreLibrary, monkeypatch: pytest.MonkeyPatch, as_folder: bool) -> None:
    path = core.library.path
    monkeypatch.setenv("LEAN_GYM_LIBLEAN", str(path.parent if as_folder else path))
    assert library_path() == path


def test_variable_that_names_nothing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_LIBLEAN", str(tmp_path / "nowhere"))
    with pytest.raises(LeanNotFound, match=r"LEAN_GYM_LIBLEAN is .*nowhere"):
        core_library(progress=False)


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEAN_GYM_LIBLEAN", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LeanNotFound, match=r'pip install "lean-gym\[lean\]"'):
        core_library(progress=False)


def test_library_that_does_not_load_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "libleanshared.so"
    broken.write_bytes(b"\x7fELF no library")
    monkeypatch.setenv("LEAN_GYM_LIBLEAN", str(broken))
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path / "cache"))
    with pytest.raises(LeanNotFound, match="does not load on this machine"):
        find_library()


def test_finding_and_compiling_loads_nothing_into_this_process() -> None:
    code = (
        "from lean_gym.core.build import core_library; core_library(progress=False);"
        "print('libleanshared' in open('/proc/self/maps').read())"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


# --- compiling into the cache


def test_compiles_once_then_finds_it_again(small_core: Path) -> None:
    first = core_library(progress=False)
    made = {path: path.stat().st_mtime_ns for path in first.root.rglob("*.olean")}
    assert sorted(path.relative_to(first.root).as_posix() for path in made) == ["A.olean", "A/B.olean"]
    assert core_library(progress=False, verify=True) == first
    assert {path: path.stat().st_mtime_ns for path in first.root.rglob("*.olean")} == made
    assert first.search_path == (first.root,)


def test_found_again_in_milliseconds(core: CoreLibrary) -> None:
    def seconds() -> float:
        start = time.perf_counter()
        core_library(progress=False)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.05


def test_compiled_bytes_are_reproducible(tmp_path: Path, core: CoreLibrary) -> None:
    sources = {name: text for name, text in read_sources().items() if name in ("Core.Prelude", "Core.Meta")}
    build.compile_sources(core.library, sources, tmp_path)
    for name in ("Core/Prelude.olean", "Core/Meta.olean"):
        assert (tmp_path / name).read_bytes() == (core.root / name).read_bytes()


@pytest.mark.parametrize("damage", ["changed", "cut", "gone", "manifest"])
def test_damaged_files_are_compiled_anew(small_core: Path, damage: str) -> None:
    core = core_library(progress=False)
    victim = core.root / "A" / "B.olean"
    good = victim.read_bytes()
    if damage == "changed":  # same size, another time
        victim.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        os.utime(victim, ns=(1, 1))
    elif damage == "cut":
        victim.write_bytes(good[:100])
    elif damage == "gone":
        victim.unlink()
    else:
        (core.root / "manifest.json").write_text("[")
    assert not is_intact(core.root)
    assert core_library(progress=False) == core
    assert victim.read_bytes() == good
    assert is_intact(core.root, verify=True)


def test_verify_finds_damage_that_kept_size_and_time(small_core: Path) -> None:
    core = core_library(progress=False)
    victim = core.root / "A.olean"
    good, status = victim.read_bytes(), victim.stat()
    victim.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    os.utime(victim, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not is_intact(core.root, verify=True)
    core_library(progress=False, verify=True)
    assert victim.read_bytes() == good


def test_another_source_or_library_is_another_key(
    small_core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = core_library(progress=False)
    (small_core / "A.lean").write_text("prelude\naxiom a : Type\naxiom c : Type\n")
    second = core_library(progress=False)
    assert (second.digest != first.digest) and (second.root != first.root) and is_intact(first.root)
    other = LeanLibrary(first.library.path, "4.0.0", "0" * 40, "0" * 64)
    monkeypatch.setattr(build, "find_library", lambda: other)
    assert core_library(progress=False).digest not in (first.digest, second.digest)


def test_source_that_lean_refuses_is_an_error_with_its_message(small_core: Path, tmp_path: Path) -> None:
    (small_core / "A" / "B.lean").write_text("prelude\nimport A\nset_option autoImplicit false\naxiom b : nonsense\n")
    with pytest.raises(CoreBuildError, match=r"A\.B:\n(.|\n)*nonsense"):
        core_library(progress=False)
    left = [path.name for path in (tmp_path / "cache" / "core").iterdir() if path.is_dir()]
    assert left == []


def test_modules_that_import_each_other_are_an_error(small_core: Path) -> None:
    (small_core / "A.lean").write_text("prelude\nimport A.B\n")
    with pytest.raises(CoreBuildError, match="circle"):
        core_library(progress=False)


def test_cache_that_cannot_be_made_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(CoreBuildError, match="LEAN_GYM_CACHE"):
        core_library(progress=False)


def test_two_processes_at_once_compile_once(small_core: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from lean_gym.core import build; build.SOURCES = Path(sys.argv[1]);"
        "compile = build.compile_sources;"
        "build.compile_sources = lambda *a: (Path(sys.argv[2]).open('a').write('x'), compile(*a))[1];"
        "print(build.core_library(progress=False).root)"
    )
    log = tmp_path / "log"
    command = [sys.executable, "-c", code, str(small_core), str(log)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    roots = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(roots) == 1 and log.read_text() == "x"


# --- generated parts


@pytest.mark.skipif(sys.platform != "linux", reason="the generator reads ELF")
def test_generated_parts_are_current(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lean_gym.core.bindings", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "current\n"), done.stderr
    shutil.copytree(build.SOURCES / "Core", tmp_path / "Core")
    stale = tmp_path / "Core" / "Macros.lean"
    stale.write_text(stale.read_text() + "\n")
    command += ["--output", str(tmp_path / "Core")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "Macros.lean: differ\n")


def test_names_are_mangled_as_lean_does() -> None:
    assert mangle("Lean.Parser.Tactic.tactic_<;>_") == "l_Lean_Parser_Tactic_tactic___x3c_x3b_x3e__"
    assert mangle("term_∧_") == "l_term___u2227__"
    assert demangle("Lean_Parser_Tactic_simp_x21") == "Lean.Parser.Tactic.simp!"
    assert quote("Lean.calc.at.x_1") == "Lean.«calc».«at».x_1"


def test_symbols_of_a_file_that_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "x.so").write_bytes(b"no")
    with pytest.raises(NotElf):
        dynamic_symbols(tmp_path / "x.so")


# --- what Core proves, and what it doesn't


@pytest.mark.parametrize("name", ["tactics", "lemmas"])
def test_file_passes_whole(core: CoreLibrary, name: str) -> None:
    said = [m for m in messages(core, LEAN_FILES / f"{name}.lean") if "Try this" not in str(m["data"])]
    assert said == []


@pytest.mark.parametrize("name", ["refused", "reserved"])
def test_every_declaration_is_refused(core: CoreLibrary, name: str) -> None:
    path = LEAN_FILES / f"{name}.lean"
    starts = {
        number: match.group(1)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (match := re.match(r"(?:theorem|def) (\S+)", line))
    }
    refused = set()
    for message in messages(core, path):
        if message["severity"] == "error" or message["kind"] == "hasSorry":
            line = message["pos"]["line"]  # type: ignore[index]
            refused.add(starts[max(start for start in starts if start <= line)])
    assert refused == set(starts.values())


def test_axioms_are_the_known_ones_and_no_theorem_is_open(core: CoreLibrary) -> None:
    markers = {"lcErased", "lcAny", "lcVoid", "lcProof", "lcUnreachable", "lcCast"}
    axioms, users, theorems = set(), set(), 0
    for path in core.root.rglob("*.olean"):
        terms = Terms()
        module = Olean(path.read_bytes(), terms)
        for number in module:
            name = terms.show(number)
            kind = module.constant_kind(number)
            theorems += kind is Kind.THEOREM
            if kind is Kind.AXIOM:
                axioms.add(name)
            if {terms.show(used) for used in module.uses(number)} & {"sorryAx", *markers}:
                users.add(name)
    assert axioms == {"propext", "Quot.sound", "Classical.choice", "sorryAx", *markers}
    assert users == set()
    assert theorems > 1000


def test_sources_are_readable() -> None:
    for module, text in read_sources().items():
        lines = text.splitlines()
        assert max(map(len, lines)) <= 110, module
        assert "\t" not in text and "sorry" not in re.sub(r"/-.*?-/|sorryAx|tacticSorry", "", text, flags=re.S), module
        assert len(lines) < 700, module
