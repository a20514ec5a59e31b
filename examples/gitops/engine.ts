import { hostname } from "node:os";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import {
  CommandError,
  ConcurrentUpdateError,
  type EngineEvent,
  LocalWorkspace,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import { Workspace } from "pulumi-agentserver";
import { checkoutIn, projectFolder, type Settings } from "./settings.ts";
import type { Reason } from "./status-branch.ts";
import { interrupting } from "./interrupting.ts";

/** How a preview or an update ended; it went well if there are no reasons. */
export interface Outcome {
  /** What happens to deployments, such as `update support-agent`. */
  changes: string[];
  reasons: Reason[];
}

const policyPack = dirname(
  createRequire(import.meta.url).resolve("pulumi-agentserver-policies/package.json"),
);
const policyConfig = join(projectFolder, "policies.json");

/** The stack of the deployments, with the program that declares what is checked out. */
export class Engine {
  private readonly stack: Stack;
  private readonly settings: Settings;
  private readonly signal: AbortSignal;

  private constructor(stack: Stack, settings: Settings, signal: AbortSignal) {
    this.stack = stack;
    this.settings = settings;
    this.signal = signal;
  }

  /** Finds the stack, or makes it. */
  static async open(settings: Settings, signal: AbortSignal): Promise<Engine> {
    const manifests = join(checkoutIn(settings.workFolder), "deployments");
    const program = () => Promise.resolve({ urls: new Workspace("agents", { manifests }).urls });
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: settings.stack, projectName: "gitops", program },
      { workDir: projectFolder, envVars: settings.env as Record<string, string> },
    );
    return new Engine(stack, settings, signal);
  }

  /** What an update would do, and what speaks against it. Changes nothing. */
  preview(): Promise<Outcome> {
    return this.outcome((options) => this.stack.preview(options));
  }

  /**
   * Brings about what is checked out.
   * @throws ConcurrentUpdateError when another engine is at work on the stack
   */
  async up(): Promise<Outcome> {
    const up = () => this.outcome((options) => this.stack.up(options));
    const outcome = await up().catch(async (error: unknown) => {
      if (!(error instanceof ConcurrentUpdateError) || !isLeftBehind(error.message)) throw error;
      await this.stack.cancel();
      return up();
    });
    if (outcome.reasons.length === 0) await this.forgetInterrupted();
    return outcome;
  }

  /** Pulumi would go on warning about creates that a killed engine has left, though the provider has found them. */
  private async forgetInterrupted(): Promise<void> {
    const state = (await this.stack.exportStack()) as { deployment: { pending_operations?: unknown[] } };
    if (!state.deployment.pending_operations?.length) return;
    await interrupting(this.signal, (signal) => this.stack.refresh({ clearPendingCreates: true, signal }));
  }

  private async outcome(run: (options: RunOptions) => Promise<unknown>): Promise<Outcome> {
    const outcome: Outcome = { changes: [], reasons: [] };
    const onEvent = (event: EngineEvent) => {
      outcome.changes.push(...changesIn(event));
      outcome.reasons.push(...reasonsIn(event).map((reason) => this.shown(reason)));
    };
    const policies = { policyPacks: [policyPack], policyPackConfigs: [policyConfig] };
    try {
      await interrupting(this.signal, (signal) => run({ ...policies, onEvent, color: "never", signal }));
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof ConcurrentUpdateError || !(error instanceof CommandError)) throw error;
      if (outcome.reasons.length === 0) outcome.reasons.push({ text: endOf(error.message) });
    }
    return { changes: outcome.changes.sort(), reasons: worthTelling(outcome.reasons) };
  }

  /** With the paths that the repository has. */
  private shown(reason: Reason): Reason {
    const checkout = checkoutIn(this.settings.workFolder);
    const prefixes = [checkout, relative(process.cwd(), checkout)].map((prefix) => `${prefix}/`);
    return { ...reason, text: prefixes.reduce((text, prefix) => text.replaceAll(prefix, ""), reason.text) };
  }
}

type RunOptions = NonNullable<Parameters<Stack["preview"]>[0]> & NonNullable<Parameters<Stack["up"]>[0]>;

function changesIn({ resourcePreEvent }: EngineEvent): string[] {
  const { op = "same", urn } = resourcePreEvent?.metadata ?? {};
  const name = nameIn(urn);
  return name && ["create", "update", "replace", "delete"].includes(op) ? [`${op} ${name}`] : [];
}

/** What an event of the engine says against the commit. The engine has taken out what is secret. */
function reasonsIn({ diagnosticEvent, policyEvent }: EngineEvent): Reason[] {
  if (policyEvent?.enforcementLevel === "mandatory")
    return [
      {
        deployment: nameIn(policyEvent.resourceUrn),
        policy: policyEvent.policyName,
        text: plain(policyEvent),
      },
    ];
  if (diagnosticEvent?.severity === "error")
    return [{ deployment: nameIn(diagnosticEvent.urn), text: plain(diagnosticEvent) }];
  return [];
}

/** The name of a deployment's resource; nothing for the stack itself. */
function nameIn(urn: string | undefined): string | undefined {
  return urn?.includes("agentserver:Deployment::") ? urn.split("::").at(-1) : undefined;
}

/** A message without the marks for its colours. */
function plain({ message }: { message: string }): string {
  return message.replace(/<\{%[^%]*%\}>/g, "").trim();
}

function endOf(message: string): string {
  return message.trim().split("\n").slice(-10).join("\n");
}

/** Each reason once, and the engine's "update failed" only where nothing says why. */
function worthTelling(reasons: Reason[]): Reason[] {
  const once = [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
  const telling = once.filter(({ text }) => !/^(preview|update) failed$/.test(text));
  return telling.length > 0 ? telling : once;
}

/** Whether all locks on the stack are of engines that have run on this machine and are no more. */
function isLeftBehind(message: string): boolean {
  const locks = [...message.matchAll(/created by \S+@(\S+) \(pid (\d+)\)/g)];
  return locks.length > 0 && locks.every(([, host, pid]) => host === hostname() && !isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
