import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { credentials, type Client, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../../../../provider/resource/inputs/values";
import { temporaryFolder } from "../../../tools/temporary-folder";
import { gone, until } from "../../../tools/waiting";

const repository = resolve(__dirname, "../../../..");
const modules = join(repository, "node_modules");
const running: ProviderProcess[] = [];
let project: string | undefined;

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

/** Returns the folder of a project in which the compiled package is installed. */
export function userProject(): string {
  if (project) return project;
  const folder = temporaryFolder();
  const home = join(folder, "node_modules", "pulumi-agentserver");
  mkdirSync(home, { recursive: true });
  const compiler = join(modules, "typescript", "bin", "tsc");
  const config = join(repository, "tsconfig.build.json");
  const compiled = spawnSync(process.execPath, [compiler, "-p", config, "--outDir", join(home, "dist")]);
  expect(compiled.stdout.toString()).toBe("");
  cpSync(join(repository, "package.json"), join(home, "package.json"));
  return (project = folder);
}

/** Returns a separate copy of the project, which a test may damage. */
export function copyOfUserProject(): string {
  const folder = temporaryFolder();
  cpSync(userProject(), folder, { recursive: true });
  return folder;
}

/** A failure as seen by the engine. */
export class ProcessFailure extends Error {
  constructor(
    message: string,
    /** Resource that the engine keeps despite the failure, if any. */
    readonly kept?: { id: string; properties: Props; reasons: string[] },
  ) {
    super(message);
  }
}

/** The process in which the engine runs dynamic providers. */
export class ProviderProcess {
  output = "";
  private readonly child: ChildProcess;
  private client!: ResourceProviderClient;

  private constructor(engineAddress: string, env: NodeJS.ProcessEnv, cwd: string) {
    const launcher = join(modules, "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
    this.child = spawn(process.execPath, [launcher, "--logtostderr", "-v=3", engineAddress], {
      cwd,
      env: { PATH: process.env["PATH"], NODE_PATH: modules, ...env },
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.setEncoding("utf8").on("data", (text) => (this.output += text));
    running.push(this);
  }

  static async start(
    engineAddress: string,
    env: NodeJS.ProcessEnv,
    config: Props = {},
    folder = userProject(),
  ): Promise<ProviderProcess> {
    const one = new ProviderProcess(engineAddress, env, folder);
    await until(() => /^\d+\n/m.test(one.output) || one.child.exitCode !== null);
    const port = /^\d+$/m.exec(one.output)?.[0];
    one.client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await one.call("configure", new messages.ConfigureRequest().setArgs(struct(config)));
    return one;
  }

  async check(olds: Props, news: Props) {
    const request = new messages.CheckRequest().setOlds(struct(olds)).setNews(struct(news));
    const answer = await this.call<messages.CheckResponse>("check", request);
    const failures = answer.getFailuresList().map((one) => [one.getProperty(), one.getReason()]);
    return { inputs: answer.getInputs()!.toJavaScript() as Props, failures };
  }

  async diff(id: string, olds: Props, news: Props) {
    const request = new messages.DiffRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const answer = await this.call<messages.DiffResponse>("diff", request);
    const changes = answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
    return { changes, replaces: answer.getReplacesList(), deletesFirst: answer.getDeletebeforereplace() };
  }

  async create(inputs: Props) {
    const request = new messages.CreateRequest().setProperties(struct(inputs));
    const answer = await this.call<messages.CreateResponse>("create", request);
    return { id: answer.getId(), outputs: answer.getProperties()!.toJavaScript() as Props };
  }

  async update(id: string, olds: Props, news: Props): Promise<Props> {
    const request = new messages.UpdateRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    return (await this.call<messages.UpdateResponse>("update", request)).getProperties()!.toJavaScript();
  }

  async read(id: string, props: Props) {
    const request = new messages.ReadRequest().setId(id).setProperties(struct(props));
    const answer = await this.call<messages.ReadResponse>("read", request);
    return { id: answer.getId(), outputs: answer.getProperties()!.toJavaScript() as Props };
  }

  async delete(id: string, props: Props): Promise<void> {
    await this.call("delete", new messages.DeleteRequest().setId(id).setProperties(struct(props)));
  }

  get pid(): number {
    return this.child.pid!;
  }

  /**
   * Closes the engine's connections to this process, as if the engine had been killed, and waits until the process
   * exits.
   */
  async loseEngine(): Promise<void> {
    this.child.stdin!.end();
    await gone(this.child.pid!);
  }

  private call<Answer>(method: string, request: unknown): Promise<Answer> {
    const client = this.client as unknown as Record<string, (request: unknown, done: unknown) => void>;
    return new Promise((resolve, reject) =>
      client[method]!(request, (error: ServiceError | null, answer: Answer) =>
        error ? reject(processFailure(error)) : resolve(answer),
      ),
    );
  }

  async close(): Promise<void> {
    (this.client as unknown as Client | undefined)?.close();
    this.child.kill("SIGKILL");
    await gone(this.child.pid!);
  }
}

function processFailure(error: ServiceError): ProcessFailure {
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (!details) return new ProcessFailure(error.details);
  const status = Status.deserializeBinary(details as Buffer);
  const kept = status
    .getDetailsList()[0]!
    .unpack(
      (bytes) => messages.ErrorResourceInitFailed.deserializeBinary(bytes),
      "pulumirpc.ErrorResourceInitFailed",
    )!;
  return new ProcessFailure(status.getMessage(), {
    id: kept.getId(),
    properties: kept.getProperties()!.toJavaScript(),
    reasons: kept.getReasonsList(),
  });
}

function struct(props: Props): Struct {
  return Struct.fromJavaScript(props as Record<string, JavaScriptValue>);
}
