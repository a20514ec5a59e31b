import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={"repo_url": "https://github.com/example/agents"},
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    connection={
        "region": "eu",
        "tenant_id": "<WORKSPACE_ID>",
        "api_key_from": "agentserver:euKey",
    },
)

staging = agentserver.get_deployment_output(
    name="support-agent",
    connection={
        "region": "eu",
        "tenant_id": "<WORKSPACE_ID>",
        "api_key_from": "STAGING_API_KEY",
    },
    verify={"graph": "agent"},
)
promotion = agentserver.promote_output(
    from_=staging.verified, to={"name": "support-agent"}
)

integration = agentserver.get_integration_output(
    repo_url="https://github.com/example/agents"
)

eu = agentserver.Provider(
    "eu",
    region="eu",
    api_key=config.require_secret("euKey"),
    tenant_id="<WORKSPACE_ID>",
)
sales = agentserver.Deployment(
    "sales",
    name="sales-agent",
    source="github",
    source_config={"repo_url": "https://github.com/example/agents"},
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    clear=["sourceConfig.customUrl"],
    opts=pulumi.ResourceOptions(provider=eu),
)

agents = agentserver.Workspace("agents", manifests="deployments")
support = agentserver.AgentService(
    "support",
    name="support-agent",
    source="github",
    source_config={"repo_url": "https://github.com/example/agents"},
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    assistants={"brief": {"graph": "agent"}},
    opts=pulumi.ResourceOptions(provider=eu),
)

pulumi.export("artifact", promotion.artifact)
pulumi.export("integrationId", integration.id)
pulumi.export("urls", agents.urls)
pulumi.export("threads", support.deployment.url.apply(lambda url: f"{url}/threads"))
