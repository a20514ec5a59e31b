import { dialectTables, ownerSecretName } from "../../../../wire";
import { canary } from "../../../provider/world";
import { standingIn } from "../expected/situation";
import type { Server } from "../sequence/server";
import type { Meanwhile, OthersStep } from "../sequence/steps";
import { ask, type DeploymentView } from "./plane-view";
import type { Resource, Scenario } from "./scenario";

/** Performs an action of another actor. Does nothing if the deployment does not exist. */
export async function actAsOthers(
  scenario: Scenario,
  server: Server,
  plane: DeploymentView[],
  step: OthersStep,
): Promise<void> {
  const { world } = scenario;
  if (step.do === "wait") return world.clock.advance(step.seconds * 1_000);
  if (step.do === "fail") return scenario.steer({ verdict: step.verdict, times: 1 });
  if (step.do === "slow") return scenario.steer({ pace: { afterSeconds: 90 }, times: 1 });
  if (step.do === "restart") {
    await world.stopPlane();
    return world.restartPlane();
  }
  if (step.do === "make") return make(scenario, server, plane, step);
  const there = plane[step.at ?? 0];
  if (!there) return;
  const path = `/v2/deployments/${there.id}`;
  if (step.do === "delete") await ask(world, "DELETE", path);
  else if (step.do === "prune") prune(scenario, server, there);
  else if (step.do === "push") push(scenario, there.id, step.repoRef);
  else await ask(world, "PATCH", path, meddling(there, step.with));
}

function push(scenario: Scenario, deployment: string, repoRef?: string): string {
  const source = repoRef === undefined ? {} : { sourceRevisionConfig: { repo_ref: repoRef } };
  return scenario.world.admin.pushRevision(deployment, source);
}

function meddling({ settings }: DeploymentView, what: Extract<OthersStep, { do: "meddle" }>["with"]): object {
  if (what === "buildOnPush") return { source_config: { build_on_push: !settings.buildOnPush } };
  if (what === "cpu") return { source_config: { resource_spec: { cpu: 4 } } };
  const theirs = { name: "MODEL_KEY", value: `${canary}-theirs` };
  const tag = what === "secrets" && settings.tag !== undefined;
  return { secrets: [...(tag ? [{ name: ownerSecretName, value: settings.tag }] : []), theirs] };
}

async function make(
  scenario: Scenario,
  { dialect }: Server,
  plane: DeploymentView[],
  { name, repoRef, deploymentType, fails }: Extract<OthersStep, { do: "make" }>,
): Promise<void> {
  if (plane.some(({ settings }) => settings.name === name)) return;
  if (fails) scenario.steer({ verdict: fails, times: 1 });
  const body = {
    name,
    source: "github",
    source_config: {
      repo_url: "https://git.example.com/agents.git",
      deployment_type: deploymentType,
      build_on_push: false,
      resource_spec: { cpu: 1 },
    },
    source_revision_config: {
      repo_ref: repoRef,
      [dialectTables[dialect].graphConfigField]: "langgraph.json",
    },
    secrets: [{ name: "MODEL_KEY", value: `${canary}-theirs` }],
  };
  // A deployment that is being deleted may still use the name.
  await ask(scenario.world, "POST", "/v2/deployments", body).catch(() => undefined);
}

function prune(scenario: Scenario, server: Server, { revisions, serving }: DeploymentView): void {
  // Short pages require a list without gaps.
  if (server.pageCap !== undefined) return;
  for (const { id, status } of revisions.slice(1))
    if (id !== serving && standingIn(server, status) !== "unsettled") scenario.prune(id);
}

/** An actor that acts once during an `up`. */
export class Bystander {
  /** Action that the actor has performed, if any. */
  done: Action | undefined;
  /** IDs of the revisions that the actor created. */
  readonly revisions: string[] = [];
  private work: Promise<unknown> = Promise.resolve();
  private readonly takeBack: () => void;

  constructor(
    private readonly scenario: Scenario,
    meanwhile: Meanwhile | undefined,
    plane: DeploymentView[],
    { kept, program }: Pick<Resource, "kept" | "program">,
  ) {
    const id = kept?.id ?? plane.find(({ settings }) => settings.name === program.name)?.id;
    const act = ({ does }: Meanwhile) =>
      does === "delete" ? this.delete(id) : this.push(id ?? program.name, does);
    this.takeBack = meanwhile
      ? scenario.world.clock.after(meanwhile.afterSeconds * 1_000, () => act(meanwhile))
      : () => undefined;
  }

  /** Cancels the action if it has not started, and otherwise waits for it. */
  async leave(): Promise<void> {
    this.takeBack();
    await this.work;
  }

  private delete(id: string | undefined): void {
    if (id === undefined) return;
    this.done = "delete";
    this.work = ask(this.scenario.world, "DELETE", `/v2/deployments/${id}`).catch(() => undefined);
  }

  private push(deployment: string, what: "push" | "push theirs"): void {
    try {
      this.revisions.push(push(this.scenario, deployment, what === "push" ? undefined : "theirs"));
      this.done = "push";
    } catch {
      // The deployment does not exist, or it is being deleted.
    }
  }
}

type Action = "push" | "delete";
