import { bestEffort } from "../../engine/log";
import { Core, type CoreOptions, type Diff } from "../../core/core";
import type { Decoded } from "../../core/decoded";
import { displayRedactor } from "../../core/redaction";
import { explicitProviderKey } from "../../control-plane/connection";
import { secretSettings, settings } from "../../control-plane/setting-names";
import { isArtifactText } from "../../../wire/commit";
import type { Call } from "../../resource/call";
import { findingText } from "../../resource/inputs/finding";
import { notKnownYet } from "../../resource/inputs/unknown";
import { type Props, valueOf, withValuesAt } from "../../resource/inputs/values";
import type { PlacedKind } from "../../resource/kind";
import { secretLocations } from "../../resource/managed";
import { partsOfUrn } from "../../resource/ownership/urn";
import { stackOption } from "../../text/config-command";
import { nearest } from "../../text/nearest";
import { keptSecrets, pathsWith, secretTextsIn } from "../kept-secrets";
import { clearablePaths, withCleared } from "./cleared";
import { checkFailures, invalid, partialFailure, unsupported } from "./failures";
import type * as Invoke from "./invoke";
import { decode, dynamicPropsIn, encode, encodeInputs, encodeState } from "./properties";
import { keysOf, propertyPath } from "./property-path";
import { Empty, type messages, proto, type StructMessage } from "./protocol";

/** Values and functions that the process provides for the host. */
export interface PluginOptions extends CoreOptions {
  /** Location of the stack, which distinguishes backends that may contain stacks with the same name. */
  backend?: string | undefined;
  /** Returns the schema of the package as JSON. */
  schema: () => string;
  /** Creates the kind for a resource type token; `undefined` for an unknown type. */
  kindOf: (type: string) => PlacedKind | undefined;
  /** Constructs a component of the package; omitted if the plugin has no components. */
  construct?: (
    request: messages.ConstructRequest,
    signal: AbortSignal,
  ) => Promise<messages.ConstructResponse>;
}

/** All settings of a provider: those of the connection, and the organization of the stacks. */
const allSettings = [...settings, "organization"];

/** Keys that the engine adds to the settings. */
const engineKeys = ["version", "pluginDownloadURL", "parameterization"];

/** Runs all kinds of resources as a provider plugin: decodes the engine's calls, and encodes the results. */
export class PluginHost {
  private readonly cores = new Map<string, { kind: PlacedKind; core: Core }>();
  private configured: Pick<Decoded, "values" | "secretPaths"> = { values: {}, secretPaths: [] };
  /** Paths of outputs that repeat a secret setting. */
  private secretOutputs: readonly string[] = [];
  private explicitProvider: string | undefined;
  /** Name of the stack; empty if the engine does not pass the URN of the provider. */
  private stack = "";
  private readonly canceled = new AbortController();

  constructor(private readonly options: PluginOptions) {}

  getSchema(): messages.GetSchemaResponse {
    return new proto.GetSchemaResponse().setSchema(this.options.schema());
  }

  /**
   * Warns about misspelled settings. Any other unknown setting may be the key of an agent server
   * (`connection.apiKeyFrom`), so it is treated as a secret unless it may be an approval (`gate.approvedFrom`).
   */
  async checkConfig(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { values, secretPaths } = decode(request.getNews());
    const unknown = Object.keys(values).filter((key) => ![...allSettings, ...engineKeys].includes(key));
    const log = bestEffort(this.options.log);
    const keys = unknown.filter((key) => !isArtifactText(values[key]));
    const secret: string[] = [...secretPaths, ...secretSettings, ...keys];
    for (const key of unknown) {
      const meant = nearest(key, allSettings);
      if (meant === undefined) continue;
      // A name such as `apiKeyEu` is meant for the key of another server.
      if (key.startsWith(meant) && /^[A-Z]/.test(key.slice(meant.length))) continue;
      const text = `${key} is not a setting of this provider. Did you mean ${meant}?`;
      await log.write(request.getUrn(), "warning", text);
    }
    return checkResponse(
      encode(values, (path) => secret.includes(path)),
      [],
    );
  }

