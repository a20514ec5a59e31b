import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="github",
    source_config={
        "repo_url": "https://git.example.com/agents.git",
        "deployment_type": "prod",
    },
    source_revision_config={"repo_ref": "main", "graph_config_path": "langgraph.json"},
)
agentserver.Listener("agents-eu", compute_id="agents-eu", namespaces=["agents"])

server = agentserver.DeploymentReferenceArgs(id=agent.id, url=agent.url)
brief = agentserver.Assistant(
    "brief",
    deployment=server,
    graph="agent",
    name="Brief",
    context={"style": "brief"},
)
agentserver.Cron(
    "report",
    deployment=server,
    assistant=brief.id,
    schedule="0 9 * * 1-5",
    input={"messages": []},
)
agentserver.Thread(
    "inbox", deployment=server, graph="agent", metadata={"team": "support"}
)
agentserver.StoreItem(
    "tone",
    deployment=server,
    namespace=["settings", "ada"],
    key="tone",
    value={"style": "brief"},
)
agentserver.StoreItems(
    "handbook",
    deployment=server,
    namespace=["handbook"],
    items={"refunds": {"days": 30}},
)
