"""A real login over SSH to an account whose only command is a restricted explorer."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.terminal.session import ROOT, Terminal
from tests.terminal.test_ends import assert_clean

_SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
_CONFIGURATION = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile {folder}/pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
AllowTcpForwarding no
SetEnv LANG=C.UTF-8 PYTHONPATH={root} HOME={home} XDG_STATE_HOME={home}
ForceCommand echo $$ > {folder}/shell; exec {python} -m attn_tui --restricted
"""


@dataclass(frozen=True)
class Server:
    """An SSH server with one account."""

    folder: Path
    port: int

    @property
    def home(self) -> Path:
        """The account's files."""
        return self.folder / "home"

    @property
    def explorer(self) -> int:
        """The process of the last explorer."""
        return int((self.folder / "shell").read_text(encoding="ascii"))

    def login(self, *arguments: str) -> Terminal:
        """A terminal on which someone logs in."""
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR"]
        return Terminal(
            *[part for option in options for part in ("-o", option)],
            *("-tt", "-F", "none", "-i", str(self.folder / "user"), "-p", str(self.port)),
            f"{getpass.getuser()}@127.0.0.1",
            *arguments,
            command=("ssh",),
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a free port, with throwaway keys."""
    if not (Path(_SSHD).exists() and shutil.which("ssh")):
        assert not os.environ.get("CI"), "sshd and ssh have to be there"
        pytest.skip("there is no sshd here")
    folder = tmp_path_factory.mktemp("ssh")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True, timeout=60)
    (folder / "home").mkdir()
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    text = _CONFIGURATION.format(port=port, folder=folder, root=ROOT, home=folder / "home", python=sys.executable)
    (folder / "configuration").write_text(text, encoding="utf-8")
    with subprocess.Popen([_SSHD, "-D", "-e", "-f", folder / "configuration"], stderr=subprocess.PIPE) as sshd:
        try:
            _wait(lambda: _answers(port) or sshd.poll() is not None)
            assert sshd.poll() is None, sshd.stderr and sshd.stderr.read()
            yield Server(folder, port)
        finally:
            sshd.terminate()


def _answers(port: int) -> bool:
    """Whether someone listens."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait(until: object) -> None:
    """Wait until something is so."""
    assert callable(until)
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


def _is_running(process: int) -> bool:
    """Whether there is such a process."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_a_login_shows_the_explorer_and_leaving_it_logs_out(server: Server) -> None:
    with server.login().start() as terminal:
        assert "k0 0.9150" in terminal.text
        terminal.press("7\r")
        terminal.until("k4 0.9992")
        terminal.press("u")
        terminal.until("k0 0.9150")
        terminal.send("q")
        assert terminal.exit_code() == 0
        assert_clean(terminal.output)
    assert not list(server.home.rglob("*")), "nothing was written"


def test_another_command_than_the_explorer_is_not_run(server: Server) -> None:
    with server.login(f"touch {server.folder}/touched").start() as terminal:
        terminal.send("q")
        assert terminal.exit_code() == 0
    assert not (server.folder / "touched").exists()


def test_a_dropped_connection_ends_the_explorer(server: Server) -> None:
    with server.login().start() as terminal:
        explorer = server.explorer
        assert _is_running(explorer)
        terminal.press("7")
        terminal.process.kill()
        _wait(lambda: not _is_running(explorer))
    assert not list(server.home.rglob("*"))
    with server.login().start() as terminal:
        assert "k0 0.9150" in terminal.text, "the next one begins anew"


@pytest.mark.parametrize("keys", ["\x1a", "\x1c", "!"], ids=["ctrl+z", "ctrl+backslash", "exclamation mark"])
def test_no_key_leads_to_a_shell(server: Server, keys: str) -> None:
    with server.login().start() as terminal:
        terminal.press(keys)
        terminal.press("\x1b")
        terminal.press("7\r")
        terminal.until("k4 0.9992")
        assert _is_running(server.explorer)


def test_a_request_to_stop_is_not_followed(server: Server) -> None:
    with server.login().start() as terminal:
        os.kill(server.explorer, signal.SIGTSTP)
        terminal.press("7\r")
        terminal.until("k4 0.9992")


def test_the_palette_offers_no_screenshot_and_the_lesson_keeps_nothing(server: Server) -> None:
    with server.login().start() as terminal:
        terminal.press(":")
        terminal.send("screenshot")
        terminal.until("No matches")
        terminal.press("\x1b")
        terminal.press("L")
        terminal.until("page 1/")
        terminal.send("q")
        assert terminal.exit_code() == 0
    assert not list(server.home.rglob("*"))
