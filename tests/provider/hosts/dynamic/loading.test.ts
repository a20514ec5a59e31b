import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(__dirname, "..", "..", "..", "..");

/** Returns the packages that the provider process has loaded after a check, and after a diff that found no changes. */
async function loadedBy(program: string): Promise<string[]> {
  const script = `
    const { provider } = require("./provider/index.ts");
    const inputs = ${JSON.stringify({
      name: "agent",
      source: "github",
      sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev" },
      sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
      __call: { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent" },
    })};
    (async () => {
      ${program}
      console.log(JSON.stringify(Object.keys(require.cache)));
    })();`;
  const env = {
    PATH: process.env.PATH,
    AGENTSERVER_BASE_URL: "http://127.0.0.1:9",
    AGENTSERVER_API_KEY: "key",
    AGENTSERVER_TENANT_ID: "tenant",
    AGENTSERVER_OFFLINE: "true",
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "-e", script], {
    cwd: root,
    env,
  });
  const paths = JSON.parse(stdout) as string[];
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(packages)];
}

test("does not load the HTTP client, the archiver, or the engine SDK for a check", async () => {
  const loaded = await loadedBy(`
    const { failures } = await provider.check({}, inputs);
    if (failures.length > 0) throw new Error(failures[0].reason);`);

  expect(loaded).toContain("zod");
  expect(loaded.filter((name) => /^(axios|follow-redirects|form-data|tar|yaml|@pulumi)/.test(name))).toEqual(
    [],
  );
});

test("loads the HTTP client with the first request", async () => {
  const loaded = await loadedBy("await provider.create(inputs).catch(() => undefined);");

  expect(loaded).toContain("axios");
});
