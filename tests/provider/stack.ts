import { randomUUID } from "node:crypto";
import type { CheckFailure } from "../../provider/deployment/rules/check";
import type { DeploymentState } from "../../provider/deployment/state";
import type { Props } from "../../provider/resource/inputs/values";
import type { DynamicHost } from "../../provider/hosts/dynamic/host";
import { inClear, overTheWire } from "./wire";

/** Value of the `__provider` property, which the SDK adds to the inputs of every resource. */
const providerText = 'exports.handler = () => require("pulumi-agentserver/provider").provider;';

/** A failure as seen by the process of the dynamic provider. */
export type Failure = Error & { id?: string; properties?: Props; reasons?: string[] };

/** Methods of the provider that the engine calls for a resource. */
export interface Provider extends Pick<DynamicHost, "configure" | "diff" | "delete"> {
  check(olds: Props, news: Props): Promise<{ inputs?: Props; failures?: CheckFailure[] }>;
  create(inputs: Props): Promise<{ id: string; outs?: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs?: Props }>;
  read(id: string, props: Props): Promise<{ id?: string; props?: Props; inputs?: Props }>;
}

/** Result of a `pulumi up`. */
export interface Up {
  step: "create" | "update" | "replace" | "same" | "refused";
  failure?: Failure;
  checkFailures: CheckFailure[];
}

/** A simulated stack with one resource. It calls the provider in the same order as the engine. */
export class Stack {
  id: string | undefined;
  inputs: Props = {};
  outputs: Props = {};
  /** True if the last step failed but kept the resource. */
  incomplete = false;
  /** Replaced objects, which are deleted at the end of a successful `up`. */
  pending: { id: string; outputs: Props }[] = [];
  /** Value of the `deleteBeforeReplace` resource option in the program. */
  deletesFirst: boolean | undefined;
  /** Call properties that the program specifies, in addition to the URN. */
  call: Props = {};

  constructor(
    /** World whose `failures` list collects the failures of this stack. */
    private readonly world: { failures: Error[] },
    public host: Provider,
    readonly urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent-${randomUUID()}`,
  ) {}

  get state(): DeploymentState {
    return this.outputs as unknown as DeploymentState;
  }

  get deploymentId(): string {
    return this.id!;
  }

  /** Runs `pulumi up` with these inputs. */
  async up(inputs: object): Promise<Up> {
    const checked = await this.check(inputs);
    if (checked.failures.length > 0) return { step: "refused", checkFailures: checked.failures };
    const run = async (): Promise<Up["step"]> => {
      if (!this.id) return this.create(checked.inputs);
      const diff = await this.host.diff(this.id, copied(this.outputs), copied(checked.inputs));
      if (diff.replaces?.length) {
        await this.replace(checked.inputs, this.deletesFirst ?? diff.deleteBeforeReplace === true);
        return "replace";
      }
      if (diff.changes || this.incomplete) return this.update(checked.inputs);
      this.inputs = checked.inputs;
      return "same";
    };
    try {
      const step = await run();
      await this.deletePending();
      return { step, checkFailures: [] };
    } catch (failure) {
      return { step: "refused", failure: this.kept(failure, checked.inputs), checkFailures: [] };
    }
  }

  /** Runs `check`, as in every preview and update. */
  async check(inputs: object): Promise<{ inputs: Props; failures: CheckFailure[] }> {
    const news = { __provider: providerText, __call: { urn: this.urn, ...this.call }, ...inputs };
    const answer = await this.host.check(copied(this.inputs), copied(news));
    return { inputs: overTheWire(answer.inputs!), failures: answer.failures ?? [] };
  }

  /** Runs `check` and `diff`, as in a preview. */
  async preview(inputs: object) {
    const checked = await this.check(inputs);
    return this.host.diff(this.deploymentId, copied(this.outputs), copied(checked.inputs));
  }

  /** Runs `pulumi refresh`. Returns true if the resource still exists. */
  async refresh(): Promise<boolean> {
    const found = await this.host.read(this.deploymentId, copied(this.outputs));
    this.incomplete = false;
    if (!found.id) {
      this.lose();
      return false;
    }
    this.outputs = { ...inClear(overTheWire(found.props!)), __provider: providerText };
    if (found.inputs) this.inputs = { ...inClear(overTheWire(found.inputs)), __provider: providerText };
    return true;
  }

  /** Runs `pulumi destroy`. */
  async destroy(): Promise<void> {
    try {
      await this.host.delete(this.deploymentId, copied(this.outputs));
      await this.deletePending();
    } catch (failure) {
      this.world.failures.push(failure as Error);
      throw failure;
    }
    this.lose();
  }

  /** Runs `pulumi state delete`, which removes the resource from the stack. */
  lose(): void {
    this.id = undefined;
    this.pending = [];
    this.outputs = this.inputs = {};
    this.incomplete = false;
  }

  /** Replaces the resource. Deletes the old one before or after creating the new one. */
  private async replace(inputs: Props, deletesFirst: boolean): Promise<void> {
    if (deletesFirst) {
      await this.destroy();
      await this.create(inputs);
      return;
    }
    const old = { id: this.deploymentId, outputs: this.outputs };
    try {
      await this.create(inputs);
      this.pending.push(old);
    } catch (failure) {
      // Even if a resource was created with an error, it replaces the old one.
      if ((failure as Failure).id !== undefined) this.pending.push(old);
      throw failure;
    }
  }

  private async deletePending(): Promise<void> {
    for (let old = this.pending[0]; old; old = this.pending[0]) {
      await this.host.delete(old.id, copied(old.outputs));
      this.pending.shift();
    }
  }

  private async create(inputs: Props): Promise<"create"> {
    const made = await this.host.create(copied(inputs));
    this.keep(made.id, inputs, made.outs!);
    return "create";
  }

  private async update(inputs: Props): Promise<"update"> {
    const made = await this.host.update(this.deploymentId, copied(this.outputs), copied(inputs));
    this.keep(this.deploymentId, inputs, made.outs!);
    return "update";
  }

  private keep(id: string, inputs: Props, outputs: Props, incomplete = false): void {
    this.id = id;
    this.inputs = inputs;
    this.outputs = { ...overTheWire(outputs), __provider: inputs["__provider"] };
    this.incomplete = incomplete;
  }

  /**
   * Records a failure. If the failure has an ID, the resource is kept, and the engine can then find the code of the
   * provider only in the `__provider` property of the resource.
   */
  private kept(thrown: unknown, inputs: Props): Failure {
    expect(thrown).toBeInstanceOf(Error);
    const failure = thrown as Failure;
    expect(failure.message).toBeTruthy();
    this.world.failures.push(failure);
    if (!failure.id) return failure;
    expect(failure.properties).toHaveProperty("__provider", providerText);
    // The engine treats each reason as an error.
    expect(failure.reasons).toEqual([expect.any(String)]);
    failure.reasons = paragraphsOf(failure.reasons![0]!);
    const before = this.inputs;
    const updated = this.id === failure.id;
    this.keep(failure.id, inputs, failure.properties!, true);
    // A partially failed update stores the old inputs and the new outputs.
    if (updated) this.inputs = before;
    return failure;
  }
}

/** Splits a string into lines. An indented line belongs to the previous one. */
function paragraphsOf(text: string): string[] {
  return text.split(/\n(?! {2})/);
}

/** Returns properties as the engine passes them, with secrets as plain values. */
function copied(props: Props): Props {
  return overTheWire(inClear(JSON.parse(JSON.stringify(props)) as Props));
}
