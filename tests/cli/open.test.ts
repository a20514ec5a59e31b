import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { docsOf, pageOf } from "../../cli/open/addresses";
import { desktopBrowser } from "../../cli/open/browser";
import { openAddress, type OpenOptions } from "../../cli/open/open-address";
import { canary, World } from "../provider/world";
import { temporaryFolder } from "../tools/temporary-folder";
import { until } from "../tools/waiting";
import { Run } from "./connection-run";
import { make } from "./logs-world";

/**
 * Runs the command with a fake browser that records addresses. Without a desktop, the browser cannot open any address.
 */
async function opened(world: World, deployment?: string, options: OpenOptions = {}, hasDesktop = true) {
  const addresses: string[] = [];
  const browser = async (address: string) => {
    if (hasDesktop) addresses.push(address);
    return hasDesktop;
  };
  const run = new Run(world, async (context) => {
    await openAddress(context, deployment, options, browser);
    return 0;
  });
  const code = await run.ended;
  expect(run.stdout + run.stderr).not.toContain(canary);
  return { code, addresses, stdout: run.stdout, stderr: run.stderr };
}

const setUrl = async (world: World, id: string, url: string) => {
  await world.request("PATCH", `/v2/deployments/${id}`, { source_config: { custom_url: url } });
};

describe("with a local control plane", () => {
  test("opens an address at which the web console responds", async () => {
    const world = await World.start();
    const page = `${new URL(world.address).origin}/`;
    expect(await opened(world)).toEqual({ code: 0, addresses: [page], stdout: `${page}\n`, stderr: "" });
    const response = await fetch(page);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/html"),
    ]);
  });

  test("opens an address at which the API reference of the control plane responds", async () => {
    const world = await World.start();
    const { addresses } = await opened(world, undefined, { docs: true });
    expect(addresses).toEqual([`${world.address}/api-host/docs`]);
    expect((await fetch(addresses[0]!)).status).toBe(200);
  });

  test("opens the URL and the API reference of a deployment by name or ID", async () => {
    const world = await World.start();
    const id = await make(world, "support-agent", "interface");
    await setUrl(world, id, "https://agents.example.com/support");
    expect((await opened(world, "support-agent")).addresses).toEqual(["https://agents.example.com/support"]);
    expect((await opened(world, id, { docs: true })).addresses).toEqual([
      "https://agents.example.com/support/docs",
    ]);
  });

  test("prints only the address with --print", async () => {
    const world = await World.start();
    const { addresses, stdout, stderr } = await opened(world, undefined, { print: true });
    expect([addresses, stdout, stderr]).toEqual([[], `${new URL(world.address).origin}/\n`, ""]);
  });

  test("prints the address and succeeds without a desktop", async () => {
    const world = await World.start();
    const { code, stdout, stderr } = await opened(world, undefined, {}, false);
    expect([code, stdout]).toEqual([0, `${new URL(world.address).origin}/\n`]);
    expect(stderr).toContain("no browser was found");
  });

  test("reports an unknown deployment without opening anything", async () => {
    const { code, addresses, stderr } = await opened(await World.start(), "sales-agent");
    expect([code, addresses]).toEqual([1, []]);
    expect(stderr).toContain('no deployment with the name or ID "sales-agent"');
  });

  test("reports a deployment that has no URL yet", async () => {
    const world = await World.start();
    await make(world, "support-agent", "interface");
    const { code, addresses, stderr } = await opened(world, "support-agent");
    expect([code, addresses, stderr]).toEqual([1, [], expect.stringContaining("has no URL yet")]);
  });

  test.each(["file:///etc/passwd", `https://user:${canary}@agents.example.com`, "javascript:alert(1)"])(
    "does not open the reported URL %s",
    async (url) => {
      const world = await World.start();
      const id = await make(world, "support-agent", "interface");
      const record = (await world.request("GET", `/v2/deployments/${id}`)) as object;
      const body = { resources: [{ ...record, url }], offset: 0 };
      world.admin.fault({ kind: "status", status: 200, method: "GET", path: "/v2/deployments", body });
      const { code, addresses, stderr } = await opened(world, "support-agent");
      expect([code, addresses, stderr]).toEqual([1, [], expect.stringContaining("was not opened")]);
    },
  );
});

test.each([
  ["https://api.host.langchain.com", undefined, "https://smith.langchain.com/"],
  ["https://api.host.langchain.com", "team", "https://smith.langchain.com/o/team/host/deployments"],
  ["https://eu.api.host.langchain.com", "a/b", "https://eu.smith.langchain.com/o/a%2Fb/host/deployments"],
  ["https://agents.example.com/api-host", "team", "https://agents.example.com/"],
  ["https://example.com/agents/api-host", undefined, "https://example.com/agents/"],
])("finds the web console of %s (workspace: %s)", (baseUrl, tenantId, page) => {
  expect(pageOf(baseUrl, tenantId)).toBe(page);
});

test("appends the path of the API reference without a double slash", () => {
  expect(docsOf("https://agents.example.com/a/")).toBe("https://agents.example.com/a/docs");
});

describe("on a desktop", () => {
  const address = "https://agents.example.com/?a=$(id)&b='c'";

  test("passes the address to the browser as one argument, and removes keys from its environment", async () => {
    const bin = temporaryFolder({
      "xdg-open":
        '#!/bin/sh\nprintf "%s|" "$#" "$@" "$AGENTSERVER_API_KEY" > "$OUT.part"\nmv "$OUT.part" "$OUT"\n',
    });
    const out = join(bin, "out");
    const env = { PATH: `${bin}:/bin:/usr/bin`, OUT: out, DISPLAY: ":0", AGENTSERVER_API_KEY: canary };
    expect(await desktopBrowser(env, "linux")(address)).toBe(true);
    await until(() => existsSync(out));
    expect(readFileSync(out, "utf8")).toBe(`1|${address}||`);
  });

  test("reports that the program or the display is missing", async () => {
    expect(await desktopBrowser({ PATH: "/nowhere", DISPLAY: ":0" }, "linux")(address)).toBe(false);
    expect(await desktopBrowser({ PATH: "/nowhere" }, "darwin")(address)).toBe(false);
    const bin = temporaryFolder({ "xdg-open": "#!/bin/sh\n" });
    expect(await desktopBrowser({ PATH: bin }, "linux")(address)).toBe(false);
  });
});
