import { agentAt, type World } from "../../provider/world";
import type { SimulatedAgents } from "../model/world/agents";
import { environments, type History, type UpAction } from "./history";
import { promise, Run } from "./run";

/** Environments in separate stacks, whose programs call `promote`. */
export class SeparateStacks extends Run {
  constructor(world: World, agents: SimulatedAgents, history: History) {
    super(
      world,
      agents,
      history,
      (name) => `urn:pulumi:${name}::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent`,
      true,
    );
  }

  /** Updates the stacks in order until one of them fails. */
  protected async update(action: UpAction): Promise<void> {
    const places = action.who === "all" ? [...environments.keys()] : [action.who];
    for (const place of places) {
      const isFirst = place === places[0];
      if (!(await this.up(place, isFirst ? action : { ...action, killAt: undefined, fails: undefined })))
        return;
    }
  }

  /** Runs `pulumi up` for one environment. Returns true if it succeeded. */
  private async up(place: number, action: UpAction): Promise<boolean> {
    if (action.refreshes) await this.refresh(place);
    const before = {
      before: await this.observe(place),
      startedAt: this.world.clock.now(),
      upstream: place === 0 ? undefined : (await this.observe(place - 1))[0],
      action,
    };
    const source = place === 0 ? this.commit : await this.promoted(place, action.missesReference);
    if (source === undefined) {
      await this.judge(place, before, source);
      return false;
    }
    const inputs = agentAt(source, { name: environments[place]!, rollout: { verify: { graph: "agent" } } });
    const deployed = await this.deploy(place, inputs, action);
    await this.judge(place, before, source, deployed);
    return deployed.failure === undefined;
  }

  /** Returns the commit that `promote` returns, or `undefined` if it fails because nothing may be promoted. */
  private async promoted(place: number, missesReference: boolean): Promise<string | undefined> {
    try {
      const promotion = await this.call("promote", {
        from: missesReference ? undefined : this.stacks[place - 1]!.outputs["verified"],
        fromName: environments[place - 1]!,
        to: { name: environments[place]! },
        gate: this.gateInputs(place),
      });
      promise(promotion !== undefined && "artifact" in promotion, "promote returned no source");
      return promotion.artifact;
    } catch (error) {
      promise(
        error instanceof Error && error.message.startsWith("Nothing can be promoted: "),
        `promote failed: ${String(error)}`,
      );
      return undefined;
    }
  }
}
