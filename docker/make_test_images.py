"""Make the images of the container tests, without any image registry: `python docker/make_test_images.py`.

    lean-gym-test-base    Debian by debootstrap, with Python
    lean-gym-test-core    Dockerfile.core on it: the embedded Lean behind kimina's HTTP contract
    lean-gym-test-kimina  the published kimina server from PyPI over the embedded Lean's REPL

Each has the tag `latest` and one that is a hash of all that went in, by which an image that is still there is known.
Packages come from Debian's mirror by debootstrap and from PyPI by this Python's pip, with this machine's settings of
both; `docker build` itself needs no network. Needs root (debootstrap), the package docker, and an engine: `--host`, or
LEAN_GYM_TEST_DOCKER_HOST, or DOCKER_HOST.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SUITE = "trixie"
PYTHON = "3.13"  # the suite's
DEBOOTSTRAP = ("--variant=minbase", "--include=python3,python3-venv")
BASE, CORE, KIMINA = "lean-gym-test-base", "lean-gym-test-core", "lean-gym-test-kimina"
# Of lean_gym only what the images run, so that a change elsewhere leaves them as they are.
SOURCES = ("__init__.py", "paths.py", "theorem.py", "serve.py", "compile_server.py", "core/*.py", "core/lean/**/*.lean",
           "workers/__init__.py", "workers/base.py", "workers/core.py")  # fmt: skip
GLIBC = ("2014", "_2_28", "_2_34", "_2_35", "_2_39", "_2_41")  # manylinux tags that the suite's glibc can run


def main() -> None:
    """The program: make what is missing, print the images' names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--host", default=os.environ.get("LEAN_GYM_TEST_DOCKER_HOST") or os.environ.get("DOCKER_HOST"))
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/lean-gym/images"), help="for the base system")
    options = parser.parse_args()
    engine = connect(options.host)
    for name in make(engine, options.cache.expanduser()):
        print(name)


def connect(host: str | None) -> Any:
    """A docker client, its engine answering."""
    try:
        import docker
    except ImportError:
        sys.exit('The package docker is missing: pip install "lean-gym[docker]"')
    try:
        engine = docker.DockerClient(base_url=host, timeout=600) if host else docker.from_env(timeout=600)
        engine.ping()
    except docker.errors.DockerException as error:
        sys.exit(f"No Docker engine answers at {host or 'the default address'}: {error}")
    return engine


def make(engine: Any, cache: Path) -> list[str]:
    """Make the images that are missing; all their names, `NAME:HASH`."""
    core_files = _files("docker/Dockerfile.core", "docker/requirements-core.txt", "docker/lean-gym-compile")
    core_files |= _files(*(f"lean_gym/{pattern}" for pattern in SOURCES))
    kimina_files = _files("docker/Dockerfile.test-kimina", "docker/requirements-kimina.txt", "docker/kimina/*")
    base = f"{BASE}:{_digest(SUITE, PYTHON, *DEBOOTSTRAP, platform.machine())}"
    core = f"{CORE}:{_digest(base, core_files)}"
    kimina = f"{KIMINA}:{_digest(core, kimina_files)}"
    if not _there(engine, base):
        _bootstrap(engine, base, cache)
    if not _there(engine, core):
        _build(engine, core, core_files, "Dockerfile.core", "requirements-core.txt", {"BASE": base})
    if not _there(engine, kimina):
        arguments = {"BASE": base, "CORE": core}
        _build(engine, kimina, kimina_files, "Dockerfile.test-kimina", "requirements-kimina.txt", arguments)
    for name in (base, core, kimina):
        engine.images.get(name).tag(name.partition(":")[0], "latest")
        _remove_older(engine, name)
    return [base, core, kimina]


