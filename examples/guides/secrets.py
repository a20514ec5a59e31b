import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
    },
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    environment_variables={"LOG_LEVEL": "info"},
    rollout={"on_secret_change": "revise", "verify": {"graph": "agent"}},
)

self_hosted = agentserver.Deployment(
    "self-hosted",
    name="self-hosted",
    source="external_docker",
    source_config={"listener_config": {"k8s_namespace": "agents"}},
    source_revision_config={"image_uri": config.require("image")},
    secret_references={
        "MODEL_API_KEY": {"secret_name": "model", "secret_key": "apiKey"},
    },
)

pulumi.export("urls", [agent.url, self_hosted.url])
