"""Tests of the program against a local control plane in virtual time."""

from pathlib import Path

import pytest
from program import program
from pulumi.automation import CommandError, ConfigValue, Stack
from pytest_agentserver import ControlPlane

FIRST, SECOND = "1" * 40, "2" * 40


def deployed(agentserver: ControlPlane) -> Stack:
    """Returns a stack in which the first commit is deployed to both environments."""
    stack = agentserver.create_stack(
        program, config={"commit": FIRST, "approved": FIRST}
    )
    stack.up()
    agentserver.take_writes()
    return stack


def test_creates_a_revision_only_for_a_new_commit(agentserver: ControlPlane) -> None:
    stack = deployed(agentserver)
    stack.up()
    assert agentserver.take_writes() == []

    stack.set_config("commit", ConfigValue(SECOND))
    stack.up()
    [write] = agentserver.take_writes()
    assert write.request == "PATCH /v2/deployments/:id"
    assert write.body["source_revision_config"]["repo_ref"] == SECOND


def test_rolls_staging_back_if_a_commit_does_not_start(
    agentserver: ControlPlane,
) -> None:
    stack = deployed(agentserver)
    agentserver.steer(
        verdict="DEPLOY_FAILED", reason="The agent does not start.", times=1
    )
    stack.set_config("commit", ConfigValue(SECOND))
    with pytest.raises(
        CommandError, match=r"The agent does not start\.[^$]*Rolled back"
    ):
        stack.up()
    sources = [
        write.body["source_revision_config"] for write in agentserver.take_writes()
    ]
    assert [source["repo_ref"] for source in sources] == [SECOND, FIRST]


def test_complies_with_the_policies(agentserver: ControlPlane) -> None:
    stack = agentserver.create_stack(
        program, config={"commit": FIRST, "approved": FIRST}
    )
    pack = Path(__file__).parent / "node_modules" / "pulumi-agentserver-policies"
    assert "[mandatory]" not in stack.preview(policy_packs=[str(pack)]).stdout

    token = "ghp_" + "exampleExampleExample0123456789abcdef"
    stack.set_config("greeting", ConfigValue(token))
    with pytest.raises(CommandError, match="no-plain-secrets"):
        stack.preview(policy_packs=[str(pack)])


def test_does_not_promote_a_commit_without_an_approval(
    agentserver: ControlPlane,
) -> None:
    stack = deployed(agentserver)
    stack.set_config("commit", ConfigValue(SECOND))
    waiting = stack.up().outputs["waiting"].value
    assert "is waiting for approval" in waiting["production"]
    [write] = agentserver.take_writes()
    assert write.body["source_revision_config"]["repo_ref"] == SECOND

    stack.set_config("approved", ConfigValue(SECOND))
    stack.up()
    requests = [write.request for write in agentserver.take_writes()]
    assert requests == ["PATCH /v2/deployments/:id"]


def test_sends_a_request_again_if_the_connection_fails(
    agentserver: ControlPlane,
) -> None:
    stack = agentserver.create_stack(
        program, config={"commit": FIRST, "approved": FIRST}
    )
    agentserver.fault(
        "status", status=503, method="POST", path="/v2/deployments", retry_after=1
    )
    stack.up()
    requests = [write.request for write in agentserver.take_writes()]
    assert requests == ["POST /v2/deployments"] * 3
