import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { World } from "../../world";
import { propsIn, send, struct } from "./client";

const repository = join(__dirname, "../../../..");
const plugin = ["--import", "tsx", join(repository, "cli/plugin.ts")];

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts Node.js with these arguments. */
function start(args: string[], env: NodeJS.ProcessEnv = {}, stdio: StdioOptions = "pipe"): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: repository, env: { ...process.env, ...env }, stdio });
  child.stderr?.resume();
  started.push(child);
  return child;
}

/** Starts the provider plugin in the same way as the engine, and returns the port that it prints. */
async function startPlugin(env?: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; port: number }> {
  const child = start(plugin, env);
  const [output] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, port: Number(output.toString()) };
}

/** Resolves with the result of a connection to a port. */
function connection(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host, port });
    const end = (result: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end("accepted")).once("error", () => end("refused"));
  });
}

test("listens only on the loopback interface", async () => {
  const { port } = await startPlugin();
  expect(await connection("127.0.0.1", port)).toBe("accepted");
  // A socket that listens on all interfaces would accept both.
  expect(await connection("127.0.0.2", port)).toBe("refused");
  expect(await connection("::1", port)).toBe("refused");
});

test("exits when the engine closes its input", async () => {
  const { child } = await startPlugin();
  child.stdin!.end();
  await once(child, "exit");
});

test("exits when the engine is killed", async () => {
  const engine = `require("node:child_process").spawn(process.execPath, ${JSON.stringify(plugin)}, {
    stdio: ["pipe", "inherit", "ignore"],
  });`;
  const child = start(["-e", engine]);
  await once(child.stdout!, "data");
  child.kill("SIGKILL");
  // The plugin has inherited this pipe, which closes when the plugin exits.
  await once(child.stdout!, "close");
});

test("exits when it is terminated", async () => {
  const { child } = await startPlugin();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});

test("does not pass the Pulumi access token to a gate's commands", async () => {
  const { environment } = await World.start();
  const { port } = await startPlugin({ ...environment, PULUMI_ACCESS_TOKEN: "token" });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const artifact = "1".repeat(40);
  const entry = {
    source: "github",
    artifact,
    revisionId: "r1",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification: { ok: true, run: false },
  };
  const command = ["node", "-e", "process.exit(process.env.PULUMI_ACCESS_TOKEN === undefined ? 0 : 3)"];
  const args = {
    from: { current: entry, history: [entry] },
    to: { name: "support-agent" },
    gate: { checks: [{ command }] },
  };
  const request = new messages.InvokeRequest().setTok("agentserver:index:promote").setArgs(struct(args));
  const response = await send(client, "invoke", request);
  expect(propsIn(response.getReturn())).toMatchObject({ artifact });
  client.close();
});
