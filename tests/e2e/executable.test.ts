import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { version } from "../../package.json";
import { ensureExecutable } from "../../tools/executables/ensure-executable";
import { repositoryRoot } from "../../tools/repository";
import { manifestText } from "../sdk/manifests/manifest-text";
import { writeFile } from "../tools/temporary-folder";
import { agentArgs } from "./programs";
import { World } from "./world";

let executable: string;

beforeAll(async () => {
  executable = await ensureExecutable();
});

test("contains the schema and the version, and exits when its input ends", async () => {
  // The plugin starts without the variables that would let it find this repository.
  const plugin = spawn(executable, { cwd: "/", env: {}, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [plugin.stdout, plugin.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  await once(plugin.stdout, "data");
  expect(output).toMatch(/^\d+\n$/);
  const client = new ResourceProviderClient(`127.0.0.1:${output.trim()}`, credentials.createInsecure());
  try {
    const schema = await new Promise<GetSchemaResponse>((resolve, reject) =>
      client.getSchema(new GetSchemaRequest(), (error, response) =>
        error ? reject(error) : resolve(response),
      ),
    );
    const file = readFileSync(join(repositoryRoot, "schemas", "agentserver.json"), "utf8");
    expect(JSON.parse(schema.getSchema())).toEqual(JSON.parse(file));
    const info = await new Promise<PluginInfo>((resolve, reject) =>
      client.getPluginInfo(new Empty(), (error, response) => (error ? reject(error) : resolve(response))),
    );
    expect(info.getVersion()).toBe(version);
  } finally {
    client.close();
    plugin.stdin.end();
  }
  await once(plugin, "exit");
  expect(output).toMatch(/^\d+\n$/);
});

test("creates, previews, and deletes a deployment as an installed plugin", async () => {
  const world = await World.start();
  try {
    world.admin.steer({ pace: "at once" });
    const stack = await world.stack("installed");
    const plugins = join(world.engineFolder, "home", "plugins", `resource-agentserver-v${version}`);
    mkdirSync(plugins, { recursive: true });
    symlinkSync(executable, join(plugins, basename(executable)));
    stack.program(`
new pulumi.CustomResource("agentserver:index:Deployment", "agent", ${JSON.stringify(agentArgs({ name: "installed" }))});
const remote = true;
new pulumi.ComponentResource("agentserver:index:Workspace", "agents", { manifests: "manifests" }, {}, remote);
`);
    writeFile(join(stack.folder, "manifests", "sales.yaml"), manifestText("", "sales"));
    await stack.config("agentserver:regions", "eu");

    const up = await stack.up();
    expect(up.code === 0 ? "" : up.output).toBe("");
    // The plugin is connected to the log of the engine.
    expect(up.output).toContain("regions is not a setting of this provider. Did you mean region?");
    const created = ["POST /v2/deployments", "POST /v2/deployments"];
    expect(world.writes().map(({ request }) => request)).toEqual(created);
    const preview = await stack.preview("--expect-no-changes");
    expect(preview.code === 0 ? "" : preview.output).toBe("");
    const destroy = await stack.destroy();
    expect(destroy.code === 0 ? "" : destroy.output).toBe("");
    expect(await world.deployments()).toEqual([]);
  } finally {
    await world.end();
  }
});
