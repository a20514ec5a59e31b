import type { ServiceError } from "@grpc/grpc-js";
import { unknownValue } from "@pulumi/pulumi/runtime";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Props } from "../../../provider/resource/inputs/values";
import { propsIn, send, struct } from "../../provider/hosts/plugin/client";
import { agentAt, type World } from "../../provider/world";
import type { SimulatedAgents } from "../model/world/agents";
import { environments, type History, type UpAction } from "./history";
import type { Seen } from "./oracle";
import type { PluginInTime } from "./plugin-in-time";
import { type Before, describeFailure, promise, Run } from "./run";

const component = "agentserver:index:Environments";

/** Deploys an environment. Returns the outputs of the deployment, or the error if it fails. */
type Register = (place: number, inputs: Props) => Promise<Props | Error>;

/** Environments that the `Environments` component declares in a single program. */
export class SingleProgram extends Run {
  constructor(
    world: World,
    agents: SimulatedAgents,
    history: History,
    private readonly plugin: PluginInTime,
  ) {
    super(
      world,
      agents,
      history,
      (name) => `urn:pulumi:dev::shop::${component}$agentserver:index:Deployment::support-${name}`,
      false,
    );
  }

  /** Runs a preview and an update of the program. */
  protected async update(action: UpAction): Promise<void> {
    if (action.refreshes) for (const place of environments.keys()) await this.refresh(place);
    await this.preview();
    const before: Seen[] = [];
    for (const place of environments.keys()) before.push(await this.observe(place));
    const faulty = action.who === "all" ? 0 : action.who;
    const declared = new Set<number>();
    let startedAt = this.world.clock.now();
    let judged = 0;
    const factsOf = async (place: number): Promise<Before> => ({
      before: before[place]!,
      startedAt,
      upstream: place === 0 ? undefined : (await this.observe(place - 1))[0],
      action,
    });
    /**
     * Judges all environments before this position that have not been judged yet. The program does not declare these
     * environments.
     */
    const judgeUntil = async (end: number): Promise<void> => {
      for (; judged < end; judged += 1) await this.judge(judged, await factsOf(judged), undefined);
    };
    const failure = await this.run(false, async (place, inputs) => {
      await judgeUntil(place);
      judged += 1;
      declared.add(place);
      const facts = await factsOf(place);
      const deployed = await this.deploy(place, inputs, place === faulty ? action : {});
      startedAt = this.world.clock.now();
      await this.judge(place, facts, commitOf(inputs), deployed);
      if (deployed.failure === undefined) return this.stacks[place]!.outputs;
      judged = environments.length;
      return new Error(describeFailure(deployed.failure));
    });
    if (failure) {
      if (judged === environments.length) return;
      requireNothingPromoted(failure);
      // The environments after this one are not updated.
      return judgeUntil(judged + 1);
    }
    await judgeUntil(environments.length);
    for (const [place, { id }] of this.stacks.entries())
      promise(id === undefined || declared.has(place), `the update deletes ${environments[place]}`);
  }

  /** Runs a preview of the program, which must not change anything. */
  private async preview(): Promise<void> {
    const { admin } = this.world;
    const before = admin.journal({ writes: true }).length;
    const failure = await this.run(true, async (place, inputs) => {
      const stack = this.stacks[place]!;
      const unknown = { url: unknownValue, verified: unknownValue };
      if (stack.id === undefined) return { ...inputs, ...unknown };
      this.begin(stack);
      const { changes } = await stack.preview(inputs);
      return { ...stack.outputs, ...((changes || stack.incomplete) && { ...inputs, ...unknown }) };
    });
    if (failure) requireNothingPromoted(failure);
    promise(admin.journal({ writes: true }).length === before, "a preview writes");
  }

  /** Runs the program. Returns its failure. */
  private async run(isPreview: boolean, register: Register): Promise<ServiceError | undefined> {
    const { plugin, world } = this;
    const { monitor } = plugin;
    let violation: Error | undefined;
    monitor.outputsOf = async (request) => {
      const place = environments.findIndex((name) => request.getName() === `support-${name}`);
      if (!request.getCustom() || place < 0) return {};
      const outputs = await register(place, propsIn(request.getObject())).catch((error: unknown) => {
        violation ??= error as Error;
        return new Error("The test failed.");
      });
      plugin.setTime(world.clock.now());
      if (outputs instanceof Error) throw outputs;
      return outputs;
    };
    monitor.resultOf = (token, args) => this.resultOf(token, args);
    plugin.setTime(world.clock.now());
    const failure = await send(plugin.client, "construct", this.request(isPreview)).then(
      () => undefined,
      (error: unknown) => error as ServiceError,
    );
    if (violation) throw violation;
    return failure;
  }

  /** Returns the engine's request to construct the component. */
  private request(isPreview: boolean): messages.ConstructRequest {
    const { plane } = this.world;
    const inputs = {
      ...agentAt(this.commit, { name: "support", rollout: { verify: { graph: "agent" } } }),
      environments: environments.map((environment, place) => {
        const gate = place === 0 ? undefined : this.gateInputs(place);
        return { environment, name: environment, ...(gate && { gate }) };
      }),
    };
    const request = new messages.ConstructRequest()
      .setProject("shop")
      .setStack("dev")
      .setOrganization("acme")
      .setParallel(16)
      .setDryrun(isPreview)
      .setMonitorendpoint(this.plugin.monitor.address)
      .setParent("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev")
      .setType(component)
      .setName("support")
      .setInputs(struct(inputs));
    const config = {
      baseUrl: plane.baseUrl,
      apiKey: plane.apiKey,
      tenantId: plane.tenantId,
      dialect: this.history.dialect,
    };
    for (const [key, value] of Object.entries(config))
      request.getConfigMap().set(`agentserver:${key}`, value);
    return request;
  }

  /** Returns the result of a function that the engine runs for the component. */
  private async resultOf(token: string, args: Props): Promise<Props> {
    if (token === "pulumi:pulumi:readStackResourceOutputs") {
      const existing = this.stacks.filter(({ id }) => id !== undefined);
      return { outputs: Object.fromEntries(existing.map(({ urn, outputs }) => [urn, { outputs }])) };
    }
    if (token === "pulumi:pulumi:getResource") throw new Error("unknown resource");
    const name = token.slice("agentserver:index:".length) as "getDeployments" | "getRevisions";
    return this.call(name, args);
  }
}

function commitOf({ sourceRevisionConfig }: Props): string {
  return (sourceRevisionConfig as { repoRef: string }).repoRef;
}

/** Requires that a program failed because there is nothing that an environment could serve. */
function requireNothingPromoted({ details }: ServiceError): void {
  promise(/^Environments "[^"]+": Nothing can be promoted: /.test(details), `the program failed: ${details}`);
}
