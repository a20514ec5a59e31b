import { z } from "zod";
import { connectionInputs } from "../control-plane/connection-inputs";
import { agentInputs } from "../deployment/inputs/identity";
import { verifiedArtifacts } from "../deployment/state";
import { gateInputs } from "../promotion/gate";
import { verifiedValue } from "../promotion/verified-value";
import { jsonObject } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { parseDuration } from "../text/duration";

/** Arguments and result of a function. */
interface FunctionShape {
  inputs: z.ZodObject;
  outputs: z.ZodObject;
}

/**
 * A string that is not blank. Names on a server may contain characters that the inputs of resources must not contain.
 */
const text = z.string().regex(/\S/, "must not be empty");

/** ID of an object on the control plane. The client validates it. */
const id = z.string();

const positive = "must be a positive integer";
const limit = z.int(positive).min(1, positive).optional();

/** Labels of a namespace. Agent servers join labels with dots, so a label with a dot would match another namespace. */
const namespace = z
  .array(z.string())
  .refine(
    (labels) => labels.length > 0 && labels.every((label) => label !== "" && !label.includes(".")),
    "must have at least one label, and no label may be empty or contain a dot",
  );

const consentTimeout = z
  .string()
  .refine(
    (given) => given === "0s" || parseDuration(given) !== undefined,
    'must be "0s", which does not wait, or a positive duration of at most 24h, such as "30m", "1h30m", or "45s"',
  );

/** Checks that exactly one argument is specified. */
function requireOne(args: object, alternatives: string, context: z.core.$RefinementCtx): void {
  if (Object.values(args).filter((one) => one !== undefined).length !== 1)
    context.addIssue({
      code: "custom",
      path: [],
      message: `requires exactly one of the following: ${alternatives}`,
    });
}

const assistant = z.object({
  assistantId: z.string(),
  graph: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  config: jsonObject.optional(),
  context: jsonObject.optional(),
  metadata: jsonObject.optional(),
  version: z.int().optional(),
});

const deployment = z.object({
  id: z.string(),
  name: z.string(),
  agent: z.object({ agentId: z.string(), environment: z.string() }).optional(),
  displayName: z.string().optional(),
  source: z.string().optional(),
  url: z.string().optional(),
  status: z.string().optional(),
  latestRevisionId: z.string().optional(),
  activeRevisionId: z.string().optional(),
  repoUrl: z.string().optional(),
  repoRef: z.string().optional(),
  graphConfigPath: z.string().optional(),
  imageUri: z.string().optional(),
  secretNames: z.array(z.string()),
});

const listener = z.object({
  id: z.string(),
  computeId: z.string().optional(),
  namespaces: z.array(z.string()),
});

const logLine = z.object({
  message: z.string(),
  timestamp: z.string().optional(),
  level: z.string().optional(),
});

const revision = z.object({
  id: z.string(),
  status: z.string(),
  statusMessage: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  repoRef: z.string().optional(),
  commit: z.string().optional(),
  graphConfigPath: z.string().optional(),
  imageUri: z.string().optional(),
});

