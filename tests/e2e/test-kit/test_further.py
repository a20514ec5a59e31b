"""Tests of programs in folders, of several stacks, and of failing programs."""

from pathlib import Path

import pulumi_agentserver as agentserver_sdk
import pytest
from pulumi.automation import CommandError

MODULE = '''
import pulumi_agentserver as agentserver

def declare(name, commit):
    agentserver.Deployment(
        name,
        name=name,
        source="github",
        source_config={"repo_url": "https://github.com/example/agent"},
        source_revision_config={"repo_ref": commit, "graph_config_path": "langgraph.json"},
        rollout={"verify": {"ok": False}},
    )
'''
MAIN = '''
from pathlib import Path

import pulumi
from declared import declare

declare(Path("name.txt").read_text(), pulumi.Config().require("commit"))
'''

def requests(agentserver):
    return [
        (write.request, write.body.get("name") if isinstance(write.body, dict) else None)
        for write in agentserver.take_writes()
    ]

def test_runs_a_folder_with_its_current_modules(agentserver, tmp_path):
    (tmp_path / "Pulumi.yaml").write_text("name: 'in-folder'\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(MAIN)
    (tmp_path / "name.txt").write_text("first")
    (tmp_path / "declared.py").write_text(MODULE)
    stack = agentserver.create_stack(tmp_path, config={"commit": "1" * 40})
    stack.up()
    assert stack.get_all_config().keys() == {"in-folder:commit"}
    assert requests(agentserver) == [("POST /v2/deployments", "first")]

    (tmp_path / "declared.py").write_text(MODULE.replace("name=name", "name='changed'"))
    stack.up()
    assert requests(agentserver) == [
        ("POST /v2/deployments", "changed"),
        ("DELETE /v2/deployments/:id", None),
    ]
    assert not (tmp_path / "Pulumi.test.yaml").exists()

def test_runs_two_stacks(agentserver):
    for name in ("one", "two"):
        def program(name=name):
            agentserver_sdk.Deployment(
                name,
                name=name,
                source="github",
                source_config={"repo_url": "https://github.com/example/agent"},
                source_revision_config={"repo_ref": "1" * 40, "graph_config_path": "langgraph.json"},
                secrets={"MODEL_KEY": "very-secret-value"},
                rollout={"verify": {"ok": False}},
            )
        agentserver.create_stack(program, name=name).up()
    writes = agentserver.take_writes()
    assert [write.body["name"] for write in writes] == ["one", "two"]
    assert "very-secret-value" not in str(writes)
    [one, two] = agentserver._work_folders
    assert one != two

def test_reports_a_failing_program(agentserver):
    def failing():
        raise ValueError("The program is wrong.")
    stack = agentserver.create_stack(failing)
    with pytest.raises(CommandError, match="The program is wrong."):
        stack.up()
    assert agentserver.take_writes() == []

def test_rejects_a_folder_without_a_program(agentserver, tmp_path):
    with pytest.raises(FileNotFoundError, match="__main__.py does not exist"):
        agentserver.create_stack(tmp_path)

@pytest.mark.agentserver(dialect="langsmith")
def test_uploads_a_folder_next_to_the_program(agentserver, tmp_path):
    (tmp_path / "Pulumi.yaml").write_text("name: local\nruntime: python\n")
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "langgraph.json").write_text('{"graphs": {"agent": "./graph.py:graph"}}')
    (tmp_path / "agent" / "graph.py").write_text("graph = None")
    (tmp_path / "__main__.py").write_text('''
import pulumi_agentserver as agentserver

agentserver.Deployment(
    "local",
    name="local",
    source="internal_source",
    source_config={"deployment_type": "dev"},
    source_revision_config={"folder": "agent"},
    rollout={"verify": {"ok": False}},
)
''')
    agentserver.create_stack(tmp_path).up()
    assert requests(agentserver)[0] == ("POST /v2/deployments", "local")

    def program():
        agentserver_sdk.Deployment(
            "function",
            name="function",
            source="internal_source",
            source_config={"deployment_type": "dev"},
            source_revision_config={"folder": "agent"},
            rollout={"verify": {"ok": False}},
        )
    agentserver.folder = tmp_path
    agentserver.create_stack(program).up()
    assert requests(agentserver)[0] == ("POST /v2/deployments", "function")
