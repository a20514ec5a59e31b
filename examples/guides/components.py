import pulumi
import pulumi_agentserver as agentserver

support = agentserver.AgentService(
    "support",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://github.com/example/agents",
        "deployment_type": "prod",
        "build_on_push": False,
    },
    source_revision_config={"repo_ref": "v1.4.0", "graph_config_path": "langgraph.json"},
    assistants={"brief": {"graph": "agent", "context": {"style": "brief"}}},
    crons={
        "report": {
            "assistant": "brief",
            "schedule": "0 9 * * 1-5",
            "input": {"messages": []},
        },
    },
    memory={"handbook": {"namespace": ["handbook"], "folder": "./handbook"}},
)

pulumi.export("url", support.url)