const thread = z.object({
  threadId: z.string(),
  status: z.string().optional(),
  metadata: jsonObject.optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

/**
 * Arguments and results of the SDK's functions, keyed by function name. A list is returned as the only field of an
 * object, because results must be objects.
 */
export const functionShapes = {
  authenticate: {
    inputs: z.strictObject({
      provider: text,
      scopes: z.array(text),
      userId: text.optional(),
      agentId: text.optional(),
      timeout: consentTimeout.optional(),
    }),
    outputs: z.object({ token: z.string() }),
  },
  getAssistant: {
    inputs: z
      .strictObject({ ...serverInputs, assistantId: text.optional(), name: text.optional() })
      .superRefine((args, context) => {
        requireServer(args, context);
        const { assistantId, name } = args;
        requireOne({ assistantId, name }, "an assistantId or a name", context);
      }),
    outputs: assistant,
  },
  getAssistants: {
    inputs: z
      .strictObject({
        ...serverInputs,
        filters: z
          .strictObject({
            graph: text.optional(),
            nameContains: text.optional(),
            metadata: jsonObject.optional(),
          })
          .optional(),
      })
      .superRefine(requireServer),
    outputs: z.object({ assistants: z.array(assistant).describe("Assistants, oldest first.") }),
  },
  getDeployment: {
    inputs: z
      .strictObject({
        id: id.optional(),
        name: text.optional(),
        agent: agentInputs.optional(),
        connection: connectionInputs.optional(),
        verify: z.strictObject({ graph: text.optional() }).optional(),
      })
      .superRefine(({ id: deploymentId, name, agent }, context) =>
        requireOne({ deploymentId, name, agent }, "an ID, a name, or an agent", context),
      ),
    outputs: deployment.extend({
      verified: verifiedArtifacts.optional(),
      connection: connectionInputs.optional(),
    }),
  },
  getDeploymentLogs: {
    inputs: z.strictObject({
      deploymentId: id,
      revisionId: id.optional(),
      type: z.enum(["build", "deploy"]).optional(),
      limit,
    }),
    outputs: z.object({ revisionId: z.string(), lines: z.array(logLine) }),
  },
  getDeployments: {
    inputs: z.strictObject({
      filters: z
        .strictObject({
          nameContains: text.optional(),
          status: text.optional(),
          source: text.optional(),
          deploymentType: text.optional(),
          previews: z.boolean().optional(),
        })
        .optional(),
      connection: connectionInputs.optional(),
    }),
    outputs: z.object({ deployments: z.array(deployment).describe("Deployments of the workspace.") }),
  },
  getIntegration: {
    inputs: z.strictObject({ repoUrl: text }),
    outputs: z.object({ id: z.string(), name: z.string().optional(), defaultBranch: z.string().optional() }),
  },
  getListeners: {
    inputs: z.strictObject({}),
    outputs: z.object({ listeners: z.array(listener).describe("Listeners of the workspace.") }),
  },
  getRevisions: {
    inputs: z.strictObject({
      deploymentId: id.describe("ID of the deployment."),
      connection: connectionInputs
        .optional()
        .describe("Control plane of the deployment. Default: the one in the `agentserver` configuration."),
    }),
    outputs: z.object({ revisions: z.array(revision).describe("Revisions, newest first.") }),
  },
  getStoreItem: {
    inputs: z.strictObject({ ...serverInputs, namespace, key: text }).superRefine(requireServer),
    outputs: z.object({ namespace: z.array(z.string()), key: z.string(), value: jsonObject }),
  },
  promote: {
    inputs: z.strictObject({
      from: verifiedValue,
      fromName: text.optional(),
      to: z
        .strictObject({
          name: text.optional(),
          agent: agentInputs.optional(),
          connection: connectionInputs.optional(),
        })
        .superRefine(({ name, agent }, context) =>
          requireOne({ name, agent }, "a name or an agent", context),
        ),
      gate: gateInputs.optional(),
    }),
    outputs: z.object({
      source: z.string(),
      artifact: z.string(),
      graphConfigPath: z.string().optional(),
      sourceRevisionConfig: z.object({
        repoRef: z.string().optional(),
        imageUri: z.string().optional(),
        graphConfigPath: z.string().optional(),
      }),
      waiting: z.string().optional(),
    }),
  },
  searchThreads: {
    inputs: z
      .strictObject({
        ...serverInputs,
        filters: z
          .strictObject({
            metadata: jsonObject.optional(),
            values: jsonObject.optional(),
            status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
          })
          .optional(),
        limit,
      })
      .superRefine(requireServer),
    outputs: z.object({ threads: z.array(thread).describe("Threads, newest first.") }),
  },
} satisfies Record<string, FunctionShape>;

/** Name of one of the SDK's functions. */
export type FunctionName = keyof typeof functionShapes;

/** Arguments of the function with this name. */
export type FunctionArgs<Name extends FunctionName> = z.input<(typeof functionShapes)[Name]["inputs"]>;

/** Result of the function with this name. */
export type FunctionResult<Name extends FunctionName> = z.output<(typeof functionShapes)[Name]["outputs"]>;

/** Fields in results that are secret, because they may contain any value. */
export const secretResults: Partial<Record<FunctionName, string>> = {
  authenticate: "token",
  getDeploymentLogs: "lines",
};
