import type { Page } from "playwright-core";
import type { Deployment } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { OpenAgents } from "../control-plane/access/open-agents";
import { signIn, TestBrowser } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

/** All attempts by an agent's page to read the web console's key. Each resolves with the value that it obtained. */
const attacks = `
  const attempt = async (work) => {
    try {
      return (await Promise.race([work(), new Promise((resolve) => setTimeout(resolve, 1500, "no result"))])) ?? null;
    } catch (error) {
      return "refused: " + error.name;
    }
  };
  const framed = async (url) => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.src = url;
    await new Promise((resolve) => (frame.onload = resolve));
    return JSON.stringify({ ...frame.contentWindow.sessionStorage });
  };
  const opened = async (url) => {
    const other = window.open(url);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    try {
      return JSON.stringify({ ...other.sessionStorage });
    } finally {
      other?.close();
    }
  };
  const text = async (url, options) => (await fetch(url, options)).text();
  const { plane, victim } = settings;
  const json = { "Content-Type": "application/json" };
  window.results = Promise.all(Object.entries({
    opener: () => window.opener && JSON.stringify({ ...window.opener.sessionStorage }),
    storage: () => JSON.stringify({ ...localStorage, ...sessionStorage }),
    cookies: () => document.cookie,
    worker: () => navigator.serviceWorker.register("worker.js", { scope: "/" }).then(() => "registered"),
    workerInThePathForm: () => navigator.serviceWorker.register(settings.path + "/worker.js").then(() => "registered"),
    facts: () => text(plane + "/page/facts"),
    codes: () => text(plane + "/page/sign-in-codes", { method: "POST", credentials: "include" }),
    exchange: () => text(plane + "/page/sign-in", { method: "POST", headers: json, body: '{"code":"x"}' }),
    own: () => text("/.agentserver/sign-in", { method: "POST", headers: { "X-Sign-In-Code": "x" } }),
    page: () => framed(plane + "/"),
    pathForm: () => framed(settings.path + "/ok"),
    window: () => opened(plane + "/"),
    victim: () => text(victim + "/steal", { credentials: "include" }),
    victimSilently: () => fetch(victim + "/steal", { mode: "no-cors", credentials: "include" }).then(() => "sent"),
    victimFramed: () => framed(victim + "/steal"),
  }).map(async ([name, work]) => [name, await attempt(work)])).then(Object.fromEntries);
`;

const worker = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("fetch", (event) => {
    fetch("/loot?" + encodeURIComponent(JSON.stringify([...event.request.headers])));
  });
`;

async function rig() {
  let settings: Record<string, string> = {};
  const runner = new OpenAgents(({ deploymentId, request }, response) => {
    response.writeHead(200, {
      "content-type": request.url!.endsWith(".js") ? "text/javascript" : "text/html",
      "service-worker-allowed": "/",
      "clear-site-data": '"storage", "cookies"',
      "set-cookie": "agentserver_session=stolen; Path=/",
    });
    const script =
      deploymentId === settings["hostile"] ? `const settings = ${JSON.stringify(settings)}; ${attacks}` : "";
    const document = `<!doctype html><title>agent</title><body><h1>Agent</h1><script>${script}</script>`;
    response.end(request.url!.endsWith(".js") ? worker : document);
  });
  const all = await start({ runner, admin: true });
  const ids: string[] = [];
  for (const name of ["hostile", "victim"])
    ids.push((await all.client.post<Deployment>("/v2/deployments", creation(name))).body.id);
  await all.clock.advance(1);
  const [hostile, victim] = ids as [string, string];
  const originOf = (id: string) => `http://${id}.localhost:${new URL(all.plane.baseUrl).port}`;
  const path = `${all.plane.baseUrl}/agents/${hostile}`;
  settings = { hostile, plane: all.plane.baseUrl, path, victim: originOf(victim) };
  return { ...all, runner, hostile, victim, path, originOf };
}

/** Opens the documentation of a deployment through the link on the page. */
async function openDocs(page: Page, baseUrl: string, id: string): Promise<Page> {
  await page.goto(`${baseUrl}/#/deployments/${id}`);
  const docs = page.getByRole("link", { name: "Documentation of the agent's API" });
  await docs.and(page.locator(`[href*="${id}"]`)).waitFor();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), docs.click()]);
  await opened.waitForURL(/\/docs$/);
  return opened;
}

test("prevents an agent's pages from reading the web console's key and other agents' sessions", async () => {
  const { plane, runner, hostile, victim, path, originOf } = await rig();
  const visit = await browser.visit(plane);
  const { page } = visit;
  await signIn(visit, plane);
  const ofVictim = await openDocs(page, plane.baseUrl, victim);
  await ofVictim.getByRole("heading", { name: "Agent" }).waitFor();
  const docs = await openDocs(page, plane.baseUrl, hostile);
  expect(docs.url()).toBe(`${originOf(hostile)}/docs`);
  const results = await docs.evaluate<Record<string, unknown>>("window.results");

  const { storage, own, window, pathForm, ...refused } = results;
  expect(storage).toBe("{}");
  expect(own).toContain("This link has been used");
  expect(JSON.stringify([window, pathForm])).not.toContain(plane.apiKey);
  for (const [name, result] of Object.entries(refused))
    expect([name, result]).toEqual([
      name,
      name === "opener"
        ? null
        : name === "cookies"
          ? ""
          : expect.stringMatching(/^refused: |^sent$|^no result$/),
    ]);

  // A document under a path of the control plane shares the web console's origin, but its script does not run.
  const sameOrigin = await page.context().newPage();
  await sameOrigin.goto(`${path}/ok`);
  await sameOrigin.getByRole("heading", { name: "Agent" }).waitFor();
  expect(await sameOrigin.evaluate("typeof window.results")).toBe("undefined");
  await sameOrigin.goto(`${path}/docs`);
  await sameOrigin.getByText("This address needs an API key.").waitFor();

  // The page still works, without a worker between it and the control plane.
  await page.reload();
  await page.getByRole("heading", { name: "hostile", level: 2 }).waitFor();
  expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(0);
  const received = JSON.stringify(runner.received.map(({ request: { url, headers } }) => [url, headers]));
  expect(received).not.toContain(plane.apiKey);
  expect(received).not.toContain("agentserver_session");
  expect(runner.received.map(({ request: { url } }) => url)).not.toContain("/steal");
});

test("opens the documentation again with a new link after the session has ended", async () => {
  const { plane, hostile, originOf } = await rig();
  const visit = await browser.visit(plane);
  await signIn(visit, plane);
  const docs = await openDocs(visit.page, plane.baseUrl, hostile);
  await docs.reload();
  await docs.getByRole("heading", { name: "Agent" }).waitFor();
  await visit.page.context().clearCookies();
  await docs.goto(`${originOf(hostile)}/docs`);
  await docs.getByText("This address needs an API key.").waitFor();
  await (
    await openDocs(visit.page, plane.baseUrl, hostile)
  )
    .getByRole("heading", { name: "Agent" })
    .waitFor();
});
