import { AgentServerError } from "../errors";
import type { ProgramConfig } from "../promotion/gate";
import type { TargetSources } from "../promotion/decide";
import { targetSources } from "../promotion/target";
import {
  type ComponentFacts,
  promote,
  type PromotionOptions,
  type PromotionTarget,
  type WaitingPromotion,
} from "../promotion/promote";
import { parseDuration } from "../text/duration";
import { titleOf } from "../deployment/inputs/identity";
import type { FunctionArgs, FunctionName, FunctionResult } from "./functions";
import type { LookUps } from "./lookup";
import { assistantResult, deploymentResult, logLineResult, revisionResult, threadResult } from "./results";

/** Values that the program provides for `promote`. */
export interface PromotionContext
  extends
    ComponentFacts,
    Pick<PromotionOptions, "checks" | "isUpstreamKnown" | "isSecret" | "toName" | "mayBeAbsent"> {
  /** Finds the revisions of the target. By default, the lookups are used. */
  findTarget?: PromotionOptions["findTarget"];
}

/** Values that the host provides for a function. */
export interface FunctionContext extends PromotionContext {
  lookUps: LookUps;
  /** True in a preview. Functions in a preview do not wait for users. */
  isPreview: boolean;
  /** Configuration of the program. */
  config: ProgramConfig;
  env: NodeJS.ProcessEnv;
  /** Logs a warning for the user. */
  warn: (text: string) => void;
  /** Logs a message for the user. */
  inform: (text: string) => void;
  redact: (text: string) => string;
  signal?: AbortSignal;
}

/** Result of each function, keyed by the name of the function. */
type Results = { [Name in Exclude<FunctionName, "authenticate" | "promote">]: FunctionResult<Name> } & {
  /** Result of `promote`; undefined if it depends on a change to the previous environment. */
  promote: FunctionResult<"promote"> | WaitingPromotion | undefined;
  /** Result of `authenticate`; without a token in a preview if the user has not consented yet. */
  authenticate: Partial<FunctionResult<"authenticate">>;
};

/** Result of running a function. */
export type RunResult<Name extends FunctionName> = Results[Name];

const functions: {
  [Name in FunctionName]: (args: FunctionArgs<Name>, context: FunctionContext) => Promise<RunResult<Name>>;
} = {
  authenticate,
  getAssistant: async ({ assistantId, name, ...server }, { lookUps }) =>
    assistantResult(await lookUps.assistant(server, { assistantId, name })),
  getAssistants: async ({ filters = {}, ...server }, { lookUps }) => ({
    assistants: (await lookUps.assistants(server, filters)).map(assistantResult),
  }),
  getDeployment: async ({ connection, verify, ...wanted }, { lookUps, warn }) => {
    const place = lookUps.controlPlane(connection);
    const record = await place.deployment(wanted);
    const onProblem = (reason: string) =>
      warn(`Deployment ${titleOf({ name: record.name ?? record.id })} is not verified: ${reason}.`);
    return {
      ...deploymentResult(record),
      ...(connection && { connection }),
      ...(verify && { verified: await place.verified(record, verify, onProblem) }),
    };
  },
  getDeploymentLogs: async ({ type = "deploy", limit = defaultLimit, ...wanted }, { lookUps }) => {
    const { revisionId, entries } = await lookUps.logs({ ...wanted, type, limit });
    return { revisionId, lines: entries.map(logLineResult) };
  },
  getDeployments: async ({ filters = {}, connection }, { lookUps }) => ({
    deployments: (await lookUps.controlPlane(connection).deployments(filters)).map(deploymentResult),
  }),
  getIntegration: async ({ repoUrl }, { lookUps }) => {
    const { id, name, defaultBranch } = await lookUps.integration(repoUrl);
    return { id, name, defaultBranch };
  },
  getListeners: async (_none, { lookUps }) => ({
    listeners: (await lookUps.listeners()).map(({ id, computeId, namespaces }) => ({
      id,
      computeId,
      namespaces,
    })),
  }),
  getRevisions: async ({ deploymentId, connection }, { lookUps }) => ({
    revisions: await listRevisions(deploymentId, lookUps.controlPlane(connection)),
  }),
  getStoreItem: async ({ namespace, key, ...server }, { lookUps }) => {
    const item = await lookUps.storeItem(server, namespace, key);
    return { namespace: item.namespace, key: item.key, value: item.value };
  },
  promote: async (args, { lookUps, findTarget, ...context }) => {
    const { probe, now } = lookUps;
    return promote(args, {
      ...context,
      findTarget: findTarget ?? ((to) => findTargetSources(to, lookUps)),
      probe,
      now,
    });
  },
  searchThreads: async ({ filters = {}, limit = defaultLimit, ...server }, { lookUps }) => ({
    threads: (await lookUps.threads(server, filters, limit)).map(threadResult),
  }),
};

/** Default maximum number of lines and threads. */
const defaultLimit = 100;
const defaultConsentTimeout = "10m";

async function listRevisions(
  deploymentId: string,
  place: ReturnType<LookUps["controlPlane"]>,
): Promise<FunctionResult<"getRevisions">["revisions"]> {
  const revisions: FunctionResult<"getRevisions">["revisions"] = [];
  for await (const page of place.revisions(deploymentId)) revisions.push(...page.map(revisionResult));
  return revisions;
}

async function findTargetSources(
  { connection, ...identity }: PromotionTarget,
  lookUps: LookUps,
): Promise<TargetSources | undefined> {
  const place = lookUps.controlPlane(connection);
  const record = await place.findDeployment(identity);
  return record && targetSources(deploymentResult(record), await listRevisions(record.id, place));
}

/** Runs a function with valid arguments. */
export function runFunction<Name extends FunctionName>(
  name: Name,
  args: FunctionArgs<Name>,
  context: FunctionContext,
): Promise<RunResult<Name>> {
  return functions[name](args, context);
}

async function authenticate(
  { timeout = defaultConsentTimeout, ...request }: FunctionArgs<"authenticate">,
  { lookUps, isPreview, warn }: FunctionContext,
): Promise<RunResult<"authenticate">> {
  const waitMs = parseDuration(timeout) ?? 0;
  const user = request.userId ?? "the user";
  const next = isPreview
    ? "`pulumi up` waits for consent"
    : waitMs === 0
      ? "then run the command again"
      : `waiting up to ${timeout}`;
  let address = "";
  const token = await lookUps.authenticate(request, {
    waitMs: isPreview ? 0 : waitMs,
    onPending: (url) => {
      address = url;
      warn(`The provider "${request.provider}" requires the consent of ${user}: visit ${url}; ${next}.`);
    },
  });
  if (token === undefined && !isPreview)
    throw new AgentServerError(
      "timeout",
      `authenticate: the provider "${request.provider}" requires the consent of ${user}. Visit ${address} and run the command again.`,
    );
  return { token };
}
