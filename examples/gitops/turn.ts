import { ConcurrentUpdateError } from "@pulumi/pulumi/automation/index.js";
import { agentserver } from "./command.ts";
import { Engine } from "./engine.ts";
import { checkoutIn, projectFolder, type Settings } from "./settings.ts";
import { messageOf } from "./message.ts";
import type { SourceRepository } from "./source-repository.ts";
import { type Reason, StatusBranch, type Verdict } from "./status-branch.ts";

/** What a turn works with. */
export interface Turn {
  settings: Settings;
  repository: SourceRepository;
  /** Ends the turn; the next start continues with it. */
  signal: AbortSignal;
  say: (line: string) => void;
}

/** Applies the newest commit of the branch, unless that is done; returns what became of it. */
export async function takeTurn(turn: Turn): Promise<Verdict | undefined> {
  const { settings, repository, signal, say } = turn;
  const statuses = new StatusBranch(repository);
  const commit = await newestCommit(turn);
  if (!commit) return (say(`There is no branch ${settings.branch}; nothing is changed.`), undefined);
  const last = await statuses.latest();
  const isNew = last?.commit !== commit;
  if (!isNew && (last.state === "success" || last.state === "failure")) return undefined;
  if (isNew && (last?.state === "pending" || last?.state === "error")) {
    const description = `Overtaken by ${commit.slice(0, 8)} before it was done`;
    await statuses.write(last.commit, { state: "error", description, reasons: [] });
  }
  // One that is tried again stays an error until something else has become of it.
  if (isNew) await statuses.write(commit, { state: "pending", description: "Being applied", reasons: [] });
  say(`${commit.slice(0, 8)}: ${isNew ? "applying it" : "going on with it"}`);
  const verdict = await apply(turn, commit).catch((error: unknown): Verdict | undefined => {
    signal.throwIfAborted();
    if (error instanceof ConcurrentUpdateError) {
      say("Another engine is at work on the stack; waiting for it to end.");
      return undefined;
    }
    return passing("The commit could not be looked at", [{ text: messageOf(error) }]);
  });
  if (!verdict) return undefined;
  await statuses.write(commit, verdict);
  say(
    [`${commit.slice(0, 8)}: ${verdict.state}: ${verdict.description}`, ...verdict.reasons.map(line)].join(
      "\n",
    ),
  );
  return verdict;
}

/** Commit → validate → preview with policies → up. Nothing if a newer commit has come meanwhile. */
async function apply(turn: Turn, commit: string): Promise<Verdict | undefined> {
  const { settings, repository, signal } = turn;
  await repository.checkOut(commit, checkoutIn(settings.workFolder));
  const faults = await validate(turn);
  if (faults.length > 0) return failed("The manifests are not right; nothing was changed", faults);

  const engine = await Engine.open(settings, signal);
  const outage = await whyNoControlPlane(turn);
  if (outage) return passing("The control plane does not answer; nothing was changed", [{ text: outage }]);
  const preview = await engine.preview();
  if (preview.reasons.some(({ policy }) => policy))
    return failed("Policies are broken; nothing was changed", preview.reasons);
  if (preview.reasons.length > 0)
    return blame(turn, "The preview failed; nothing was changed", preview.reasons);

  if ((await newestCommit(turn)) !== commit) return undefined;
  const up = await engine.up();
  if (up.reasons.length > 0) return blame(turn, "Not all of it could be applied", up.reasons);
  return { state: "success", description: summary(up.changes), reasons: [] };
}

async function newestCommit({ settings, repository }: Turn): Promise<string | undefined> {
  const { [settings.branch]: newest } = await repository.heads(settings.branch);
  return newest;
}

/** What is wrong with the manifests of the checkout, found without a connection. */
async function validate({ settings, signal }: Turn): Promise<Reason[]> {
  const place = { cwd: checkoutIn(settings.workFolder), env: settings.env, signal };
  const overlays = settings.stack.split("/").at(-1)!;
  const words = ["validate", "deployments", "--format", "json", "--stack", overlays];
  const { code, stdout, stderr } = await agentserver(words, place);
  if (code === 0) return [];
  if (code === 1) return [{ text: stderr.trim().replaceAll(place.cwd, "the repository") }];
  if (code !== 2) throw new Error(`agentserver validate failed: ${stderr.trim()}`);
  const { faults } = JSON.parse(stdout) as {
    faults: Record<"file" | "line" | "column" | "message", string>[];
  };
  return faults.map(({ file, line, column, message }) => ({ text: `${file}:${line}:${column}: ${message}` }));
}

/** Why the control plane cannot be asked anything; nothing if it can. */
async function whyNoControlPlane({ settings, signal }: Turn): Promise<string | undefined> {
  const place = { cwd: projectFolder, env: settings.env, signal };
  const { code, stderr } = await agentserver(["status", "--json", "--stack", settings.stack], place);
  return code === 0 ? undefined : stderr.trim().split("\n").at(-1);
}

/** A failure, unless the control plane has gone away: then the commit is not to blame. */
async function blame(turn: Turn, description: string, reasons: Reason[]): Promise<Verdict> {
  const outage = await whyNoControlPlane(turn);
  return outage ? passing(description, [{ text: outage }, ...reasons]) : failed(description, reasons);
}

function failed(description: string, reasons: Reason[]): Verdict {
  return { state: "failure", description, reasons };
}

function passing(description: string, reasons: Reason[]): Verdict {
  return { state: "error", description, reasons };
}

function summary(changes: string[]): string {
  return changes.length > 0 ? `Applied: ${changes.join(", ")}` : "Nothing to change";
}

/** A reason for the terminal, without what could drive it. */
function line({ deployment, policy, text }: Reason): string {
  const about = [deployment, policy].filter(Boolean).join(", ");
  return `  ${about && `${about}: `}${text}`.replace(/[^\P{C}\n]/gu, "");
}
