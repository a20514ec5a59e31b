import type * as pulumi from "@pulumi/pulumi";
import { Core, type CoreOptions, type Outcome } from "../../core/core";
import { engineLog, type EngineLog } from "../../engine/log";
import { findingText } from "../../resource/inputs/finding";
import type { PlacedKind } from "../../resource/kind";
import { withValuesAt, type Props } from "../../resource/inputs/values";
import { callOf, decode } from "./decode";
import {
  encodeFound,
  encodeInputs,
  encodeState,
  partialFailure,
  plainFailure,
  withSecretCopies,
  withSecretOutputs,
} from "./encode";

/** Values and functions that the process provides for the host. */
export interface HostOptions extends Omit<CoreOptions, "log"> {
  argv: readonly string[];
  log?: EngineLog;
}

/** Runs a kind of resource as a dynamic provider: decodes the engine's calls, and encodes the results. */
export class DynamicHost implements pulumi.dynamic.ResourceProvider {
  private readonly core: Core;

  constructor(
    private readonly kind: PlacedKind,
    { argv, log = engineLog(argv), ...options }: HostOptions,
  ) {
    this.core = new Core(kind, { ...options, log });
  }

  /**
   * Sets the configuration. Called once. It must not wait, and it must not throw, because the engine would keep the
   * broken provider.
   */
  configure = (request: pulumi.dynamic.ConfigureRequest): Promise<void> => {
    this.core.configure((key) => request.config.get(key));
    return Promise.resolve();
  };

  check = (olds: Props, news: Props): Promise<pulumi.dynamic.CheckResult> =>
    plainly(async () => {
      const { ownerId, computed, failures } = await this.core.check(callOf(news), decode(olds), decode(news));
      const inputs = withValuesAt(news, computed);
      // The engine prints the value of a named property, even if the value is secret, and does not support
      // paths. The path is therefore part of the text.
      return {
        inputs: withSecretCopies(this.kind, news, { ...inputs, ownerId }),
        failures: failures.map((one) => ({ property: "", reason: findingText(one) })),
      };
    });

  diff = (id: string, olds: Props, news: Props): Promise<pulumi.dynamic.DiffResult> =>
    plainly(async () => {
      // Without the text that loads this provider, the engine cannot refresh or delete the resource.
      const call = { ...callOf(news), isMoved: !("__provider" in olds) && "__provider" in news };
      const found = await this.core.diff(id, call, decode(olds), decode(news));
      const { hasChanges, replacing, deletesFirst } = found;
      return {
        changes: hasChanges,
        // The engine accepts only names of top-level properties.
        replaces: [...new Set(replacing.map(({ path }) => path.split(".")[0]!))],
        deleteBeforeReplace: deletesFirst,
      };
    });

  create = (news: Props): Promise<pulumi.dynamic.CreateResult> =>
    plainly(async () => this.ended(news, await this.core.create(callOf(news), decode(news))));

  update = (id: string, olds: Props, news: Props): Promise<pulumi.dynamic.UpdateResult> =>
    plainly(async () => {
      const outcome = await this.core.update(id, callOf(news), decode(olds), decode(news));
      const { outs } = this.ended(withSecretOutputs(this.kind, olds, news, outcome.state), outcome);
      return { outs };
    });

  read = (id: string, props: Props = {}): Promise<pulumi.dynamic.ReadResult> =>
    plainly(async () => {
      const found = await this.core.read(id, callOf(props), decode(props));
      if (!found) return { id: "", props: {} };
      return {
        id: found.id,
        props: encodeFound(this.kind, props, found.state),
        inputs: encodeInputs(this.kind, props, found.inputs),
      };
    });

  delete = (id: string, props: Props): Promise<void> =>
    plainly(() => this.core.delete(id, callOf(props), decode(props)));

  private ended(news: Props, outcome: Outcome): { id: string; outs: Props } {
    const { id, state, problem } = outcome;
    if (problem) throw partialFailure(this.kind, news, { id, state, problem });
    return { id, outs: encodeState(this.kind, news, state) };
  }
}

/**
 * Runs a function, and converts its errors so that the process can return them to the engine. After any other error,
 * the engine would wait forever.
 */
async function plainly<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && "properties" in error ? error : plainFailure(error as Error);
  }
}
