import type { Operation } from "../../../tools/published-facts/facts";
import { absences } from "../../../tools/coverage/notes";
import type { ControlPlane } from "../../../emulator/index";
import type { FieldFault, Refused } from "../../emulator/answers";
import { start, stopAll } from "../../emulator/control-plane/client";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { sampleOf, spoiltSamples } from "../judge/samples";

afterAll(stopAll);

const { operations, schemas } = published.controlPlane;
let plane: ControlPlane;

beforeAll(async () => {
  ({ plane } = await start({ dialect: "langsmith" }));
});

/** Values that are accepted although the document does not allow them. */
const taken: Exceptions = [
  [/ tracked_packages/, "sent by one client; nothing is known of what it does"],
  [/resource_spec\.\w*cpu(_limit)? = (9|17)$/, "bounds of the cloud, which no specification reaches"],
  [
    /resource_spec\.(init_containers|sidecars|volumes|volume_mounts)\[\]\.\w+/,
    "Kubernetes' own, let through but for the names and images of containers",
  ],
];

/** True if the status is that of a valid request. */
const validates = (status: number): boolean => status !== 422;

const served = Object.entries(operations).filter(([name]) => !(name in absences));

test("rejects a body with one invalid value, and reports its location", async () => {
  const accepted: string[] = [];
  const seen = new Set<string>();
  for (const [name, { body: shape }] of served)
    for (const { at, with: wrong, value } of shape ? spoiltSamples({ shape, schemas }, seen) : []) {
      const { status, text } = await send(name, value);
      const { detail } = status === 422 ? (JSON.parse(text) as Refused<FieldFault[]>) : { detail: [] };
      const places = detail.map(({ loc }) => placeOf(loc));
      const named = places.some((place) => at === place || at.startsWith(`${place}.`) || place === "");
      if (!named)
        accepted.push(`${name} ${at} = ${wrong}${status === 422 ? ` (named ${places.join(", ")})` : ""}`);
    }
  expect(unexplained(accepted, taken)).toEqual([]);
});

test("rejects an invalid parameter", async () => {
  const accepted: string[] = [];
  for (const [name, operation] of served)
    for (const { in: place, name: key, required, ...shape } of operation.parameters.filter(
      ({ in: one }) => one === "query",
    )) {
      const wrongs = [...spoiltSamples({ shape: { ...shape, nullable: true }, schemas }, new Set())].map(
        ({ value }) => String(value),
      );
      for (const wrong of shape.type === "string" && !shape.enum && !shape.format ? [] : wrongs)
        if (validates((await send(name, undefined, { [key]: wrong })).status))
          accepted.push(`${name} ${place} ${key} = ${wrong}`);
      if (required && validates((await send(name, undefined, { [key]: undefined })).status))
        accepted.push(`${name} ${place} ${key} = nothing`);
    }
  expect(unexplained(accepted, [])).toEqual([]);
});

test.each(["most", "least"] as const)("accepts a body with the %s allowed content", async (measure) => {
  for (const [name, { body: shape }] of served) {
    if (!shape) continue;
    const body = sampleOf({ shape, schemas }, measure);
    const { status } = await send(name, body);
    const { unknownFields } = plane.admin.journal().at(-1)!;
    const guessed = name.startsWith("PATCH /v2/deployments/{deployment_id}") ? ["tracked_packages"] : [];
    expect([name, validates(status), unknownFields.filter((field) => !guessed.includes(field))]).toEqual([
      name,
      true,
      [],
    ]);
  }
});

/** Sends a request with the required parameters of an operation, this body, and this query. */
async function send(name: string, body?: unknown, change: Record<string, string | undefined> = {}) {
  const [method, path] = name.split(" ") as [string, string];
  const { parameters, body: shape } = operations[name] as Operation;
  const sample = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place && (place === "path" || one.required))
        .map((one) => [one.name, [sampleOf({ shape: one, schemas }, "most")].flat().join(",")]),
    );
  const values = sample("path");
  const target = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key]!));
  const query = Object.entries({ ...sample("query"), ...change }).filter(([, value]) => value !== undefined);
  const sent = body === undefined && shape ? sampleOf({ shape, schemas }, "least") : body;
  const url = `${plane.baseUrl}${target}?${new URLSearchParams(query as [string, string][]).toString()}`;
  const answer = await plane.fetch(
    new Request(url, {
      method,
      headers: {
        "x-api-key": plane.apiKey,
        "x-tenant-id": plane.tenantId,
        "content-type": "application/json",
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    }),
  );
  return { status: answer.status, text: await answer.text() };
}

/** Formats a location in the same way as the samples, without list indices. */
function placeOf(loc: readonly unknown[]): string {
  return loc
    .slice(1)
    .map((part) => (typeof part === "number" ? "[]" : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
