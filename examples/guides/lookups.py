import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
)
reference = agentserver.DeploymentReferenceArgs(id=agent.id, url=agent.url)
deployment = pulumi.Output.all(id=agent.id, url=agent.url).apply(
    lambda values: agentserver.DeploymentReference(**values)
)

item = agentserver.StoreItem(
    "rates",
    deployment=reference,
    namespace=["shop"],
    key="rates",
    value={"eur": 1.1},
)
by_output = agentserver.get_store_item_output(
    deployment=deployment, namespace=item.namespace, key=item.key
)
by_option = agentserver.get_store_item_output(
    deployment=deployment,
    namespace=["shop"],
    key="rates",
    opts=pulumi.InvokeOutputOptions(depends_on=[item]),
)

brief = agentserver.get_assistant_output(deployment=deployment, name="Brief")
token = agentserver.authenticate_output(
    provider="github", scopes=["repo"], user_id="ada"
)

pulumi.export("found", [by_output.value, by_option.value, brief.assistant_id])
pulumi.export("token", token.token)