  /**
   * Leaves the comparison of the settings to the engine. Changed settings never replace a resource. Settings that would
   * move a resource are rejected when the resource is used.
   */
  diffConfig(): messages.DiffResponse {
    return new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_UNKNOWN);
  }

  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    this.configured = decode(request.getArgs());
    this.explicitProvider = explicitProviderIn(request);
    this.stack = partsOfUrn(request.getUrn() ?? "").stack;
    const locations = secretLocations((setting) => this.configured.secretPaths.includes(setting));
    this.secretOutputs = locations.map((keys) => keys.join("."));
    for (const { core } of this.cores.values()) this.configureCore(core);
    return new proto.ConfigureResponse()
      .setAcceptsecrets(true)
      .setAcceptoutputs(true)
      .setSupportspreview(true);
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { kind, core } = this.coreOf(request);
    const [olds, given] = [this.decode(request.getOlds()), this.decode(request.getNews())];
    const cleared = withCleared(given.values, clearablePaths(kind), olds.values);
    const news = { ...given, values: cleared.values };
    for (const path of cleared.kept) {
      const text = `\`clear\` contains ${path}, but this input keeps its value, because the program sets it or ignores changes to it.`;
      await bestEffort(this.options.log).write(request.getUrn(), "warning", text);
    }
    const { ownerId, computed, failures } = await core.check(this.callOf(request), olds, news);
    const inputs = withValuesAt({ ...news.hidden, ...news.values }, computed);
    return checkResponse(encodeInputs(kind, { ...inputs, ownerId }, news.secretPaths), [
      ...cleared.failures.map(displayRedactor(secretTextsIn(given))),
      ...failures.map((one) => findingText(one)),
    ]);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { core } = this.coreOf(request);
    const [olds, news] = [this.decode(request.getOlds()), this.decode(request.getNews())];
    return diffResponse(await core.diff(request.getId(), this.callOf(request), olds, news), olds, news);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const { kind, core } = this.coreOf(request);
    const call = this.callOf(request);
    const news = this.decode(request.getProperties());
    const response = new proto.CreateResponse();
    if (request.getPreview()) {
      const planned = { ...news.hidden, ...(await core.previewCreate(news)) };
      return response.setProperties(encodeInputs(kind, planned, news.secretPaths));
    }
    const { id, state, problem } = await core.create(call, news);
    if (problem) throw partialFailure(kind, news, { id, state, problem });
    return response.setId(id).setProperties(encodeState(kind, state, news));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { kind, core } = this.coreOf(request);
    const call = this.callOf(request);
    const [olds, news] = [this.decode(request.getOlds()), this.decode(request.getNews())];
    const response = new proto.UpdateResponse();
    if (request.getPreview()) {
      const earlier = request.hasOldInputs() ? this.decode(request.getOldInputs()).values : undefined;
      const planned = { ...news.hidden, ...(await core.previewUpdate(call, olds, news, earlier)) };
      return response.setProperties(encodeInputs(kind, planned, [...olds.secretPaths, ...news.secretPaths]));
    }
    const { id, state, problem } = await core.update(request.getId(), call, olds, news);
    const kept = keptSecrets(kind, olds, news, { ...state });
    const stored = {
      ...news,
      secretPaths: [...news.secretPaths, ...kept],
      hidden: { ...dynamicPropsIn(olds), ...news.hidden },
    };
    if (problem) throw partialFailure(kind, stored, { id, state, problem });
    return response.setProperties(encodeState(kind, state, stored));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const { kind, core } = this.coreOf(request);
    const [props, inputs] = [this.decode(request.getProperties()), this.decode(request.getInputs())];
    const secretPaths = [...props.secretPaths, ...inputs.secretPaths];
    const found = await core.read(request.getId(), this.callOf(request), { ...props, secretPaths });
    const response = new proto.ReadResponse();
    if (!found) return response;
    const hidden = { ...inputs.hidden, ...props.hidden };
    const texts = [...secretTextsIn(props), ...secretTextsIn(inputs)];
    // The server may have moved a secret to another place.
    const marked = (values: object) => [...secretPaths, ...pathsWith(texts, values)];
    return response
      .setId(found.id)
      .setProperties(encodeState(kind, found.state, { ...props, secretPaths: marked(found.state), hidden }))
      .setInputs(encodeInputs(kind, { ...hidden, ...found.inputs }, marked(found.inputs)));
  }

  async delete(request: messages.DeleteRequest): Promise<InstanceType<typeof Empty>> {
    const { core } = this.coreOf(request);
    await core.delete(request.getId(), this.callOf(request), this.decode(request.getProperties()));
    return new Empty();
  }

  invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const { sessions, log } = this.options;
    // Loaded with the first function.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
    const { invoke } = require("./invoke") as typeof Invoke;
    return invoke(request, {
      session: sessions.of((name) => this.setting(`agentserver:${name}`), secretTextsIn(this.configured)),
      config: this.setting,
      stack: stackOption(this.stack, this.setting("agentserver:organization")),
      log,
      signal: this.canceled.signal,
    });
  }

  construct(request: messages.ConstructRequest): Promise<messages.ConstructResponse> {
    if (!this.options.construct) throw unsupported("Construct");
    return this.options.construct(request, this.canceled.signal);
  }

  /** Cancels all waits. The resources stay in state, and the next update continues. */
  cancel(): InstanceType<typeof Empty> {
    this.canceled.abort(new Error("the operation was canceled; run the same command again to resume it"));
    return new Empty();
  }

  private coreOf(request: { getUrn(): string }): { kind: PlacedKind; core: Core } {
    const { type } = partsOfUrn(request.getUrn());
    const known = this.cores.get(type);
    if (known) return known;
    const kind = this.options.kindOf(type);
    if (!kind) throw invalid(`The provider has no resource type ${type}.`);
    const core = new Core(kind, { ...this.options, receivesCancel: true });
    this.configureCore(core);
    const made = { kind, core };
    this.cores.set(type, made);
    return made;
  }

  private configureCore(core: Core): void {
    core.configure(this.setting, secretTextsIn(this.configured));
  }

  /** Returns properties in which outputs that repeat a secret setting are marked as secret. */
  private decode(message: StructMessage | undefined): Decoded {
    const { secretPaths, ...others } = decode(message);
    return { ...others, secretPaths: [...secretPaths, ...this.secretOutputs] };
  }

  /** Returns a value from the configuration. A provider receives only keys in its own namespace. */
  private readonly setting = (key: string): string | undefined => {
    const [, name] = /^agentserver:(.*)$/s.exec(key) ?? [];
    if (name === explicitProviderKey) return this.explicitProvider;
    const { values } = this.configured;
    const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === notKnownYet) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };

  private callOf(request: { getUrn(): string; getTimeout?(): number }): Call {
    const seconds = request.getTimeout?.() ?? 0;
    const timeoutMs = seconds > 0 ? seconds * 1_000 : undefined;
    return {
      urn: request.getUrn(),
      // The engine does not pass the organization to providers.
      organization: this.setting("agentserver:organization"),
      backend: this.options.backend,
      timeouts: timeoutMs === undefined ? {} : { create: timeoutMs, update: timeoutMs, delete: timeoutMs },
      faults: [],
      signal: this.canceled.signal,
    };
  }
}

