import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzerHandshakeRequest, AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import { RunPluginRequest, type RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { gone, until } from "../../waiting";
import { Host, programInfo } from "./host";
import { program } from "./program";

/** Policy pack that responds to `getPluginInfo` with its location, arguments, and tags. */
const pack = `
  const { Server, ServerCredentials } = require(${JSON.stringify(require.resolve("@grpc/grpc-js"))});
  const { AnalyzerService } = require(${JSON.stringify(require.resolve("@pulumi/pulumi/proto/analyzer_grpc_pb"))});
  const { AnalyzerStackConfigureResponse } = require(${JSON.stringify(require.resolve("@pulumi/pulumi/proto/analyzer_pb"))});
  const { PluginInfo } = require(${JSON.stringify(require.resolve("@pulumi/pulumi/proto/plugin_pb"))});
  const { env, pid } = process;
  let tags = [];
  const server = new Server();
  server.addService(AnalyzerService, {
    configureStack: ({ request }, callback) => {
      tags = request.getTagsMap().toArray();
      callback(null, new AnalyzerStackConfigureResponse());
    },
    getPluginInfo: (_call, callback) => {
      const report = { argv: process.argv.slice(2), cwd: process.cwd(), env, pid, tags };
      callback(null, new PluginInfo().setVersion(JSON.stringify(report)));
    },
  });
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => console.log(port + "\\nready"));
`;

interface Report {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  pid: number;
  tags: string[][];
}

/** A policy pack that is run by the host, as seen by the engine. */
class RunningPack {
  stdout = "";
  stderr = "";
  exitCode: number | undefined;
  private readonly call;
  private client!: AnalyzerClient;

  private constructor(host: Host, folder: string) {
    const request = new RunPluginRequest().setPwd("/").setInfo(programInfo(folder)).setKind("analyzer");
    this.call = host.client.runPlugin(request.setArgsList(["engine"]).setEnvList(["KEY=value"]));
    this.call
      .on("error", () => undefined)
      .on("data", (message: RunPluginResponse) => {
        this.stdout += Buffer.from(message.getStdout_asU8()).toString();
        this.stderr += Buffer.from(message.getStderr_asU8()).toString();
        if (message.hasExitcode()) this.exitCode = message.getExitcode();
      });
  }

  static async start(folder: string): Promise<RunningPack> {
    const running = new RunningPack(await Host.start(), folder);
    await until(() => running.stdout.includes("\n"));
    const port = running.stdout.split("\n")[0];
    running.client = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return running;
  }

  configure(stack: AnalyzerStackConfigureRequest): Promise<unknown> {
    return new Promise((resolve, reject) =>
      this.client.configureStack(stack, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  }

  handshake(request: AnalyzerHandshakeRequest): Promise<unknown> {
    return new Promise((resolve, reject) =>
      this.client.handshake(request, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  }

  report(): Promise<Report> {
    return new Promise((resolve, reject) =>
      this.client.getPluginInfo(new Empty(), (error, answer: PluginInfo) =>
        error ? reject(error) : resolve(JSON.parse(answer.getVersion()) as Report),
      ),
    );
  }

  cancel(): void {
    this.call.cancel();
  }
}

function stackOfTest(): AnalyzerStackConfigureRequest {
  const stack = new AnalyzerStackConfigureRequest()
    .setOrganization("acme")
    .setProject("project")
    .setStack("prod")
    .setDryRun(true);
  stack.getConfigMap().set("agentserver:region", "eu").set("project:list", '["a"]');
  stack.getTagsMap().set("team", "agents");
  return stack;
}

test("runs a policy pack in its folder with the stack and configuration in its environment", async () => {
  const folder = program(pack);
  const running = await RunningPack.start(folder);

  await running.configure(stackOfTest());

  const { argv, cwd, env } = await running.report();
  expect({ argv, cwd }).toEqual({ argv: ["engine", folder], cwd: folder });
  expect(env).toMatchObject({
    KEY: "value",
    PULUMI_NODEJS_ORGANIZATION: "acme",
    PULUMI_NODEJS_PROJECT: "project",
    PULUMI_NODEJS_STACK: "prod",
    PULUMI_NODEJS_DRY_RUN: "true",
    PULUMI_STACK: "prod",
    PULUMI_NODEJS_TYPESCRIPT: "true",
  });
  expect(JSON.parse(env.PULUMI_CONFIG!)).toEqual({ "agentserver:region": "eu", "project:list": '["a"]' });
});

test("forwards calls to the policy pack, and forwards its later output to the engine", async () => {
  const running = await RunningPack.start(program(pack));

  await running.configure(stackOfTest());

  expect((await running.report()).tags).toEqual([["team", "agents"]]);
  await until(() => running.stdout.endsWith("\nready\n"));
});

test("runs a policy pack without a stack if the engine sends none", async () => {
  const running = await RunningPack.start(program(pack));

  await expect(running.handshake(new AnalyzerHandshakeRequest())).rejects.toMatchObject({ code: 12 });
  const { env } = await running.report();

  expect(env).toMatchObject({ KEY: "value" });
  expect(env).not.toHaveProperty("PULUMI_CONFIG");
});

test("returns an error with the exit code if a policy pack exits before it is ready", async () => {
  const folder = program(`console.error("a complaint"); process.exit(5);`);
  const running = await RunningPack.start(folder);

  await expect(running.configure(stackOfTest())).rejects.toMatchObject({
    details: `the policy pack in ${folder} exited with code 5 before it was ready`,
  });
  await until(() => running.exitCode === 5);
  expect(running.stderr).toBe("a complaint\n");
});

test("stops the policy pack when the engine cancels the call", async () => {
  const running = await RunningPack.start(program(pack));
  const { pid } = await running.report();

  running.cancel();

  await gone(pid);
});

test("does not start a policy pack if the SDK is not installed, and suggests a fix", async () => {
  const host = await Host.start();

  await expect(host.runPlugin("/nowhere", (request) => request.setKind("analyzer"))).rejects.toMatchObject({
    details: "It looks like the Pulumi SDK has not been installed. Have you run npm install in /nowhere?",
  });
});
