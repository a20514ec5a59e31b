import "./engine/watched-process";
import { systemClock } from "./clock";
import { DynamicHost } from "./hosts/dynamic/host";
import { kinds } from "./kinds";
import { gitReader } from "./repository/git-reader";

const { env, argv } = process;
const host = { env, argv, clock: systemClock, random: Math.random, checks: { repositories: gitReader(env) } };

/** The providers that `__provider` in the states of stacks names. */
export = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, new DynamicHost(kind, host)]),
) as Record<keyof typeof kinds, DynamicHost>;
