import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { startControlPlane } from "../../emulator/index";

/** Connection settings that a server process sends to its parent. */
export interface Listening {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
}

/** Memory of a server process in bytes. If possible, the process collects garbage before it measures its memory. */
export interface Memory {
  rss: number;
  /** Memory used by the objects of the program and their buffers. */
  used: number;
}

const [kind, state, admin] = process.argv.slice(2);

if (kind === "control-plane") void controlPlane();
if (kind === "bare") bare();
process.on("message", () => {
  global.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send!({ rss, used: heapUsed + external } satisfies Memory);
});
process.on("disconnect", () => process.exit(0));

/** Starts the local control plane with a SQLite database, a journal, and validation. */
async function controlPlane(): Promise<void> {
  const { baseUrl, apiKey, tenantId } = await startControlPlane({
    state,
    admin: admin === "admin",
    rollout: "simulated",
    secondsPerStatus: 15,
  });
  process.send!({ baseUrl, apiKey, tenantId } satisfies Listening);
}

/** Starts a server with constant responses, to measure the upper limit for this HTTP server on this machine. */
function bare(): void {
  const app = new Hono();
  const revision = { id: "", created_at: "", updated_at: "", status: "BUILDING", source_revision_config: {} };
  app.get("/v2/deployments/:deploymentId/revisions/:revisionId", (c) => c.json(revision));
  app.patch("/v2/deployments/:deploymentId", async (c) => c.json(await c.req.json()));
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
    process.send!({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "", tenantId: "" } satisfies Listening),
  );
}
