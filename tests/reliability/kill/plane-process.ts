import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";
import { canaries } from "../../e2e/canaries";
import { until } from "../../e2e/waiting";

/** An `agentserver emulate` process that can be killed and started again with the same folder, port, and data. */
export class PlaneProcess {
  /** Output of all control plane processes that have been started. */
  output = "";
  private child?: ChildProcess;
  private address?: string;

  constructor(
    private readonly folder: string,
    private readonly dialect: "interface" | "langsmith",
  ) {}

  get baseUrl(): string {
    return this.address ?? "http://127.0.0.1:9";
  }

  /** Starts the control plane and waits until it responds. */
  async start(): Promise<void> {
    const words = ["--state", this.folder, "--rollout", "simulated", "--admin", "--dialect", this.dialect];
    const child = spawn(
      process.execPath,
      [join(repositoryRoot, "dist", "cli", "main.js"), "emulate", ...words],
      {
        env: { ...process.env, AGENTSERVER_API_KEY: canaries.apiKey, AGENTSERVER_TENANT_ID: "tenant-1" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.child = child;
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        this.output += text;
      });
    const address = () => /^ {2}export AGENTSERVER_BASE_URL=(\S+)$/m.exec(printed)?.[1];
    await until(() => address() !== undefined || child.exitCode !== null);
    if (!address()) throw new Error(`The control plane did not start: ${printed}`);
    this.address = address();
  }

  /** Suspends the process, so that it does not process requests that arrive. */
  freeze(): void {
    this.child?.kill("SIGSTOP");
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Sends a request with the API key of the control plane. */
  async get<Answer>(path: string): Promise<Answer> {
    return (await (await this.ask("GET", path)).json()) as Answer;
  }

  async post(path: string, body: object): Promise<void> {
    await this.ask("POST", path, JSON.stringify(body));
  }

  private async ask(method: string, path: string, body?: string): Promise<Response> {
    const headers = {
      "X-Api-Key": canaries.apiKey,
      "X-Tenant-Id": "tenant-1",
      "Content-Type": "application/json",
    };
    const answer = await fetch(this.baseUrl + path, { method, headers, body });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
