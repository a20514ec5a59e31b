"""Local control plane in virtual time."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from .host import Host
from .stack import create_stack, create_work_folder

if TYPE_CHECKING:
    from pulumi.automation import PulumiFn, Stack

Dialect = Literal["interface", "langsmith"]
"""Dialect of the control plane's API: `interface` for the interface document, or `langsmith` for the public service."""

Pace = Literal["at once", "step by step"] | Mapping[str, float]
"""Pace of a rollout, such as `"step by step"` or `{"after_seconds": 1800}`."""

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Requests to the local control plane ignore the proxy settings in the environment.
_opener = build_opener(ProxyHandler({}))


class ControlPlaneError(Exception):
    """Raised if the control plane rejects a request of the test, or is closed."""


@dataclass(frozen=True)
class Write:
    """A request that may have changed something."""

    request: str
    """Method and path, with `:id` for each ID: `PATCH /v2/deployments/:id`."""
    status: int
    """Status of the response; 0 if a fault closed the connection."""
    body: Any
    """Body of the request, with masked secrets."""


@dataclass(frozen=True)
class JournalEntry:
    """A request to the control plane, without confidential data."""

    sequence: int
    time: str
    """Time of the request in ISO 8601 format."""
    method: str
    path: str
    """Path as sent by the client."""
    query: dict[str, str]
    status: int
    """Status of the response; 0 if the connection was reset."""
    body: Any
    """Parsed and masked body; `None` if the request had no body."""
    unknown_fields: list[str]
    """Fields of the body that the control plane ignored because it does not know them."""
    fault: str | None
    """Kind of fault that was injected."""


