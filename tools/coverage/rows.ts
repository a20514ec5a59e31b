import { coverage } from "../../emulator/gateway/coverage";
import { documentedOperations, furtherOperations } from "../../emulator/gateway/documented-operations";
import { type DialectName, dialectNames } from "../../wire";
import { type ClientName, clientNames, clientOperations } from "./clients";
import { controlPlaneOperations } from "./control-plane-operations";
import { interfaceOperations } from "./interface-operations";
import { absences, differences, noteFor } from "./notes";
import { servedOperations } from "./served";

/** How far an operation is there. */
export type Verdict =
  | { how: "implemented" }
  | { how: "passed through"; note?: string }
  | { how: "different" | "absent"; note: string };

/** One documented operation. */
export interface Row {
  operation: string;
  /** Where it is documented. */
  documents: string[];
  verdicts: Record<DialectName, Verdict>;
  /** The official clients that send it in the tests; only operations of the agent server have any. */
  clients?: ClientName[];
}

/** The rows of one group of operations. */
export interface Section {
  title: string;
  rows: Row[];
}

/** Every documented operation with what the local control plane and its agent servers make of it. */
export async function coverageSections(): Promise<Section[]> {
  const all = Object.values(controlPlaneOperations).flat();
  const served = await servedOperations(all.map(({ operation }) => operation));
  const groups = Object.entries(controlPlaneOperations).map(([title, operations]) => ({
    title: `Control plane: ${title}`,
    rows: operations.map(({ operation, from }) => ({
      operation,
      documents: [
        ...named(interfaceOperations.controlPlane, operation),
        from === "published" ? "public service" : "clients' code",
      ],
      verdicts: forEach((dialect) => judge(operation, dialect, served[dialect])),
    })),
  }));
  const sent = clientOperations();
  const agentServer = [...documentedOperations, ...furtherOperations].map((operation) => ({
    operation,
    documents: [...named(interfaceOperations.agentServer, operation), "public service"],
    verdicts: forEach(() => coverage[operation]),
    clients: clientNames.filter((client) => sent[client]?.includes(operation)),
  }));
  return [...groups, { title: "Agent server", rows: agentServer }];
}

function judge(operation: string, dialect: DialectName, served: ReadonlySet<string>): Verdict {
  if (!served.has(operation)) return { how: "absent", note: noteFor(absences[operation], dialect) ?? "" };
  const note = noteFor(differences[operation], dialect);
  return note === undefined ? { how: "implemented" } : { how: "different", note };
}

function named(operations: readonly string[], operation: string): string[] {
  return operations.includes(operation) ? ["interface"] : [];
}

function forEach(judgement: (dialect: DialectName) => Verdict): Record<DialectName, Verdict> {
  return Object.fromEntries(dialectNames.map((dialect) => [dialect, judgement(dialect)])) as Record<
    DialectName,
    Verdict
  >;
}
