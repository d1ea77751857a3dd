"""A PostgreSQL server of its own on loopback, with a password."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PASSWORD = "sesame-7731"


@dataclass(frozen=True)
class Server:
    port: int
    tools: Path

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)


def tools() -> Path | None:
    """Where the server's programs are: Debian's, else those of the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).parent if found else None


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server that ends with the tests."""
    pytest.importorskip("psycopg", reason="needs the extra omop")
    pytest.importorskip("sqlalchemy", reason="needs the extra omop")
    if (programs := tools()) is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="dpdeid-postgres-") as folder:
        data, word = Path(folder) / "data", Path(folder) / "password"
        word.write_text(PASSWORD)
        as_user: list[str] = []
        if os.geteuid() == 0:  # it refuses to run as root
            user = pwd.getpwnam("nobody")
            for path in (Path(folder), word):
                os.chown(path, user.pw_uid, user.pw_gid)
            ids = (f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
            as_user = ["setpriv", *ids]

        def call(*command: object) -> None:
            done = subprocess.run(
                [*as_user, *map(str, command)],
                cwd=folder,
                env={**os.environ, "HOME": folder, "LC_ALL": "C.UTF-8"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            assert done.returncode == 0, command[0]

        secret = ("--auth=scram-sha-256", f"--pwfile={word}")
        call(programs / "initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "-N", *secret)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1"]
        options += ["-c", "unix_socket_directories=", "-c", "fsync=off"]
        ends = ["setpriv", "--pdeathsig=QUIT", *as_user[1:]]  # with the tests, however they end
        process = subprocess.Popen(
            [*ends, str(programs / "postgres"), "-D", str(data), *options],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not is_ready(programs, port):
                assert process.poll() is None
                time.sleep(0.05)
            yield Server(port, programs)
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait()


def is_ready(programs: Path, port: int) -> bool:
    asked = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
    return subprocess.run(asked, check=False).returncode == 0
