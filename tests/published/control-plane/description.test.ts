import type { DialectName } from "../../../wire";
import type { Facts } from "../../../tools/published-facts/facts";
import { absences } from "../../../tools/coverage/notes";
import { published } from "../facts/published";
import { answerDifferences, type DescribedOperation, requestDifferences } from "../judge/differences";
import { controlPlaneFacts } from "../judge/documents";
import { type Exceptions, unexplained } from "../judge/exceptions";

/** What the local control plane takes otherwise than published, by the dialect whose document says so. */
const requests: Record<DialectName, Exceptions> = {
  interface: [
    [/ header /, "credentials are a scheme in an OpenAPI document"],
    [/ path \w+: format uuid/, "the IDs that the local control plane makes have this form"],
    [/ query \w+: not published$/, "the public service's, in both dialects"],
    [/^PATCH .* body\.display_name: not published$/, "the public service's, in both dialects"],
    [
      /^POST \/v2\/deployments body\.(name|source|source_config|source_revision_config): required$/,
      "left open; nothing can be made of less",
    ],
    [/ body\.(name|source|secrets\[\]\.name): minLength 1, not none$/, "an empty name names nothing"],
    [/^PATCH .* body\.\w+: nullable$/, "left open; null means unchanged"],
    [/ body\.(secrets|source_\w+\.\w+): nullable$/, "left open; null means that nothing is said"],
    [/ body\.use_agent_builder_public_oauth: missing$/, "hidden from the description, as published"],
  ],
  langsmith: [
    [
      /^GET \/v2\/deployments\/\{deployment_id\}\/logs query \w+: not published$/,
      "known from clients alone; as those of a revision's log",
    ],
    [
      /^GET \/v2\/deployments query agent_(id|environment): not published$/,
      "known from clients alone, which look for an agent's deployment with them",
    ],
    [/^POST \/v2\/deployments body\.agent: not published$/, "known from clients alone; in place of a name"],
    [/^POST \/v2\/deployments body\.name: (nullable|optional)$/, "clients give an agent in its place"],
    [
      /^POST \S+\/upload-url body: not published$/,
      "known from clients alone, which say with it that they send the headers of the answer",
    ],
    [
      / query (cursor|offset): integer, not string$/,
      "opaque text; the local control plane's own are numbers",
    ],
    [
      /^GET \/v2\/auth\/wait\/\{auth_id\} query timeout: maximum 3600, not none$/,
      "a request is not held open indefinitely",
    ],
    [/ query deployment_ids: minItems 1, not none$/, "a query cannot say an empty list"],
    [/deployment_type: value (serverless|dedicated) not published$/, "the newer names, which clients send"],
    [
      /^PATCH \/v2\/deployments\/\{deployment_id\} body\.(name|source): not published$/,
      "may be repeated, as partial forms of a create are",
    ],
    [
      /^PATCH \/v2\/listeners\/\{listener_id\} body\.compute_(id|type): not published$/,
      "may be repeated, not changed",
    ],
    [/ body\.(name|secrets\[\]\.name): minLength 1, not none$/, "an empty name names nothing"],
    [/ body\.use_agent_builder_public_oauth: missing$/, "hidden from the description, as published"],
    [
      /resource_spec\.\w*cpu(_limit)?: maximum none, not (8|16)$/,
      "bounds of the cloud, which no specification reaches",
    ],
    [
      /resource_spec\.\w*memory(_limit)?_mb: minimum 128, not none$/,
      "release notes: steps of 128, from 128 on",
    ],
    [
      /resource_spec\.(\w*_scale|db_storage_gi|db_max_connections): minimum 0, not none$/,
      "there cannot be fewer than none",
    ],
    [
      /resource_spec\.(init_containers|sidecars|volumes|volume_mounts)\[\]\.\w+: missing$/,
      "Kubernetes' own, let through",
    ],
  ],
};

/** What its descriptions say of answers otherwise; what answers really hold is judged by a walk. */
const answers: Exceptions = [
  [
    / (401|403|404|405|409): not published$/,
    "what is refused for credentials, for what is not there and for what is under way",
  ],
  [/^(GET|POST) \S+ 422: not published$/, "documented for every operation"],
  [/^DELETE \S+ (400|422|207): not published$/, "named in the prose of the document"],
  [/^(PATCH|POST) \S+ 400: not published$/, "what validates and cannot be done all the same"],
  [
    / (400|403|404|409): object, not anything$/,
    "the published shape of failures, which operations do not repeat",
  ],
  [/ 422\.detail\[\]\.(ctx|input): missing$/, "optional, and what was sent may be secret"],
  [/ 20\d: (object|string), not anything$/, "not described; a message, or a page"],
  [/ 200\.(logs|items)\[\]: certain fields$/, "lines of a log, as clients read them"],
  [/\.agent: certain fields$/, "as clients read it"],
  [/deployment_type: value (serverless|dedicated) not published$/, "the newer names, which clients send"],
  [
    /resource_spec\.(init_containers|sidecars|volumes|volume_mounts)\[\]\.\w+: missing$/,
    "Kubernetes' own, let through",
  ],
];

/** An answer's description may promise less, and other bounds, than its operation keeps. */
const loose =
  /: (required|optional|nullable|not nullable|any value|any fields|(format|pattern|default|minLength|minimum|maximum) .*)$/;

const documents: Record<DialectName, Facts> = {
  interface: published.interface,
  langsmith: published.controlPlane,
};

describe.each(Object.entries(documents) as [DialectName, Facts][])("%s", (dialect, document) => {
  let here: Facts;
  beforeAll(async () => {
    here = await controlPlaneFacts(dialect);
  });

  test("every published operation is served, but those that are absent for a reason", () => {
    const missing = Object.keys(document.operations).filter((name) => !here.operations[name]);
    expect(missing.filter((name) => !(name in absences))).toEqual([]);
  });

  test("requests are validated as published, but for a few things", () => {
    const found = pairs(here, document).flatMap((pair) => requestDifferences(...pair));
    expect(unexplained(found, requests[dialect])).toEqual([]);
  });
});

test("answers are described with the published fields, but for a few", async () => {
  // The interface document leaves open what else a record holds.
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

/** The operations that both have. */
function pairs(here: Facts, there: Facts): [string, DescribedOperation, DescribedOperation][] {
  return Object.entries(there.operations).flatMap(([name, operation]) => {
    const ours = here.operations[name];
    if (!ours) return [];
    return [[name, { operation: ours, schemas: here.schemas }, { operation, schemas: there.schemas }]];
  });
}
