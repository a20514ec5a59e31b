import { coverage } from "../../emulator/gateway/coverage";
import { documentedOperations, furtherOperations } from "../../emulator/gateway/documented-operations";
import { type DialectName, dialectNames } from "../../wire";
import { type ClientName, clientNames, clientOperations } from "./clients";
import { controlPlaneOperations } from "./control-plane-operations";
import { interfaceOperations } from "./interface-operations";
import { absences, differences, noteFor } from "./notes";
import { servedOperations } from "./served";

/** Level of support for an operation. */
export type Verdict =
  | { how: "implemented" }
  | { how: "passed through"; note?: string }
  | { how: "different" | "absent"; note: string };

/** Documented operation and its support. */
export interface Row {
  operation: string;
  /** Documents that describe the operation. */
  documents: string[];
  verdicts: Record<DialectName, Verdict>;
  /** Official clients that send the operation in the tests; only for agent server operations. */
  clients?: ClientName[];
}

/** Group of operations in the coverage document. */
export interface Section {
  title: string;
  rows: Row[];
}

/**
 * Returns all documented operations, each with the level of support in the local control plane and its agent servers.
 */
export async function coverageSections(): Promise<Section[]> {
  const all = Object.values(controlPlaneOperations).flat();
  const served = await servedOperations(all.map(({ operation }) => operation));
  const groups = Object.entries(controlPlaneOperations).map(([title, operations]) => ({
    title: `Control plane: ${title}`,
    rows: operations.map(({ operation, from }) => ({
      operation,
      documents: [
        ...interfaceDocument(interfaceOperations.controlPlane, operation),
        from === "published" ? "public service" : "clients' code",
      ],
      verdicts: forEachDialect((dialect) => assess(operation, dialect, served[dialect])),
    })),
  }));
  const sent = clientOperations();
  const agentServer = [...documentedOperations, ...furtherOperations].map((operation) => ({
    operation,
    documents: [...interfaceDocument(interfaceOperations.agentServer, operation), "public service"],
    verdicts: forEachDialect(() => coverage[operation]),
    clients: clientNames.filter((client) => sent[client]?.includes(operation)),
  }));
  return [...groups, { title: "Agent server", rows: agentServer }];
}

function assess(operation: string, dialect: DialectName, served: ReadonlySet<string>): Verdict {
  if (!served.has(operation)) return { how: "absent", note: noteFor(absences[operation], dialect) ?? "" };
  const note = noteFor(differences[operation], dialect);
  return note === undefined ? { how: "implemented" } : { how: "different", note };
}

function interfaceDocument(operations: readonly string[], operation: string): string[] {
  return operations.includes(operation) ? ["interface"] : [];
}

function forEachDialect(assessment: (dialect: DialectName) => Verdict): Record<DialectName, Verdict> {
  return Object.fromEntries(dialectNames.map((dialect) => [dialect, assessment(dialect)])) as Record<
    DialectName,
    Verdict
  >;
}
