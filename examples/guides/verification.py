import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
    },
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    rollout={
        "verify": {
            "graph": "agent",
            "run": {
                "input": {"messages": [{"role": "user", "content": "hours"}]},
                "expect": "nine to five",
            },
        },
        "on_failure": "rollback",
    },
)

pulumi.export("verified", agent.verified)
