import { kinds, type KindName } from "../../../provider/kinds";
import { systemClock } from "../../../provider/clock";
import type { Props } from "../../../provider/resource/inputs/values";
import { SessionPool } from "../../../provider/session/session-pool";
import { RecordedLog } from "../recorded-log";
import type { Provider } from "../stack";
import { providerOf } from "../test-host";

const all = Object.keys(kinds).filter((name) => name !== "provider") as Exclude<KindName, "provider">[];

const id = "6b1c3d4e-0000-4000-8000-000000000001";
const common = {
  // There is no server at this URL, so a request would fail with a different error.
  connection: { url: "http://127.0.0.1:9" },
  ownerId: "owner-1",
  __provider: "p",
  __call: { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:It::it" },
};

function hostOf(kind: (typeof all)[number]): Provider {
  const env = {
    AGENTSERVER_BASE_URL: "http://127.0.0.1:9",
    AGENTSERVER_API_KEY: "key",
    AGENTSERVER_TENANT_ID: "t",
  };
  const sessions = new SessionPool({ env, clock: systemClock, random: () => 0.5 });
  const host = providerOf(kinds[kind](), { log: new RecordedLog(), sessions });
  void host.configure({ config: { get: () => undefined } as never });
  return host;
}

/** Calls that read the state. Each change begins with `diff`. */
const calls: [string, (host: Provider, state: Props) => Promise<unknown>][] = [
  ["diff", (host, state) => host.diff(id, state, { ...common })],
  ["read", (host, state) => host.read(id, state)],
  ["delete", (host, state) => host.delete(id, state)],
];

describe.each(all)("the state of a resource (%s)", (kind) => {
  test.each(calls)(
    "is rejected by %s before any request if a newer release wrote it",
    async (_what, call) => {
      const state = { ...common, schemaVersion: 99 };
      await expect(call(hostOf(kind), state)).rejects.toThrow(
        /was written by a newer release of pulumi-agentserver \(state version 99/,
      );
    },
  );

  test.each(calls)("is rejected by %s before any request if it is damaged", async (_what, call) => {
    const state = { ...common, schemaVersion: "one", ownerId: 7 };
    await expect(call(hostOf(kind), state)).rejects.toThrow(/state/);
    await expect(call(hostOf(kind), state)).rejects.not.toThrow(/ECONNREFUSED|could not be reached/);
  });
});
