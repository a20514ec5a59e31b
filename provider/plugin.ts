#!/usr/bin/env node
import { systemClock } from "./clock";
import { backendId } from "./engine/backend";
import { engineLog } from "./engine/log";
import { endWithInput } from "./engine/watch";
import { PluginHost } from "./hosts/plugin/host";
import { servePlugin } from "./hosts/plugin/server";
import { type KindName, kinds } from "./kinds";
import type { PlacedKind } from "./resource/kind";
import { type TypeName, typeNameOf } from "./resource/ownership/type-token";
import { SessionPool } from "./session/session-pool";

const { argv, env } = process;
const workingFolder = process.cwd();

/* eslint-disable @typescript-eslint/no-require-imports -- The compiler would copy imported files into `dist`. */
const { version } = require("pulumi-agentserver/package.json") as { version: string };
const schema = () => JSON.stringify(require("pulumi-agentserver/schemas/agentserver.json"));
/* eslint-enable @typescript-eslint/no-require-imports */

/** Names of the kinds by resource type. */
const kindNames: Readonly<Record<TypeName, KindName>> = {
  Assistant: "assistant",
  Cron: "cron",
  Deployment: "provider",
  Listener: "listener",
  Run: "run",
  StoreItem: "storeItem",
  StoreItems: "storeItems",
  Thread: "thread",
};

function kindOf(type: string): PlacedKind | undefined {
  const name = typeNameOf(type);
  return name && kinds[kindNames[name]](env);
}

/** Starts the provider plugin and prints its port, which is all that the engine expects on standard output. */
async function main(): Promise<void> {
  endWithInput(process);
  // Child processes, such as git, must not get the user's token.
  delete env["PULUMI_ACCESS_TOKEN"];
  const host = new PluginHost({
    kindOf,
    sessions: new SessionPool({ env, clock: systemClock, random: Math.random }),
    log: engineLog(argv),
    workingFolder,
    backend: backendId({ env, root: workingFolder }),
    schema,
  });
  const { port } = await servePlugin(host, version);
  process.stdout.write(`${port}\n`);
}

void main();
