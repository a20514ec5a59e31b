import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { settings } from "../../../../provider/control-plane/setting-names";
import { asSecret } from "../../../../provider/engine/sentinels";
import { PluginHost, type PluginOptions } from "../../../../provider/hosts/plugin/host";
import type { timedOperations } from "../../../../provider/resource/call";
import { isGroup, type Props } from "../../../../provider/resource/inputs/values";
import { parseDuration } from "../../../../provider/text/duration";
import type { Provider } from "../../stack";
import { runOver } from "../../test-host";
import { inClear, isSecret } from "../../wire";
// The hooks of these modules must apply to the tests in all files, not only to those in the first file that loads them.
import "../../agent-world";
import "../../../tools/temporary-folder";
import "../../world";
import { type Calls, connect, initFailures, send, struct } from "./client";

/** Call properties that programs of the dynamic provider pass. */
interface CallProps {
  urn: string;
  organization?: string;
  backend?: string;
  timeouts?: Partial<Record<(typeof timedOperations)[number], string>>;
  replaceOnChanges?: string[];
  secretPaths?: string[];
  /** Paths of values that a failed call has returned as secrets. The engine keeps these marks in state. */
  markedPaths?: string[];
}

/** A failed call as seen by the engine. */
type Failure = Error & { code: number; id?: string; properties?: Props; reasons?: string[] };

/**
 * Provider plugin behind a real gRPC connection. It has the methods of a dynamic provider, so that the same tests of
 * the core can run with the dynamic host and with the plugin. It also performs the tasks of the dynamic host that a
 * plugin leaves to the engine and the SDKs.
 */
class PluginProvider implements Provider {
  private client: Promise<ResourceProviderClient> | undefined;
  private config: Props = {};
  private organization: string | undefined;
  /** Async contexts of calls that have been sent but not received yet, keyed by call and resource. */
  private readonly contexts = new Map<string, Context[]>();

  private readonly options: PluginOptions;

  constructor(options: PluginOptions) {
    this.options = { ...options };
  }

  configure: Provider["configure"] = async ({ config }) => {
    const values = settings.map((setting) => [setting, config.get(`agentserver:${setting}`)]);
    this.config = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Props;
    await this.call("configure", new messages.ConfigureRequest().setArgs(struct(this.config)));
  };

  async check(olds: Props, news: Props) {
    const request = new messages.CheckRequest().setOlds(encoded(olds)).setNews(encoded(news));
    const response = await this.call("check", request.setUrn(await this.prepared(news)));
    return {
      inputs: { ...response.getInputs()!.toJavaScript(), ...ofProgram(news) },
      failures: response
        .getFailuresList()
        .map((one) => ({ property: one.getProperty(), reason: one.getReason() })),
    };
  }

  diff: Provider["diff"] = async (id, olds, news) => {
    const request = new messages.DiffRequest().setId(id).setOlds(encoded(olds)).setNews(encoded(news));
    const response = await this.call("diff", request.setUrn(await this.prepared(news)));
    const paths = [...response.getDetaileddiffMap().keys()] as string[];
    const replacing = (callIn(news).replaceOnChanges ?? []).filter((path) =>
      paths.some((one) => path === "*" || one === path || one.startsWith(`${path}.`)),
    );
    return {
      changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: [...response.getReplacesList(), ...replacing],
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  };

  async create(news: Props) {
    const request = new messages.CreateRequest().setProperties(encoded(news));
    const prepared = request.setTimeout(timeoutIn(news, "create")).setUrn(await this.prepared(news));
    const response = await this.call("create", prepared, news);
    return { id: response.getId(), outs: kept(response.getProperties(), news) };
  }

  async update(id: string, olds: Props, news: Props) {
    const request = new messages.UpdateRequest().setId(id).setOlds(encoded(olds)).setNews(encoded(news));
    const prepared = request.setTimeout(timeoutIn(news, "update")).setUrn(await this.prepared(news));
    const response = await this.call("update", prepared, news);
    return { outs: kept(response.getProperties(), news) };
  }

  async read(id: string, props: Props = {}) {
    const request = new messages.ReadRequest().setId(id).setProperties(encoded(props));
    const response = await this.call("read", request.setUrn(await this.prepared(props)));
    if (response.getId() === "") return { id: "", props: {} };
    return {
      id: response.getId(),
      props: { ...response.getProperties()!.toJavaScript(), ...ofProgram(props) },
      inputs: { ...response.getInputs()!.toJavaScript(), ...ofProgram(props) },
    };
  }

  delete: Provider["delete"] = async (id, props) => {
    const request = new messages.DeleteRequest().setId(id).setProperties(encoded(props));
    await this.call(
      "delete",
      request.setTimeout(timeoutIn(props, "delete")).setUrn(await this.prepared(props)),
    );
  };

  /** Sets the organization and the backend of the program, and returns the URN. */
  private async prepared(props: Props): Promise<string> {
    const { organization, backend, urn } = callIn(props);
    this.options.backend = backend;
    if (organization !== this.organization) {
      this.organization = organization;
      const args = struct({ ...this.config, ...(organization !== undefined && { organization }) });
      await this.call("configure", new messages.ConfigureRequest().setArgs(args));
    }
    return urn;
  }

  /**
   * Returns a host that handles each call in the async context of its sender. Tests attach the faults of a process to
   * that context, but the connection to the plugin does not preserve the context.
   */
  private inContexts(host: PluginHost): PluginHost {
    return new Proxy(host, {
      get: (target, name: keyof PluginHost) => {
        const handle = (target[name] as (request: object) => unknown).bind(target);
        return (request: object) => {
          const context = this.contexts.get(keyOf(name, request))?.shift();
          return context ? context(() => handle(request)) : handle(request);
        };
      },
    });
  }

  private async call<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name][0],
    news: Props = {},
  ): Promise<Calls[Name][1]> {
    this.client ??= connect(this.options, this.inContexts(new PluginHost(this.options)));
    const key = keyOf(name, request);
    this.contexts.set(key, [...(this.contexts.get(key) ?? []), AsyncLocalStorage.snapshot()]);
    return send(await this.client, name, request).catch((error: unknown) => {
      throw failureOf(error as ServiceError, news);
    });
  }
}

