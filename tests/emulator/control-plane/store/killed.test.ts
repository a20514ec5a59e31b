import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Served } from "../../gateway/deployment";
import { readJson } from "../../../json";
import type { InstallationLink } from "../../answers";
import { Client, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

test("keeps acknowledged integrations, listeners, providers, flows, and tokens after a kill", async () => {
  const state = temporaryFolder();
  const script = join(__dirname, "../fixtures/serve.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, state, "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reads = [
    "/v1/integrations/github/install",
    "/v2/listeners",
    "/v2/auth/providers",
    "/v2/auth/tokens",
    "/v2/auth/agents/agent/connections",
  ];
  const request = { user_id: "ada", provider: "github", scopes: [] };
  const all = async (client: Client): Promise<unknown[]> => [
    ...(await Promise.all(reads.map(async (path) => (await client.get(path)).body))),
    (await client.post("/v2/auth/authenticate", request)).body,
  ];
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { baseUrl, apiKey, tenantId } = readJson<Served>(line);
    const client = new Client(baseUrl, { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId });
    const { install_url } = (await client.post<InstallationLink>("/v2/integrations/github/installation-link"))
      .body;
    await fetch(install_url);
    await client.post("/v2/listeners", { compute_type: "k8s", compute_id: "cluster", compute_config: {} });
    const urls = { auth_url: "https://a.test", token_url: "https://t.test" };
    await client.post("/v2/auth/providers", { provider_id: "a", name: "A", client_id: "c", ...urls });
    await client.post("/v2/auth/agents/agent/providers/a/tokens", { access_token: "brought" });
    const before = await all(client);
    expect(before.map((one) => JSON.stringify(one).length > 20)).toEqual(before.map(() => true));

    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    expect(await all((await start({ state })).client)).toEqual(before);
  } finally {
    child.kill("SIGKILL");
  }
});
