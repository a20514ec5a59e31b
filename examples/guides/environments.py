import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

support = agentserver.Environments(
    "support",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
        "build_on_push": False,
    },
    source_revision_config={
        "repo_ref": config.require("commit"),
        "graph_config_path": "langgraph.json",
    },
    rollout={"verify": {"graph": "agent"}},
    environments=[
        {"environment": "development"},
        {
            "environment": "staging",
            "secrets": {"MODEL_API_KEY": config.require_secret("stagingKey")},
        },
        {
            "environment": "production",
            "source_config": {"resource_spec": {"minScale": 2}},
            "gate": {"approved_from": "approved"},
        },
    ],
)

pulumi.export("urls", support.urls)
