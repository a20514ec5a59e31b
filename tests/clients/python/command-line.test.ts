import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "../../../emulator/index";
import type { Deployment, Listener } from "../../emulator/answers";
import { Client } from "../../emulator/control-plane/client";
import { controlPlaneClient, until } from "../../emulator/gateway/deployment";
import { agentFiles, answeringGraph } from "../../emulator/rollout/agents";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";
import { langgraphDeploy, type Printed } from "./command-line";
import { pythonEnvironment } from "./suite";

const python = pythonEnvironment("tests/clients/python/command-line.test.ts");

const planes: ControlPlane[] = [];
afterAll(() => Promise.all(planes.map((plane) => plane.close())));

async function begin(options: ControlPlaneOptions): Promise<ControlPlane> {
  const plane = await startControlPlane({ dialect: "langsmith", state: temporaryFolder(), ...options });
  planes.push(plane);
  return plane;
}

/** Creates a project for an agent that responds with this word and a word from its environment. */
function project(word: string): string {
  const folder = temporaryFolder();
  change(folder, word);
  writeFile(join(folder, ".env"), "GREETING=hello\n");
  writeFile(join(folder, ".gitignore"), "left-out.txt\n.env\n");
  writeFile(join(folder, "left-out.txt"), "");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync("/etc/hosts", join(folder, "link"));
  return folder;
}

function change(folder: string, word: string): void {
  const body = `
    const { readdirSync } = await import("node:fs");
    return "${word} " + process.env.GREETING + " " + readdirSync(".").sort().join(",");`;
  for (const [path, text] of Object.entries(agentFiles(answeringGraph(body), { node_version: "20" })))
    writeFile(join(folder, path), text);
}

/** Returns the response of a deployment's agent. */
async function answer(plane: ControlPlane, id: string): Promise<string> {
  const agent = new Client(`${plane.baseUrl}/agents/${id}`, { "X-Api-Key": plane.apiKey });
  const { body } = await until(
    () =>
      agent.post<{ messages: { content: string }[] }>("/runs/wait", {
        assistant_id: "agent",
        input: { messages: [{ role: "user", content: "hi" }] },
      }),
    ({ status }) => status !== 503,
  );
  return body.messages.at(-1)!.content;
}

async function only(plane: ControlPlane, query: string): Promise<Deployment> {
  const { body } = await controlPlaneClient(plane).get<{ resources: Deployment[] }>(
    `/v2/deployments?${query}`,
  );
  expect(body.resources).toHaveLength(1);
  return body.resources[0]!;
}

