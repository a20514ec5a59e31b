import { type AccessAssumption, judge, notDetermined } from "../assumption";
import { rowsOf, textAt, valueAt } from "../json";
import { table } from "./places";

/**
 * Assumptions about deployments that are identified by an agent and an environment. Their probes create a deployment
 * without revisions.
 */
export const identityAssumptions: readonly AccessAssumption[] = [
  {
    id: "identity.agent",
    stage: "access",
    sentence:
      "A create request can contain `agent` instead of a name. The server chooses the name, lists the deployment by agent_id and agent_environment, and rejects a second one with 409.",
    basis: "clients",
    dialects: ["langsmith"],
    places: [
      table("langsmith", '"agent"'),
      { file: "provider/control-plane/client/deployments.ts", text: "async findByAgent" },
    ],
    async probe({ requests, deployments }) {
      const agentId = deployments.newName();
      const body = {
        agent: { agent_id: agentId, environment: "development" },
        source: "internal_docker",
        source_config: {},
        source_revision_config: {},
        secrets: [],
      };
      const created = await deployments.create(agentId, body);
      const id = textAt(created.body, "id");
      // A self-hosted installation may not have this source.
      if (created.status === 400) return notDetermined(`status ${created.status}`);
      if (created.status !== 201 || id === undefined) return judge(false, `status ${created.status}`);
      const query = `agent_id=${agentId}&agent_environment=development`;
      const { body: list } = await requests.send("GET", `/v2/deployments?limit=100&${query}`);
      const ids = rowsOf(list).map((row) => textAt(row, "id"));
      const isShown = textAt(created.body, "agent.agent_id") === agentId;
      const again = await deployments.create(agentId, body);
      await deployments.delete(id);
      if (ids.length > 1) return judge(false, `the filter is ignored: ${ids.length} rows`);
      return judge(
        isShown && ids[0] === id && again.status === 409,
        `${ids.length} rows, status ${again.status} for the second one`,
      );
    },
  },
  {
    id: "identity.free-count",
    stage: "access",
    sentence:
      "GET /v2/deployments/free-count is not treated as a request for a deployment with the ID free-count.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [{ file: "provider/control-plane/paths.ts", text: "export" }],
    async probe({ requests }) {
      const { status, body } = await requests.send("GET", "/v2/deployments/free-count");
      if (status === 404) return notDetermined("status 404");
      return judge(status === 200 && typeof valueAt(body, "count") === "number", `status ${status}`);
    },
  },
];
