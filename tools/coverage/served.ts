import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { type DialectName, dialectNames } from "../../wire";

/** Returns the operations that a local control plane serves in each dialect. */
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
    const described = await describedOperations(plane);
    const served = new Set<string>();
    for (const operation of operations)
      if (described.has(withoutParameterNames(operation)) || (await responds(plane, operation)))
        served.add(operation);
    return served;
  } finally {
    await plane.close();
  }
}

async function describedOperations(plane: ControlPlane): Promise<Set<string>> {
  const response = await plane.fetch(new Request(`${plane.baseUrl}/openapi.json`));
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => withoutParameterNames(`${method.toUpperCase()} ${path}`)),
    ),
  );
}

/** True if the control plane serves an operation. Its OpenAPI document omits some operations, such as aliases. */
async function responds(plane: ControlPlane, operation: string): Promise<boolean> {
  const [method, path] = operation.split(" ") as [string, string];
  const url = plane.baseUrl + path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
  const headers = { "X-Api-Key": plane.apiKey, "X-Tenant-Id": plane.tenantId };
  const response = await plane.fetch(new Request(url, { method, headers }));
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown };
  return response.status !== 405 && detail !== "Not Found";
}

/** Removes the parameter names from an operation. */
function withoutParameterNames(operation: string): string {
  return operation.replaceAll(/\{\w+\}/g, "{}");
}