(python === undefined ? describe.skip : describe)("the official command line client", () => {
  const remotely = ["--remote", "--no-input"];

  describe.each([
    ["at the root, by name", "", ["--name", "spoken"], "name=spoken"],
    [
      "under the prefix of self-hosted installations, by agent and environment",
      "/api-host",
      ["--agent-id", "speaker", "--agent-environment", "staging"],
      "agent_id=speaker&agent_environment=staging",
    ],
  ])("with an uploaded project, %s", (_where, prefix, chosen, query) => {
    let plane: ControlPlane;
    let folder: string;
    let id: string;
    const command = (...words: string[]): Promise<Printed> =>
      langgraphDeploy(python!, plane, folder, words, { LANGGRAPH_HOST_URL: plane.baseUrl + prefix });
    const deploy = (...words: string[]): Promise<Printed> => command(...remotely, ...chosen, ...words);

    beforeAll(async () => {
      plane = await begin({ rollout: "real" });
      folder = project("first");
    });

    test("deploys the project, and receives a response from the agent", async () => {
      const { code, text } = await deploy("--verbose");
      expect([code, text]).toEqual([0, expect.stringContaining("Deployment ID: ")]);
      id = (await only(plane, query)).id;
      expect(text).toContain(`${plane.baseUrl}/agents/${id}`);
      expect(await answer(plane, id)).toBe("first hello .gitignore,langgraph.json,package.json,src");
    });

    test("redeploys the project without changes, with changes, and with custom commands", async () => {
      expect(await deploy()).toMatchObject({ code: 0 });
      change(folder, "second");
      expect(
        await deploy("--install-command", "npm --version", "--build-command", "touch built"),
      ).toMatchObject({ code: 0 });
      expect(await answer(plane, id)).toBe("second hello .gitignore,built,langgraph.json,package.json,src");
      expect((await only(plane, query)).id).toBe(id);
    });

    test("shows why a build failed", async () => {
      const printed = await command(
        ...remotely,
        "--deployment-id",
        id,
        "--build-command",
        "echo 'nothing to build' && false",
      );
      expect(printed).toMatchObject({ code: 1, text: expect.stringContaining("nothing to build") });
      expect(await answer(plane, id)).toMatch(/^second hello/);
    });

    test("lists deployments, revisions, and logs", async () => {
      const { name } = await only(plane, query);
      const listed = await command("list", "--json");
      expect([listed.code, JSON.parse(listed.text)]).toEqual([0, [{ id, name }]]);
      const filtered = await command("list", "--agent-id", "unknown", "--json");
      expect(filtered).toMatchObject({ code: 0, text: expect.stringContaining("[]") });
      const revisions = await command("revisions", "list", id);
      expect(revisions.text.match(/DEPLOYED|REPLACED|BUILD_FAILED/g)).toEqual([
        "BUILD_FAILED",
        "DEPLOYED",
        "REPLACED",
        "REPLACED",
      ]);
      expect((await command("logs", "--deployment-id", id)).text).toContain(
        "The agent server is listening on",
      );
      expect((await command("logs", "--name", name, "--type", "build")).text).toContain("nothing to build");
    });

    test("deletes the deployment", async () => {
      expect(await command("delete", id, "--force")).toMatchObject({ code: 0 });
      expect((await command("list")).text).toContain("No deployments found.");
    });

    test("sends only fields that the control plane supports, except for tracked_packages", () => {
      const unknown = plane.admin.journal().flatMap(({ unknownFields }) => unknownFields);
      expect([...new Set(unknown)].filter((field) => field !== "tracked_packages")).toEqual([]);
      expect(plane.admin.journal().filter(({ status }) => status >= 400)).toEqual([]);
    });
  });

  describe("with a published image and a listener, through the control plane's endpoint", () => {
    let plane: ControlPlane;
    let folder: string;
    let listener: Listener;
    const imageOf = (digit: string): string =>
      `registry.example.test/agents/spoken@sha256:${digit.repeat(64)}`;
    const image = ["--image-uri", imageOf("1"), "--no-input"];
    const command = (...words: string[]): Promise<Printed> =>
      langgraphDeploy(python!, plane, folder, words, { LANGSMITH_ENDPOINT: plane.baseUrl });

    beforeAll(async () => {
      plane = await begin({ secondsPerStatus: 0 });
      folder = project("image");
      const compute = {
        compute_type: "k8s",
        compute_id: "cluster",
        compute_config: { k8s_namespaces: ["agents", "others"] },
      };
      listener = (await controlPlaneClient(plane).post<Listener>("/v2/listeners", compute)).body;
    });

    test("lists the listeners", async () => {
      const { code, text } = await command("listeners", "list", "--json");
      expect([code, JSON.parse(text)]).toEqual([0, [expect.objectContaining({ id: listener.id })]]);
      expect((await command("listeners", "list")).text).toContain(listener.id);
    });

    test("deploys the image, and then replaces it with another one", async () => {
      const placed = ["--name", "placed", "--listener-id", listener.id, "--k8s-namespace", "agents"];
      const first = await command(...image, ...placed, "--image-pull-secret", "registry");
      expect(first).toMatchObject({ code: 0 });
      const { id, source_config } = await only(plane, "name=placed");
      expect(source_config).toMatchObject({
        listener_id: listener.id,
        listener_config: { k8s_namespace: "agents" },
        resource_spec: { image_pull_secrets: [{ name: "registry" }] },
      });
      const next = imageOf("2");
      expect(await command("--image-uri", next, "--no-input", "--deployment-id", id)).toMatchObject({
        code: 0,
      });
      const { source_revision_config } = await only(plane, "name=placed");
      expect(source_revision_config).toMatchObject({ image_uri: next });
    });

    test("reports the control plane's error about listeners", async () => {
      const { code, text } = await command(...image, "--name", "unplaced");
      expect(code).not.toBe(0);
      expect(text).toContain("This workspace deploys through a listener");
    });
  });
});
