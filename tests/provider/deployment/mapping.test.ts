import type { Dialect } from "../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { fc } from "../../properties";
import { makesRevision, type CreateDeploymentBody, type PatchDeploymentBody, formatTag } from "../../../wire";
import {
  fromWireSourceConfig,
  fromWireSourceRevisionConfig,
  toCreateBody,
  toPatchBody,
} from "../../../provider/deployment/mapping";
import { reportedVariables } from "../../../provider/deployment/environment";
import { ownerOf } from "../../../provider/deployment/ownership/tag";
import type { DeploymentPatch } from "../../../provider/deployment/mapping";
import type { LastRollout } from "../../../provider/deployment/state";
import { dialects, inputs } from "./arbitraries";
import { planFrom } from "./plan-from";

/** Returns the fields that have a value, because servers return neither null nor omitted fields. */
function given(group: object): object {
  return Object.fromEntries(
    Object.entries(group).filter(([, value]) => value !== null && value !== undefined),
  );
}

const holder = { organization: "", project: "shop", stack: "prod", resource: "agent" };
const tagFor = (ownerId: string) =>
  formatTag({ ownerId, revisions: 1, since: "2026-01-01T00:00:00.000Z", holder });

test("restores the declared inputs from the body of a create", () => {
  fc.assert(
    fc.property(inputs, fc.uuid(), dialects, (one, ownerId, dialect) => {
      const body = toCreateBody(one, tagFor(ownerId), dialect);
      const record = { id: "d", ...body };
      expect(fromWireSourceConfig(body.source_config)).toEqual(given(one.sourceConfig));
      expect(fromWireSourceRevisionConfig(body.source_revision_config)).toEqual(
        given(one.sourceRevisionConfig),
      );
      expect(reportedVariables(record)).toEqual(one.secrets ?? {});
      expect(ownerOf(record)).toBe(ownerId);
    }),
  );
});

/** Returns the fields of each group in a body. */
function fieldsOf(body: CreateDeploymentBody | PatchDeploymentBody) {
  return {
    body: Object.keys(body),
    sourceConfig: Object.keys(body.source_config ?? {}),
    sourceRevisionConfig: Object.keys(body.source_revision_config ?? {}),
  };
}

/** Returns the body of a patch that sends the complete desired environment. */
function bodyOf(patch: DeploymentPatch, wanted: DeploymentInputs, dialect: Dialect) {
  const environment = patch.environment && { ...wanted.secrets, ...wanted.environmentVariables };
  return toPatchBody(patch, dialect, { environment, tag: "owner" });
}

test("sends only fields of the dialect in every body", () => {
  fc.assert(
    fc.property(inputs, inputs, dialects, (before, wanted, dialect) => {
      const { fields } = dialect.table;
      const made = fieldsOf(toCreateBody(wanted, "owner", dialect));
      expect(fields.create).toEqual(expect.arrayContaining(made.body));
      const { patch } = planFrom({ before, wanted, lastRollout: "failed", dialect });
      if (!patch) return;
      const change = fieldsOf(bodyOf(patch, wanted, dialect));
      expect(change.body.length).toBeGreaterThan(0);
      expect(fields.patch).toEqual(expect.arrayContaining(change.body));
      for (const { sourceConfig, sourceRevisionConfig } of [made, change]) {
        expect(fields.sourceConfig).toEqual(expect.arrayContaining(sourceConfig));
        expect(fields.sourceRevisionConfig).toEqual(expect.arrayContaining(sourceRevisionConfig));
      }
    }),
  );
});

test("sends a PATCH that creates a revision only if the plan contains a revision", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  fc.assert(
    fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
      const { patch, newRevision, action } = planFrom({ before, wanted, lastRollout, dialect });
      if (action === "replace") return;
      const made = patch ? makesRevision(dialect.table, bodyOf(patch, wanted, dialect)) : false;
      const givesSource = Object.values(wanted.sourceRevisionConfig).some((value) => value != null);
      if (made || dialect.name === "interface" || givesSource) expect(made).toBe(newRevision);
    }),
  );
});

test("reports neither secrets nor an owner if the server does not return secrets", () => {
  expect([reportedVariables({ id: "d" }), ownerOf({ id: "d" })]).toEqual([undefined, undefined]);
});

test("treats missing groups of a record as empty", () => {
  expect([fromWireSourceConfig(null), fromWireSourceRevisionConfig(undefined)]).toEqual([{}, {}]);
});
