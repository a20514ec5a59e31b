import axe from "axe-core";
import type { Deployment } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { signIn, TestBrowser, type Visit } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

interface Found {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the axe findings that would prevent users from reading or using the web console. */
async function findings({ page }: Visit): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Found[]>("axe.run().then(({ violations }) => violations)");
  return found
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
    );
}

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each(["desktop", "phone"] as const)(
    "shows every view without serious accessibility errors on a %s",
    async (size) => {
      const { plane, client, clock } = await start({ admin: true });
      const options = { colorScheme, viewport: sizes[size] };
      await client.post("/admin/steering", {
        pace: "at once",
        verdict: "BUILD_FAILED",
        deployment: "broken",
      });
      await client.post("/admin/steering", { pace: "step by step", deployment: "slow" });
      const ids: string[] = [];
      for (const name of ["good", "broken", "slow"])
        ids.push((await client.post<Deployment>("/v2/deployments", creation(name))).body.id);
      await clock.advance(60_000);

      const visit = await browser.visit(plane, options);
      await visit.page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await findings(visit)).toEqual([]);
      await signIn(visit, plane);
      for (const id of ids) {
        await visit.page.evaluate(`location.hash = "#/deployments/${id}"`);
        await visit.page
          .getByRole("heading", { name: /good|broken|slow/, level: 2 })
          .first()
          .waitFor();
        await visit.page
          .getByText(/BUILD_FAILED|CREATING|DEPLOYED/)
          .first()
          .waitFor();
        expect(await findings(visit)).toEqual([]);
      }
      for (const place of ["requests", "controls"]) {
        await visit.page.evaluate(`location.hash = "#/${place}"`);
        await visit.page.getByRole("heading", { level: 2 }).first().waitFor();
        expect(await findings(visit)).toEqual([]);
      }

      const closed = await start();
      const outside = await browser.visit(closed.plane, options);
      await signIn(outside, closed.plane);
      await outside.page.evaluate(`location.hash = "#/requests"`);
      await outside.page
        .getByText(/--admin/)
        .first()
        .waitFor();
      expect(await findings(outside)).toEqual([]);
    },
  );
});
