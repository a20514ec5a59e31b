import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import {
  ProgramInfo,
  RunPluginRequest,
  type RunPluginResponse,
  RunRequest,
  type RunResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { readJson } from "../../../json";
import { bundleLanguageHost } from "../../../../tools/dev-engine/companions";
import { temporaryFolder } from "../../temporary-folder";
import { gone, until } from "../../waiting";

/** Report of a program about how it was started. */
export interface Started {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
}

const running: Host[] = [];
let bundled: Promise<string> | undefined;

afterEach(async () => {
  for (const host of running.splice(0)) await host.close();
});

/** Installs the language host in a temporary folder, in the same way as in the cache, and returns its path. */
export function hostBinary(): Promise<string> {
  return (bundled ??= (async () => {
    const folder = temporaryFolder();
    await bundleLanguageHost(folder);
    return join(folder, "pulumi-language-nodejs");
  })());
}

/** A running language host, with a client for its service. */
export class Host {
  stdout = "";
  stderr = "";
  client!: LanguageRuntimeClient;

  private constructor(readonly process: ChildProcess) {
    process.stdout!.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    process.stderr!.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    running.push(this);
  }

  /** Starts the host in the same way as the engine: in a separate process group, with a pipe as standard input. */
  static async start(hostArguments = ["127.0.0.1:1"], env: NodeJS.ProcessEnv = {}): Promise<Host> {
    return Host.from(
      spawn(process.execPath, [await hostBinary(), ...hostArguments], {
        detached: true,
        env: { ...process.env, ...env },
      }),
    );
  }

  /** Waits until the process prints its port, and connects to the port. */
  static async from(child: ChildProcess): Promise<Host> {
    const host = new Host(child);
    await until(() => host.stdout.includes("\n") || child.exitCode !== null);
    const port = host.stdout.split("\n")[0];
    host.client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return host;
  }

  /** Standard output of the programs, without the port that the host prints first. */
  get output(): string {
    return this.stdout.slice(this.stdout.indexOf("\n") + 1);
  }

  run(folder: string, adjust: (request: RunRequest) => void = () => undefined): Promise<RunResponse> {
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, response: RunResponse) =>
        error ? reject(error) : resolve(response);
      this.client.run(runRequest(folder, adjust), done);
    });
  }

  async runPlugin(folder: string, adjust: (request: RunPluginRequest) => void = () => undefined) {
    const request = new RunPluginRequest().setPwd("/").setInfo(programInfo(folder)).setKind("resource");
    adjust(request);
    const seen = { stdout: "", stderr: "", exitCode: undefined as number | undefined };
    for await (const message of this.client.runPlugin(request) as AsyncIterable<RunPluginResponse>) {
      seen.stdout += Buffer.from(message.getStdout_asU8()).toString();
      seen.stderr += Buffer.from(message.getStderr_asU8()).toString();
      if (message.hasExitcode()) seen.exitCode = message.getExitcode();
    }
    return seen;
  }

  /** Returns the process IDs that a long-running program has printed. */
  async pids(): Promise<number[]> {
    await until(() => this.output.includes("\n"));
    return readJson<{ pids: number[] }>(this.output).pids;
  }

  /** Resolves with the exit code of the host. */
  async ended(): Promise<number | null> {
    await until(() => this.process.exitCode !== null || this.process.signalCode !== null);
    return this.process.exitCode;
  }

  async close(): Promise<void> {
    (this.client as unknown as Client | undefined)?.close();
    this.process.kill("SIGKILL");
    await gone(this.process.pid!);
  }
}

/** Creates the engine's request to run the program in a folder. */
export function runRequest(
  folder: string,
  adjust: (request: RunRequest) => void = () => undefined,
): RunRequest {
  const request = new RunRequest()
    .setMonitorAddress("127.0.0.1:2")
    .setProject("project")
    .setStack("stack")
    .setOrganization("organization")
    .setParallel(7)
    .setInfo(programInfo(folder));
  adjust(request);
  return request;
}

/** Creates the location of a program, with the options of its project file. */
export function programInfo(folder: string, options: Record<string, JavaScriptValue> = {}): ProgramInfo {
  return new ProgramInfo()
    .setRootDirectory(folder)
    .setProgramDirectory(folder)
    .setEntryPoint(".")
    .setOptions(Struct.fromJavaScript(options));
}
