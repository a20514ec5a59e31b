import * as pulumi from "@pulumi/pulumi";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Workspace, type WorkspaceArgs } from "../../sdk";
import { AgentServerError } from "../../provider/errors";
import { parseManifests } from "../../sdk/manifests/parse";
import { refusedFolders } from "../../sdk/manifests/project-boundary";
import { isSecret } from "../provider/wire";
import { temporaryFolder } from "../tools/temporary-folder";
import { manifestText, overlayText } from "./manifests/manifest-text";
import { registeredAs, valueOf, withoutEngine } from "./program";

const secretKeys = ["shop:modelKey"];
const environment = process.env;

beforeEach(() => withoutEngine());
afterEach(() => {
  process.env = environment;
  pulumi.runtime.setAllConfig({});
});

/** Creates a workspace for these files in a new folder. */
function workspaceOf(files: Record<string, string>, args: Partial<WorkspaceArgs> = {}): Workspace {
  const manifests = temporaryFolder(files);
  return new Workspace("agents", { manifests, ...args });
}

function refusal(files: Record<string, string>, args?: Partial<WorkspaceArgs>): string {
  try {
    workspaceOf(files, args);
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    expect(error.code).toBe("bad_manifest");
    // Pulumi prints only the message of this error, without a stack trace.
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    return error.message;
  }
  throw new Error("nothing was refused");
}

test("resolves folders relative to the manifest, and accepts an agent instead of a name", async () => {
  const spec = (folder: string) => `  agent: { agentId: support, environment: staging }
  source: internal_source
  sourceConfig: {}
  sourceRevisionConfig: { folder: ${folder}, dependencyFolders: [${folder}/lib] }
`;
  const text = (name: string, folder: string) =>
    `apiVersion: agentserver/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec:\n${spec(folder)}`;
  const repository = temporaryFolder({
    ".git/HEAD": "ref: refs/heads/main",
    ".git/objects/info/packs": "",
    ".git/refs/heads/main": "",
  });
  const manifests = join(repository, "manifests");
  mkdirSync(join(manifests, "team"), { recursive: true });
  writeFileSync(join(manifests, "team", "near.yaml"), text("near", "./agent"));
  writeFileSync(join(manifests, "far.yaml"), text("far", "../agents/far"));
  writeFileSync(join(manifests, "there.yaml"), text("there", join(repository, "there")));
  const workspace = new Workspace("agents", { manifests });
  await valueOf(workspace.urls);
  expect(Object.keys(workspace.deployments).sort()).toEqual(["far", "near", "there"]);
  const folderOf = (name: string) => {
    const { sourceRevisionConfig } = registeredAs(name)!.inputs as unknown as {
      sourceRevisionConfig: { folder: string; dependencyFolders: string[] };
    };
    const { folder, dependencyFolders } = sourceRevisionConfig;
    expect(dependencyFolders.map((one) => resolve(one))).toEqual([join(resolve(folder), "lib")]);
    return resolve(folder);
  };
  expect(folderOf("near")).toBe(join(manifests, "team", "agent"));
  expect(folderOf("far")).toBe(resolve(manifests, "../agents/far"));
  expect(folderOf("there")).toBe(join(repository, "there"));
  expect(registeredAs("near")!.inputs).toMatchObject({
    agent: { agentId: "support", environment: "staging" },
  });
  expect(registeredAs("near")!.inputs).not.toHaveProperty("name");
});

test("registers one deployment per manifest, under the manifest's name", async () => {
  const workspace = workspaceOf({
    "support.yaml": manifestText(),
    "team/sales.yml": manifestText("name: sales-agent\nadopt: always", "sales"),
    "team/notes.md": "no manifest",
    ".hidden/x.yaml": "no: manifest",
  });

  expect(await valueOf(workspace.urls)).toEqual({
    "support-agent": "https://agent.example.com",
    sales: "https://agent.example.com",
  });
  expect(Object.keys(workspace.deployments)).toEqual(["support-agent", "sales"]);
  const type = "agentserver:index:Workspace$pulumi-nodejs:dynamic/agentserver:Deployment";
  for (const [name, deployment] of Object.entries(workspace.deployments)) {
    const urn = await valueOf(deployment.urn);
    expect(urn).toBe(`urn:pulumi:dev::shop::${type}::${name}`);
    expect(registeredAs(name)!.inputs.__call.urn).toBe(urn);
  }
  expect(registeredAs("sales")!.inputs).toMatchObject({
    name: "sales-agent",
    source: "github",
    sourceRevisionConfig: { repoRef: "v1" },
    adopt: "always",
  });
  expect(registeredAs("support-agent")!.inputs).toMatchObject({ name: "support-agent" });
});

