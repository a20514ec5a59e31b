import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { type DialectName, dialectNames } from "../../wire";

/** Those of the operations that a local control plane really serves in each dialect. */
export async function servedOperations(
  operations: readonly string[],
): Promise<Record<DialectName, Set<string>>> {
  const all = await Promise.all(
    dialectNames.map(async (dialect) => [dialect, await servedIn(dialect, operations)] as const),
  );
  return Object.fromEntries(all) as Record<DialectName, Set<string>>;
}

async function servedIn(dialect: DialectName, operations: readonly string[]): Promise<Set<string>> {
  const plane = await startControlPlane({ dialect });
  try {
    const described = await describedBy(plane);
    const served = new Set<string>();
    for (const operation of operations)
      if (described.has(anonymous(operation)) || (await answers(plane, operation))) served.add(operation);
    return served;
  } finally {
    await plane.close();
  }
}

async function describedBy(plane: ControlPlane): Promise<Set<string>> {
  const answer = await plane.fetch(new Request(`${plane.baseUrl}/openapi.json`));
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => anonymous(`${method.toUpperCase()} ${path}`)),
    ),
  );
}

/** Whether there is a route that the description leaves out, such as the second of two names. */
async function answers(plane: ControlPlane, operation: string): Promise<boolean> {
  const [method, path] = operation.split(" ") as [string, string];
  const url = plane.baseUrl + path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
  const headers = { "X-Api-Key": plane.apiKey, "X-Tenant-Id": plane.tenantId };
  const answer = await plane.fetch(new Request(url, { method, headers }));
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: unknown };
  return answer.status !== 405 && detail !== "Not Found";
}

/** The operation whatever its parameters are called. */
function anonymous(operation: string): string {
  return operation.replaceAll(/\{\w+\}/g, "{}");
}
