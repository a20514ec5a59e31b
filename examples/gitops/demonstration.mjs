// A local demonstration of GitOps, not intended for production use. docs/gitops.md in pulumi-agentserver compares
// the tools for production use. Starts a local control plane and applies each commit in .local/agents with Pulumi.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const local = join(folder, ".local");
const [agents, checkout] = [join(local, "agents"), join(local, "checkout")];
const stop = new AbortController();

process.exitCode = await main().catch((error) => {
  if (stop.signal.aborted) console.log("Stopped. The next start continues from here.");
  else console.error(`demonstration: ${error.message}`);
  return stop.signal.aborted ? 0 : 1;
});

async function main() {
  const { startControlPlane, agentserver } = await whatIsNeeded();
  if (!existsSync(agents)) makeRepository();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => stop.abort());
  const plane = await startControlPlane({ state: join(local, "control-plane"), rollout: "real" });
  const env = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${local}`,
    PULUMI_CONFIG_PASSPHRASE: "demonstration",
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
    AGENTSERVER_TENANT_ID: plane.tenantId,
    AGENTS_REPOSITORY: agents,
  };
  const pulumi = (...words) => run("pulumi", words, env);
  try {
    if (!(await pulumi("stack", "select", "--create", "demonstration"))) return 1;
    if (!(await pulumi("config", "set", "--secret", "greeting", "Hello"))) return 1;
    // Only the demonstration uses this stack, so an existing lock comes from a killed demonstration.
    rmSync(join(local, ".pulumi", "locks"), { recursive: true, force: true });
    console.log(
      `The control plane is at ${plane.baseUrl}. Commit changes to ${agents}. Ctrl-C ends the demonstration.`,
    );
    for (let seen; ; await pause(1_000, undefined, { signal: stop.signal })) {
      const newest = git(agents, "rev-parse", "main");
      if (newest === seen) continue;
      seen = newest;
      rmSync(checkout, { recursive: true, force: true });
      git(local, "clone", "--quiet", "--branch=main", agents, checkout);
      git(checkout, "checkout", "--quiet", "--detach", newest);
      const done =
        (await run(process.execPath, [agentserver, "validate", ".local/checkout/deployments"], env)) &&
        (await pulumi("up", "--yes", "--skip-preview"));
      console.log(done ? `Applied ${newest}.` : `Could not apply ${newest}; the reason is above.`);
    }
  } finally {
    await plane.close();
  }
}

/** Checks the requirements, and returns the programs that the demonstration runs. */
async function whatIsNeeded() {
  if (Number(process.versions.node.split(".")[0]) < 24)
    throw new Error(`the local control plane needs Node 24 or later; this is ${process.version}.`);
  for (const command of ["git version", "pulumi version"])
    if (spawnSync(command, { shell: true }).status !== 0)
      throw new Error(`\`${command}\` failed. Install ${command.split(" ")[0]}, and put it on the PATH.`);
  try {
    const manifest = createRequire(import.meta.url).resolve("pulumi-agentserver/package.json");
    const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
    const { startControlPlane } = await import("agentserver-emulator");
    return { startControlPlane, agentserver: join(dirname(manifest), bin.agentserver) };
  } catch (error) {
    throw new Error(`run \`npm install\` in ${folder} first. (${error.message.split("\n")[0]})`);
  }
}

/** Creates the repository with one deployment and its agent. */
function makeRepository() {
  const made = `${agents}.new`;
  rmSync(made, { recursive: true, force: true });
  cpSync(join(folder, "repository"), made, { recursive: true });
  git(made, "init", "--quiet", "--initial-branch=main");
  git(made, "add", "--all");
  const author = ["-c", "user.name=local", "-c", "user.email=local@localhost"];
  git(made, ...author, "commit", "--quiet", "--message=One deployment and its agent");
  git(made, "tag", "v1.0.0");
  renameSync(made, agents);
}

function git(place, ...words) {
  return execFileSync("git", ["-C", place, ...words], { encoding: "utf8" }).trim();
}

/** Runs a command in this folder until it exits or the demonstration is stopped. Returns true if it succeeded. */
function run(command, words, env) {
  stop.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // A separate process group, so that one Ctrl-C stops all processes exactly once.
    const child = spawn(command, words, {
      cwd: folder,
      env,
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    const end = () => process.kill(-child.pid, "SIGINT");
    stop.signal.addEventListener("abort", end);
    child.on("error", reject).on("close", (code) => {
      stop.signal.removeEventListener("abort", end);
      stop.signal.aborted ? reject(stop.signal.reason) : resolve(code === 0);
    });
  });
}
