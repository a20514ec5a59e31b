import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Progress } from "../../progress";
import { commitAgent } from "../../quickstart/agent-source";
import { type LocalControlPlane, startControlPlane, stopControlPlane } from "../../quickstart/control-plane";
import { ask } from "../../quickstart/question";
import { installPlugin, npmProject, pluginProjects, type Project, runPythonTests } from "./projects";
import { connectionVariables, createSurroundings, succeed, type Surroundings } from "./surroundings";

/** Options of `rehearse`. */
export interface RehearsalOptions {
  /** Folder that contains the released files. */
  files: string;
  version: string;
  signal: AbortSignal;
  progress: Progress;
}

/**
 * Installs the released files in empty projects outside of the repository, one per language, and runs the quickstart
 * with them: deploys an agent to the installed local control plane, asks the agent a question, runs another preview,
 * and destroys the stack.
 */
export async function rehearse(options: RehearsalOptions): Promise<void> {
  const { progress, signal } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-rehearsal-")));
  let plane: LocalControlPlane | undefined;
  try {
    const surroundings = await createSurroundings({ ...options, folder });
    const npmFolder = join(folder, npmProject.name);
    await step(progress, npmProject, "installing", () => npmProject.install(npmFolder, surroundings));
    plane = await progress.step("starting the installed local control plane", () =>
      startControlPlane(signal, {
        command: join(npmFolder, "node_modules", "pulumi-agentserver", "dist", "cli", "main.js"),
        state: join(folder, "control-plane"),
        log: join(folder, "control-plane.log"),
      }),
    );
    const connected = { ...surroundings, env: { ...surroundings.env, ...connectionVariables(plane) } };
    await runQuickstart(npmProject, plane, connected);
    await progress.step("installing the provider plugin", () => installPlugin(connected));
    for (const project of pluginProjects) {
      const into = join(folder, project.name);
      await step(progress, project, "installing", () => project.install(into, connected));
      await runQuickstart(project, plane, connected);
    }
    await progress.step("running the tests of the Python example", () => runPythonTests(connected));
  } finally {
    if (plane) await stopControlPlane(plane.processId);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deploys the project's agent, checks that it answers and that nothing is left to change, and destroys it. */
async function runQuickstart(
  project: Project,
  plane: LocalControlPlane,
  surroundings: Surroundings,
): Promise<void> {
  const { pulumi, progress, signal } = surroundings;
  const folder = join(surroundings.folder, project.name);
  const engine = (...args: string[]) => succeed([pulumi, ...args, "--non-interactive"], folder, surroundings);
  const run = (command: Parameters<Project["command"]>[0]) =>
    step(progress, project, command, () =>
      succeed(project.command(command, folder, surroundings), folder, surroundings),
    );
  const agentRepository = join(surroundings.folder, "agents", `${project.name}.git`);
  mkdirSync(agentRepository, { recursive: true });
  const repoRef = await commitAgent({ agentFolder: project.agent, agentRepository }, signal);
  await engine("stack", "init", project.name);
  const settings = { repoUrl: agentRepository, repoRef };
  for (const [key, value] of Object.entries(settings)) await engine("config", "set", key, value);
  await engine("config", "set", "--secret", "greeting", "Hello");

  await run("preview");
  await run("up");
  const url = (await engine("stack", "output", "url")).trim();
  const answer = await step(progress, project, "asking the agent", () => ask(url, plane, "What do you do?"));
  if (!answer.includes("Hello"))
    throw new Error(
      `The answer of the agent in ${project.name} does not contain the greeting: ${JSON.stringify(answer)}.`,
    );
  expectNoChanges(project, await run("preview"));
  await run("destroy");
}

/**
 * Checks that the output of a preview contains no changes. Programs that start the engine themselves have no option for
 * this check.
 */
function expectNoChanges({ name }: Project, output: string): void {
  if (/\d+ unchanged/.test(output) && !/\d+ to (create|update|delete|replace)/.test(output)) return;
  throw new Error(`The second preview of ${name} is not empty:\n${output}`);
}

function step<Result>(
  progress: Progress,
  { name }: Project,
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return progress.step(`${name}: ${action}`, work);
}
