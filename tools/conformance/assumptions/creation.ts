import { type DeploymentAssumption, judge } from "../assumption";
import { rowsOf, textAt, valueAt } from "../json";
import { rule, table } from "./places";

const withFirstRevision = ["github", "external_docker"] as const;
const withoutRevision = ["internal_source", "internal_docker"] as const;

/** Assumptions about the request that creates a deployment, probed immediately after that request. */
export const creationAssumptions: readonly DeploymentAssumption[] = [
  {
    id: "creation.answer",
    stage: "created",
    sentence: "The create request returns 201 and a record that contains the ID and the name.",
    basis: "documented",
    places: [{ file: "provider/control-plane/client/deployments.ts", text: "create(body" }],
    probe: (_, { creation, name }) =>
      judge(creation.status === 201 && textAt(creation.body, "name") === name, `status ${creation.status}`, [
        creation.exchange,
      ]),
  },
  {
    id: "creation.first-revision",
    stage: "created",
    sources: withFirstRevision,
    sentence: "The create request creates the first revision, and latest_revision_id is its ID.",
    basis: "documented",
    places: [table("langsmith", "firstRevision: true"), table("interface", "firstRevision: true")],
    async probe({ requests }, { creation, path }) {
      const { body } = await requests.send("GET", `${path}/revisions?limit=100`);
      const ids = rowsOf(body).map((row) => textAt(row, "id"));
      const latest = textAt(creation.body, "latest_revision_id");
      return judge(ids.length === 1 && ids[0] === latest, `${ids.length} revisions`, [creation.exchange]);
    },
  },
  {
    id: "creation.no-revision",
    stage: "created",
    sources: withoutRevision,
    sentence: "The create request creates no revision; a later PATCH creates the first one.",
    basis: "clients",
    places: [table("langsmith", "firstRevision: false"), rule("internal_source: {")],
    async probe({ requests }, { creation, path }) {
      const { body } = await requests.send("GET", `${path}/revisions?limit=100`);
      const latest = valueAt(creation.body, "latest_revision_id") ?? null;
      const { length } = rowsOf(body);
      return judge(latest === null && length === 0, `${length} revisions`, [creation.exchange]);
    },
  },
  {
    id: "creation.duplicate-name",
    stage: "created",
    sentence: "A second create request with the same name is rejected with 409.",
    basis: "documented",
    places: [{ file: "provider/control-plane/name-lookup.ts", text: "export" }],
    async probe({ deployments }, { name, sent }) {
      const { status } = await deployments.create(name, sent);
      return judge(status === 409, `status ${status}`);
    },
  },
  {
    id: "creation.secrets-required",
    stage: "created",
    sentence: "A create request without `secrets` is rejected with 422.",
    basis: "clients",
    dialects: ["langsmith"],
    places: [table("langsmith", "requiredOnCreate:")],
    async probe({ deployments }, { sent }) {
      const name = deployments.newName();
      const { secrets: _, ...rest } = sent;
      const { status } = await deployments.create(name, { ...rest, name });
      return judge(status === 422, `status ${status}`);
    },
  },
  {
    id: "creation.record",
    stage: "created",
    sentence:
      "The record has the name, source, source_config, source_revision_config, and status that were sent or set.",
    basis: "documented",
    places: [{ file: "wire/deployment.ts", text: "export const deploymentRecord" }],
    async probe({ requests }, { path, name, source }) {
      const { status, body } = await requests.send("GET", path);
      const missing = ["source_config", "source_revision_config", "status"].filter(
        (field) => (valueAt(body, field) ?? undefined) === undefined,
      );
      const holds =
        status === 200 &&
        textAt(body, "name") === name &&
        textAt(body, "source") === source &&
        missing.length === 0;
      return judge(holds, missing.length > 0 ? `missing: ${missing.join(", ")}` : `status ${status}`);
    },
  },
  {
    id: "creation.name-filter",
    stage: "created",
    sentence: "name_contains lists the deployments whose names contain a text, and no others.",
    basis: "documented",
    places: [{ file: "provider/control-plane/client/deployments.ts", text: "name_contains: name" }],
    async probe({ requests }, { name, id }) {
      const { body } = await requests.send("GET", `/v2/deployments?limit=100&name_contains=${name.slice(3)}`);
      const other = await requests.send("GET", `/v2/deployments?limit=100&name_contains=${name}-none`);
      const ids = rowsOf(body).map((row) => textAt(row, "id"));
      const others = rowsOf(other.body).length;
      return judge(ids.length === 1 && ids[0] === id && others === 0, `${ids.length} and ${others} rows`);
    },
  },
  {
    id: "creation.pages",
    stage: "created",
    sentence: "`offset` skips rows, so that a page after the last row is empty.",
    basis: "documented",
    places: [{ file: "provider/http/pages.ts", text: "export async function* pagesOf" }],
    async probe({ requests }, { name }) {
      const query = `/v2/deployments?limit=1&name_contains=${name}`;
      const first = rowsOf((await requests.send("GET", `${query}&offset=0`)).body).length;
      const second = rowsOf((await requests.send("GET", `${query}&offset=1`)).body).length;
      return judge(first === 1 && second === 0, `${first} and ${second} rows`);
    },
  },
];
