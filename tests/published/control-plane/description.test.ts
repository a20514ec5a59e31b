import type { DialectName } from "../../../wire";
import type { Facts } from "../../../tools/published-facts/facts";
import { absences } from "../../../tools/coverage/notes";
import { published } from "../facts/published";
import { answerDifferences, type DescribedOperation, requestDifferences } from "../judge/differences";
import { controlPlaneFacts } from "../judge/documents";
import { type Exceptions, unexplained } from "../judge/exceptions";

/** Differences between the requests that the local control plane accepts and the published requests, by dialect. */
const requests: Record<DialectName, Exceptions> = {
  interface: [
    [/ header /, "credentials are a scheme in an OpenAPI document"],
    [/ path \w+: format uuid/, "the IDs that the local control plane makes have this form"],
    [/ query \w+: not published$/, "the public service's, in both dialects"],
    [/^PATCH .* body\.display_name: not published$/, "the public service's, in both dialects"],
    [
      /^POST \/v2\/deployments body\.(name|source|source_config|source_revision_config): required$/,
      "not specified, but required in practice",
    ],
    [/ body\.(name|source|secrets\[\]\.name): minLength 1, not none$/, "an empty name names nothing"],
    [/^PATCH .* body\.\w+: nullable$/, "left open; null means unchanged"],
    [/ body\.(secrets|source_\w+\.\w+): nullable$/, "left open; null means that nothing is said"],
    [/ body\.use_agent_builder_public_oauth: missing$/, "hidden from the description, as published"],
  ],
  langsmith: [
    [
      /^GET \/v2\/deployments\/\{deployment_id\}\/logs query \w+: not published$/,
      "known only from clients; the same as for a revision's log",
    ],
    [
      /^GET \/v2\/deployments query agent_(id|environment): not published$/,
      "known only from clients, which find an agent's deployment with them",
    ],
    [/^POST \/v2\/deployments body\.agent: not published$/, "known only from clients; replaces the name"],
    [/^POST \/v2\/deployments body\.name: (nullable|optional)$/, "clients give an agent in its place"],
    [
      /^POST \S+\/upload-url body: not published$/,
      "known only from clients, which use it to announce that they send the returned headers",
    ],
    [/ query (cursor|offset): integer, not string$/, "opaque text; a number in the local control plane"],
    [
      /^GET \/v2\/auth\/wait\/\{auth_id\} query timeout: maximum 3600, not none$/,
      "a request is not held open indefinitely",
    ],
    [/ query deployment_ids: minItems 1, not none$/, "a query cannot say an empty list"],
    [/deployment_type: value (serverless|dedicated) not published$/, "the newer names, which clients send"],
    [
      /^PATCH \/v2\/deployments\/\{deployment_id\} body\.(name|source): not published$/,
      "may be repeated like the partial forms of a create",
    ],
    [
      /^PATCH \/v2\/listeners\/\{listener_id\} body\.compute_(id|type): not published$/,
      "must match the current value",
    ],
    [/ body\.(name|secrets\[\]\.name): minLength 1, not none$/, "an empty name names nothing"],
    [/ body\.use_agent_builder_public_oauth: missing$/, "hidden from the description, as published"],
    [
      /resource_spec\.\w*cpu(_limit)?: maximum none, not (8|16)$/,
      "limits of the public service, which do not apply to resource specifications",
    ],
    [
      /resource_spec\.\w*memory(_limit)?_mb: minimum 128, not none$/,
      "release notes: steps of 128, from 128 on",
    ],
    [
      /resource_spec\.(\w*_scale|db_storage_gi|db_max_connections): minimum 0, not none$/,
      "cannot be negative",
    ],
    [
      /resource_spec\.(init_containers|sidecars|volumes|volume_mounts)\[\]\.\w+: missing$/,
      "Kubernetes' own, let through",
    ],
  ],
};

/** Differences between the documented responses and the published responses. A walk checks the actual responses. */
const answers: Exceptions = [
  [
    / (401|403|404|405|409): not published$/,
    "errors for credentials, missing objects and operations in progress",
  ],
  [/^(GET|POST) \S+ 422: not published$/, "documented for every operation"],
  [/^DELETE \S+ (400|422|207): not published$/, "named in the prose of the document"],
  [/^(PATCH|POST) \S+ 400: not published$/, "valid requests that cannot be processed"],
  [/ (400|403|404|409): object, not anything$/, "the published error format, which operations do not repeat"],
  [/ 422\.detail\[\]\.(ctx|input): missing$/, "optional, and the sent value may be secret"],
  [/ 20\d: (object|string), not anything$/, "not described; a message, or a page"],
  [/ 200\.(logs|items)\[\]: certain fields$/, "lines of a log, as clients read them"],
  [/\.agent: certain fields$/, "as clients read it"],
  [/deployment_type: value (serverless|dedicated) not published$/, "the newer names, which clients send"],
  [
    /resource_spec\.(init_containers|sidecars|volumes|volume_mounts)\[\]\.\w+: missing$/,
    "Kubernetes' own, let through",
  ],
];

/**
 * Matches differences that are allowed: the description of a response may guarantee less than the operation
 * returns, and may have different limits.
 */
const loose =
  /: (required|optional|nullable|not nullable|any value|any fields|(format|pattern|default|minLength|minimum|maximum) .*)$/;

const documents: Record<DialectName, Facts> = {
  interface: published.interface,
  langsmith: published.controlPlane,
};

describe.each(Object.entries(documents) as [DialectName, Facts][])(
  "in the %s dialect",
  (dialect, document) => {
    let here: Facts;
    beforeAll(async () => {
      here = await controlPlaneFacts(dialect);
    });

    test("serves every published operation, except those with a documented reason", () => {
      const missing = Object.keys(document.operations).filter((name) => !here.operations[name]);
      expect(missing.filter((name) => !(name in absences))).toEqual([]);
    });

    test("validates requests as published, with a few exceptions", () => {
      const found = pairs(here, document).flatMap((pair) => requestDifferences(...pair));
      expect(unexplained(found, requests[dialect])).toEqual([]);
    });
  },
);

test("describes responses with the published fields, with a few exceptions", async () => {
  // The interface document does not specify all fields of a record, so only the other dialect is compared.
  const found = pairs(await controlPlaneFacts("langsmith"), published.controlPlane).flatMap((pair) =>
    answerDifferences(...pair),
  );
  expect(
    unexplained(
      found.filter((line) => !loose.test(line)),
      answers,
    ),
  ).toEqual([]);
});

/** Returns the operations that both the local document and the published document contain. */
function pairs(here: Facts, there: Facts): [string, DescribedOperation, DescribedOperation][] {
  return Object.entries(there.operations).flatMap(([name, operation]) => {
    const ours = here.operations[name];
    if (!ours) return [];
    return [[name, { operation: ours, schemas: here.schemas }, { operation, schemas: there.schemas }]];
  });
}
