"""Tests of the fixture without the engine."""

import pytest
from pytest_agentserver import ControlPlane, ControlPlaneError, start_control_plane

BODY = {
    "name": "support",
    "source": "github",
    "source_config": {"repo_url": "https://git.example.com/agents.git"},
    "source_revision_config": {"repo_ref": "v1"},
    "secrets": [{"name": "MODEL_KEY", "value": "very-secret-value"}],
}


def create(agentserver: ControlPlane) -> str:
    return str(agentserver.request("POST", "/v2/deployments", BODY)["id"])


def revision(agentserver: ControlPlane, id: str) -> dict[str, str]:
    revisions = agentserver.request("GET", f"/v2/deployments/{id}/revisions")
    latest: dict[str, str] = revisions["resources"][0]
    return latest


def status(agentserver: ControlPlane, id: str) -> str:
    return revision(agentserver, id)["status"]


@pytest.mark.parametrize("_", [1, 2])
def test_starts_empty(agentserver: ControlPlane, _: int) -> None:
    assert agentserver.journal() == []
    create(agentserver)
    agentserver.steer(verdict="never")
    agentserver.fault("status", status=503)


def test_returns_each_write_once_without_secrets(agentserver: ControlPlane) -> None:
    id = create(agentserver)
    agentserver.request("DELETE", f"/v2/deployments/{id}")
    first, second = agentserver.take_writes()
    assert (first.request, first.status) == ("POST /v2/deployments", 201)
    assert first.body["source_revision_config"] == {"repo_ref": "v1"}
    assert second.request == "DELETE /v2/deployments/:id"
    assert "very-secret-value" not in repr(first)
    assert agentserver.take_writes() == []
    assert len(agentserver.journal(method="DELETE")) == 1


def test_steers_one_rollout(agentserver: ControlPlane) -> None:
    agentserver.steer(verdict="BUILD_FAILED", reason="It is wrong.", times=1)
    failed = revision(agentserver, create(agentserver))
    assert (failed["status"], failed["status_message"]) == (
        "BUILD_FAILED",
        "It is wrong.",
    )


def test_advances_the_time(agentserver: ControlPlane) -> None:
    agentserver.steer(pace={"after_seconds": 1800})
    id = create(agentserver)
    agentserver.advance(1799)
    assert status(agentserver, id) != "DEPLOYED"
    agentserver.advance(1)
    assert status(agentserver, id) == "DEPLOYED"


def test_steps_through_and_sets_statuses(agentserver: ControlPlane) -> None:
    agentserver.steer(pace="step by step")
    id = create(agentserver)
    assert agentserver.step("support") == "AWAITING_BUILD"
    agentserver.set_status("support", "DEPLOY_FAILED", message="Because.")
    assert status(agentserver, id) == "DEPLOY_FAILED"


def test_pushes_a_revision_as_another_client(agentserver: ControlPlane) -> None:
    id = create(agentserver)
    pushed = agentserver.push_revision(
        "support", source_revision_config={"repo_ref": "v2"}, secrets={"A": "1"}
    )
    assert revision(agentserver, id)["id"] == pushed


def test_injects_faults_until_they_are_cleared(agentserver: ControlPlane) -> None:
    agentserver.fault("status", status=503, detail="Busy.", path="/v2/deployments", times=2)
    with pytest.raises(ControlPlaneError, match="503.*Busy"):
        create(agentserver)
    agentserver.clear_faults()
    create(agentserver)
    assert [entry.fault for entry in agentserver.journal()] == ["status", None]


def test_reports_closed_connections(agentserver: ControlPlane) -> None:
    agentserver.fault("reset", when="after", method="POST", path="/v2/deployments")
    with pytest.raises(ControlPlaneError, match="POST /v2/deployments"):
        create(agentserver)
    assert agentserver.take_writes()[0].status == 0


def test_reports_truncated_responses(agentserver: ControlPlane) -> None:
    agentserver.fault("truncate", method="POST", path="/v2/deployments")
    with pytest.raises(ControlPlaneError, match="POST /v2/deployments"):
        create(agentserver)


def test_rejects_a_misspelled_verdict(agentserver: ControlPlane) -> None:
    with pytest.raises(ControlPlaneError, match="'FAILD' is not a verdict"):
        agentserver.steer(verdict="FAILD")


def test_resets_steering_and_the_journal(agentserver: ControlPlane) -> None:
    create(agentserver)
    agentserver.take_writes()
    agentserver.steer(verdict="never")
    agentserver.reset()
    assert status(agentserver, create(agentserver)) == "DEPLOYED"
    assert len(agentserver.take_writes()) == 1


@pytest.mark.agentserver(
    dialect="langsmith", api_key="key-of-the-test", tenant_id="tenant-1"
)
def test_applies_the_options_of_the_marker(agentserver: ControlPlane) -> None:
    assert agentserver.environment == {
        "AGENTSERVER_BASE_URL": agentserver.base_url,
        "AGENTSERVER_API_KEY": "key-of-the-test",
        "AGENTSERVER_TENANT_ID": "tenant-1",
        "AGENTSERVER_DIALECT": "langsmith",
    }
    assert "key-of-the-test" not in repr(agentserver)


def test_rejects_use_after_it_is_closed(agentserver: ControlPlane) -> None:
    agentserver.close()
    agentserver.close()
    with pytest.raises(ControlPlaneError, match="The control plane is closed"):
        agentserver.take_writes()
    with pytest.raises(ControlPlaneError, match="The control plane is closed"):
        agentserver.create_stack(lambda: None)


def test_runs_next_to_another_control_plane(agentserver: ControlPlane) -> None:
    with start_control_plane(dialect="langsmith") as other:
        create(agentserver)
        assert other.take_writes() == []
    assert len(agentserver.take_writes()) == 1


def test_reports_that_the_process_has_ended(agentserver: ControlPlane) -> None:
    process = agentserver._host._process
    assert process is not None
    process.kill()
    process.wait()
    with pytest.raises(ControlPlaneError, match="POST /v2/deployments: "):
        create(agentserver)


def test_starts_a_new_process_for_the_next_test(agentserver: ControlPlane) -> None:
    create(agentserver)
