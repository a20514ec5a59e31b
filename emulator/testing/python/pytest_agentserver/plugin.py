"""Plugin for pytest: the `agentserver` fixture, its marker, and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .control_plane import ControlPlane
from .host import Host, HostError


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "agentserver_packages",
        "folder whose node_modules contains agentserver-emulator; by default, the root folder of pytest or a parent",
    )
    parser.addini(
        "agentserver_node",
        "Node.js command that runs the local control plane",
        default="node",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "agentserver(dialect, api_key, tenant_id): options of the control plane in the `agentserver` fixture",
    )


@pytest.fixture(scope="session")
def _agentserver_host(pytestconfig: pytest.Config) -> Iterator[Host]:
    root = pytestconfig.rootpath
    packages = root / str(pytestconfig.getini("agentserver_packages"))
    try:
        host = Host(packages, node=str(pytestconfig.getini("agentserver_node")))
    except HostError as error:
        pytest.fail(str(error), pytrace=False)
    with host:
        yield host


@pytest.fixture
def agentserver(
    request: pytest.FixtureRequest, _agentserver_host: Host
) -> Iterator[ControlPlane]:
    """A control plane in virtual time for one test, with simulated rollouts that succeed immediately."""
    marker = request.node.get_closest_marker("agentserver")
    options = {} if marker is None else dict(marker.kwargs)
    folder = Path(request.node.path).parent
    with ControlPlane(_agentserver_host, **options) as plane:
        plane.folder = folder
        yield plane
