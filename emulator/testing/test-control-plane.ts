import { rmSync } from "node:fs";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation";
import type { AdminLibrary } from "../admin/library";
import type { JournalEntry } from "../admin/journal/journal";
import type { SteeringPlan } from "../admin/steering/plan";
import { VirtualClock } from "../admin/virtual-clock";
import type { ControlPlaneOptions } from "../server/options";
import { startControlPlane } from "../server/start";
import { EngineCommands } from "./engine-commands";
import { createStack, createWorkFolder, type StackOptions } from "./stack";

/** Options of a control plane for tests. */
export type TestControlPlaneOptions = Omit<ControlPlaneOptions, "clock" | "rollout" | "state">;

/** A request that may have changed something. */
export interface Write {
  /** Method and path, with `:id` for each ID: `PATCH /v2/deployments/:id`. */
  request: string;
  /** Status of the response; 0 if a fault closed the connection. */
  status: number;
  /** Body of the request, with masked secrets. */
  body: unknown;
}

/** A local control plane in virtual time, with simulated rollouts, for the tests of programs. */
export interface TestControlPlane {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
  /** Connection settings for other clients, as environment variables. Stacks have them in their configuration. */
  environment: Record<string, string>;
  /** Admin actions: fault injection, rollout control, the journal, and changes by other clients. */
  admin: AdminLibrary;
  /** The virtual time of the control plane, which only advances on request. */
  clock: VirtualClock;
  /**
   * Creates a stack of a program that runs in this process, with the engine on the `PATH` and a temporary backend.
   *
   * @param program - Declares resources and returns the outputs, as with the Automation API of Pulumi.
   */
  createStack(program: PulumiFn, options?: StackOptions): Promise<Stack>;
  /** Returns the requests that may have changed something since the last call, oldest first. */
  takeWrites(): Write[];
  /**
   * Controls later simulated rollouts. By default, they succeed immediately.
   *
   * @example
   * plane.steer({ verdict: "BUILD_FAILED", reason: "requirements.txt is invalid.", times: 1 });
   */
  steer(plan: SteeringPlan): void;
  /** Deletes all deployments, faults, rollout plans, and recorded requests. Stacks keep their states. */
  reset(): Promise<void>;
  /** Stops running operations of the stacks and the control plane, and deletes the stacks and the temporary files. */
  close(): Promise<void>;
}

/**
 * Starts a control plane for tests. Its rollouts are simulated and succeed immediately, unless a test controls them.
 *
 * @example const plane = await startTestControlPlane(); const stack = await plane.createStack(async () => { new
 * Deployment("agent", { ...args }); }); await stack.up(); expect(plane.takeWrites().map(({ request }) =>
 * request)).toEqual(["POST /v2/deployments"]); await plane.close();
 */
export async function startTestControlPlane(
  options: TestControlPlaneOptions = {},
): Promise<TestControlPlane> {
  const clock = new VirtualClock();
  const plane = await startControlPlane({ ...options, clock });
  const { admin, apiKey, baseUrl, tenantId } = plane;
  const environment = {
    AGENTSERVER_BASE_URL: baseUrl,
    AGENTSERVER_API_KEY: apiKey,
    AGENTSERVER_TENANT_ID: tenantId,
    AGENTSERVER_DIALECT: options.dialect ?? "interface",
  };
  const connection = { baseUrl, apiKey, tenantId, dialect: options.dialect ?? "interface" };
  const commands = new EngineCommands();
  const folders: string[] = [];
  /** Sequence number of the last request that `takeWrites` has returned. */
  let taken = 0;
  const steer = (plan: SteeringPlan) => admin.steer({ pace: immediately, ...plan });
  steer({});
  return {
    ...{ baseUrl, apiKey, tenantId, environment, admin, clock, steer },
    createStack(program, stackOptions = {}) {
      const folder = createWorkFolder(stackOptions.folder);
      folders.push(folder);
      return createStack(program, folder, { connection, commands }, stackOptions);
    },
    takeWrites() {
      const entries = admin.journal({ writes: true, after: taken });
      taken = entries.at(-1)?.sequence ?? taken;
      return entries.map(writeOf);
    },
    async reset() {
      await admin.reset();
      steer({});
    },
    async close() {
      await commands.stop();
      try {
        await plane.close();
      } finally {
        for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Pace of rollouts that do not take any virtual time. */
const immediately = "at once";

function writeOf({ method, path, status, body }: JournalEntry): Write {
  const shown = path
    .replace(/^\/api-host/, "")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, ":id");
  return { request: `${method} ${shown}`, status, body };
}
