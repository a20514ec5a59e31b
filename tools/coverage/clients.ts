import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Official clients that the tests run against real agents. */
export const clientNames = [
  "JS SDK",
  "Python SDK",
  "RemoteGraph JS",
  "RemoteGraph Python",
  "MCP JS",
  "MCP Python",
  "A2A JS",
  "A2A Python",
] as const;

export type ClientName = (typeof clientNames)[number];

/** File that records the operations that each client sends. */
export const clientOperationsFile = join(repositoryRoot, "tests", "clients", "operations.json");

/** Reads which documented operations each client sends in the tests. */
export function clientOperations(): Partial<Record<ClientName, string[]>> {
  return JSON.parse(readFileSync(clientOperationsFile, "utf8")) as Partial<Record<ClientName, string[]>>;
}
