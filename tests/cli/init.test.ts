import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import ts from "typescript";
import { type CommandProcess, exitCodeOf } from "../../cli/command-process";
import { githubUrl } from "../../cli/init/graph-project";
import { initProject, type InitOptions } from "../../cli/init/init-project";
import { allDialects } from "../../provider/control-plane/dialects";
import { checkInputs } from "../../provider/deployment/rules/check";
import { readFolder } from "../../provider/deployment/source/folder";
import { parseManifests } from "../../sdk/manifests/parse";
import { repositoryRoot } from "../../tools/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { canary } from "../provider/world";
import { temporaryFolder } from "../tools/temporary-folder";

const graphs = (path: string, fields: object = {}) => JSON.stringify({ graphs: { agent: path }, ...fields });

const envFile = `MODEL_API_KEY=${canary}-model\nexport OTHER="${canary} other"\nLANGSMITH_API_KEY=${canary}\n`;

const python = {
  "langgraph.json": graphs("./agent.py:graph", { env: ".env" }),
  ".env": envFile,
  "agent.py": "",
};

const typescript = {
  "langgraph.json": graphs("./agent.ts:graph", { env: ".env" }),
  ".env": envFile,
  "agent.ts": "",
  "package.json": "{}",
};

/**
 * Creates a folder with these files. If a remote is specified, the folder is a git repository that tracks the files.
 */
