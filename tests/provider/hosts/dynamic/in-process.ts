import { systemClock } from "../../../../emulator/index";
import type { Props } from "../../../../provider/resource/inputs/values";
import { agent, World } from "../../world";
import { Engine } from "./engine";
import { ProviderProcess } from "./provider-process";

export const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";
export const text = 'exports.handler = () => require("pulumi-agentserver/provider").provider;';
export const program: Props = { ...agent(), __provider: text, __call: { urn } };

/** Starts the engine's process for dynamic providers, and a control plane on which rollouts end at the first poll. */
export async function start(env: NodeJS.ProcessEnv = {}, answers = true) {
  const world = await World.start({ clock: systemClock });
  world.admin.steer({ pace: { afterReads: 1 } });
  const engine = await Engine.start(answers);
  const provider = await ProviderProcess.start(engine.address, { ...world.environment, ...env });
  return { world, engine, provider };
}
