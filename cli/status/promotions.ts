import { z } from "zod";
import { agentInputs } from "../../provider/deployment/inputs/identity";
import { verifiedArtifacts, type VerifiedArtifact } from "../../provider/deployment/state";
import { AgentServerError } from "../../provider/errors";
import { abbreviate } from "../../provider/promotion/artifact";
import { targetName } from "../../provider/promotion/decide";
import { typeNameOf } from "../../provider/resource/ownership/type-token";
import { type CommandProcess, exitCodes } from "../command-process";
import { printable, printableJson } from "../printable";
import { runPulumi } from "../run-pulumi";
import { formatTime, plainTable } from "./table";

/** Environment in a stack. Environments are listed in the order of promotion. Null means none or unknown. */
export interface PromotionOverview {
  /** Name of the environment; name of the deployment if it does not belong to an `Environments` component. */
  environment: string;
  /** Name of the deployment; null while the environment waits for its first promotion. */
  deployment: string | null;
  /** Verified commit, image, or folder hash that the deployment serves. */
  artifact: string | null;
  verifiedSince: string | null;
  /** Sentence that states what is waiting, why, since when, and how to proceed. */
  waitingFor: string | null;
}

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  parent: z.string().default(""),
  delete: z.boolean().default(false),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const stackState = z.object({ deployment: z.object({ resources: z.array(resource).default([]) }) });
const chain = z.object({
  environments: z.array(z.string()),
  waiting: z.record(z.string(), z.unknown()).default({}),
});

type StateResource = z.infer<typeof resource>;

/** Prints the environments of a stack, based on its state, and resolves with the exit code. */
export async function showPromotions(
  context: CommandProcess,
  { stack, json }: { stack?: string | undefined; json?: boolean | undefined },
): Promise<number> {
  if (stack === undefined)
    throw new AgentServerError("bad_configuration", "--promotions reads the state of a stack: pass --stack.");
  const overviews = promotionsIn(await exportState(stack, context));
  const text = json
    ? `${printableJson(JSON.stringify(overviews, undefined, 2))}\n`
    : formatPromotions(overviews);
  await context.stdout.write(text);
  return exitCodes.success;
}

async function exportState(stack: string, context: CommandProcess): Promise<unknown> {
  const errorOf = (reason: string) =>
    new AgentServerError(
      "bad_configuration",
      `The state of the stack "${stack}" could not be read: ${reason}. Run the command in the folder of the Pulumi project.`,
    );
  const output = await runPulumi(
    ["stack", "export", "--non-interactive", `--stack=${stack}`],
    context,
    errorOf,
  );
  try {
    return JSON.parse(output);
  } catch {
    // The cause would repeat the output.
    throw errorOf("`pulumi stack export` did not print valid JSON");
  }
}

/**
 * Returns the environments of all `Environments` components in an exported stack, followed by the other verified
 * deployments.
 */
export function promotionsIn(state: unknown): PromotionOverview[] {
  const parsed = stackState.safeParse(state);
  if (!parsed.success)
    throw new AgentServerError("bad_configuration", "`pulumi stack export` printed an unknown format.");
  const resources = parsed.data.deployment.resources.filter((one) => !one.delete);
  const byUrn = new Map(resources.map((one) => [one.urn, one]));
  const deployments = resources.filter(({ type }) => typeNameOf(type) === "Deployment");
  const ofChains = new Set<StateResource>();
  const chains = resources
    .filter(({ type }) => type === "agentserver:index:Environments")
    .flatMap((component) => {
      const { environments = [], waiting = {} } = chain.safeParse(component.outputs).data ?? {};
      return environments.map((environment) => {
        const service = `${nameIn(component)}-${environment}`;
        const deployment = deployments.find(
          (one) => nameIn(one) === service && byUrn.get(one.parent)?.parent === component.urn,
        );
        if (deployment) ofChains.add(deployment);
        return overviewOf(environment, deployment, waiting[environment]);
      });
    });
  const { outputs = {} } = resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
  const others = deployments
    .filter((one) => !ofChains.has(one) && historyOf(one).length > 0)
    .map((one) => {
      const name = textIn(one.outputs["name"]) ?? nameIn(one);
      const { data: agent } = agentInputs.safeParse(one.outputs["agent"]);
      // The sentence that `promote` reports starts with the name of its target.
      const targets = [name, ...(agent ? [targetName({ agent })] : [])];
      const waiting = textIn(outputs["waiting"]);
      const isAbout = targets.some((target) => waiting?.startsWith(`${target} `));
      return overviewOf(name, one, isAbout ? waiting : undefined);
    });
  return [...chains, ...others];
}

function overviewOf(
  environment: string,
  deployment: StateResource | undefined,
  waiting: unknown,
): PromotionOverview {
  const current = deployment && verifiedIn(deployment)?.current;
  return {
    environment,
    deployment: deployment ? (textIn(deployment.outputs["name"]) ?? nameIn(deployment)) : null,
    artifact: current?.artifact ?? null,
    verifiedSince: current?.verifiedAt ?? null,
    waitingFor: textIn(waiting) ?? null,
  };
}

function verifiedIn({ outputs }: StateResource) {
  return verifiedArtifacts.safeParse(outputs["verified"]).data;
}

function historyOf(deployment: StateResource): readonly VerifiedArtifact[] {
  return verifiedIn(deployment)?.history ?? [];
}

/** Returns the value if it is a string; `undefined` for other values, such as encrypted ones. */
function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function nameIn({ urn }: StateResource): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

function formatPromotions(overviews: readonly PromotionOverview[]): string {
  if (overviews.length === 0) return "No verified deployments in this stack.\n";
  const table = plainTable(
    ["ENVIRONMENT", "DEPLOYMENT", "ARTIFACT", "VERIFIED SINCE (UTC)"],
    overviews.map(({ environment, deployment, artifact, verifiedSince }) => [
      printable(environment),
      printable(deployment ?? "none"),
      artifact === null ? "none" : printable(abbreviate(artifact)),
      verifiedSince === null ? "" : printable(formatTime(verifiedSince)),
    ]),
  );
  const sentences = overviews.flatMap(({ waitingFor }) => waitingFor ?? []);
  return table + (sentences.length > 0 ? `\n${sentences.map((one) => `${printable(one)}\n`).join("")}` : "");
}
