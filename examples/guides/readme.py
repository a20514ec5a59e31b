import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={
        "integration_id": config.require("integrationId"),
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
    },
    source_revision_config={
        "repo_ref": "v1.4.0",
        "graph_config_path": "langgraph.json",
    },
    secrets={
        "MODEL_API_KEY": config.require_secret("modelApiKey"),
    },
    rollout={
        "verify": {"graph": "agent"},
        "on_failure": "rollback",
    },
)

pulumi.export("url", agent.url)
