import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { langgraphDeploy } from "../clients/python/command-line";
import { pythonEnvironment } from "../clients/python/suite";
import { canaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const python = pythonEnvironment("tests/e2e/moving-over.test.ts");

let world: World;
afterEach(() => world.end());

/** Returns the first program in a document from `docs/`. */
function programOf(document: string): string {
  const text = readFileSync(join(repositoryRoot, "docs", document), "utf8");
  return /```ts\n([\s\S]*?)```/.exec(text)![1]!;
}

const imports =
  'import * as pulumi from "@pulumi/pulumi";\nimport { Deployment } from "pulumi-agentserver";\n';

/** Creates a thread in the same way as a user of the agent. */
async function makeThread(url: string): Promise<string> {
  const headers = { "content-type": "application/json", "X-Api-Key": world.plane.apiKey };
  const answer = await fetch(`${url}/threads`, { method: "POST", headers, body: "{}" });
  return ((await answer.json()) as { thread_id: string }).thread_id;
}

const statusOfThread = async (url: string, thread: string) =>
  (await fetch(`${url}/threads/${thread}`, { headers: { "X-Api-Key": world.plane.apiKey } })).status;

const sending = ["upload-url", "PUT", "PATCH"];
const sent = () =>
  world
    .writes()
    .filter(({ request }) => !request.includes("/agents/"))
    .map(({ request }) => (request.endsWith("/upload-url") ? "upload-url" : request.split(" ")[0]));

(python === undefined ? describe.skip : describe)("from the command line client", () => {
  let stack: Stack;
  const agent = () => join(stack.folder, "agent");

  async function deployByClient(): Promise<void> {
    const words = ["--remote", "--no-input", "--name", "support"];
    const address = { LANGGRAPH_HOST_URL: world.plane.baseUrl };
    const { code, text } = await langgraphDeploy(python!, world.plane, agent(), words, address);
    expect([code, text]).toEqual([0, expect.stringContaining("Deployment successful!")]);
  }

  test("adopts the deployment with the documented program, and keeps its contents", async () => {
    world = await World.start({ dialect: "langsmith", rollout: "real" });
    stack = await world.stack("from-client");
    mkdirSync(agent());
    cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), agent(), { recursive: true });
    writeFileSync(join(agent(), ".env"), `MODEL_API_KEY=${canaries.modelKey}\n`);
    writeFileSync(join(agent(), ".gitignore"), ".env\n");
    await deployByClient();
    const [made] = await world.deployments();
    const url = `${world.plane.baseUrl}/agents/${made!.id}`;
    const thread = await makeThread(url);
    world.writes();

    const program = programOf("migrate-from-cli.md");
    stack.typescript(program);
    await stack.config("modelApiKey", canaries.modelKey, "--secret");
    const up = await stack.up();
    expect(up.code === 0 ? "" : up.output).toBe("");
    expect(sent()).toEqual(sending);
    expect(await world.revisions(made!.id)).toHaveLength(2);
    expect((await stack.resource("agent"))!.id).toBe(made!.id);
    expect(await statusOfThread(url, thread)).toBe(200);

    stack.typescript(program.replace(/^ {2}adopt: "always",\n/m, ""));
    const later = await stack.up();
    expect(later.code === 0 ? "" : later.output).toBe("");
    expect(sent()).toEqual([]);
    expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });

    // Another user continues to use the client.
    await deployByClient();
    world.writes();
    const refreshed = await stack.run("refresh", "--yes", "--skip-preview");
    expect(refreshed.code === 0 ? "" : refreshed.output).toBe("");
    const again = await stack.up();
    expect(again.code === 0 ? "" : again.output).toBe("");
    expect(sent()).toEqual(sending);
    expect(await statusOfThread(url, thread)).toBe(200);
  });
});

/**
 * Creates a deployment with the same requests as the Terraform provider: a create request without a display name, and a
 * patch that sets it.
 */
async function deployByTerraform(body: object, displayName: string): Promise<string> {
  const send = async (method: string, path: string, content: object) => {
    const answer = await fetch(`${world.plane.baseUrl}${path}`, {
      method,
      headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
      body: JSON.stringify(content),
    });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { id: string };
  };
  const { id } = await send("POST", "/v2/deployments", body);
  await send("PATCH", `/v2/deployments/${id}`, { display_name: displayName });
  return id;
}

test("adopts a deployment with all fields in the Terraform migration table without any writes", async () => {
  world = await World.start({ dialect: "langsmith" });
  world.admin.steer({ pace: "at once" });
  const integration = world.admin.seedIntegration({
    name: "support",
    repositories: [{ name: "agents", url: "https://git.example.com/agents.git" }],
  });
  const id = await deployByTerraform(
    {
      name: "from-terraform",
      source: "github",
      source_config: {
        integration_id: integration,
        repo_url: "https://git.example.com/agents.git",
        deployment_type: "prod",
        build_on_push: true,
        install_command: "npm ci",
        build_command: "npm run build",
      },
      source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
      secrets: [
        { name: "MODEL_API_KEY", value: canaries.modelKey },
        { name: "LOG_LEVEL", value: "info" },
      ],
    },
    "Support",
  );
  const stack = await world.stack("from-terraform");
  const program = `${imports}const config = new pulumi.Config();
new Deployment("agent", {
  name: "from-terraform",
  source: "github",
  displayName: "Support",
  sourceConfig: {
    integrationId: "${integration}",
    repoUrl: "https://git.example.com/agents.git",
    deploymentType: "dedicated",
    buildOnPush: true,
    installCommand: "npm ci",
    buildCommand: "npm run build",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  environmentVariables: { LOG_LEVEL: "info" },
  adopt: "always",
});
`;
  stack.typescript(program);
  await stack.config("modelApiKey", canaries.modelKey, "--secret");
  world.writes();
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect((await stack.resource("agent"))!.id).toBe(id);
  stack.typescript(program.replace('  adopt: "always",\n', ""));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await world.revisions(id)).toEqual(["DEPLOYED"]);
});