test("resolves references to the stack's secrets and environment variables", async () => {
  pulumi.runtime.setAllConfig({ "shop:modelKey": "canary-4711" }, secretKeys);
  process.env = { ...environment, STAGE: "blue" };
  const workspace = workspaceOf(
    {
      "a.yaml": manifestText(
        "secrets: { KEY: '${secret:modelKey}', URL: 'https://${secret:modelKey}@${env:STAGE}' }\nname: agent-${env:STAGE}",
      ),
    },
    { environmentVariables: ["STAGE"] },
  );

  await valueOf(workspace.urls);
  const { inputs } = registeredAs("support-agent")!;
  expect(isSecret(inputs["name"])).toBe(true);
  expect((inputs["name"] as { value: string }).value).toBe("agent-blue");
  expect(Object.keys(inputs.secrets)).toEqual(["KEY", "URL"]);
  for (const value of Object.values(inputs.secrets)) expect(isSecret(value)).toBe(true);
  expect(inputs.secrets["URL"]!.value).toBe("https://canary-4711@blue");
});

test("passes protect and retain as options instead of inputs", async () => {
  const workspace = workspaceOf({ "a.yaml": manifestText("protect: true\nretain: true") });
  await valueOf(workspace.urls);
  const { inputs, protect, retainOnDelete } = registeredAs("support-agent")!;
  expect({ protect, retainOnDelete }).toEqual({ protect: true, retainOnDelete: true });
  expect(inputs).not.toHaveProperty("protect");
  expect(inputs).not.toHaveProperty("retain");
});

test("applies only the overlays for the current stack", async () => {
  const workspace = workspaceOf({
    "a.yaml": manifestText(),
    "overlays/dev/a.yaml": overlayText("sourceRevisionConfig: { repoRef: main }"),
    "overlays/prod/a.yaml": overlayText("nonsense: true"),
  });
  await valueOf(workspace.urls);
  expect(registeredAs("support-agent")!.inputs["sourceRevisionConfig"]).toEqual({ repoRef: "main" });
});

test("accepts another folder for overlays if the folder exists", async () => {
  const overlays = temporaryFolder({ "a.yaml": overlayText("sourceRevisionConfig: { repoRef: v9 }") });
  const files = { "a.yaml": manifestText(), "overlays/dev/a.yaml": overlayText("nonsense: true") };
  await valueOf(workspaceOf(files, { overlays }).urls);
  expect(registeredAs("support-agent")!.inputs["sourceRevisionConfig"]).toEqual({ repoRef: "v9" });
  expect(refusal(files, { overlays: join(overlays, "wrong") })).toMatch(/^There is no folder .*wrong/);
});

test("reports every error and registers nothing", async () => {
  const message = refusal({
    "good.yaml": manifestText(),
    "bad.yaml": manifestText("adopt: perhaps", "bad"),
    "overlays/dev/good.yaml": overlayText("rollout: { timeout: soon }"),
  });
  expect(message.split("\n")).toEqual([
    '2 faults in the manifests of workspace "agents"; none of its resources was changed:',
    expect.stringMatching(/^ {2}.*bad\.yaml:8:10: spec\.adopt: /),
    expect.stringMatching(/^ {2}.*overlays\/dev\/good\.yaml:5:23: spec\.rollout\.timeout: /),
  ]);
  expect(registeredAs("support-agent")).toBeUndefined();
  expect(registeredAs("agents")).toBeUndefined();
});

test("reports missing values of several manifests together", () => {
  const message = refusal(
    {
      "a.yaml": manifestText("secrets: { KEY: '${secret:key}' }", "a"),
      "b.yaml": manifestText("name: ${env:NO_SUCH_VARIABLE}", "b"),
    },
    { environmentVariables: ["NO_SUCH_VARIABLE"] },
  );
  expect(message).toMatch(
    /a\.yaml:8:19: .*the stack's configuration has no key; run `pulumi config set --secret --stack acme\/dev key`/,
  );
  expect(message).toMatch(/b\.yaml:8:9: .*the environment has no variable NO_SUCH_VARIABLE/);
});

test("rejects a missing folder, and a folder without manifests", async () => {
  expect(refusal({}, { manifests: "no-such-folder" })).toMatch(/^There is no folder no-such-folder in /);
  expect(refusal({ "a.yaml": "# nothing\n" })).toMatch(/^No manifest declares a deployment in /);
  const workspace = workspaceOf({}, { allowEmpty: true });
  expect(await valueOf(workspace.urls)).toEqual({});
  expect(workspace.deployments).toEqual({});
});

