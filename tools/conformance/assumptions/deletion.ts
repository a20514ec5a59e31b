import { type DeploymentAssumption, judge, notDetermined } from "../assumption";
import { isBeingDeleted } from "../deployments";
import { rowsOf, textAt } from "../json";

const place = { file: "provider/control-plane/client/deployments.ts", text: "async delete(" } as const;

/** Assumptions about deleted deployments, probed immediately after the delete request. */
export const deletionAssumptions: readonly DeploymentAssumption[] = [
  {
    id: "deletion.answer",
    stage: "deleted",
    sentence: "A deletion returns 204.",
    basis: "documented",
    places: [place],
    probe(_, { deletion }) {
      if (!deletion) return notDetermined("the request was not sent");
      return judge(deletion.status === 204, `status ${deletion.status}`, [deletion.exchange]);
    },
  },
  {
    id: "deletion.gone",
    stage: "deleted",
    sentence:
      "A request for a deleted deployment returns 404, or the status AWAITING_DELETE or AWAITING_FINAL_DELETE.",
    basis: "inferred",
    places: [{ file: "provider/control-plane/client/deployments.ts", text: "function isNotFound" }],
    async probe({ requests }, { path }) {
      const { status, body } = await requests.send("GET", path);
      const holds = status === 404 || (status === 200 && isBeingDeleted(body));
      return judge(holds, status === 200 ? `status ${textAt(body, "status")}` : `status code ${status}`);
    },
  },
  {
    id: "deletion.repeated",
    stage: "deleted",
    sentence: "A second deletion returns 204 or 404.",
    basis: "inferred",
    places: [place],
    async probe({ deployments }, { id }) {
      const { status } = await deployments.delete(id);
      return judge(status === 204 || status === 404, `status ${status}`);
    },
  },
  {
    id: "deletion.list",
    stage: "deleted",
    sentence: "A deleted deployment is not listed, or is listed as AWAITING_DELETE or AWAITING_FINAL_DELETE.",
    basis: "clients",
    places: [{ file: "provider/control-plane/name-lookup.ts", text: "export" }],
    async probe({ requests }, { name, id }) {
      const { body } = await requests.send("GET", `/v2/deployments?limit=100&name_contains=${name}`);
      const row = rowsOf(body).find((one) => textAt(one, "id") === id);
      return judge(
        row === undefined || isBeingDeleted(row),
        row ? `listed as ${textAt(row, "status")}` : "not listed",
      );
    },
  },
];
