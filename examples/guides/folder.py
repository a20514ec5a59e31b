import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name="local-folder",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    environment_variables={"GREETING": "Hello"},
    rollout={"timeout": "5m", "on_failure": "rollback", "verify": {"graph": "agent"}},
)

pulumi.export("url", agent.url)
pulumi.export("verified", agent.verified)
