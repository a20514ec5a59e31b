import { type AccessAssumption, judge, notDetermined } from "../assumption";
import { rowsOf, textAt, valueAt } from "../json";
import { table } from "./places";

const deployments = "/v2/deployments";
const unknownId = "00000000-0000-4000-8000-000000000000";

/** Assumptions about credentials, workspaces, lists, and errors that do not require a deployment. */
export const accessAssumptions: readonly AccessAssumption[] = [
  {
    id: "access.description",
    stage: "access",
    sentence:
      "The OpenAPI document identifies the dialect: its create request has the field langgraph_config_path only on the public service.",
    basis: "documented",
    places: [{ file: "provider/control-plane/dialects/detect.ts", text: "export function createHasField" }],
    async probe({ requests, dialect }) {
      const { status, body } = await requests.send("GET", "/openapi.json");
      const isNamed = JSON.stringify(body).includes('"langgraph_config_path"');
      const holds = dialect === "langsmith" ? status === 200 && isNamed : status !== 200 || !isNamed;
      return judge(holds, `status ${status}, the document ${isNamed ? "has" : "does not have"} the field`);
    },
  },
  {
    id: "access.no-key",
    stage: "access",
    sentence: "A request without a key is rejected with 401 or 403.",
    basis: "inferred",
    places: [{ file: "provider/http/answer.ts", text: "401" }],
    async probe({ requests }) {
      const { status } = await requests.send("GET", `${deployments}?limit=1`, {
        headers: { "X-Api-Key": undefined },
      });
      return judge(status === 401 || status === 403, `status ${status}`);
    },
  },
  {
    id: "access.wrong-key",
    stage: "access",
    sentence: "A request with a wrong key is rejected with 401 or 403.",
    basis: "inferred",
    places: [{ file: "provider/http/answer.ts", text: "401" }],
    async probe({ requests }) {
      const { status } = await requests.send("GET", `${deployments}?limit=1`, {
        headers: { "X-Api-Key": "lsv2_pt_conformance_wrong" },
      });
      return judge(status === 401 || status === 403, `status ${status}`);
    },
  },
  {
    id: "access.no-workspace",
    stage: "access",
    sentence: "Every request requires X-Tenant-Id.",
    basis: "documented",
    dialects: ["interface"],
    places: [table("interface", 'tenantHeader: "always"')],
    async probe({ requests }) {
      const { status } = await requests.send("GET", `${deployments}?limit=1`, {
        headers: { "X-Tenant-Id": undefined },
      });
      return judge(status >= 400 && status < 500, `status ${status}`);
    },
  },
  {
    id: "access.key-of-workspace",
    stage: "access",
    sentence:
      "Requests with a workspace key do not require X-Tenant-Id; with an organization key, the server rejects them with 403 and “requires workspace specification”.",
    basis: "clients",
    dialects: ["langsmith"],
    places: [table("langsmith", 'tenantHeader: "organization keys"')],
    async probe({ requests }) {
      const { status, exchange } = await requests.send("GET", `${deployments}?limit=1`, {
        headers: { "X-Tenant-Id": undefined },
      });
      const isOfOrganization = status === 403 && exchange.answer.includes("requires workspace specification");
      return judge(status === 200 || isOfOrganization, `status ${status}`);
    },
  },
  {
    id: "access.list",
    stage: "access",
    sentence: "The list of deployments is an object with the `resources` array, or an array.",
    basis: "documented",
    places: [{ file: "wire/deployment.ts", text: "export const deploymentList" }],
    async probe({ requests }) {
      const { status, body } = await requests.send("GET", `${deployments}?limit=1`);
      const rows = Array.isArray(body) ? body : valueAt(body, "resources");
      return judge(status === 200 && Array.isArray(rows), `status ${status}`);
    },
  },
  {
    id: "access.limit",
    stage: "access",
    sentence: "A page contains at most `limit` rows, and a limit above 100 is rejected with 422.",
    basis: "documented",
    places: [{ file: "provider/http/pages.ts", text: "pageSize" }],
    async probe({ requests }) {
      const { body } = await requests.send("GET", `${deployments}?limit=1`);
      const { status } = await requests.send("GET", `${deployments}?limit=101`);
      const rows = rowsOf(body).length;
      return judge(rows <= 1 && status === 422, `${rows} rows for limit=1, status ${status} for limit=101`);
    },
  },
  {
    id: "access.unknown-deployment",
    stage: "access",
    sentence: "Requests for an unknown deployment return 404.",
    basis: "documented",
    places: [{ file: "provider/control-plane/client/deployments.ts", text: "function isNotFound" }],
    async probe({ requests }) {
      const read = await requests.send("GET", `${deployments}/${unknownId}`);
      const changed = await requests.send("PATCH", `${deployments}/${unknownId}`, { body: {} });
      const deleted = await requests.send("DELETE", `${deployments}/${unknownId}`);
      const statuses = [read.status, changed.status, deleted.status];
      return judge(
        statuses.every((status) => status === 404),
        `statuses ${statuses.join(", ")} for GET, PATCH, DELETE`,
      );
    },
  },
  {
    id: "access.invalid",
    stage: "access",
    sentence: "An invalid create request is rejected with 422 and a list `detail` with loc, msg, and type.",
    basis: "documented",
    places: [{ file: "provider/http/answer.ts", text: "detail" }],
    async probe({ requests, deployments: throwaway }) {
      const name = throwaway.newName();
      const { status, body } = await throwaway.create(name, { name });
      const [first] = rowsOf(valueAt(body, "detail"));
      const holds =
        status === 422 && textAt(first, "msg") !== undefined && valueAt(first, "loc") !== undefined;
      return judge(holds, `status ${status}`, requests.exchanges.slice(-1));
    },
  },
  {
    id: "access.integrations",
    stage: "access",
    sentence: "GET /v1/integrations/github/install returns an array of objects with id and name.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [{ file: "wire/integration.ts", text: "z.object" }],
    async probe({ requests }) {
      const { status, body } = await requests.send("GET", "/v1/integrations/github/install");
      if (status === 404) return notDetermined("status 404: this installation has no GitHub app");
      const isShaped = rowsOf(body).every((row) => textAt(row, "id") && textAt(row, "name"));
      return judge(status === 200 && Array.isArray(body) && isShaped, `status ${status}`);
    },
  },
  {
    id: "access.listeners",
    stage: "access",
    sentence: "GET /v2/listeners returns an object with the `resources` array.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [{ file: "wire/listener.ts", text: "resources" }],
    async probe({ requests }) {
      const { status, body } = await requests.send("GET", "/v2/listeners?limit=1");
      return judge(status === 200 && Array.isArray(valueAt(body, "resources")), `status ${status}`);
    },
  },
];