/** Function that runs an operation in an async context. */
type Context = ReturnType<typeof AsyncLocalStorage.snapshot>;

function keyOf(name: string, request: object): string {
  return `${name} ${"getUrn" in request ? (request as { getUrn: () => string }).getUrn() : ""}`;
}

function callIn({ __call: call }: Props): CallProps {
  return (call ?? { urn: "urn:pulumi:dev::shop::agentserver:index:Deployment::agent" }) as CallProps;
}

/** Returns the properties that only programs of the dynamic provider have. */
function ofProgram({ __provider, __call }: Props): Props {
  return { ...(__provider !== undefined && { __provider }), ...(__call !== undefined && { __call }) };
}

/** Returns properties from the plugin in the format of a dynamic provider, in which the secrets are plain values. */
function kept(message: Struct | undefined, props: Props): Props {
  const { secrets, ...others } = message!.toJavaScript();
  return { ...others, ...(secrets !== undefined && { secrets: inClear(secrets) }), ...ofProgram(props) };
}

/** Returns the properties in the format of an SDK: without those of the dynamic provider, and with marked secrets. */
function encoded(props: Props): Struct {
  const { __provider, __call, ...values } = props;
  const { secretPaths = [], markedPaths = [] } = callIn(props);
  return struct([...secretPaths, ...markedPaths].reduce(withSecretAt, values));
}

/** Returns the values with the one at this path marked as secret. Keys may contain dots. */
function withSecretAt(values: Props, path: string): Props {
  const key = Object.keys(values).find((one) => path === one || path.startsWith(`${one}.`));
  if (key === undefined) return values;
  if (path === key) return { ...values, [key]: asSecret(values[key]) };
  const value = values[key];
  const rest = path.slice(key.length + 1);
  if (Array.isArray(value)) {
    const items = Object.values(withSecretAt({ ...(value as unknown as Props) }, rest));
    return { ...values, [key]: items };
  }
  return isGroup(value) ? { ...values, [key]: withSecretAt(value, rest) } : values;
}

function timeoutIn(props: Props, operation: (typeof timedOperations)[number]): number {
  const text = callIn(props).timeouts?.[operation];
  return text === undefined ? 0 : parseDuration(text)! / 1_000;
}

function failureOf(error: ServiceError, news: Props): Failure {
  const failure: Failure = Object.assign(new Error(error.details), { code: error.code });
  failure.stack = failure.message;
  const [detail] = initFailures(error);
  if (!detail) return failure;
  const markedPaths = markedIn(detail.getProperties()!.toJavaScript());
  return Object.assign(failure, {
    id: detail.getId(),
    properties: kept(detail.getProperties(), { ...news, __call: { ...callIn(news), markedPaths } }),
    reasons: detail.getReasonsList(),
  });
}

/** Returns the paths of the values that are marked as secret. */
function markedIn(value: unknown, ...keys: string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecret(value)) return [keys.join(".")];
  return Object.entries(value).flatMap(([key, one]) => markedIn(one, ...keys, key));
}

/** Runs the tests of this file with the plugin. */
export function usePlugin(): void {
  runOver((kind, options) => new PluginProvider({ ...options, kindOf: () => kind, schema: () => "{}" }));
}

/**
 * Declares tests of the core so that they run with the plugin. In their own files, they run with the dynamic host.
 * @param files paths in `tests/provider`, without their extensions
 */
export function runOverPlugin(files: readonly string[]): void {
  usePlugin();
  describe.each(files)("%s", (file) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- Declares its tests.
    require(join(__dirname, "..", "..", `${file}.test`));
  });
}
