"""Deploys a Python agent, with an assistant and an item in its store."""

import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

agent = agentserver.Deployment(
    "agent",
    name="python-program",
    source="github",
    source_config={
        "repo_url": config.require("repoUrl"),
        "deployment_type": "dev",
        "build_on_push": False,
    },
    source_revision_config={
        "repo_ref": config.require("repoRef"),
        "graph_config_path": "langgraph.json",
    },
    secrets={"GREETING": config.require_secret("greeting")},
    # The first revision installs the packages of the agent, and later ones reuse them.
    rollout={"timeout": "10m", "verify": {"graph": "agent"}},
)
deployment = agentserver.DeploymentReferenceArgs(id=agent.id, url=agent.url)

assistant = agentserver.Assistant(
    "assistant", deployment=deployment, graph="agent", name="Notes"
)
note = agentserver.StoreItem(
    "note",
    deployment=deployment,
    namespace=["notes"],
    key="welcome",
    value={"text": "this program"},
)

pulumi.export("deploymentId", agent.id)
pulumi.export("revisionId", agent.latest_revision_id)
pulumi.export("url", agent.url)
pulumi.export("assistantId", assistant.assistant_id)