function projectWith(files: Record<string, string>, remote?: string): string {
  const cwd = temporaryFolder(files);
  if (remote === undefined) return cwd;
  const git = (...words: string[]) => execFileSync("git", ["-C", cwd, ...words], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch", "trunk");
  git("add", ".");
  git("remote", "add", "origin", remote);
  return cwd;
}

/** Runs the command, and checks that neither its output nor the written files contain values of the env file. */
async function init(cwd: string, folder = ".", options: InitOptions = {}) {
  const shown = { stdout: "", stderr: "" };
  const output = (stream: "stdout" | "stderr") => ({
    isTTY: false,
    write: async (text: string) => void (shown[stream] += text),
  });
  const surroundings = {
    cwd,
    env: process.env,
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal: new AbortController().signal,
  } as unknown as CommandProcess;
  const code = await exitCodeOf((context) => initProject(context, folder, options, "0.1.0"), surroundings);
  const written = [...shown.stdout.matchAll(/^Wrote (.*)$/gm)].map(([, path]) => path!);
  for (const text of [
    shown.stdout,
    shown.stderr,
    ...written.map((path) => readFileSync(join(cwd, path), "utf8")),
  ])
    expect(text).not.toContain(canary);
  return { code, written, ...shown };
}

/** Returns the errors that the TypeScript compiler reports for a program that uses this package. */
function typeErrors(file: string): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    { ...ts.readConfigFile(join(file, "../tsconfig.json"), (path) => ts.sys.readFile(path)).config },
    ts.sys,
    join(file, ".."),
  );
  const paths = {
    "pulumi-agentserver": [join(repositoryRoot, "sdk", "index.ts")],
    "*": [join(repositoryRoot, "node_modules", "*")],
  };
  const typeRoots = [join(repositoryRoot, "node_modules", "@types")];
  const program = ts.createProgram([file], {
    ...options,
    paths,
    typeRoots,
    exactOptionalPropertyTypes: false,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter((one) => one.file?.fileName === file || !one.file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** Stack configuration that the programs read. */
const config = { integrationId: "integration-1", MODEL_API_KEY: "a", OTHER: "b" };

/** Runs a TypeScript program with stand-ins for its packages, and returns the inputs of the deployment. */
function runTypescript(file: string): Record<string, unknown> {
  const declared: Record<string, unknown>[] = [];
  const value = (key: keyof typeof config) => config[key];
  const packages: Record<string, object> = {
    "@pulumi/pulumi": {
      Config: class {
        get = value;
        requireSecret = value;
      },
    },
    "pulumi-agentserver": {
      Deployment: class {
        url = "";
        constructor(_: string, inputs: Record<string, unknown>) {
          declared.push(inputs);
        }
      },
    },
  };
  const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  runInNewContext(outputText, { exports: {}, require: (name: string) => packages[name] });
  expect(declared).toHaveLength(1);
  return JSON.parse(JSON.stringify(declared[0])) as Record<string, unknown>;
}

/** Runs a Python program with stand-ins for its packages, and returns the arguments of the deployment. */
function runPython(file: string): Record<string, unknown> {
  const packages = temporaryFolder({
    "pulumi.py": `values = ${JSON.stringify(config)}
class Config:
    def get(self, key): return values.get(key)
    def require_secret(self, key): return values[key]
def export(name, value): pass
`,
    "pulumi_agentserver.py": `import json
class Deployment:
    url = ""
    def __init__(self, resource, **arguments): print(json.dumps(arguments))
`,
  });
  const { stdout, stderr } = spawnSync("python3", ["-B", file], {
    env: { ...process.env, PYTHONPATH: packages },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, unknown>;
}

const expected = {
  name: expect.stringMatching(/^agentserver-test-[A-Za-z0-9-]+$/),
  source: "github",
  sourceConfig: {
    integrationId: "integration-1",
    repoUrl: "https://github.com/example/agents",
    deploymentType: "dev",
    buildOnPush: false,
  },
  sourceRevisionConfig: { repoRef: "trunk", graphConfigPath: "langgraph.json" },
  secrets: { MODEL_API_KEY: "a", OTHER: "b" },
  rollout: { verify: { graph: "agent" } },
};

const remote = `https://user:${canary}@github.com/example/agents.git`;

describe("for graphs in a repository on GitHub", () => {
  test("writes a TypeScript program that compiles and declares the deployment", async () => {
    const cwd = projectWith(typescript, remote);
    const { code, written, stdout } = await init(cwd);
    expect([code, written.sort()]).toEqual([
      0,
      [
        "infra/.gitignore",
        "infra/Pulumi.yaml",
        "infra/index.ts",
        "infra/package.json",
        "infra/tsconfig.json",
      ],
    ]);
    const file = join(cwd, "infra", "index.ts");
    expect(typeErrors(file)).toEqual([]);
    const inputs = runTypescript(file);
    expect(inputs).toEqual(expected);
    for (const dialect of allDialects) expect(checkInputs(inputs, dialect)).toEqual([]);
    expect(readFileSync(join(cwd, "infra", "Pulumi.yaml"), "utf8")).toMatch(/^name: \S+\nruntime: nodejs\n$/);
    expect(stdout.slice(stdout.indexOf("Next:"))).toBe(`Next:
  cd infra
  npm install
  pulumi stack init dev
  pulumi config set --secret MODEL_API_KEY
  pulumi config set --secret OTHER
  pulumi config set integrationId ID   # GitHub integration; only on the public service
  npx agentserver doctor --stack dev
  pulumi up
`);
    expect(stdout).toContain("does not accept them: LANGSMITH_API_KEY.");
  });

  test("writes a valid manifest that refers to the secrets", async () => {
    const cwd = projectWith(python, remote);
    const { written, stdout } = await init(cwd, ".", { language: "manifests" });
    expect(written).toEqual([expect.stringMatching(/^deployments\/agentserver-test-\S+\.yaml$/)]);
    const text = readFileSync(join(cwd, written[0]!), "utf8");
    const { deployments } = parseManifests({ manifests: [{ path: written[0]!, text }] });
    const { name: _, secrets: __, sourceConfig, ...others } = expected;
    const { integrationId: ___, ...source } = sourceConfig;
    expect(deployments.map(({ spec }) => spec)).toEqual([
      {
        ...others,
        sourceConfig: source,
        secrets: { MODEL_API_KEY: "${secret:MODEL_API_KEY}", OTHER: "${secret:OTHER}" },
      },
    ]);
    expect(stdout).toContain("Next:\n  npx agentserver validate deployments\n");
  });

  test("finds a configuration in a subfolder, and declares its path in the repository", async () => {
    const files = Object.entries(python).map(([path, text]) => [`services/support/${path}`, text]);
    const cwd = projectWith(
      Object.fromEntries(files) as Record<string, string>,
      "git@github.com:example/agents.git",
    );
    await init(cwd, "services", { language: "typescript" });
    expect(runTypescript(join(cwd, "services", "infra", "index.ts"))).toMatchObject({
      name: "support",
      sourceConfig: { repoUrl: "https://github.com/example/agents" },
      sourceRevisionConfig: { repoRef: "trunk", graphConfigPath: "services/support/langgraph.json" },
    });
  });
});

test.each([
  ["./agent.py:graph", { "package.json": "{}" }, "__main__.py"],
  ["my_agent.graph:graph", {}, "__main__.py"],
  ["./agent.ts:graph", {}, "index.ts"],
  ["agent.mjs:graph", {}, "index.ts"],
])("writes a program in the same language as the graph %s", async (graph, others, program) => {
  const cwd = projectWith({ "langgraph.json": graphs(graph), ...others });
  expect((await init(cwd)).written).toContain(`infra/${program}`);
});

test("excludes installed packages from Git, unless the folder has a .gitignore", async () => {
  const cwd = projectWith({ ...python, "deploy/.gitignore": "mine\n" });
  await init(cwd);
  await init(cwd, ".", { output: "deploy" });
  const read = (folder: string) => readFileSync(join(cwd, folder, ".gitignore"), "utf8");
  expect([read("infra"), read("deploy")]).toEqual(["venv/\n__pycache__/\n", "mine\n"]);
});

describe("for graphs in another folder", () => {
  test("writes a program that uploads the folder, excluding the program itself", async () => {
    const cwd = projectWith(typescript);
    const { written } = await init(cwd);
    expect(written).toContain(".dockerignore");
    const inputs = runTypescript(join(cwd, "infra", "index.ts"));
    expect(inputs).toMatchObject({
      source: "internal_source",
      sourceConfig: { deploymentType: "serverless" },
      sourceRevisionConfig: { folder: ".." },
    });
    const langsmith = allDialects.find(({ name }) => name === "langsmith")!;
    expect(checkInputs(inputs, langsmith)).toEqual([]);
    const { files } = await readFolder({ folder: ".." }, join(cwd, "infra"));
    const paths = files.map(({ path }) => path);
    expect(paths).toContain("langgraph.json");
    expect(paths.filter((path) => path.startsWith("infra"))).toEqual([]);
  });

  test("asks the user to add an entry to an existing .dockerignore", async () => {
    const cwd = projectWith({ ...typescript, ".dockerignore": "mine" });
    const { stdout } = await init(cwd);
    expect(stdout).toContain("Add /infra to .dockerignore");
    expect(readFileSync(join(cwd, ".dockerignore"), "utf8")).toBe("mine");
  });

  test("uploads a folder whose configuration git does not track", async () => {
    const cwd = projectWith({ "README.md": "" }, "https://github.com/example/agents");
    const files = temporaryFolder(python);
    execFileSync("cp", ["-r", `${files}/.`, cwd]);
    await init(cwd, ".", { language: "typescript" });
    expect(runTypescript(join(cwd, "infra", "index.ts"))).toMatchObject({ source: "internal_source" });
  });
});

const hostileName = '"); throw 1; //\n${x}\u2028';
const hostileConfiguration = JSON.stringify({ graphs: { [hostileName]: "./a.py:graph" } });

test("treats names in the configuration as data", async () => {
  const cwd = projectWith({ "langgraph.json": hostileConfiguration }, remote);
  await init(cwd, ".", { output: "ts", language: "typescript" });
  await init(cwd, ".", { output: "yaml", language: "manifests" });
  const rollout = { verify: { graph: hostileName } };
  expect(runTypescript(join(cwd, "ts", "index.ts"))).toMatchObject({ rollout });
  const [file] = readdirSync(join(cwd, "yaml"));
  const text = readFileSync(join(cwd, "yaml", file!), "utf8");
  const { deployments } = parseManifests({ manifests: [{ path: file!, text }] });
  // The program resolves references only when it runs, so `${` is still escaped here.
  expect(deployments[0]!.spec).toMatchObject({
    rollout: { verify: { graph: hostileName.replace("${", () => "$${") } },
  });
});

describeWithPython("tests/cli/init.test.ts")("in Python", () => {
  test("writes a Python program that runs, and uses the Python SDK's names for inputs", async () => {
    const cwd = projectWith(python, remote);
    const { written, stdout } = await init(cwd);
    expect(written.sort()).toEqual([
      "infra/.gitignore",
      "infra/Pulumi.yaml",
      "infra/__main__.py",
      "infra/requirements.txt",
    ]);
    const { sourceConfig, sourceRevisionConfig, ...others } = expected;
    expect(runPython(join(cwd, "infra", "__main__.py"))).toEqual({
      ...others,
      source_config: {
        integration_id: sourceConfig.integrationId,
        repo_url: sourceConfig.repoUrl,
        deployment_type: "dev",
        build_on_push: false,
      },
      source_revision_config: { repo_ref: "trunk", graph_config_path: "langgraph.json" },
    });
    expect(stdout).toContain("  pulumi install\n");
  });

  test("treats names in the configuration as data in a Python program", async () => {
    const cwd = projectWith({ "langgraph.json": hostileConfiguration }, remote);
    await init(cwd, ".", { language: "python" });
    expect(runPython(join(cwd, "infra", "__main__.py"))).toMatchObject({
      rollout: { verify: { graph: hostileName } },
    });
  });
});

test("lists all existing files, and writes nothing", async () => {
  const cwd = projectWith({ ...typescript, "infra/Pulumi.yaml": "mine" }, remote);
  symlinkSync("missing", join(cwd, "infra", "index.ts"));
  const { code, stdout, stderr } = await init(cwd);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/already exist, so nothing was written: infra\/index\.ts, infra\/Pulumi\.yaml\./);
  expect(readdirSync(join(cwd, "infra")).sort()).toEqual(["Pulumi.yaml", "index.ts"]);
  expect(existsSync(join(cwd, "infra", "missing"))).toBe(false);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["no configuration", { "a.py": "" }, /No langgraph\.json was found/],
  [
    "several configurations",
    { "a/langgraph.json": "{}", "b/langgraph.json": "{}" },
    /More than one .*: a\/langgraph\.json, b\//,
  ],
  ["an invalid configuration", { "langgraph.json": "{" }, /langgraph\.json is not a graph configuration/],
  ["a configuration without graphs", { "langgraph.json": '{ "graphs": {} }' }, /at least one graph/],
])("reports a folder with %s", async (_, files, message) => {
  const { code, stderr } = await init(projectWith(files));
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});

test.each([
  ["https://github.com/example/agents.git", "https://github.com/example/agents"],
  ["https://token@github.com/example/my.agents", "https://github.com/example/my.agents"],
  ["git@github.com:example/agents.git", "https://github.com/example/agents"],
  ["ssh://git@github.com:22/example/agents", "https://github.com/example/agents"],
  ["https://gitlab.com/example/agents.git", undefined],
  ["https://github.com.example.org/example/agents", undefined],
  ["/srv/github.com/example/agents", undefined],
])("reads the remote %s", (address, url) => {
  expect(githubUrl(address)).toBe(url);
});
