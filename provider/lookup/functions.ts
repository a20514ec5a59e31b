import { z } from "zod";
import { agentInputs } from "../deployment/inputs/identity";
import { jsonObject } from "../resource/inputs/json";
import { text } from "../resource/inputs/shape";
import { serverInputs } from "../resource/server";
import { duration } from "../text/duration";

/** Arguments and result of a function. */
interface FunctionShape {
  inputs: z.ZodObject;
  outputs: z.ZodObject;
}

const limit = z.int().min(1).optional();

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

/** The SDK's functions by name. A list is the only entry of its result, because results are objects. */
export const functionShapes = {
  authenticate: {
    inputs: z.strictObject({
      provider: text,
      scopes: z.array(text),
      userId: text.optional(),
      agentId: text.optional(),
      timeout: z.union([duration, z.literal("0s")]).optional(),
    }),
    outputs: z.object({ token: z.string() }),
  },
  getAssistant: {
    inputs: z.strictObject({ ...serverInputs, assistantId: text.optional(), name: text.optional() }),
    outputs: assistant,
  },
  getAssistants: {
    inputs: z.strictObject({
      ...serverInputs,
      filters: z
        .strictObject({
          graph: text.optional(),
          nameContains: text.optional(),
          metadata: jsonObject.optional(),
        })
        .optional(),
    }),
    outputs: z.object({ assistants: z.array(assistant).describe("Assistants, oldest first.") }),
  },
  getDeployment: {
    inputs: z.strictObject({ id: text.optional(), name: text.optional(), agent: agentInputs.optional() }),
    outputs: deployment,
  },
  getDeploymentLogs: {
    inputs: z.strictObject({
      deploymentId: text,
      revisionId: text.optional(),
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
    inputs: z.strictObject({ deploymentId: text.describe("ID of the deployment.") }),
    outputs: z.object({ revisions: z.array(revision).describe("Revisions, newest first.") }),
  },
  getStoreItem: {
    inputs: z.strictObject({ ...serverInputs, namespace: z.array(text), key: text }),
    outputs: z.object({ namespace: z.array(z.string()), key: z.string(), value: jsonObject }),
  },
  searchThreads: {
    inputs: z.strictObject({
      ...serverInputs,
      filters: z
        .strictObject({
          metadata: jsonObject.optional(),
          values: jsonObject.optional(),
          status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
        })
        .optional(),
      limit,
    }),
    outputs: z.object({ threads: z.array(thread).describe("Threads, newest first.") }),
  },
} satisfies Record<string, FunctionShape>;

/** Name of a function. */
export type FunctionName = keyof typeof functionShapes;
