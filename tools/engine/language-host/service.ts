import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
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
import { runPlugin } from "./run-plugin";
import { runProgram, type Surroundings } from "./run-program";

/**
 * The methods of the engine's LanguageRuntime service that running programs and policy packs needs. gRPC answers
 * UNIMPLEMENTED to all others: installing dependencies and generating code are left to npm and to the official host.
 */
export function languageRuntime(
  surroundings: Surroundings,
  onCancel: () => void,
): UntypedServiceImplementation {
  return {
    run: run(surroundings),
    runPlugin: plugin(surroundings),
    cancel: answer(() => {
      onCancel();
      return new Empty();
    }),
    // Nothing is ever downloaded for a program: the only plugin it needs ships with its SDK.
    getRequiredPackages: answer(() => new GetRequiredPackagesResponse()),
    getRequiredPlugins: answer(() => new GetRequiredPluginsResponse()),
    getPluginInfo: answer(() => new PluginInfo()),
    getProgramDependencies: answer(() => new GetProgramDependenciesResponse()),
    runtimeOptionsPrompts: answer(() => new RuntimeOptionsResponse()),
    about: answer(() => new AboutResponse().setExecutable(process.execPath).setVersion(process.version)),
  };
}

function answer<Response>(respond: () => Response): handleUnaryCall<unknown, Response> {
  return (_call, callback) => callback(null, respond());
}

function run(surroundings: Surroundings): handleUnaryCall<RunRequest, RunResponse> {
  return (call, callback) => {
    const cancelled = new AbortController();
    call.on("cancelled", () => cancelled.abort(new Error("the engine has cancelled the program")));
    runProgram(call.request, surroundings, cancelled.signal).then(
      (response) => callback(null, response),
      (error: unknown) => callback(failed(error)),
    );
  };
}

function plugin({ children }: Surroundings): handleServerStreamingCall<RunPluginRequest, RunPluginResponse> {
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
      (error: unknown) => call.emit("error", failed(error)),
    );
  };
}

function failed(error: unknown): { code: status; details: string } {
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}
