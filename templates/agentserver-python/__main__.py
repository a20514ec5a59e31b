"""Deploys the agent in the `agent` folder."""

import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name=pulumi.get_project(),
    source="internal_source",
    source_config={"deployment_type": "dev"},
    source_revision_config={"folder": "./agent"},
    environment_variables={"GREETING": "Hello"},
    rollout={"timeout": "10m", "verify": {"graph": "agent"}},
)

pulumi.export("deploymentId", agent.id)
pulumi.export("url", agent.url)
