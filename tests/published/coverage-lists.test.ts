import { coverage } from "../../emulator/gateway/coverage";
import { documentedOperations } from "../../emulator/gateway/documented-operations";
import { controlPlaneOperations } from "../../tools/coverage/control-plane-operations";
import { interfaceOperations } from "../../tools/coverage/interface-operations";
import { published } from "./facts/published";

/** Operation whose path is documented, but whose other details are only known from clients. */
const partlyPublished = "POST /v2/deployments/{deployment_id}/revisions";

test("lists all documented operations for docs/coverage.md", () => {
  const listed = new Map(
    Object.values(controlPlaneOperations)
      .flat()
      .map(({ operation, from }) => [operation, from]),
  );
  for (const [name, { inferred }] of Object.entries(published.controlPlane.operations)) {
    const from = inferred && name !== partlyPublished ? "clients" : "published";
    expect([name, listed.get(name)]).toEqual([name, from]);
  }
  expect([...interfaceOperations.controlPlane].sort()).toEqual(
    Object.keys(published.interface.operations).sort(),
  );
  expect([...documentedOperations].sort()).toEqual(Object.keys(published.agentServer.operations).sort());
  for (const name of interfaceOperations.agentServer) expect(Object.keys(coverage)).toContain(name);
});
