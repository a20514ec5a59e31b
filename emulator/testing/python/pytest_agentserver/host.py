"""Node.js process that serves the local control planes of a test suite."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

_PACKAGE = "agentserver-emulator"
_PROGRAM = Path("dist", "emulator", "testing", "server.js")
_TIMEOUT_SECONDS = 60.0


class HostError(Exception):
    """Raised if the local control plane cannot run."""


def find_packages(folder: Path) -> Path:
    """Returns the nearest `node_modules` folder that contains the local control plane, starting in this folder."""
    for parent in (folder, *folder.parents):
        modules = parent / "node_modules"
        if (modules / _PACKAGE / _PROGRAM).is_file():
            return modules
    raise HostError(
        f"{_PACKAGE} is not installed in {folder} or a parent folder. Install it with "
        f"`npm install --save-dev {_PACKAGE} pulumi-agentserver`, or set `agentserver_packages` in the configuration of "
        "pytest to the folder in which it is installed."
    )


class Host:
    """Node.js process that starts on first use. It ends with this process, even if this process is killed."""

    def __init__(self, folder: Path, node: str = "node") -> None:
        self.modules = find_packages(folder.resolve())
        self._node = node
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self, options: Mapping[str, Any]) -> dict[str, str]:
        """Starts a control plane, and returns its connection settings."""
        return self._send({"start": options})

    def stop(self, base_url: str) -> None:
        """Stops a control plane, unless the process has ended."""
        if self._process is not None and self._process.poll() is None:
            self._send({"stop": base_url})

    def close(self) -> None:
        """Stops all control planes and the process."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            _end(process)
        self._errors.close()

    def _send(self, command: Mapping[str, Any]) -> dict[str, str]:
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                _end(self._process)
                self._process = None
            if self._process is None:
                self._process = self._spawn()
            process = self._process
            assert process.stdin is not None and process.stdout is not None
            # A process that hangs must not block the test suite.
            timer = threading.Timer(_TIMEOUT_SECONDS, process.kill)
            timer.daemon = True
            timer.start()
            try:
                process.stdin.write(json.dumps(command) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
            finally:
                timer.cancel()
            if not line:
                self._process = None
                _end(process)
                raise HostError(
                    f"The local control plane ended unexpectedly (exit code {process.returncode}). {self._reason()}"
                )
        response: dict[str, str] = json.loads(line)
        if "error" in response:
            raise HostError(response["error"])
        return response

    def _spawn(self) -> subprocess.Popen[str]:
        if self._errors.closed:
            raise HostError("The test session has ended.")
        try:
            return subprocess.Popen(
                [self._node, str(self.modules / _PACKAGE / _PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
            )
        except FileNotFoundError:
            raise HostError(
                f"The Node.js command `{self._node}` was not found. Install Node.js 24 or later, or set `agentserver_node` "
                "in the configuration of pytest."
            ) from None

    def _reason(self) -> str:
        self._errors.seek(0)
        text = self._errors.read().strip()
        requirement = f"It requires Node.js 24 or later: check `{self._node} --version`."
        if not text:
            return requirement
        return f"{requirement} Its last output:\n" + "\n".join(text.splitlines()[-10:])


def _end(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                pass
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
