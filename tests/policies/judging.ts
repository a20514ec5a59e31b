import {
  type ReportViolation,
  type ResourceValidation,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  type StackValidationArgs,
  type StackValidationPolicy,
  unknownCheckingProxy,
} from "@pulumi/policy";
import { secretsPreservingProxy } from "@pulumi/policy/secret";
import { type Connection, connectionOf } from "../../policies/pack/connection";
import type { Policy } from "../../policies/pack/record";
import { toPulumi } from "../../policies/pack/to-pulumi";
import { type ResourceKind, typePrefixes } from "../../policies/resource/kinds";

const typeOf = (kind: ResourceKind) => typePrefixes[0]! + kind;

const deploymentType = typeOf("Deployment");

type Inputs = Record<string, unknown>;

/** Wraps inputs in the same way as the SDK when it passes them to a policy. */
const checked = unknownCheckingProxy as (inputs: object) => object;

/** Value that the engine sends for an unknown string. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Facts about a resource, in addition to its inputs. */
export interface Case {
  stack?: string;
  type?: string;
  protect?: boolean;
  /** Value of `opts.customTimeouts`, in seconds. */
  timeouts?: { create?: number; update?: number };
  connection?: Connection;
  /** Settings of the resource's explicit provider. */
  provider?: object;
  /** Configuration of the policy. */
  settings?: object;
}

/** Inputs that comply with all policies in a production stack. */
export const compliant = {
  name: "support-agent",
  source: "github",
  sourceConfig: {
    repoUrl: "https://github.com/acme/agents",
    deploymentType: "prod",
    buildOnPush: false,
    resourceSpec: { cpu: 1, memoryMb: 2048, minScale: 1, maxScale: 3 },
  },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
  secrets: { MODEL_KEY: "some value" },
  rollout: { timeout: "20m", onFailure: "rollback", verify: { graph: "agent" } },
};

const deployment = { id: "deployment-1", url: "https://agents.example.com/a" };

/** Inputs that comply with all policies in a production stack, by kind of resource, except for deployments. */
const compliantContents: Record<Exclude<ResourceKind, "Deployment">, object> = {
  Assistant: { deployment, graph: "agent", context: { style: "brief" } },
  Cron: { deployment, assistant: "agent", schedule: "0 9 * * 1-5", webhook: "https://hooks.example.com/a" },
  StoreItem: { deployment, namespace: ["a"], key: "b", value: { text: "Hello." } },
  StoreItems: { deployment, namespace: ["a"], folder: "./a", itemHashes: { b: "0f".repeat(32) } },
  Thread: { connection: { url: "https://agents.example.com", apiKeyFrom: "AGENT_KEY" }, metadata: {} },
  Run: { deployment, assistant: "agent", input: {} },
};

/** Returns inputs for a resource of this kind that complies with all policies in a production stack. */
export function compliantOf(kind: ResourceKind): object {
  return kind === "Deployment" ? compliant : compliantContents[kind];
}

/**
 * Returns the messages of a policy about a deployment, as the engine receives them. Advisory messages have a prefix.
 */
export function said(policy: Policy, inputs: object, circumstances: Case = {}): string[] {
  const validate = pulumiPolicy<ResourceValidationPolicy>(policy, circumstances)
    .validateResource as ResourceValidation;
  const [heard, report] = listener();
  try {
    void validate(validationArgs(checked(structuredClone(inputs)), circumstances), report);
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
    heard.push(`not applicable: ${error.message}`);
  }
  return heard;
}

/** Returns the messages of a policy about a resource of this kind, as the engine receives them. */
export function saidOf(
  kind: ResourceKind,
  policy: Policy,
  inputs: object,
  circumstances: Case = {},
): string[] {
  return said(policy, inputs, { ...circumstances, type: typeOf(kind) });
}

/** Returns the messages of a policy about a stack with this number of deployments, and with other resources. */
export function saidOfStack(policy: Policy, deployments: number, circumstances: Case = {}): string[] {
  const { validateStack } = pulumiPolicy<StackValidationPolicy>(policy, circumstances);
  const [heard, report] = listener();
  const urns = Array.from({ length: deployments }, (_, index) =>
    urnIn(circumstances, deploymentType, `${index}`),
  );
  const resources = [...urns.map((urn) => ({ type: deploymentType, urn })), { type: "pulumi:pulumi:Stack" }];
  try {
    const args = { ...validationArgs({}, circumstances), resources } as unknown as StackValidationArgs;
    void validateStack(args, report);
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
    heard.push(`not applicable: ${error.message}`);
  }
  return heard;
}

/**
 * Returns the inputs after a policy has remediated them with the proxies of the SDK. Returns `undefined` if the policy
 * does not change anything.
 */
export function remedied(policy: Policy, inputs: object, circumstances: Case = {}): Inputs | undefined {
  const { remediateResource } = pulumiPolicy<ResourceValidationPolicy>(policy, circumstances);
  if (!remediateResource) throw new Error(`${policy.name} has no remedy`);
  const values = structuredClone(inputs) as Inputs;
  const props = checked(secretsPreservingProxy(values) as object);
  return remediateResource(validationArgs(props, circumstances)) ? values : undefined;
}

class NotApplicable extends Error {}

function pulumiPolicy<Kind>(policy: Policy, { connection = {} }: Case): Kind {
  return toPulumi([policy], (settings) => (settings ? connectionOf(settings, {}) : connection))[0] as Kind;
}

function listener(): [string[], ReportViolation] {
  const heard: string[] = [];
  const report = (said: string | { message: string; enforcementLevel: string }) =>
    void heard.push(typeof said === "string" ? said : `${said.enforcementLevel}: ${said.message}`);
  return [heard, report];
}

function validationArgs(props: object, circumstances: Case): ResourceValidationArgs {
  const { type = deploymentType, protect = false, timeouts = {}, settings = {}, provider } = circumstances;
  const customTimeouts = {
    createSeconds: timeouts.create ?? 0,
    updateSeconds: timeouts.update ?? 0,
    deleteSeconds: 0,
  };
  return {
    type,
    name: "agent",
    urn: urnIn(circumstances, type, "agent"),
    props,
    provider: provider && {
      type: "pulumi:providers:agentserver",
      props: checked(provider),
      urn: urnIn(circumstances, "pulumi:providers:agentserver", "eu"),
      name: "eu",
    },
    opts: { protect, customTimeouts, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] },
    getConfig: () => settings as never,
    notApplicable: (reason?: string) => {
      throw new NotApplicable(reason);
    },
  } as unknown as ResourceValidationArgs;
}

function urnIn({ stack = "prod" }: Case, type: string, name: string): string {
  return `urn:pulumi:${stack}::project::${type}::${name}`;
}