test("rejects missing manifests", () => {
  expect(() => workspaceOf({}, { manifests: undefined as never })).toThrow(
    'Workspace "agents": manifests is missing; specify the folder that contains the manifests.',
  );
});

test("rejects a list of environment variables that includes credentials", () => {
  const message = refusal(
    { "a.yaml": manifestText() },
    { environmentVariables: ["STAGE", "PULUMI_ACCESS_TOKEN"] },
  );
  expect(message).toBe(
    'Workspace "agents": environmentVariables cannot list PULUMI_ACCESS_TOKEN, because manifests must not read credentials. Use ${secret:NAME} for secrets.',
  );
});

const assistantWith = (connection: string) =>
  `apiVersion: agentserver/v1
kind: Assistant
metadata: { name: helper }
spec:
  graph: agent
  connection: ${connection}
`;

test("lets manifests use only the agent server keys that the program lists", async () => {
  const files = {
    "a.yaml": assistantWith("{ url: 'https://other.example', apiKeyFrom: AGENTSERVER_API_KEY }"),
  };
  const allowed = { allowEmpty: true, connectionKeys: ["AGENTSERVER_API_KEY"] };
  expect(refusal(files, { allowEmpty: true })).toMatch(
    /a\.yaml:6:59: spec\.connection\.apiKeyFrom: the program does not let manifests use this key; add "AGENTSERVER_API_KEY" to `connectionKeys` of the Workspace/,
  );
  expect(registeredAs("helper")).toBeUndefined();
  await valueOf(workspaceOf(files, allowed).assistants["helper"]!.urn);
  expect(registeredAs("helper")!.inputs).toMatchObject({ connection: { apiKeyFrom: "AGENTSERVER_API_KEY" } });
});

test.each([
  ["connection: { url: 'https://${secret:modelKey}.example' }", "connection.url"],
  ["connection: { url: 'https://a.example', apiKeyFrom: '${env:STAGE}' }", "connection.apiKeyFrom"],
])("rejects a reference in %s", (connection, path) => {
  const files = { "a.yaml": assistantWith(connection.slice("connection: ".length)) };
  expect(refusal(files, { allowEmpty: true, environmentVariables: ["STAGE"] })).toContain(
    `spec.${path}: cannot contain a reference, because this field determines what a preview reads or where requests are sent`,
  );
});

test.each(["overlays", "overlays/dev"])("rejects overlays reached through a symbolic link: %s", (link) => {
  const folder = temporaryFolder({ "a.yaml": manifestText() });
  const elsewhere = temporaryFolder({
    "dev/a.yaml": overlayText("adopt: always"),
    "a.yaml": overlayText("adopt: always"),
  });
  mkdirSync(join(folder, dirname(link)), { recursive: true });
  symlinkSync(elsewhere, join(folder, link));
  expect(refusal({}, { manifests: folder })).toContain(`${link} is a link, which is not followed.`);
});

