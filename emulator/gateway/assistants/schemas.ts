import { z } from "@hono/zod-openapi";
import { Flag, Metadata, page, selection, Time, Uuid } from "../schemas";

const Configuration = z.looseObject({
  tags: z.array(z.string()).optional(),
  recursion_limit: z.int().optional(),
  configurable: Metadata.optional(),
});

export const Assistant = z
  .looseObject({
    assistant_id: Uuid,
    graph_id: z.string(),
    config: Configuration,
    context: z.unknown().optional(),
    created_at: Time,
    updated_at: Time,
    metadata: Metadata,
    version: z.int().optional(),
    name: z.string().optional(),
    description: z.string().nullish(),
  })
  .openapi("Assistant");

export const AssistantCreate = z
  .looseObject({
    assistant_id: Uuid.optional(),
    graph_id: z.string(),
    config: Configuration.optional(),
    context: Metadata.optional(),
    metadata: Metadata.optional(),
    if_exists: z.enum(["raise", "do_nothing"]).optional(),
    name: z.string().optional(),
    description: z.string().nullish(),
  })
  .openapi("AssistantCreate");

export const AssistantPatch = AssistantCreate.pick({
  config: true,
  context: true,
  metadata: true,
  name: true,
})
  .extend({ graph_id: z.string().optional(), description: z.string().optional() })
  .openapi("AssistantPatch");

const Schema = Metadata;

const filter = {
  metadata: Metadata.optional(),
  graph_id: z.string().optional(),
  name: z.string().optional(),
};
const fields = [
  "assistant_id",
  "graph_id",
  "name",
  "description",
  "config",
  "context",
  "created_at",
  "updated_at",
  "metadata",
  "version",
] as const;

export const AssistantSearch = z
  .looseObject({
    ...filter,
    ...page(),
    sort_by: z.enum(["assistant_id", "created_at", "updated_at", "name", "graph_id"]).optional(),
    sort_order: z.enum(["asc", "desc"]).optional(),
    select: selection(fields),
  })
  .openapi("AssistantSearchRequest");

export const AssistantCount = z.looseObject(filter).openapi("AssistantCountRequest");
export const AssistantVersions = z
  .looseObject({ metadata: Metadata.optional(), ...page() })
  .openapi("AssistantVersionsSearchRequest");
export const AssistantVersionChange = z
  .looseObject({ version: z.int().optional() })
  .openapi("AssistantVersionChange");

const schemas = {
  input_schema: Schema.optional(),
  output_schema: Schema.optional(),
  state_schema: Schema.optional(),
  config_schema: Schema.optional(),
  context_schema: Schema.optional(),
};

/** Known schemas for the inputs and outputs of a graph. */
export const GraphSchema = z.looseObject({ graph_id: z.string(), ...schemas }).openapi("GraphSchema");
export const Subgraphs = z.record(z.string(), z.looseObject(schemas)).openapi("Subgraphs");

export const Graph = z
  .looseObject({
    nodes: z.array(z.looseObject({ id: z.string() })),
    edges: z.array(z.looseObject({ source: z.string(), target: z.string() })),
  })
  .openapi("Graph");

/** ID of an assistant, or the name of a graph, which represents the default assistant of the graph. */
export const AssistantPath = z.object({ assistant_id: z.string() });
export const SubgraphPath = AssistantPath.extend({ namespace: z.string() });
export const DeletionQuery = z.object({ delete_threads: Flag.optional() });
export const RecursionQuery = z.object({ recurse: Flag.optional() });
/** Query for drawing a graph. If `xray` is a number, it is the maximum depth of expanded subgraphs. */
export const GraphQuery = z.object({
  xray: z
    .union([z.stringbool({ truthy: ["true"], falsy: ["false", ""] }), z.coerce.number().int().min(1)])
    .default(false)
    .openapi({ oneOf: [{ type: "boolean" }, { type: "integer", minimum: 1 }] }),
});
export const VersionQuery = z.object({ version: z.coerce.number().int().optional() });
