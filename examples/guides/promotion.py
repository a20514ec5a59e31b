import pulumi
import pulumi_agentserver as agentserver

staging = pulumi.StackReference("acme/support/staging")
promotion = agentserver.promote_output(
    from_=staging.get_output("verified"),
    from_name="staging",
    to={"name": "support-agent"},
    gate={"approved_from": "agentserver:approved", "soak": "2h"},
)

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
        "build_on_push": False,
    },
    source_revision_config={
        "repo_ref": promotion.artifact,
        "graph_config_path": promotion.graph_config_path,
    },
    rollout={"verify": {"graph": "agent"}},
)

pulumi.export("verified", agent.verified)
pulumi.export("waiting", promotion.waiting)