describe("a folder in a manifest", () => {
  const deploymentOf = (config: string) => `apiVersion: agentserver/v1
kind: Deployment
metadata: { name: outside }
spec:
  source: internal_source
  sourceConfig: {}
  sourceRevisionConfig: ${config}
`;
  const itemsOf = (folder: string) => `apiVersion: agentserver/v1
kind: StoreItems
metadata: { name: outside }
spec:
  connection: { url: "https://other.example" }
  namespace: [a]
  folder: ${folder}
`;

  test.each([
    ["an absolute path", deploymentOf("{ folder: /srv/agents }"), "spec.sourceRevisionConfig.folder"],
    ["a path to a parent folder", deploymentOf("{ folder: ../../.ssh }"), "spec.sourceRevisionConfig.folder"],
    [
      "a dependency",
      deploymentOf("{ folder: ./agent, dependencyFolders: [./lib, ../../.ssh] }"),
      "spec.sourceRevisionConfig.dependencyFolders.1",
    ],
    ["a folder of items", itemsOf("../../.ssh"), "spec.folder"],
    ["a symbolic link", itemsOf("./link"), "spec.folder"],
  ])("is rejected if it is outside the project: %s", (_, text, path) => {
    const manifests = temporaryFolder({ "a.yaml": text });
    symlinkSync(temporaryFolder({ id_rsa: "canary" }), join(manifests, "link"));
    const message = refusal({}, { manifests, allowEmpty: true });
    expect(message).toMatch(/a\.yaml:\d+:\d+: /);
    expect(message).toContain(`${path}: is outside the project and its Git repository`);
    expect(registeredAs("outside")).toBeUndefined();
  });

  test("is rejected if it is a link with a name that must be escaped in a manifest", () => {
    const manifests = temporaryFolder({ "a.yaml": itemsOf("'./$${x}'") });
    symlinkSync(temporaryFolder({ id_rsa: "canary" }), join(manifests, "${x}"));
    expect(refusal({}, { manifests, allowEmpty: true })).toMatch(
      /a\.yaml:7:11: spec\.folder: is outside the project and its Git repository/,
    );
  });

  test.each([
    ["git's own data", "../.git", /is Git's own data, which is never sent/],
    ["git's own data in a subfolder", "../.git/refs", /is Git's own data, which is never sent/],
    ["git's own data through an indirect path", "../.git/../.git", /is Git's own data, which is never sent/],
    ["git's own data through a link", "./git-link", /is Git's own data, which is never sent/],
    ["git's own data of a submodule", "../sub/.git", /is Git's own data, which is never sent/],
    ["dependencies", "../node_modules", /contains dependencies, a cache, or a virtual environment/],
    ["a dependency", "../Node_Modules/a", /contains dependencies, a cache, or a virtual environment/],
    ["a virtual environment", "../.venv/lib", /contains dependencies, a cache, or a virtual environment/],
    ["an ignored folder", "../creds", /is ignored by Git/],
    ["an ignored folder through a link", "./creds-link", /is ignored by Git/],
    ["a folder inside an ignored one", "../creds/deep", /is ignored by Git/],
    ["an ignored folder that has a tracked file", "../out", /is ignored by Git/],
    ["an ignored folder that does not exist yet", "../later", /is ignored by Git/],
    ["an ignored folder with special characters", "'../:(glob)*'", /is ignored by Git/],
    ["a repository that the outer repository ignores", "../vendored/lib", /is ignored by Git/],
  ])("is rejected as a source if it is %s", (_, folder, reason) => {
    const repository = temporaryFolder({
      ".gitignore": "creds/\nout/\nlater/\n/:(glob)[*]\nvendored/\n",
      "creds/deep/token.txt": "canary",
      "out/tracked.txt": "",
      ":(glob)*/x": "",
      "vendored/lib/x": "",
      "sub/.git/refs/x": "",
      "manifests/a.yaml": itemsOf(folder),
      "manifests/b.yaml": deploymentOf(`{ folder: ./agent, dependencyFolders: [${folder}] }`),
    });
    for (const one of [".", "vendored"])
      execFileSync("git", ["-C", join(repository, one), "init", "--quiet"]);
    execFileSync("git", ["-C", repository, "add", "--force", "out/tracked.txt"]);
    symlinkSync("../.git", join(repository, "manifests/git-link"));
    symlinkSync("../creds", join(repository, "manifests/creds-link"));
    const message = refusal({}, { manifests: join(repository, "manifests") });
    const faults = message.split("\n").filter((line) => reason.test(line));
    expect(faults.map((line) => /spec\.[a-zA-Z0-9.]+/.exec(line)?.[0])).toEqual([
      "spec.folder",
      "spec.sourceRevisionConfig.dependencyFolders.0",
    ]);
    expect(registeredAs("outside")).toBeUndefined();
  });

  test.each([true, false])("is rejected if .gitignore lists it (in a Git repository: %s)", (isRepository) => {
    const project = temporaryFolder({
      "Pulumi.yaml": "name: shop",
      ".gitignore": "creds/\n",
      "creds/token.txt": "canary",
      "handbook/a.txt": "",
    });
    if (isRepository) execFileSync("git", ["-C", project, "init", "--quiet"]);
    const faults = (folder: string) =>
      refusedFolders(
        parseManifests({ manifests: [{ path: "manifests/a.yaml", text: itemsOf(folder) }] }).others,
        { root: project, manifests: "manifests" },
      ).map(({ message }) => message);
    expect(faults("../handbook")).toEqual([]);
    expect(faults("../creds")).toEqual([expect.stringContaining("is ignored by Git")]);
  });

  test("is rejected outside the project if .git above it is not a repository", () => {
    const above = temporaryFolder({ ".git/description": "", ".ssh/id_rsa": "canary" });
    const manifests = join(above, "project", "manifests");
    mkdirSync(manifests, { recursive: true });
    writeFileSync(join(manifests, "a.yaml"), itemsOf("../../.ssh"));
    expect(refusal({}, { manifests, allowEmpty: true })).toContain(
      "spec.folder: is outside the project and its Git repository",
    );
  });
});
