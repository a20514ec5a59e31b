import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { asError } from "../../provider/errors";
import { proxyFor, proxySettings } from "../../provider/http/proxy";
import { formatDuration } from "../../provider/text/duration";
import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, connect, type ControlPlaneAccess } from "../connection";
import { supportedNode } from "../node-versions";
import { printable } from "../printable";
import { runPulumi } from "../run-pulumi";
import { oldestSdk } from "../supported-versions";

/** Maximum difference between the clocks that is not reported, in milliseconds. */
const clockToleranceMs = 60_000;

/** Result of one check. A warning does not change the exit code. */
interface Finding {
  level: "ok" | "warning" | "problem";
  /** Sentence that states the result and, for a problem, how to fix it. */
  text: string;
}

const marks = { ok: "✓", warning: "!", problem: "✗" } as const;

/**
 * Checks the installation and the connection to the control plane, prints one line per check, and resolves with the
 * exit code. Sends `GET /openapi.json` and `GET /v2/deployments`.
 */
export async function showDiagnosis(context: CommandProcess, flags: ConnectionFlags): Promise<number> {
  let code: number = exitCodes.success;
  for await (const { level, text } of findings(context, flags)) {
    if (level === "problem") code = exitCodes.failure;
    await context.stdout.write(`${marks[level]} ${printable(text.replace(/\s*\n\s*/g, " "))}\n`);
  }
  return code;
}

async function* findings(context: CommandProcess, flags: ConnectionFlags): AsyncGenerator<Finding> {
  yield nodeFinding(process.versions.node);
  yield await finding(async () => ok(`Pulumi ${await pulumiVersion(context)}`));
  const sdk = sdkFinding(context.cwd);
  if (sdk) yield sdk;
  let access: ControlPlaneAccess;
  try {
    access = await connect(context, flags);
  } catch (error) {
    yield problem(asError(error).message);
    return;
  }
  for await (const one of connectionFindings(context, access))
    yield { ...one, text: access.redact(one.text) };
}

async function* connectionFindings(
  { env, signal }: CommandProcess,
  { session }: ControlPlaneAccess,
): AsyncGenerator<Finding> {
  const { baseUrl, tenantId } = session.connection;
  const workspace = tenantId === undefined ? "the workspace of the API key" : `workspace ${tenantId}`;
  yield ok(`Control plane ${baseUrl}, ${workspace}`);
  yield await finding(() => {
    const proxy = proxyFor(baseUrl, "control plane", proxySettings(env));
    return ok(proxy ? `Proxy ${proxy.origin}` : "No proxy");
  });
  const dialect = await finding(async () => {
    const { name } = session.knownDialect ?? (await session.lookUpDialect(signal));
    return ok(`Dialect ${name} (${session.configuredDialect ? "configured" : "detected"})`);
  });
  yield dialect;
  if (dialect.level === "problem") return;
  yield await finding(async () => {
    await session.clientWithoutRetries().deployments.verifyAccess(signal);
    return ok("The control plane accepts the credentials");
  });
  const differenceMs = session.polling.clockDifferenceMs();
  if (differenceMs !== undefined) yield clockFinding(differenceMs);
}

/** Returns the finding about the version of Node.js. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const supported = Object.entries(supportedNode).map(([one, oldest]) => ({ major: Number(one), oldest }));
  const found = supported.find((one) => one.major === major);
  if (found && minor >= found.oldest) return ok(`Node.js ${version}`);
  const names = supported.map((one) =>
    one.oldest === 0 ? one.major : `${one.major} (${one.major}.${one.oldest} or later)`,
  );
  if (found || major < supported[0]!.major)
    return problem(`Node.js ${version} is not supported. Install Node.js ${names.join(" or ")}.`);
  return {
    level: "warning",
    text: `Node.js ${version} is not tested; Node.js ${names.join(" and ")} are supported`,
  };
}

async function pulumiVersion(context: CommandProcess): Promise<string> {
  const reasonOf = (reason: string) => new Error(`${reason}. Install Pulumi, or add it to the PATH.`);
  return (await runPulumi(["version"], context, reasonOf)).trim().replace(/^v/, "");
}

/** Returns the finding about the Pulumi SDK of the project in this folder; `undefined` if there is none. */
function sdkFinding(cwd: string): Finding | undefined {
  let version: string;
  try {
    const file = createRequire(join(cwd, "package.json")).resolve("@pulumi/pulumi/package.json");
    ({ version } = JSON.parse(readFileSync(file, "utf8")) as { version: string });
  } catch {
    return undefined;
  }
  return isSupportedSdk(version)
    ? ok(`@pulumi/pulumi ${version}`)
    : problem(
        `@pulumi/pulumi ${version} is not supported. Install ${oldestSdk} or later, for example with \`npm install @pulumi/pulumi@${oldestSdk}\`.`,
      );
}

function isSupportedSdk(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestSdk.split(".").map(Number);
  return major === oldestMajor && minor >= oldestMinor;
}

function clockFinding(differenceMs: number): Finding {
  const amount = formatDuration(Math.abs(differenceMs));
  if (Math.abs(differenceMs) <= clockToleranceMs)
    return ok("The local clock matches the clock of the control plane");
  const direction = differenceMs > 0 ? "behind" : "ahead of";
  return {
    level: "warning",
    text: `The local clock is ${amount} ${direction} that of the control plane. Synchronize it, because promotions and schedules depend on it.`,
  };
}

/** Returns the result of a check. An error is reported as a problem. */
async function finding(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return problem(asError(error).message);
  }
}

function ok(text: string): Finding {
  return { level: "ok", text };
}

function problem(text: string): Finding {
  return { level: "problem", text };
}
