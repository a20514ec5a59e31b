import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { controlPlaneUrl, regionHosts } from "../../provider/control-plane/base-url";
import { readLocalSource } from "../../provider/local-source/contents";
import { withArchive } from "../../provider/local-source/archive";
import type { Clock } from "../../provider/clock";
import { type DialectName, dialectNames } from "../../wire";
import { workFolder } from "../repository";
import { allAssumptions } from "./assumptions";
import { Journal } from "./journal";
import { isProtected } from "./protected-address";
import { jsonReport, markdownReport, summary } from "./report";
import type { Connection } from "./requests";
import { removeLeftovers, runConformance } from "./run";
import { announcement, availableSources, type SourceSettings } from "./settings";

/** Parts of the process that the command uses. */
export interface ConformanceContext {
  env: NodeJS.ProcessEnv;
  clock: Clock;
  signal: AbortSignal;
  print: (text: string) => void;
  /** Asks for consent; undefined if the input is not a terminal. */
  confirm?: (question: string) => Promise<boolean>;
}

interface Options extends SourceSettings {
  baseUrl?: string;
  region?: keyof typeof regionHosts;
  tenantId?: string;
  dialect?: DialectName;
  output: string;
  minutes: string;
  pollSeconds: string;
  agents: boolean;
  yesCreateDeployments?: boolean;
  clean?: boolean;
}

/** Exit code if an assumption was refuted. Otherwise, the exit code is 0, or 1 after an error. */
const refutedCode = 2;

/** Runs `npm run conformance`. Resolves with the exit code. */
export async function conformance(words: string[], context: ConformanceContext): Promise<number> {
  const options = parse(words);
  const connection = await connectionFor(options, context);
  const journalFile = join(options.output, "journal.jsonl");
  if (options.clean) return clean(connection, journalFile, context);

  const settings = {
    ...options,
    pushedImage: connection.dialect === "langsmith" && options.pushedImage === true,
  };
  const sources = availableSources(settings, connection.dialect);
  if (sources.length === 0)
    throw new Error("Specify a source: --repository, --image, or, on the public service, --folder.");
  const leftovers = new Journal(journalFile).leftovers().map(({ name }) => name);
  if (leftovers.length > 0)
    throw new Error(
      `${journalFile} contains deployments of another run: ${leftovers.join(", ")}. Wait until that run has ended, or delete them with \`npm run conformance -- --clean\`.`,
    );
  context.print(announcement(sources, connection.baseUrl, connection.dialect));
  if (!(options.yesCreateDeployments ?? (await context.confirm?.("Create these deployments?"))))
    throw new Error("Nothing was created. To create the deployments, pass --yes-create-deployments.");

  const { clock, signal, print } = context;
  const run = await runConformance({
    ...{ connection, settings, sources, journalFile, clock, signal },
    assumptions: allAssumptions(await archiveOf(options, clock), options.config, options.agents),
    rolloutMs: Number(options.minutes) * 60_000,
    pollMs: Number(options.pollSeconds) * 1000,
    onStep: (text) => print(`… ${text}`),
  });
  const time = new Date(clock.now());
  mkdirSync(options.output, { recursive: true });
  for (const [name, text] of [
    ["report.md", markdownReport(run, connection, time)],
    ["report.json", jsonReport(run, connection, time)],
  ] as const) {
    writeFileSync(join(options.output, name), text);
    print(`Wrote ${join(options.output, name)}`);
  }
  print(`${summary(run)}.`);
  if (run.interrupted !== undefined) print(`The run ended early: ${run.interrupted}`);
  if (run.left.length > 0)
    print(`Not deleted: ${run.left.join(", ")}. Run \`npm run conformance -- --clean\` again.`);
  if (run.interrupted !== undefined || run.left.length > 0) return 1;
  return run.results.some(({ outcome }) => outcome.verdict === "refuted") ? refutedCode : 0;
}

