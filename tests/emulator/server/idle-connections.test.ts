import { startControlPlane } from "../../../emulator/index";

test("keeps idle connections open for at least 60 seconds", async () => {
  const plane = await startControlPlane();
  try {
    const response = await fetch(`${plane.baseUrl}/v2/deployments`);
    const announced = /timeout=(\d+)/.exec(response.headers.get("keep-alive") ?? "")?.[1];
    expect(Number(announced)).toBeGreaterThanOrEqual(60);
  } finally {
    await plane.close();
  }
});
