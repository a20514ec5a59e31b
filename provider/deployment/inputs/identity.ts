import { z } from "zod";
import { agentEnvironments, type DeploymentRecord } from "../../../wire";
import { isSameJson } from "../../resource/inputs/json";
import { text } from "../../resource/inputs/shape";
import { hasUnknown } from "../../resource/inputs/unknown";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** The agent that a deployment is of, and the environment that it is for: there is one deployment of each pair. */
export const agentInputs = z.strictObject({ agentId: text, environment: z.enum(agentEnvironments) });

export type AgentInputs = z.infer<typeof agentInputs>;

/** What a deployment is known by in its workspace: a name or, in its place, an agent's environment. */
export interface Identity {
  name?: string;
  agent?: AgentInputs;
}

/** How messages call a deployment: `"support"`, or `of agent "support" (production)`. */
export function titleOf({ name, agent }: Identity): string {
  if (agent) return `of agent "${agent.agentId}" (${agent.environment})`;
  return name === undefined ? "without a name" : `"${name}"`;
}

/** The agent that a record reports, as a user would write it. */
export function agentFromWire({ agent }: DeploymentRecord): AgentInputs | undefined {
  const { agent_id: agentId, environment } = agent ?? {};
  return agentInputs.safeParse({ agentId, environment }).data;
}

/** Whether a record is of the deployment that is known by that. */
export function isIdentifiedBy({ name, agent }: Identity, record: DeploymentRecord): boolean {
  return agent ? isSameJson(agentFromWire(record), agent) : name !== undefined && record.name === name;
}

/** Whether two deployments could not be there at the same time; what is not known yet may be the same. */
export function mayBeSame(one: Identity, other: Identity): boolean {
  if (hasUnknown(one.name) || hasUnknown(one.agent)) return true;
  return one.agent ? isSameJson(one.agent, other.agent) : one.name === other.name;
}

/** Who can look deployments up: an operation, or a question of a preview. */
interface LookUp {
  findByName(name: string, isFresh: boolean): Promise<DeploymentRecord[]>;
  findByAgent(agentId: string, environment: string): Promise<DeploymentRecord[]>;
}

/** The deployments that are known by that: one, and some that are being deleted. */
export function findIdentified(
  lookUp: LookUp,
  { name, agent }: Identity,
  isFresh: boolean,
): Promise<DeploymentRecord[]> {
  if (agent) return lookUp.findByAgent(agent.agentId, agent.environment);
  return name === undefined ? Promise.resolve([]) : lookUp.findByName(name, isFresh);
}

/** What the program says that the deployment is known by; nothing while that is not known, or wrong. */
export function wantedIdentity(wanted: DesiredInputs): Identity | undefined {
  return identityFrom(wanted.known("agent"), wanted.text("name"));
}

/** What the deployment in state is known by. */
export function heldIdentity(wanted: DesiredInputs): Identity | undefined {
  return identityFrom(wanted.heldValue("agent"), wanted.held("name"));
}

/** A text by which an identity is told from others. */
export function keyOf({ name, agent }: Identity): string {
  return agent ? JSON.stringify([agent.agentId, agent.environment]) : `name ${name}`;
}

function identityFrom(agent: unknown, name: string | undefined): Identity | undefined {
  const parsed = agentInputs.safeParse(agent);
  if (parsed.success) return { agent: parsed.data };
  return name ? { name } : undefined;
}
