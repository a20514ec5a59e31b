import { gateInputs, readGate } from "../../../provider/promotion/gate";

const config = { get: () => undefined, keyOf: (key: string) => key, stack: undefined };

test("reads the minimum time since the verification in days", () => {
  expect(readGate({ soak: "7d" }, config).soakMs).toBe(7 * 86_400_000);
});

test("accepts at most 30 days since the verification", () => {
  expect(gateInputs.safeParse({ soak: "30d" }).success).toBe(true);
  expect(gateInputs.safeParse({ soak: "30d1h" }).error!.issues[0]!.message).toBe(
    'must be a positive duration of at most 30d, such as "7d", "1d12h", or "2h"',
  );
});
