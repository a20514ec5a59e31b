import type { Observation } from "../data/observer";
import { ago, localTime } from "../data/time";
import type { Deployment } from "../data/types";
import { CopyProgram } from "../elements/copy-program";
import { StatusPill } from "../elements/status-pill";
import { Untrusted } from "../elements/untrusted";
import { useTools } from "../tools";
import { AdminActions, RevisionActions } from "./actions";
import { AgentUrl } from "./agent-url";
import { statusOf } from "./list";

/** Displays the name, state, and settings of a deployment. */
export function Head({ seen, deployment }: { seen: Observation; deployment: Deployment }) {
  const { plane } = useTools();
  const declare = async (dialect: string) => {
    const { deploymentDeclaration } = await import("../program/deployment");
    return deploymentDeclaration(await plane.deployment(deployment.id), dialect);
  };
  const variables = deployment.variables.map(({ name, value }) => `${name}=${value}`);
  const secrets = deployment.secrets.map(({ name }) => name);
  return (
    <header class="head">
      <div class="head-line">
        <h2>
          <Untrusted text={deployment.name} />
        </h2>
        <StatusPill status={statusOf(deployment)} />
        <RevisionActions seen={seen} deployment={deployment} />
        <AdminActions seen={seen} deployment={deployment} />
        <CopyProgram subject="the deployment" declare={declare} />
      </div>
      <dl class="facts">
        <AgentUrl key={deployment.id} deployment={deployment} />
        {factsOf(deployment, seen.now).map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <Untrusted text={text} />
            </dd>
          </div>
        ))}
        <ListFact title="Variables" items={variables} />
        <ListFact title="Secrets" items={secrets} />
      </dl>
    </header>
  );
}

function ListFact({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <ul class="chips" aria-label={title}>
          {items.map((text) => (
            <Untrusted key={text} text={text} tag="li" />
          ))}
        </ul>
      </dd>
    </div>
  );
}

function factsOf(deployment: Deployment, now: number): [string, string][] {
  const { source_config: config, source_revision_config: revised } = deployment;
  const created = Date.parse(deployment.created_at);
  const facts: [string, unknown][] = [
    ["Source", config.repo_url ?? revised.image_uri ?? deployment.source],
    ["Ref", revised.repo_ref],
    ["Configuration", revised.graph_config_path ?? revised["langgraph_config_path"]],
    ["Type", config.deployment_type],
    ["Owner", deployment.owner],
    ["Created", `${localTime(created, now)} (${ago(created, now)})`],
    ["ID", deployment.url ? undefined : deployment.id],
  ];
  return facts.filter((fact): fact is [string, string] => typeof fact[1] === "string" && fact[1] !== "");
}