async function clean(
  connection: Connection,
  journalFile: string,
  { clock, signal, print }: ConformanceContext,
): Promise<number> {
  const left = await removeLeftovers({ connection, journalFile, clock, signal });
  print(
    left.length === 0 ? "All deployments in the journal are deleted." : `Not deleted: ${left.join(", ")}.`,
  );
  return left.length === 0 ? 0 : 1;
}

function parse(words: string[]): Options {
  const command = new Command("conformance")
    .description("check the provider's assumptions about a control plane with throwaway deployments")
    .option("--base-url <url>", "address of the control plane; by default, AGENTSERVER_BASE_URL")
    .addOption(
      new Option("--region <name>", "region of the public service, instead of --base-url").choices(
        Object.keys(regionHosts),
      ),
    )
    .option("--tenant-id <id>", "ID of the workspace; by default, AGENTSERVER_TENANT_ID")
    .addOption(new Option("--dialect <name>", "detected by default").choices([...dialectNames]))
    .option("--repository <url>", "GitHub repository with an agent")
    .option("--ref <name>", "branch or tag of the repository", "main")
    .option("--config <path>", "path of the graph configuration", "langgraph.json")
    .option("--integration <id>", "ID of the GitHub integration")
    .option("--folder <path>", "folder with an agent, which is uploaded; only on the public service")
    .option("--image <uri>", "image of an agent server; only on self-hosted installations")
    .option("--listener <id>", "listener that deploys the image")
    .option("--namespace <name>", "Kubernetes namespace of the image")
    .option("--pushed-image", "also create a deployment with the source for pushed images, but push no image")
    .option("--deployment-type <name>", "type of the deployments", "serverless")
    .option("--no-agents", "do not send requests to agent servers")
    .option("--minutes <number>", "maximum time per rollout", "30")
    .option("--poll-seconds <number>", "interval of polls", "5")
    .option("--output <folder>", "folder for the reports and the journal", join(workFolder, "conformance"))
    .option(
      "--yes-create-deployments",
      "create deployments, which may cost money, without asking for confirmation",
    )
    .option("--clean", "only delete the deployments that an interrupted run did not delete");
  const options = command.parse(words, { from: "user" }).opts<Options>();
  return { ...options, output: resolve(options.output) };
}

async function connectionFor(options: Options, { env, signal }: ConformanceContext): Promise<Connection> {
  const address = options.region
    ? regionHosts[options.region]
    : (options.baseUrl ?? env["AGENTSERVER_BASE_URL"]);
  const apiKey = env["AGENTSERVER_API_KEY"];
  const tenantId = options.tenantId ?? env["AGENTSERVER_TENANT_ID"];
  if (!address) throw new Error("Specify the control plane with --base-url or --region.");
  if (!apiKey) throw new Error("Set AGENTSERVER_API_KEY. The key cannot be passed as an argument.");
  const baseUrl = controlPlaneUrl(address, "--base-url (AGENTSERVER_BASE_URL)");
  if (!isProtected(baseUrl)) throw new Error(`The key is not sent to ${baseUrl} without TLS. Use https.`);
  return {
    ...{ baseUrl, apiKey },
    ...(tenantId && { tenantId }),
    dialect: options.dialect ?? (await detectDialect(baseUrl, signal)),
  };
}

async function detectDialect(baseUrl: string, signal: AbortSignal): Promise<DialectName> {
  const response = await fetch(`${baseUrl}/openapi.json`, { signal, redirect: "manual" });
  return response.ok && (await response.text()).includes('"langgraph_config_path"')
    ? "langsmith"
    : "interface";
}

async function archiveOf({ folder, config }: Options, clock: Clock): Promise<Uint8Array> {
  if (folder === undefined) return new Uint8Array();
  const source = await readLocalSource(resolve(folder), config);
  return withArchive(source, clock.now(), ({ place }) => readFile(place));
}
