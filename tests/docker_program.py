"""A program of a user: containers of both kinds, then an end. `docker_program.py HOST IMAGE end|exception|wait`.

Prints its process id and the guard's when the containers stand.
"""

from __future__ import annotations

import asyncio
import os
import sys

from lean_gym.pool import Pool, PoolSettings
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job
from lean_gym.workers.compiler import DockerCompiler
from lean_gym.workers.docker import DockerOptions, Engines
from lean_gym.workers.reaper import Guard


async def main() -> None:
    host, image, end = sys.argv[1:]
    options = DockerOptions(image=image, docker_hosts=(host,), cpus=1, memory_mb=4096)
    engines = Engines(options)
    workers = Pool(lambda: engines.worker(CORE_HEADER), PoolSettings(spares=1), "workers")
    settings = PoolSettings(max_jobs=1, spares=1)
    compilers = Pool(lambda: DockerCompiler(CORE_HEADER, options, engines.next()), settings, "compilers")
    try:
        job = Job(CORE_HEADER, "theorem t : True := trivial\n")
        await workers.run(lambda worker: worker.check(job))
        await compilers.run(lambda compiler: compiler.check(job))
        print(os.getpid(), Guard.pid(), flush=True)
        if end == "exception":
            raise RuntimeError("a bug of the program")
        if end == "wait":
            while True:
                await workers.run(lambda worker: worker.check(job))
    finally:
        await asyncio.gather(workers.aclose(), compilers.aclose())
        await engines.aclose()


if __name__ == "__main__":
    asyncio.run(main())
