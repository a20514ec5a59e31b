import { interfaceDialect } from "../../../../provider/control-plane/dialects";
import { createDeployment, deleteDeployment } from "../../../../provider/deployment/reconcile";
import type { ControlPlaneOperation } from "../../../../provider/resource/operation";
import { writePatch } from "../../../../provider/deployment/patch";
import { agent } from "../../world";

/** An operation whose last look came after its deadline; there is nothing in it to send anything with. */
const late = {
  time: { clock: { now: () => 60_001 }, deadline: { at: 60_000, totalMs: 60_000, setBy: "rollout.timeout" } },
  resource: { ownerId: "owner", identity: { urn: "urn:pulumi:dev::shop::agentserver:Deployment::agent" } },
  plane: {
    dialect: interfaceDialect,
    client: { deployments: { find: () => Promise.resolve({ id: "d-1" }) } },
    findByName: () => Promise.resolve([]),
    deploymentsAtStart: () => Promise.resolve([]),
  },
} as unknown as ControlPlaneOperation;

test("a create whose time is over before it is sent is not sent", () =>
  expect(createDeployment(late, agent())).rejects.toThrow(
    /The timeout of 1m expired before anything could be sent; deployment "support-agent" was not created/,
  ));

test("a change whose time is over before it is sent is not sent", () =>
  expect(writePatch(late, { id: "d-1" }, { sourceConfig: {} }, false)).rejects.toThrow(
    /The timeout of 1m expired before anything could be sent; deployment d-1 was not changed/,
  ));

test("a deletion whose time is over before it is sent is not sent", () =>
  expect(deleteDeployment(late, "d-1", undefined)).rejects.toThrow(
    /The timeout of 1m expired before anything could be sent; deployment d-1 was not deleted/,
  ));
