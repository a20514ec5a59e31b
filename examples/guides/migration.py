import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

agentserver.Deployment(
    "agent",
    name="support",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    adopt="always",
)
