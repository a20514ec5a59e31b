import "./engine/watched-process";
import { systemClock } from "./clock";
import { DynamicHost } from "./hosts/dynamic/host";
import { type KindName, kinds } from "./kinds";
import { SessionPool } from "./session/session-pool";

const { env, argv } = process;
const workingFolder = process.cwd();
const sessions = new SessionPool({ env, clock: systemClock, random: Math.random });
const hosts = new Map<KindName, DynamicHost>();

function hostOf(name: KindName): DynamicHost {
  const known = hosts.get(name);
  if (known) return known;
  const host = new DynamicHost(kinds[name](env), { argv, sessions, workingFolder });
  hosts.set(name, host);
  return host;
}

/** Providers, keyed by the names that `__provider` refers to in state. */
export = Object.defineProperties(
  {},
  Object.fromEntries(
    (Object.keys(kinds) as KindName[]).map((name) => [name, { enumerable: true, get: () => hostOf(name) }]),
  ),
) as Readonly<Record<KindName, DynamicHost>>;
