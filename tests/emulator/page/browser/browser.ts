import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { ControlPlane } from "../../../../emulator/index";
import { ensureBuilt } from "../../../../tools/build/ensure-built";
import { pageTarget } from "../../../../tools/build/targets";
import { findChromium } from "./chromium";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Bundles the web console unless the bundle is up to date. */
export function ensurePageBuilt(): Promise<void> {
  return ensureBuilt({ targets: [pageTarget] });
}

/** An open page, and its errors. */
export interface Visit {
  page: Page;
  /** Console errors, exceptions, and requests to hosts other than the control plane. */
  problems: string[];
  /** Returns all text that the page has ever had in its document or its storage. */
  everything(): Promise<string>;
}

/** A headless browser with a separate profile. */
export class TestBrowser {
  private constructor(
    private readonly folder: string,
    private readonly executable: string,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<TestBrowser> {
    await ensurePageBuilt();
    const folder = mkdtempSync(join(tmpdir(), "agentserver-browser-"));
    const { executable, env } = findChromium(folder);
    const browser = await chromium.launch({
      executablePath: executable,
      args: flags,
      env: { ...(process.env as Record<string, string>), ...env },
    });
    return new TestBrowser(folder, executable, browser);
  }

  /**
   * Opens the web console in a new profile, in which only the control plane and its deployments' own origins are
   * reachable.
   */
  async visit(
    plane: Pick<ControlPlane, "baseUrl">,
    options: BrowserContextOptions = {},
    address = `${plane.baseUrl}/`,
  ): Promise<Visit> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(8000);
    const problems: string[] = [];
    await context.route(
      (url) =>
        url.origin !== plane.baseUrl &&
        !(url.hostname.endsWith(".localhost") && url.port === new URL(plane.baseUrl).port),
      (route) => {
        problems.push(`left the origin: ${route.request().url()}`);
        return route.abort();
      },
    );
    const page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(address);
    const everything = (): Promise<string> =>
      page.evaluate("document.documentElement.outerHTML + JSON.stringify(sessionStorage) + location.href");
    return { page, problems, everything };
  }

  /** Closes the browser. Throws if any of its processes remain. */
  async close(): Promise<void> {
    await this.browser.close();
    const left = this.executable.startsWith(this.folder) ? processesOf(this.executable) : [];
    rmSync(this.folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Browser processes are left: ${left.join(", ")}`);
  }
}

/** Signs in with the API key of the control plane. */
export async function signIn({ page }: Visit, { apiKey, tenantId }: ControlPlane): Promise<void> {
  await enter(page, apiKey, tenantId);
  await page.getByRole("navigation", { name: "Views" }).waitFor();
}

/** Fills in and submits the form without checking the result. */
export async function enter(page: Page, apiKey: string, tenantId: string): Promise<void> {
  await page.getByLabel("API key").fill(apiKey);
  await page.getByLabel("Workspace").fill(tenantId);
  await page.getByRole("button", { name: "Sign in" }).click();
}

function processesOf(executable: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/exe`) === executable;
    } catch {
      return false;
    }
  });
}
