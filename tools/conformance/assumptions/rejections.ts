import { type DeploymentAssumption, judge } from "../assumption";
import type { Subject } from "../deployments";
import { textAt } from "../json";
import { rule, table } from "./places";

type Json = Record<string, unknown>;

interface Rejection extends Pick<DeploymentAssumption, "sources" | "basis" | "places"> {
  id: string;
  /** Phrase that completes the sentence "A create request … is rejected with 400 or 422." */
  what: string;
  /** Returns the fields that differ from the request that created the deployment. */
  change: (sent: Json) => Json;
}

function withField(sent: Json, group: string, field: string, value: unknown): Json {
  return { [group]: { ...(sent[group] as Json), [field]: value } };
}

const rejections: readonly Rejection[] = [
  {
    id: "config-path",
    what: "without the path of the graph configuration",
    sources: ["github"],
    basis: "documented",
    places: [table("langsmith", "github: {"), rule("github: {")],
    change: (sent) => withField(sent, "source_revision_config", "langgraph_config_path", undefined),
  },
  {
    id: "config-path-of-image",
    what: "with the path of a graph configuration",
    sources: ["external_docker", "internal_docker"],
    basis: "documented",
    places: [table("langsmith", "external_docker: {"), rule("external_docker: {")],
    change: (sent) => withField(sent, "source_revision_config", "langgraph_config_path", "langgraph.json"),
  },
  {
    id: "deployment-type",
    what: "with a deployment_type",
    sources: ["external_docker"],
    basis: "clients",
    places: [table("langsmith", "external_docker: {"), rule("external_docker: {")],
    change: (sent) => withField(sent, "source_config", "deployment_type", "dev"),
  },
  {
    id: "resource-spec",
    what: "with less than 0.1 CPU cores",
    sources: ["external_docker"],
    basis: "documented",
    places: [{ file: "wire/dialects/resource-spec.ts", text: "const cores" }],
    change: (sent) => withField(sent, "source_config", "resource_spec", { cpu: 0.01 }),
  },
  {
    id: "integration",
    what: "with an integration_id that is not a UUID",
    sources: ["github"],
    basis: "documented",
    places: [table("langsmith", "checksReferences: true")],
    change: (sent) => withField(sent, "source_config", "integration_id", "conformance"),
  },
  {
    id: "source",
    what: "with an unknown source",
    basis: "documented",
    places: [table("langsmith", "sources: [")],
    change: () => ({ source: "conformance" }),
  },
  {
    id: "reserved-secret",
    what: "with a secret that has a reserved name",
    basis: "clients",
    places: [table("langsmith", "const reservedSecrets"), rule("reservedSecrets: [")],
    change: () => ({ secrets: [{ name: "LANGCHAIN_API_KEY", value: "conformance" }] }),
  },
];

function assumptionOf({ id, what, change, ...rest }: Rejection): DeploymentAssumption {
  return {
    ...rest,
    id: `rejections.${id}`,
    stage: "created",
    dialects: ["langsmith"],
    sentence: `A create request ${what} is rejected with 400 or 422.`,
    async probe({ deployments }, { sent }: Subject) {
      const name = deployments.newName();
      const { status, body } = await deployments.create(name, { ...sent, name, ...change(sent) });
      const accepted = textAt(body, "id");
      if (accepted !== undefined && status < 300) await deployments.delete(accepted);
      return judge(status === 400 || status === 422, `status ${status}`);
    },
  };
}

/**
 * Assumptions about create requests that are rejected. If a deployment is created nevertheless, it is deleted
 * immediately.
 */
export const rejectionAssumptions: readonly DeploymentAssumption[] = rejections.map(assumptionOf);
