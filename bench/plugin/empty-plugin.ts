import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the executable of a provider plugin that has the same schema but does nothing: it accepts all inputs and finds
 * no changes.
 *
 * @param folder folder from which `@pulumi/pulumi` and `pulumi-agentserver` can be loaded
 * @returns the folder of the executable
 */
export function writeEmptyPlugin(folder: string): string {
  const target = join(folder, "empty-plugin");
  mkdirSync(target);
  const executable = join(target, "pulumi-resource-agentserver");
  writeFileSync(
    executable,
    `#!/usr/bin/env node
const { createRequire } = require("node:module");
const ofPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = ofPulumi("@grpc/grpc-js");
const proto = ofPulumi("@pulumi/pulumi/proto/provider_pb");
const { PluginInfo } = ofPulumi("@pulumi/pulumi/proto/plugin_pb");
const { Empty } = ofPulumi("google-protobuf/google/protobuf/empty_pb.js");
const { ResourceProviderService } = ofPulumi("@pulumi/pulumi/proto/provider_grpc_pb");
const { version } = require("pulumi-agentserver/package.json");
const unary = (work) => (call, respond) => respond(null, work(call.request));
const server = new grpc.Server();
server.addService(ResourceProviderService, {
  handshake: unary(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptOutputs(true)),
  getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
  getSchema: unary(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(require("pulumi-agentserver/schemas/agentserver.json")))),
  checkConfig: unary((request) => new proto.CheckResponse().setInputs(request.getNews())),
  diffConfig: unary(() => new proto.DiffResponse()),
  configure: unary(() => new proto.ConfigureResponse().setAcceptsecrets(true).setAcceptoutputs(true).setSupportspreview(true)),
  check: unary((request) => new proto.CheckResponse().setInputs(request.getNews())),
  diff: unary(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
  cancel: unary(() => new Empty()),
  attach: unary(() => new Empty()),
  getMapping: unary(() => new proto.GetMappingResponse()),
  getMappings: unary(() => new proto.GetMappingsResponse()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(port + "\\n");
});
process.stdin.on("end", () => process.exit()).resume();
`,
  );
  chmodSync(executable, 0o755);
  return target;
}
