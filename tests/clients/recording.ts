import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import {
  type ClientName,
  clientNames,
  clientOperations,
  clientOperationsFile,
} from "../../tools/coverage/clients";
import { withLock } from "../../tools/lock.cjs";
import { documentedOperation, isDocumented } from "./documented-operation";

const arrival = "http.server.request.start";

/**
 * Starts to record the requests to the agent servers of this process. Returns a function that stops and returns the
 * requests.
 */
export function record(): () => string[] {
  const seen = new Set<string>();
  const note = (message: unknown) => {
    const { method = "", url = "" } = (message as { request: IncomingMessage }).request;
    const path = /\/agents\/[^/]+(\/[^?]*)/.exec(url)?.[1];
    if (path !== undefined) seen.add(documentedOperation(method, path));
  };
  subscribe(arrival, note);
  return () => {
    unsubscribe(arrival, note);
    return [...seen].sort();
  };
}

const keeps = process.env.AGENTSERVER_KEEP_OPERATIONS === "1";

const toUpdate = "AGENTSERVER_KEEP_OPERATIONS=1 npm test -- tests/clients && npm run coverage";

/**
 * Compares the requests of a client with the recorded operations that docs/coverage.md is generated from. Records them
 * first if `AGENTSERVER_KEEP_OPERATIONS=1` is set.
 */
export async function expectOperations(client: ClientName, recorded: string[]): Promise<void> {
  if (keeps) await withLock(`${clientOperationsFile}.lock`, async () => keep(client, recorded));
  const written = clientOperations()[client] ?? [];
  const sent = {
    undocumented: recorded.filter((operation) => !isDocumented(operation)),
    notWrittenDown: recorded.filter((operation) => !written.includes(operation)),
    noLonger: written.filter((operation) => !recorded.includes(operation)),
  };
  expect({ client, ...sent, toUpdate }).toEqual({
    client,
    undocumented: [],
    notWrittenDown: [],
    noLonger: [],
    toUpdate,
  });
}

function keep(client: ClientName, recorded: string[]): void {
  const all = { ...clientOperations(), [client]: recorded };
  const ordered = Object.fromEntries(clientNames.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  writeFileSync(clientOperationsFile, `${JSON.stringify(ordered, null, 2)}\n`);
}
