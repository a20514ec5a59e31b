import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Deployment, Resources, Revision, Thread, ThreadState, Values } from "../answers";
import { type Answer, Client, creation } from "../control-plane/client";
import { readJson } from "../../json";
import { agentFiles, answeringGraph } from "../rollout/agents";
import { saying, versatileAgent } from "../gateway/agent";
import { deploy, type Served, until } from "../gateway/deployment";
import { startControlPlane } from "../../../emulator/index";
import { createRealRunner } from "../../../emulator/rollout/real";
import { jobFor, Notes } from "../rollout/rehearsal";
import { Repository, temporaryFolder } from "../rollout/repository";
import { type Disk, limitedDisk, mountObstacle, readOnly, smallDisk } from "./disks";

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

async function serve(state: string): Promise<{ served: Served; child: ChildProcess }> {
  const script = join(__dirname, "../gateway/fixtures/serve.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { served: readJson<Served>(line), child };
}

/**
 * Files of an agent that responds to messages. If a message specifies a folder, the agent waits until the folder
 * exists.
 */
const patientAgent = agentFiles(
  answeringGraph(`
    const { existsSync } = await import("node:fs");
    const [verb, folder] = said.split(" ");
    while (verb === "await" && !existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 20));
    return "heard " + verb;
  `),
);

/** Creates a project whose installation waits for a file and then writes a megabyte. */
function slowlyBuilt(flag: string): Repository {
  const script =
    `echo installing; while [ ! -e ${flag} ]; do sleep 0.05; done; ` +
    `head -c 1000000 /dev/zero > output; code=$?; mkdir ${flag}.over; exit $code`;
  return new Repository({
    ...versatileAgent(),
    "package.json": JSON.stringify({
      devDependencies: { local: "file:./local" },
      scripts: { preinstall: script },
    }),
    "local/package.json": JSON.stringify({ name: "local", version: "1.0.0" }),
  });
}

const obstacle = mountObstacle();
if (obstacle !== undefined)
  process.stderr.write(`Tests that mount disks of their own are skipped: ${obstacle}\n`);

const disks: (readonly [string, () => Disk])[] = [
  ...(obstacle === undefined ? ([["a full disk", smallDisk]] as const) : []),
  ["a size limit that has been reached", limitedDisk],
];

test.each(disks)(
  "reports %s as the reason for errors, and continues when space is available",
  async (_what, find) => {
    const disk = find();
    const { served, child } = await serve(join(disk.folder, "state"));
    const plane = new Client(served.baseUrl, { "X-Api-Key": served.apiKey, "X-Tenant-Id": served.tenantId });
    const url = await deploy(served, new Repository(patientAgent), "serving");
    const agent = new Client(url, { "X-Api-Key": served.apiKey });
    const thread = (await agent.post<Thread>("/threads")).body.thread_id;
    await agent.post(`/threads/${thread}/runs/wait`, saying("hi"));
    const flag = join(temporaryFolder("flags"), "continue");
    const make = (name: string, { folder }: Repository): Promise<Answer<Deployment>> =>
      plane.post(
        "/v2/deployments",
        creation(name, { source_config: { repo_url: folder, build_on_push: false } }),
      );
    const building = (await make("building", slowlyBuilt(flag))).body;
    const path = `/v2/deployments/${building.id}/revisions/${building.latest_revision_id}`;
    await until(
      () => plane.get(`${path}/logs?type=build`),
      ({ body }) => JSON.stringify(body).includes("installing"),
    );

    const end = join(temporaryFolder("flags"), "end");
    const run = agent.post<Values>("/runs/wait", saying(`await ${end}`));
    await until(
      () => agent.get<string>("/metrics"),
      ({ body }) => /^lg_api_num_running_runs 1$/m.test(body),
    );
    disk.fill(child.pid!);
    const refusal = {
      status: 507,
      body: { detail: expect.stringMatching(/cannot be written.*Free some space/) },
    };
    // Data that fits into the remaining space of a disk page is still accepted.
    await until(
      () => make("another", new Repository(versatileAgent())),
      ({ status }) => status === 507,
    );
    expect(await make("another", new Repository(versatileAgent()))).toMatchObject(refusal);
    expect(
      await plane.patch(`/v2/deployments/${building.id}`, { secrets: [{ name: "A", value: "b" }] }),
    ).toMatchObject(refusal);
    await until(
      () => agent.post("/threads"),
      ({ status }) => status === 507,
    );
    const threads = (await agent.post<number>("/threads/count", {})).body;
    for (const [method, place, body] of [
      ["POST", "/threads", {}],
      ["PATCH", `/threads/${thread}`, { metadata: { a: 1 } }],
      ["POST", `/threads/${thread}/state`, { values: { messages: [] } }],
      ["PUT", "/store/items", { namespace: ["a"], key: "b", value: {} }],
      ["POST", "/assistants", { graph_id: "agent" }],
      ["POST", `/threads/${thread}/runs`, saying("hi")],
      ["POST", "/runs", saying("hi")],
      ["POST", "/runs/crons", { ...saying("hi"), schedule: "0 0 1 1 *" }],
    ] as const)
      expect([place, await agent.send(method, place, body)]).toEqual([
        place,
        expect.objectContaining(refusal),
      ]);
    expect((await agent.post("/threads/count", {})).body).toBeLessThanOrEqual(threads);
    expect((await agent.get<ThreadState>(`/threads/${thread}/state`)).body.values.messages).toHaveLength(2);
    expect(
      (await plane.get<Resources<Deployment>>("/v2/deployments")).body.resources.length,
    ).toBeGreaterThanOrEqual(2);

    // The run ends, and the build fails, while nothing can be written.
    mkdirSync(end);
    writeFileSync(flag, "");
    await until(
      () => plane.get("/ok"),
      () => existsSync(`${flag}.over`),
    );
    disk.free(child.pid!);
    const { body } = await until(
      () => plane.get<Revision>(path),
      ({ body: revision }) => /FAILED|DEPLOYED/.test(revision.status),
    );
    expect(body).toMatchObject({
      status: "BUILD_FAILED",
      status_message: expect.stringMatching(/^npm install exited with code \d+/),
    });
    // The agent is still running.
    expect((await run).body.messages.at(-1)?.content).toBe("heard await");
    await until(
      () => agent.post("/threads"),
      ({ status }) => status === 200,
    );
    const said = await agent.post<Values>(`/threads/${thread}/runs/wait`, saying("again"));
    expect(said.body.messages.at(-1)?.content).toBe("heard again");
    await deploy(served, new Repository(versatileAgent("two")), "after");
    expect(child.exitCode).toBe(null);
  },
  120_000,
);

const onRealDisks = obstacle === undefined ? test : test.skip;

onRealDisks.each([0, 40, 100])(
  "fails a checkout with room for %i kB, with the reason and the fix",
  async (room) => {
    const disk = smallDisk();
    const text = randomBytes(40_000).toString("hex");
    const job = jobFor(new Repository({ ...versatileAgent(), "text.txt": text }).folder, {
      dataFolder: join(disk.folder, "data"),
      revisionFolder: join(disk.folder, "revision"),
    });
    mkdirSync(job.revisionFolder);
    disk.fill(process.pid, room * 1024);
    const failure = await createRealRunner()
      .roll(job, new Notes(), new AbortController().signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: "BUILD_FAILED",
      message: expect.stringMatching(
        /(prepared|fetched|checked out): .*\. The disk of .*revision is full: free some space and try again\.$/,
      ),
    });
  },
);

