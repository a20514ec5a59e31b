import { fc } from "../../properties";
import { makesRevision, type CreateDeploymentBody, type PatchDeploymentBody } from "../../../wire";
import {
  fromWireSourceConfig,
  fromWireSourceRevisionConfig,
  secretsOf,
  toCreateBody,
  toPatchBody,
} from "../../../provider/deployment/mapping";
import { ownerOf } from "../../../provider/deployment/ownership/tag";
import {
  plan,
  type LastRollout,
  type DeploymentPatch,
  type WholePatch,
} from "../../../provider/deployment/plan/plan";
import { dialects, inputs } from "./arbitraries";

/** Fields that have a value: what is null or left out does not come back from a server. */
function given(group: object): object {
  return Object.fromEntries(
    Object.entries(group).filter(([, value]) => value !== null && value !== undefined),
  );
}

test("what a create sends comes back as the user wrote it", () => {
  fc.assert(
    fc.property(inputs, fc.uuid(), dialects, (one, ownerId, dialect) => {
      const body = toCreateBody(one, ownerId, dialect);
      const record = { id: "d", ...body };
      expect(fromWireSourceConfig(body.source_config)).toEqual(given(one.sourceConfig));
      expect(fromWireSourceRevisionConfig(body.source_revision_config)).toEqual(
        given(one.sourceRevisionConfig),
      );
      expect(secretsOf(record)).toEqual(one.secrets ?? {});
      expect(ownerOf(record)).toBe(ownerId);
    }),
  );
});

/** The fields of each group in a body. */
function fieldsOf(body: CreateDeploymentBody | PatchDeploymentBody) {
  return {
    body: Object.keys(body),
    sourceConfig: Object.keys(body.source_config ?? {}),
    sourceRevisionConfig: Object.keys(body.source_revision_config ?? {}),
  };
}

/** The patch where nothing else is in the environment. */
function whole({ environment, ...patch }: DeploymentPatch): WholePatch {
  return environment ? { ...patch, environment: environment.variables } : patch;
}

test("every body has only the fields of its dialect", () => {
  fc.assert(
    fc.property(inputs, inputs, dialects, (before, wanted, dialect) => {
      const { fields } = dialect.table;
      const made = fieldsOf(toCreateBody(wanted, "owner", dialect));
      expect(fields.create).toEqual(expect.arrayContaining(made.body));
      const { patch } = plan({ before, wanted, lastRollout: "failed", dialect });
      if (!patch) return;
      const change = fieldsOf(toPatchBody(whole(patch), "owner", dialect));
      expect(change.body.length).toBeGreaterThan(0);
      expect(fields.patch).toEqual(expect.arrayContaining(change.body));
      for (const { sourceConfig, sourceRevisionConfig } of [made, change]) {
        expect(fields.sourceConfig).toEqual(expect.arrayContaining(sourceConfig));
        expect(fields.sourceRevisionConfig).toEqual(expect.arrayContaining(sourceRevisionConfig));
      }
    }),
  );
});

test("a PATCH makes a revision exactly when the plan says so, or there is nothing to make it from", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  fc.assert(
    fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
      const { patch, newRevision, action } = plan({ before, wanted, lastRollout, dialect });
      if (action === "replace") return;
      const made = patch ? makesRevision(dialect.table, toPatchBody(whole(patch), "owner", dialect)) : false;
      const givesSource = Object.values(wanted.sourceRevisionConfig).some((value) => value != null);
      if (made || dialect.name === "interface" || givesSource) expect(made).toBe(newRevision);
    }),
  );
});

test("a server that returns no secrets reports neither them nor the owner", () => {
  expect([secretsOf({ id: "d" }), ownerOf({ id: "d" })]).toEqual([undefined, undefined]);
});

test("a record without its groups is read as one that holds nothing", () => {
  expect([fromWireSourceConfig(null), fromWireSourceRevisionConfig(undefined)]).toEqual([{}, {}]);
});