class ControlPlane:
    """A local control plane in virtual time, with simulated rollouts that succeed immediately.

    The `agentserver` fixture provides one for each test.
    """

    base_url: str
    tenant_id: str
    api_key: str

    folder: Path
    """Folder that relative paths in `create_stack` refer to."""

    def __init__(
        self,
        host: Host,
        *,
        dialect: Dialect = "interface",
        api_key: str | None = None,
        tenant_id: str | None = None,
    ) -> None:
        if dialect not in ("interface", "langsmith"):
            raise ValueError(f"The dialect must be interface or langsmith, but is {dialect!r}.")
        given = {"dialect": dialect, "apiKey": api_key, "tenantId": tenant_id}
        connection = host.start(_present(given))
        self.base_url = connection["baseUrl"]
        self.api_key = connection["apiKey"]
        self.tenant_id = connection["tenantId"]
        self.dialect = dialect
        self.folder = Path.cwd()
        self._host = host
        self._is_closed = False
        self._work_folders: list[Path] = []
        self._taken = 0
        self.steer()

    def __repr__(self) -> str:
        return f"ControlPlane({self.base_url!r})"

    def __enter__(self) -> ControlPlane:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def environment(self) -> dict[str, str]:
        """Connection settings for other clients, as environment variables. Stacks have them automatically."""
        return {
            "AGENTSERVER_BASE_URL": self.base_url,
            "AGENTSERVER_API_KEY": self.api_key,
            "AGENTSERVER_TENANT_ID": self.tenant_id,
            "AGENTSERVER_DIALECT": self.dialect,
        }

    def create_stack(
        self,
        program: PulumiFn | str | Path,
        *,
        name: str = "test",
        project: str | None = None,
        config: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Stack:
        """Creates a stack of the Automation API, with the engine on the `PATH` and a temporary backend.

        Args:
            program: Function that declares resources, or a folder that contains a Python program (`__main__.py`). A
                relative folder is relative to the folder of the test.
            name: Name of the stack.
            project: Name of the project. Defaults to the one in the folder's Pulumi.yaml, or to `test`.
            config: Configuration by key, such as `commit` or `agentserver:adopt`. A key without a namespace belongs to
                the project.
            environment: Environment variables for the engine and the provider, in addition to those of this process.
        """
        self._require_open()
        folder = create_work_folder()
        self._work_folders.append(folder)
        return create_stack(
            self.folder / program if isinstance(program, (str, Path)) else program,
            folder,
            folder=self.folder,
            modules=self._host.modules,
            connection=self.environment,
            name=name,
            project=project,
            config=config or {},
            environment=environment or {},
        )

    def take_writes(self) -> list[Write]:
        """Returns the requests that may have changed something since the last call, oldest first."""
        entries = self._read_journal({"writes": "true", "after": str(self._taken)})
        if entries:
            self._taken = entries[-1].sequence
        return [_write_of(entry) for entry in entries]

    def journal(
        self,
        *,
        writes: bool = False,
        method: str | None = None,
        path: str | None = None,
        agents: bool = False,
    ) -> list[JournalEntry]:
        """Returns the recorded requests, oldest first, with secrets masked.

        Args:
            writes: Includes only requests that may change something.
            method: Includes only requests with this method.
            path: Pattern such as `/v2/deployments/:id`.
            agents: Also includes requests to agent servers, without their bodies.
        """
        query = {"method": method, "path": path, "writes": _flag(writes), "agents": _flag(agents)}
        return self._read_journal(_present(query))

    def steer(
        self,
        *,
        verdict: str | None = None,
        reason: str | None = None,
        times: int | None = None,
        statuses: Sequence[str] | None = None,
        logs: Sequence[Mapping[str, str]] | None = None,
        pace: Pace = "at once",
        deployment: str | None = None,
        revision_id: str | None = None,
    ) -> None:
        """Controls later rollouts.

        Args:
            verdict: `DEPLOYED`, any status that contains `FAILED`, or `never`.
            reason: Reason for a failure.
            times: Number of rollouts that these settings apply to. Defaults to all.
            statuses: Exact statuses instead of a verdict.
            logs: Log lines with the keys `message`, `type` (`build` or `deploy`), and `level`.
            pace: Pace in virtual time.
            deployment: Name or ID of a deployment. Defaults to all.
            revision_id: ID of a revision.
        """
        plan = {
            "verdict": verdict,
            "reason": reason,
            "times": times,
            "statuses": None if statuses is None else list(statuses),
            "logs": None if logs is None else [dict(line) for line in logs],
            "pace": pace if isinstance(pace, str) else {_camel(key): value for key, value in pace.items()},
            "deployment": deployment,
            "revisionId": revision_id,
        }
        self.admin("POST", "/steering", _present(plan))

    def fault(
        self,
        kind: Literal["status", "delay", "reset", "truncate"],
        *,
        method: str | None = None,
        path: str | None = None,
        times: int = 1,
        when: Literal["before", "after"] | None = None,
        status: int | None = None,
        detail: str | None = None,
        retry_after: float | str | None = None,
        seconds: float | None = None,
    ) -> None:
        """Injects a fault into the next matching requests.

        Args:
            kind: `status` for a different response, `delay`, `reset` for a closed connection, or `truncate` for an
                incomplete response.
            method: Method of the requests. Defaults to all.
            path: Pattern such as `/v2/deployments/:id`. Defaults to all.
            times: Number of requests.
            when: `after` if the request is processed before the fault occurs. Required for `reset`.
            status: Status of the response. Required for `status`.
            detail: Error message of the response.
            retry_after: Value of the `Retry-After` header.
            seconds: Duration of a delay in virtual time.
        """
        fault = {
            "kind": kind,
            "method": method,
            "path": path,
            "times": times,
            "when": when,
            "status": status,
            "detail": detail,
            "retryAfter": retry_after,
            "ms": None if seconds is None else seconds * 1000,
        }
        self.admin("POST", "/faults", _present(fault))

    def clear_faults(self) -> None:
        """Removes the faults that have not occurred yet."""
        self.admin("DELETE", "/faults")

    def advance(self, seconds: float) -> None:
        """Advances the virtual time of the control plane."""
        self.admin("POST", "/clock/advance", {"ms": seconds * 1000})

    def step(self, deployment: str, revision_id: str | None = None, status: str | None = None) -> str:
        """Moves a running rollout to its next status, or to `status`. Returns the new status."""
        body = _present({"revisionId": revision_id, "status": status})
        return str(self.admin("POST", f"/deployments/{quote(deployment, safe='')}/step", body)["status"])

    def set_status(
        self,
        deployment: str,
        status: str,
        *,
        revision_id: str | None = None,
        message: str | None = None,
    ) -> None:
        """Sets the status of a revision, by default of the latest one, to any value."""
        body = _present({"status": status, "revisionId": revision_id, "message": message})
        self.admin("POST", f"/deployments/{quote(deployment, safe='')}/status", body)

    def push_revision(
        self,
        deployment: str,
        *,
        source_revision_config: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> str:
        """Simulates another client that creates a revision. Returns the ID of the revision. Keys are named as in the API
        (`repo_ref`).
        """
        entries = None if secrets is None else [{"name": key, "value": secrets[key]} for key in secrets]
        body = _present({"sourceRevisionConfig": source_revision_config, "secrets": entries})
        return str(self.admin("POST", f"/deployments/{quote(deployment, safe='')}/revisions", body)["revisionId"])

    def admin(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Sends a request to the admin API of the control plane, for actions that do not have their own method.

        Args:
            method: HTTP method.
            path: Path below `/admin`, such as `/quirks`.
            body: Body, which is sent as JSON.

        Raises:
            ControlPlaneError: The control plane rejected the request.
        """
        self._require_open()
        return self._request(method, f"/admin{path}", body)

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Sends a request to the control plane like another client, and returns the response.

        Raises:
            ControlPlaneError: The control plane rejected the request.
        """
        self._require_open()
        return self._request(method, path, body)

    def reset(self) -> None:
        """Deletes all deployments, faults, rollout plans, and recorded requests. Stacks keep their states."""
        self.admin("POST", "/reset")
        self._taken = 0
        self.steer()

    def close(self) -> None:
        """Stops the control plane, and deletes the stacks and the temporary files. Can be called repeatedly."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._host.stop(self.base_url)
        finally:
            for folder in self._work_folders:
                shutil.rmtree(folder, ignore_errors=True)

    def _read_journal(self, query: Mapping[str, str]) -> list[JournalEntry]:
        entries = self.admin("GET", f"/journal?{urlencode(query)}")["entries"]
        return [
            JournalEntry(
                sequence=entry["sequence"],
                time=entry["time"],
                method=entry["method"],
                path=entry["path"],
                query=entry["query"],
                status=entry["status"],
                body=entry.get("body"),
                unknown_fields=entry["unknownFields"],
                fault=entry.get("fault"),
            )
            for entry in entries
        ]

    def _require_open(self) -> None:
        if self._is_closed:
            raise ControlPlaneError("The control plane is closed. Use it before its test or `with` block ends.")

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        headers = {"X-Api-Key": self.api_key, "X-Tenant-Id": self.tenant_id}
        content = None
        if body is not None or method in ("POST", "PUT", "PATCH"):
            content = json.dumps(dict(body or {})).encode()
            headers["Content-Type"] = "application/json"
        message = Request(self.base_url + path, content, headers, method=method)
        try:
            with _opener.open(message, timeout=60) as response:
                text = response.read().decode()
        except HTTPError as error:
            raise ControlPlaneError(f"{method} {path}: {error.code} {error.read().decode()}") from None
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise ControlPlaneError(f"{method} {path}: {reason}") from None
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise ControlPlaneError(f"{method} {path}: the response is not JSON: {text}") from None


@contextmanager
def start_control_plane(
    folder: str | Path = ".",
    *,
    node: str = "node",
    dialect: Dialect = "interface",
    api_key: str | None = None,
    tenant_id: str | None = None,
) -> Iterator[ControlPlane]:
    """Starts a control plane without the fixture, for example for another test runner.

    Args:
        folder: Folder to search for an installation of agentserver-emulator, followed by its parents.
        node: Node.js command.
        dialect: API of the control plane.
        api_key: API key. Defaults to a generated key.
        tenant_id: ID of the workspace. Defaults to a generated ID.
    """
    with Host(Path(folder), node=node) as host:
        with ControlPlane(host, dialect=dialect, api_key=api_key, tenant_id=tenant_id) as plane:
            yield plane


def _write_of(entry: JournalEntry) -> Write:
    path = _ID.sub(":id", re.sub("^/api-host", "", entry.path))
    return Write(f"{entry.method} {path}", entry.status, entry.body)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _flag(value: bool) -> str | None:
    return "true" if value else None


def _camel(name: str) -> str:
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)


