import { agentInputs } from "../../../provider/deployment/inputs/identity";
import { ownerOf } from "../../../provider/deployment/ownership/tag";
import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import { asError } from "../../../provider/errors";
import type { Session } from "../../../provider/session/session";
import { losingActions, reviewDeployment } from "../deployment";
import { elapsedMs } from "../expected-duration";
import { isDeployment, type PreviewedResource } from "../preview/preview";
import { plainText } from "../preview/values";
import type { ReviewAction } from "../report";
import { countAgentServer } from "../../../provider/agent-server/counts";
import { listContents } from "../../../provider/agent-server/contents-text";
import type { DeploymentFacts, Facts } from "./facts";

/** Targets and timeout of the queries. */
export interface AskOptions {
  session: Session;
  signal: AbortSignal;
  /** Timeout for all queries together, in milliseconds. */
  boundMs: number;
}

/** Maximum number of deployments that are queried concurrently. */
const parallel = 4;
const countedActions: readonly ReviewAction[] = ["replace", "delete", "roll out", "unclear"];

/** Requests facts about the deployments of a preview from the control plane and the agent servers. */
export async function askFacts(resources: PreviewedResource[], options: AskOptions): Promise<Facts> {
  const known = new Map<string, DeploymentFacts>();
  const waiting = resources.filter(isDeployment);
  const bound = new AbortController();
  const over = new Error(`there was no response within ${Math.round(options.boundMs / 1_000)} s`);
  const ended = new AbortController();
  void options.session.clock.sleep(options.boundMs, ended.signal).then(
    () => bound.abort(over),
    () => {},
  );
  const signal = AbortSignal.any([options.signal, bound.signal]);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      known.set(next.urn, await factsOf(next, { ...options, signal }));
  };
  await Promise.all(Array.from({ length: parallel }, work));
  ended.abort();
  options.signal.throwIfAborted();
  return { known };
}

async function factsOf(resource: PreviewedResource, options: AskOptions): Promise<DeploymentFacts> {
  const { action } = reviewDeployment(resource, {
    approved: new Set(),
    madeAgain: new Map(),
    redact: (text) => text,
  });
  try {
    const hasConnection = (resource.before ?? resource.after)?.inputs.connection !== undefined;
    if (action === "create") return hasConnection ? {} : await holderOf(resource, options);
    if (!countedActions.includes(action) || !resource.before?.id) return {};
    if (hasConnection)
      return {
        counts: {
          unknown: "a review does not query the control plane that a resource specifies in `connection`",
        },
      };
    refuseOtherPlace(resource, options.session);
    return await liveFactsOf(resource.before.id, action, options);
  } catch (thrown) {
    return { counts: { unknown: asError(thrown).message } };
  }
}

async function holderOf(
  { after }: PreviewedResource,
  { session, signal }: AskOptions,
): Promise<DeploymentFacts> {
  const agent = agentInputs.safeParse(after?.inputs.agent).data;
  const name = plainText(after?.inputs.name);
  if (!agent && name === undefined) return {};
  const { deployments } = session.client();
  const found = agent
    ? await deployments.findByAgent(agent.agentId, agent.environment, signal)
    : await deployments.findByName(name!, signal);
  const record = found.find((one) => !isBeingDeleted(one));
  if (!record) return {};
  const ownerId = plainText(after?.inputs.ownerId);
  return { holder: { id: record.id, isOwn: ownerId !== undefined && ownerOf(record) === ownerId } };
}

async function liveFactsOf(
  deploymentId: string,
  action: ReviewAction,
  options: AskOptions,
): Promise<DeploymentFacts> {
  const { session, signal } = options;
  const client = session.client();
  const record = await client.deployments.find(deploymentId, signal);
  if (!record) return { counts: { unknown: "the deployment no longer exists on the control plane" } };
  const held = await heldBy(record, action, options);
  if (action === "delete") return held;
  return { ...held, rolloutsMs: await pastRollouts(deploymentId, options) };
}

async function heldBy(
  record: DeploymentRecord,
  action: ReviewAction,
  { session, signal }: AskOptions,
): Promise<Pick<DeploymentFacts, "counts" | "names">> {
  const url = record.url ?? record.source_config?.custom_url;
  if (!url) return { counts: { unknown: "it has no address yet" } };
  try {
    const agentServer = session.agentServer(url);
    const counts = await countAgentServer(agentServer, signal);
    if (!losingActions.includes(action)) return { counts };
    return { counts, names: await listContents(agentServer, signal) };
  } catch (thrown) {
    return { counts: { unknown: asError(thrown).message } };
  }
}

async function pastRollouts(deploymentId: string, { session, signal }: AskOptions): Promise<number[]> {
  const revisions = await session.client().revisions.list(deploymentId, signal);
  return revisions
    .filter(({ status }) => status === "DEPLOYED")
    .flatMap(({ created_at, updated_at }) => elapsedMs(created_at, updated_at) ?? []);
}

function refuseOtherPlace({ before }: PreviewedResource, session: Session): void {
  const place = before?.outputs.controlPlane as { baseUrl: string; tenantId: string } | undefined;
  if (place) session.refuseMove(place);
}
