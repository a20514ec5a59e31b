import { z } from "zod";
import { agentEnvironments, type DeploymentRecord } from "../../../wire";
import { isSameJson } from "../../resource/inputs/json";
import { text } from "../../resource/inputs/shape";
import { hasUnknown } from "../../resource/inputs/unknown";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** The agent and environment of a deployment. There is at most one deployment for each pair. */
export const agentInputs = z.strictObject({ agentId: text, environment: z.enum(agentEnvironments) });

export type AgentInputs = z.infer<typeof agentInputs>;

/** Identity of a deployment in its workspace: a name or, instead, an agent and an environment. */
export interface Identity {
  name?: string;
  agent?: AgentInputs;
}

/** Returns the phrase that identifies a deployment in messages: `"support"`, or `of agent "support" (production)`. */
export function titleOf({ name, agent }: Identity): string {
  if (agent) return `of agent "${agent.agentId}" (${agent.environment})`;
  return name === undefined ? "without a name" : `"${name}"`;
}

/** Returns the agent that a record reports, in the format of the input. */
export function agentFromWire({ agent }: DeploymentRecord): AgentInputs | undefined {
  const { agent_id: agentId, environment } = agent ?? {};
  return agentInputs.safeParse({ agentId, environment }).data;
}

/** True if the record describes the deployment with this identity. */
export function isIdentifiedBy({ name, agent }: Identity, record: DeploymentRecord): boolean {
  return agent ? isSameJson(agentFromWire(record), agent) : name !== undefined && record.name === name;
}

/** True if two deployments with these identities cannot exist at the same time. Unknown identities may be equal. */
export function mayBeSame(one: Identity, other: Identity): boolean {
  if (hasUnknown(one.name) || hasUnknown(one.agent)) return true;
  return one.agent ? isSameJson(one.agent, other.agent) : one.name === other.name;
}

/** Functions that find deployments in an operation or in the checks of a preview. */
interface LookUp {
  findByName(name: string, isFresh: boolean): Promise<DeploymentRecord[]>;
  findByAgent(agentId: string, environment: string): Promise<DeploymentRecord[]>;
}

/** Returns the deployments with this identity: at most one current deployment, and any that are being deleted. */
export function findIdentified(
  lookUp: LookUp,
  { name, agent }: Identity,
  isFresh: boolean,
): Promise<DeploymentRecord[]> {
  if (agent) return lookUp.findByAgent(agent.agentId, agent.environment);
  return name === undefined ? Promise.resolve([]) : lookUp.findByName(name, isFresh);
}

/** Returns the identity that the program specifies; `undefined` if it is unknown or invalid. */
export function desiredIdentity(wanted: DesiredInputs): Identity | undefined {
  return identityFrom(wanted.knownValue("agent"), wanted.text("name"));
}

/** Returns the identity that state contains for the resource. */
export function storedIdentity(wanted: DesiredInputs): Identity | undefined {
  return identityFrom(wanted.stateValue("agent"), wanted.stateText("name"));
}

/** Returns a string that is unique to an identity. */
export function keyOf({ name, agent }: Identity): string {
  return agent ? JSON.stringify([agent.agentId, agent.environment]) : `name ${name}`;
}

function identityFrom(agent: unknown, name: string | undefined): Identity | undefined {
  const parsed = agentInputs.safeParse(agent);
  if (parsed.success) return { agent: parsed.data };
  return name ? { name } : undefined;
}
