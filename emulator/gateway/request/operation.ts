import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isOpen } from "../open-paths";
import { jsonOf } from "./body";
import type { RequestContext } from "./request-context";
import { Refusal } from "./refusal";

/** Routes below the URL of a deployment. */
export type Api = OpenAPIHono<{ Bindings: { context: RequestContext } }>;

type Method = "get" | "post" | "put" | "patch" | "delete";

/** One documented operation. */
export interface Operation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  method: Method;
  /** Path template of the operation, such as `/threads/{thread_id}`. */
  path: string;
  group: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Schema of a successful response. If omitted, any JSON is allowed. */
  answer?: z.ZodType;
  /**
   * Status of a successful response.
   * @default 200
   */
  status?: 200 | 202 | 204;
  /**
   * Content type of a successful response.
   * @default "application/json"
   */
  type?: string;
  /** Statuses of documented error responses. */
  refusals?: readonly number[];
  /** True if the path is also served with a trailing slash. */
  slash?: boolean;
  hidden?: boolean;
}

export interface OperationInput<Params, Query, Body> {
  c: Context<{ Bindings: { context: RequestContext } }>;
  context: RequestContext;
  params: Params;
  query: Query;
  body: Body;
}

const nothing = z.object({});
const ErrorResponse = z.object({ detail: z.string() }).openapi("ErrorResponse");

/**
 * Serves an operation and adds it to the OpenAPI document. Input that does not match the schemas is rejected with 422.
 */
export function operation<
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
>(
  api: Api,
  described: Operation<Params, Query, Body>,
  answer: (
    input: OperationInput<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Response | Promise<Response>,
): void {
  const { method, path, params = nothing, query = nothing, body } = described;
  if (!described.hidden) describe(api, described);
  const served = path.replaceAll(/\{(\w+)\}/g, ":$1");
  for (const place of described.slash ? [served, `${served}/`] : [served])
    api.on(method.toUpperCase(), place, async (c) =>
      answer({
        c,
        context: c.env.context,
        params: checked(params, c.req.param()) as z.output<Params>,
        query: checked(query, queryOf(c.req.raw.url)) as z.output<Query>,
        body: (body ? checked(body, await jsonOf(c.req.raw)) : {}) as z.output<Body>,
      }),
    );
}

function describe(api: Api, operation: Operation<z.ZodType, z.ZodType, z.ZodType>): void {
  const { method, path, group, summary, params, query, body, status = 200, type, refusals = [] } = operation;
  const schema = operation.answer ?? z.unknown();
  api.openAPIRegistry.registerPath({
    method,
    path,
    tags: [group],
    summary,
    request: {
      ...(params ? { params: params as z.ZodObject } : {}),
      ...(query ? { query: query as z.ZodObject } : {}),
      ...(body ? { body: { content: { "application/json": { schema: body } } } } : {}),
    },
    responses: {
      [status]: {
        description: "Success",
        ...(status === 204 ? {} : { content: { [type ?? "application/json"]: { schema } } }),
      },
      ...Object.fromEntries(
        [...(isOpen(method.toUpperCase(), path) ? [] : [401, 403]), ...refusals].map((code) => [
          code,
          {
            description: reasons[code] ?? "Refused",
            content: { "application/json": { schema: ErrorResponse } },
          },
        ]),
      ),
    },
  });
}

const reasons: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  422: "Validation Error",
  500: "Internal Server Error",
};

/** Returns the value as parsed by the schema. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new Refusal(422, faults.join("; "));
}

function queryOf(url: string): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const all = searchParams.getAll(name);
      return [name, all.length === 1 ? all[0]! : all];
    }),
  );
}
