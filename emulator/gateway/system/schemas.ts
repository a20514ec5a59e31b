import { z } from "@hono/zod-openapi";

export const Health = z.object({ ok: z.literal(true) }).openapi("HealthResponse");
export const ServerInfo = z
  .looseObject({
    version: z.string(),
    langgraph_py_version: z.string(),
    flags: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  })
  .openapi("ServerInfo");
export const HealthQuery = z.object({ check_db: z.enum(["0", "1", "true", "false"]).optional() });
export const MetricsQuery = z.object({ format: z.enum(["prometheus", "json"]).default("prometheus") });
