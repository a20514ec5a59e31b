import fc from "fast-check";
import { createDeploymentBody, patchDeploymentBody } from "../../../provider/control-plane/wire";
import {
  fromWireSourceConfig,
  fromWireSourceRevisionConfig,
  ownerOf,
  secretsOf,
  toCreateBody,
  toPatchBody,
} from "../../../provider/deployment/mapping";
import { plan } from "../../../provider/deployment/plan/plan";
import { interfaceDialect } from "../../../provider/control-plane/dialects";
import { inputs } from "./plan/arbitraries";

/** Fields that have a value: what is null or left out does not come back from a server. */
function given(group: object): object {
  return Object.fromEntries(
    Object.entries(group).filter(([, value]) => value !== null && value !== undefined),
  );
}

test("what a create sends comes back as the user wrote it", () => {
  fc.assert(
    fc.property(inputs, fc.uuid(), (one, ownerId) => {
      const body = toCreateBody(one, ownerId);
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

test("every body has only the fields of the interface", () => {
  fc.assert(
    fc.property(inputs, inputs, (before, wanted) => {
      const body = toCreateBody(wanted, "owner");
      expect(createDeploymentBody.strict().parse(body)).toEqual(body);
      const { patch } = plan({ before, wanted, lastRollout: "failed", dialect: interfaceDialect });
      if (!patch) return;
      const change = toPatchBody(patch, "owner");
      expect(patchDeploymentBody.strict().parse(change)).toEqual(change);
      expect(Object.keys(change).length).toBeGreaterThan(0);
    }),
  );
});

test("a server that returns no secrets tells neither them nor the owner", () => {
  expect([secretsOf({ id: "d" }), ownerOf({ id: "d" })]).toEqual([undefined, undefined]);
});

test("a record without its groups is read as one that tells nothing", () => {
  expect([fromWireSourceConfig(null), fromWireSourceRevisionConfig(undefined)]).toEqual([{}, {}]);
});
