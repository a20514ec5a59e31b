import { randomUUID } from "node:crypto";
import type { AgentWorld } from "../../provider/agent-world";

/** Kinds whose histories are tested. */
export type SubjectKind = "assistant" | "cron" | "storeItem" | "storeItems" | "thread";

/** A resource with variants that differ in fields that can be changed in place. */
export interface Subject {
  kind: SubjectKind;
  inputs(variant: number): object;
  /** Returns the complete state on the agent server in a readable format. */
  found(): Promise<unknown[]>;
  /** Returns the expected state for a variant. */
  expected(variant: number): unknown[];
  /** Changes the object without Pulumi. */
  changeBehind(): Promise<void>;
  /** Deletes the object without Pulumi. */
  deleteBehind(): Promise<void>;
}

interface Assistant {
  assistant_id: string;
  name: string;
  context: unknown;
  metadata: Record<string, unknown>;
}
interface Cron {
  cron_id: string;
  schedule: string;
  payload: { input: unknown };
  metadata: Record<string, unknown>;
}
interface Item {
  key: string;
  value: unknown;
}
interface Thread {
  thread_id: string;
  metadata: Record<string, unknown>;
}

const schedules = ["0 9 * * *", "30 9 * * *", "0 10 * * 1-5"];

/** Returns a new subject of this kind, with names that are unique in the world. */
export function subjectOf(world: AgentWorld, kind: SubjectKind): Subject {
  const mark = randomUUID();
  const ask = <Answer>(method: string, path: string, body?: object) => world.ask<Answer>(method, path, body);
  const ours = { metadata: { mark } };
  switch (kind) {
    case "assistant": {
      const all = () => ask<Assistant[]>("POST", "/assistants/search", ours);
      return {
        kind,
        inputs: (variant) => ({
          ...world.deployment,
          graph: "agent",
          name: `Name ${variant}`,
          context: { style: variant },
          ...ours,
        }),
        found: async () => (await all()).map(({ name, context }) => ({ name, context })),
        expected: (variant) => [{ name: `Name ${variant}`, context: { style: variant } }],
        changeBehind: async () => {
          for (const { assistant_id: id } of await all())
            await ask("PATCH", `/assistants/${id}`, { name: "Theirs", context: { style: "theirs" } });
        },
        deleteBehind: async () => {
          for (const { assistant_id: id } of await all()) await ask("DELETE", `/assistants/${id}`);
        },
      };
    }
    case "cron": {
      const all = () => ask<Cron[]>("POST", "/runs/crons/search", ours);
      return {
        kind,
        inputs: (variant) => ({
          ...world.deployment,
          assistant: "agent",
          schedule: schedules[variant],
          input: { variant },
          ...ours,
        }),
        found: async () => (await all()).map(({ schedule, payload }) => ({ schedule, input: payload.input })),
        expected: (variant) => [{ schedule: schedules[variant], input: { variant } }],
        changeBehind: async () => {
          for (const { cron_id: id } of await all())
            await ask("PATCH", `/runs/crons/${id}`, { schedule: "1 1 1 1 *" });
        },
        deleteBehind: async () => {
          for (const { cron_id: id } of await all()) await ask("DELETE", `/runs/crons/${id}`);
        },
      };
    }
    case "thread": {
      const all = () => ask<Thread[]>("POST", "/threads/search", ours);
      return {
        kind,
        inputs: (variant) => ({ ...world.deployment, graph: "agent", metadata: { mark, variant } }),
        found: async () => (await all()).map(({ metadata }) => metadata["variant"]),
        expected: (variant) => [variant],
        changeBehind: async () => {
          for (const { thread_id: id } of await all())
            await ask("PATCH", `/threads/${id}`, { metadata: { variant: "theirs" } });
        },
        deleteBehind: async () => {
          for (const { thread_id: id } of await all()) await ask("DELETE", `/threads/${id}`);
        },
      };
    }
    case "storeItem":
    case "storeItems": {
      const namespace = ["model", mark];
      const all = async () =>
        (
          await ask<{ items: Item[] }>("POST", "/store/items/search", {
            namespace_prefix: namespace,
            limit: 100,
          })
        ).items;
      const items = (variant: number): Record<string, object> =>
        kind === "storeItem"
          ? { one: { variant } }
          : { always: { same: true }, one: { variant }, [`only-${variant}`]: { here: true } };
      const common = { ...world.deployment, namespace, adopt: "always" };
      return {
        kind,
        inputs: (variant) =>
          kind === "storeItem"
            ? { ...common, key: "one", value: items(variant)["one"] }
            : { ...common, items: items(variant) },
        found: async () =>
          (await all())
            .map(({ key, value }) => ({ key, value }))
            .sort((one, other) => (one.key < other.key ? -1 : 1)),
        expected: (variant) =>
          Object.entries(items(variant))
            .map(([key, value]) => ({ key, value }))
            .sort((one, other) => (one.key < other.key ? -1 : 1)),
        changeBehind: async () => {
          for (const { key } of await all())
            await ask("PUT", "/store/items", { namespace, key, value: { by: "them" } });
        },
        deleteBehind: async () => {
          for (const { key } of await all()) await ask("DELETE", "/store/items", { namespace, key });
        },
      };
    }
  }
}
