import "./engine/watched-process";
import { systemClock } from "./clock";
import { DynamicHost } from "./hosts/dynamic/host";
import { kindsIn } from "./kinds";
import { Sessions } from "./sessions";

const { env, argv } = process;
const workingFolder = process.cwd();
const kinds = kindsIn(env);
const sessions = new Sessions({ env, clock: systemClock, random: Math.random });

/** The providers that `__provider` in the states of stacks names. */
export = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [
    name,
    new DynamicHost(kind, { argv, sessions, workingFolder }),
  ]),
) as Record<keyof typeof kinds, DynamicHost>;
