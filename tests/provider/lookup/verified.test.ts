import type { AgentServerClient } from "../../../provider/agent-server/client";
import type { ControlPlaneClient } from "../../../provider/control-plane/client";
import { verifyServing } from "../../../provider/lookup/verified";

const revision = (id: string) => ({ id, status: "DEPLOYED", source_revision_config: {} });

test.each([
  ["active revision reported", "r1", "r2"],
  ["active revision not reported", undefined, undefined],
])("does not verify a revision that is replaced during the checks (%s)", async (_, active, later) => {
  const record = { id: "d", url: "https://agent.example.com", active_revision_id: active };
  let revisions = [revision("r1")];
  const client = {
    deployments: { find: () => Promise.resolve({ ...record, active_revision_id: later }) },
    revisions: { list: () => Promise.resolve(revisions) },
  } as unknown as ControlPlaneClient;
  const checkHealth = () => {
    revisions = [revision("r2"), revision("r1")];
    return Promise.resolve();
  };
  const warnings: string[] = [];
  const verified = await verifyServing(
    record,
    {},
    {
      client,
      agentServer: () => ({ checkHealth }) as unknown as AgentServerClient,
      warn: (reason) => warnings.push(reason),
      now: () => 0,
    },
  );
  expect(verified).toEqual({ history: [] });
  expect(warnings).toEqual(["revision r1 was replaced by revision r2 during its verification"]);
});