onRealDisks(
  "a state folder that becomes read-only is named, and everything continues when it no longer is",
  async () => {
    const state = join(smallDisk().folder, "state");
    const { served, child } = await serve(state);
    const plane = new Client(served.baseUrl, { "X-Api-Key": served.apiKey, "X-Tenant-Id": served.tenantId });
    const repository = new Repository(versatileAgent());
    const url = await deploy(served, repository, "serving");
    const agent = new Client(url, { "X-Api-Key": served.apiKey });
    expect((await agent.post("/threads")).status).toBe(200);

    const makeWritable = readOnly(state);
    await until(
      () => agent.post("/threads"),
      ({ status }) => status !== 200,
    );
    expect(await agent.post("/threads")).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/cannot be written \(EROFS.*make the file writable/) },
    });
    const source = { source_config: { repo_url: repository.folder, build_on_push: false } };
    const made = (await plane.post<Deployment>("/v2/deployments", creation("made", source))).body;
    const { body } = await until(
      () => plane.get<Revision>(`/v2/deployments/${made.id}/revisions/${made.latest_revision_id}`),
      ({ body: revision }) => /FAILED|DEPLOYED/.test(revision.status),
    );
    expect(body).toMatchObject({
      status: "BUILD_FAILED",
      status_message: expect.stringMatching(
        /deployments\/.* cannot be written: EROFS.* Make it and its folder writable/,
      ),
    });
    expect((await plane.delete(`/v2/deployments/${made.id}`)).status).toBe(204);

    makeWritable();
    await until(
      () => agent.post("/threads"),
      ({ status }) => status === 200,
    );
    await deploy(served, repository, "after");
    expect(child.exitCode).toBe(null);
  },
  120_000,
);

onRealDisks("a start on a read-only state folder says so", async () => {
  const state = join(smallDisk().folder, "state");
  await (await startControlPlane({ state })).close();
  const makeWritable = readOnly(state);
  await expect(startControlPlane({ state })).rejects.toThrow(
    `${join(state, "control-plane.sqlite")} cannot be written: EROFS: read-only file system`,
  );
  makeWritable();
  await (await startControlPlane({ state })).close();
});