/** Returns the name of an explicit provider. The engine names a default provider `default` or `default_<version>`. */
function explicitProviderIn(request: messages.ConfigureRequest): string | undefined {
  const name = request.getName() ?? "";
  return name === "" || /^default(?:_|$)/.test(name) ? undefined : name;
}

function checkResponse(
  inputs: ReturnType<typeof encode>,
  failures: readonly string[],
): messages.CheckResponse {
  return new proto.CheckResponse().setInputs(inputs).setFailuresList(checkFailures(failures));
}

function diffResponse(
  { hasChanges, changes, replacing, deletesFirst }: Diff,
  olds: Decoded,
  news: Decoded,
): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse()
    .setChanges(hasChanges ? DIFF_SOME : DIFF_NONE)
    .setDeletebeforereplace(deletesFirst)
    .setHasdetaileddiff(true)
    .setReplacesList([...new Set(replacing.map(({ path }) => path.split(".")[0]!))]);
  for (const change of hasChanges ? changes : []) {
    const keys = upToUnknown(keysOf(change.path, news.values, olds.values), news.values);
    const kind = kindOf(keys, replacing.includes(change), olds.values, news.values);
    const detail = new proto.PropertyDiff().setInputdiff(true).setKind(kind);
    response.getDetaileddiffMap().set(propertyPath(keys), detail);
  }
  return response;
}

/**
 * Returns the path of a change. If a value that contains the changed field is unknown, returns the path of that value,
 * because its fields cannot be compared.
 */
function upToUnknown(keys: readonly string[], news: Props): readonly string[] {
  const end = keys.findIndex((_, index) => valueOf(news, keys.slice(0, index + 1)) === notKnownYet);
  return end === -1 ? keys : keys.slice(0, end + 1);
}

function kindOf(
  keys: readonly string[],
  replaces: boolean,
  olds: Props,
  news: Props,
): messages.PropertyDiff.Kind {
  const { Kind } = proto.PropertyDiff;
  if (valueOf(olds, keys) === undefined) return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (valueOf(news, keys) === undefined) return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
