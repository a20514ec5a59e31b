import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
  type GenerateProgramRequest,
  type GenerateProgramResponse,
  type RunPluginRequest,
  type RunPluginResponse,
  type RunRequest,
  type RunResponse,
  AboutResponse,
  GetProgramDependenciesResponse,
  GetRequiredPackagesResponse,
  GetRequiredPluginsResponse,
  RuntimeOptionsResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { generateProgram } from "./generate-program";
import { runPlugin } from "./run-plugin";
import { runProgram, type HostContext } from "./run-program";

/**
 * Implements the methods of the engine's LanguageRuntime service that programs and policy packs require. gRPC returns
 * UNIMPLEMENTED for all other methods. They are not required, because npm installs dependencies, and `npm run sdks`
 * generates SDKs.
 */
export function languageRuntime(host: HostContext, onCancel: () => void): UntypedServiceImplementation {
  return {
    run: run(host),
    generateProgram: generate(host),
    runPlugin: plugin(host),
    cancel: respondWith(() => {
      onCancel();
      return new Empty();
    }),
    // Programs require no downloads: their only plugin is part of the SDK.
    getRequiredPackages: respondWith(() => new GetRequiredPackagesResponse()),
    getRequiredPlugins: respondWith(() => new GetRequiredPluginsResponse()),
    getPluginInfo: respondWith(() => new PluginInfo()),
    getProgramDependencies: respondWith(() => new GetProgramDependenciesResponse()),
    runtimeOptionsPrompts: respondWith(() => new RuntimeOptionsResponse()),
    about: respondWith(() => new AboutResponse().setExecutable(process.execPath).setVersion(process.version)),
  };
}

function respondWith<Response>(respond: () => Response): handleUnaryCall<unknown, Response> {
  return (_call, callback) => callback(null, respond());
}

function run(host: HostContext): handleUnaryCall<RunRequest, RunResponse> {
  return (call, callback) => {
    const cancelled = new AbortController();
    call.on("cancelled", () => cancelled.abort(new Error("the engine has cancelled the program")));
    runProgram(call.request, host, cancelled.signal).then(
      (response) => callback(null, response),
      (error: unknown) => callback(toGrpcError(error)),
    );
  };
}

function generate(host: HostContext): handleUnaryCall<GenerateProgramRequest, GenerateProgramResponse> {
  return ({ request }, callback) => {
    generateProgram(request, host.language).then(
      (response) => callback(null, response),
      (error: unknown) => callback(toGrpcError(error)),
    );
  };
}

function plugin({ children }: HostContext): handleServerStreamingCall<RunPluginRequest, RunPluginResponse> {
  return (call) => {
    const cancelled = new AbortController();
    call.on("cancelled", () => cancelled.abort(new Error("the engine has cancelled the plugin")));
    const send = (response: RunPluginResponse) =>
      new Promise<void>((resolve) => {
        if (cancelled.signal.aborted || call.write(response)) return resolve();
        call.once("drain", resolve);
        call.once("cancelled", resolve);
      });
    runPlugin(call.request, children, send, cancelled.signal).then(
      () => call.end(),
      (error: unknown) => call.emit("error", toGrpcError(error)),
    );
  };
}

function toGrpcError(error: unknown): { code: status; details: string } {
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}