def _files(*patterns: str) -> dict[str, bytes]:
    """Files of the tree, by their path in it."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(found)}


def _digest(*parts: str | Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        for key, data in {"": part.encode()}.items() if isinstance(part, str) else part.items():
            digest.update(f"{key}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def _there(engine: Any, name: str) -> bool:
    return any(name in image.tags for image in engine.images.list(name=name.partition(":")[0]))


def _remove_older(engine: Any, name: str) -> None:
    """Remove the images that `name` has taken the place of, but for those that a container still uses."""
    import docker

    repository = name.partition(":")[0]
    for image in engine.images.list(name=repository):
        for tag in set(image.tags) - {name, f"{repository}:latest"}:
            try:
                engine.images.remove(tag)
            except docker.errors.APIError as error:
                print(f"{tag} stays: {error.explanation}", file=sys.stderr)


def _say(what: str, since: float) -> None:
    print(f"{what}: {time.monotonic() - since:.1f} s", file=sys.stderr)


def _bootstrap(engine: Any, name: str, cache: Path) -> None:
    """Debian's base system as an image; its tar file stays in `cache`, named by the image's hash."""
    repository, _, tag = name.partition(":")
    file = cache / f"base-{tag}.tar"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="base-", dir=cache) as scratch:
            tar = _tar_of_debian(Path(scratch))
            for old in cache.glob("base-*.tar"):
                old.unlink()
            tar.replace(file)
    started = time.monotonic()
    with file.open("rb") as stream:
        blocks = iter(lambda: stream.read(1 << 20), b"")  # sent in chunks, so it must have no length
        engine.api.import_image_from_stream(blocks, repository=repository, tag=tag)
    _say(f"{BASE}: import", started)


def _tar_of_debian(folder: Path) -> Path:
    if not shutil.which("debootstrap"):
        sys.exit("debootstrap is missing: apt-get install debootstrap")
    started = time.monotonic()
    tree, file = folder / "tree", folder / "base.tar"
    _run("debootstrap", *DEBOOTSTRAP, SUITE, str(tree))
    left_out = ("dev/*", "usr/share/doc/*", "usr/share/locale/*", "var/cache/apt/*", "var/lib/apt/lists/*")
    _run("tar", "-C", str(tree), *(f"--exclude=./{pattern}" for pattern in left_out), "-cf", str(file), ".")
    _say(f"{BASE}: debootstrap", started)
    return file


def _run(*command: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed with exit code {done.returncode}:\n{done.stdout[-4000:]}")


def _build(
    engine: Any, name: str, files: Mapping[str, bytes], dockerfile: str, requirements: str, arguments: dict[str, str]
) -> None:
    """One `docker build` of `files` and the wheels of the requirements, without network."""
    import docker

    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="lean-gym-wheels-") as wheels:
        tags = (f"manylinux{glibc}_{platform.machine()}" for glibc in GLIBC)
        _run(
            sys.executable, "-m", "pip", "download", "--no-deps", "--dest", wheels, "--only-binary=:all:",
            "--python-version", PYTHON, *(word for tag in tags for word in ("--platform", tag)),
            "--requirement", str(ROOT / "docker" / requirements),
        )  # fmt: skip
        _say(f"{name}: pip download", started)
        started = time.monotonic()
        context = _context(files, Path(wheels).iterdir())
        try:
            engine.images.build(
                fileobj=context, custom_context=True, dockerfile=f"docker/{dockerfile}", tag=name, rm=True,
                forcerm=True, network_mode="none",
                buildargs={**arguments, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels"},
            )  # fmt: skip
        except docker.errors.BuildError as error:
            log = "".join(line.get("stream", "") for line in error.build_log)
            sys.exit(f"{name} was not built: {error}\n{log[-4000:]}")
        finally:
            context.close()
    _say(f"{name}: build", started)


def _context(files: Mapping[str, bytes], wheels: Iterable[Path]) -> Any:
    """A build context as a tar file: the same bytes for the same files, so that Docker's build cache works."""
    context = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    with tarfile.open(fileobj=context, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = 0o755 if data.startswith(b"#!") else 0o644
            tar.addfile(entry, io.BytesIO(data))
        for wheel in sorted(wheels):
            tar.add(wheel, f"docker/wheels/{wheel.name}", filter=_plain)
    context.seek(0)
    return context


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main()
