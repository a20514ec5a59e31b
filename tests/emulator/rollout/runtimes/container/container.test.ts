import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRealRunner, type RealRunnerOptions } from "../../../../../emulator/rollout/real";
import { RolloutFailure, type RolloutJob, type RunningAgent } from "../../../../../emulator/rollout/rollout";
import { allGone } from "../../processes";
import { jobFor, Notes } from "../../rehearsal";
import { temporaryFolder } from "../../repository";
import { StandIn } from "./stand-in";

const never = new AbortController().signal;
const image = "registry.example/team/agent:1";
let engine: StandIn;

beforeEach(() => {
  engine = new StandIn();
  engine.hasImages([image]);
});
afterEach(() => engine.remove());

const jobOf = (image_uri: string, changes: Partial<RolloutJob> = {}): RolloutJob =>
  jobFor("", {
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: { image_uri },
    secrets: [
      { name: "KEY", value: "k-123456" },
      { name: "PEM", value: "first line\nsecond line" },
    ],
    ...changes,
  });

async function failureOf(job: RolloutJob, options: RealRunnerOptions = {}, notes = new Notes()) {
  const failure: unknown = await createRealRunner(options)
    .roll(job, notes, never)
    .then(
      (agent) => agent?.stop(),
      (error: unknown) => error,
    );
  await allGone(job.dataFolder);
  if (!(failure instanceof RolloutFailure)) throw new Error(`Not a failure: ${String(failure)}`);
  return { status: failure.status, reason: failure.message, notes };
}

async function get(agent: RunningAgent, path: string): Promise<unknown> {
  return (await fetch(agent.origin + path)).json();
}

test("pulls and runs an image with its environment and limits, and removes it", async () => {
  const job = jobOf(image, { sourceConfig: { resource_spec: { cpu: 0.5, cpu_limit: 2, memory_mb: 512 } } });
  const notes = new Notes();
  const agent = (await createRealRunner().roll(job, notes, never))!;
  expect(notes.statuses).toEqual(["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]);
  expect(notes.ranOn).toBe("container image, run by docker 99.1");
  expect(await get(agent, "/ok")).toEqual({ ok: true, image });
  expect(await get(agent, "/environment")).toEqual({ KEY: "k-123456", PEM: "first line\nsecond line" });
  expect(agent.internalApi).toBeUndefined();

  const [run = []] = engine.calls().filter(([command]) => command === "run");
  expect(run.join(" ")).toContain("--cpus 2 --memory 512m --memory-swap 512m");
  expect(run.join(" ")).toContain("--publish 127.0.0.1::8000");
  expect(JSON.stringify(engine.calls())).not.toMatch(/k-123456|second line/);
  expect(existsSync(run[run.indexOf("--env-file") + 1]!)).toBe(false);
  expect(notes.text).toContain("deploy INFO serving with [secret]");

  expect(engine.containers()).toEqual([`agentserver-${job.revisionId}`]);
  await agent.stop();
  await expect(agent.exited).resolves.toBe("The container was stopped.");
  expect(engine.containers()).toEqual([]);
  await allGone(job.dataFolder);
});

test("reports that a container has exited, and restarts it without pulling the image", async () => {
  engine.hasImages([image], [image]);
  const job = jobOf(image);
  const agent = (await createRealRunner().roll(job, new Notes(), never))!;
  await fetch(agent.origin);
  engine.end(`agentserver-${job.revisionId}`);
  await expect(agent.exited).resolves.toBe("The container exited with code 0.");
  const before = engine.calls().length;
  const again = (await createRealRunner().restart(job, new Notes(), never))!;
  expect(await get(again, "/ok")).toMatchObject({ ok: true });
  expect(engine.calls().slice(before)).not.toContainEqual(expect.arrayContaining(["pull"]));
  await again.stop();
  await allGone(job.dataFolder);
});

test("fails the build if an image is available neither remotely nor locally", async () => {
  const missing = await failureOf(jobOf("registry.example/none:2"));
  expect(missing).toMatchObject({
    status: "BUILD_FAILED",
    reason:
      "The image registry.example/none:2 cannot be pulled: Error response from daemon: manifest for " +
      "registry.example/none:2 not found: manifest unknown.",
  });
  engine.hasImages([], ["local/agent:3"]);
  const notes = new Notes();
  const agent = await createRealRunner().roll(jobOf("local/agent:3"), notes, never);
  expect(notes.text).toContain("WARNING The image cannot be pulled");
  await agent!.stop();
});

test("reports the last log line, without secrets, if a container exits at startup", async () => {
  engine.hasImages(["dies:1"]);
  expect(await failureOf(jobOf("dies:1"))).toMatchObject({
    status: "DEPLOY_FAILED",
    reason:
      "The container exited with code 3. It never became healthy. Last line of its log: no license for [secret]",
  });
});

test("removes a container that never becomes healthy", async () => {
  engine.hasImages(["sick:1"]);
  const failed = await failureOf(jobOf("sick:1"), { healthTimeoutMs: 2_000 });
  expect(failed).toMatchObject({
    status: "DEPLOY_FAILED",
    reason: expect.stringMatching(
      /^The container did not become healthy within 2 s: GET \/ok returned 500: .* Last line of its log: serving with \[secret\]$/,
    ),
  });
  expect(engine.containers()).toEqual([]);
});

test("removes the container of an aborted rollout", async () => {
  engine.hasImages(["sick:1"]);
  const job = jobOf("sick:1");
  const notes = new Notes();
  const abort = new AbortController();
  notes.log = (_type, _level, message) => {
    if (message.startsWith("serving")) abort.abort(new Error("not wanted"));
  };
  await expect(createRealRunner().roll(job, notes, abort.signal)).rejects.toThrow("not wanted");
  expect(engine.containers()).toEqual([]);
  await allGone(job.dataFolder);
});

test("uses podman if docker does not respond", async () => {
  const podman = new StandIn("podman");
  podman.hasImages([image]);
  writeFileSync(
    join(podman.bin, "docker"),
    "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2\nexit 1\n",
  );
  chmodSync(join(podman.bin, "docker"), 0o755);
  const notes = new Notes();
  const agent = await createRealRunner().roll(jobOf(image), notes, never);
  expect(notes.ranOn).toBe("container image, run by podman 99.1");
  await agent!.stop();
  podman.remove();
});

test("reports the error of each engine if none is available", async () => {
  const bin = temporaryFolder("bin");
  writeFileSync(join(bin, "docker"), "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2\nexit 1\n");
  chmodSync(join(bin, "docker"), 0o755);
  process.env["PATH"] = bin;
  expect(await failureOf(jobOf(image))).toMatchObject({
    status: "BUILD_FAILED",
    reason:
      `The image ${image} cannot be run on this machine: docker does not respond (Cannot connect to the Docker daemon); ` +
      "podman is not on PATH. Start a container engine, or deploy from a repository or a folder.",
  });
});

test("rejects invalid image names, including names that look like options", async () => {
  const failed = await failureOf(jobOf("--privileged"));
  expect(failed.reason).toContain('"--privileged" is not an image reference');
  expect(engine.calls()).toEqual([]);
});
