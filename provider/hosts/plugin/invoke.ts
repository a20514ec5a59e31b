import { Connections } from "../../core/connections";
import { KeyRing, qualifiedKey } from "../../core/agent-server/key-ring";
import { displayRedactor } from "../../core/redaction";
import { bestEffort, type EngineLog } from "../../engine/log";
import { asError } from "../../errors";
import { type FunctionArgs, type FunctionName, functionShapes, secretResults } from "../../lookup/functions";
import { connectionsIn, lookUpsIn } from "../../lookup/lookup";
import { runFunction } from "../../lookup/run-function";
import { findingText } from "../../resource/inputs/finding";
import { shapeFindings } from "../../resource/inputs/shape";
import { hasUnknown } from "../../resource/inputs/unknown";
import type { Props } from "../../resource/inputs/values";
import type { Session } from "../../session/session";
import { secretTextsIn } from "../kept-secrets";
import { checkFailures, invalid } from "./failures";
import { decode, encode } from "./properties";
import { type messages, proto } from "./protocol";
import { withSchemaNames } from "./schema-names";

/** Values that the host provides for a function call. */
interface InvokeOptions {
  session: Session;
  config: (key: string) => string | undefined;
  /** Stack of the provider, in the format of `--stack`; `undefined` if the engine does not pass it. */
  stack: string | undefined;
  log: EngineLog;
  /** Signal that cancels all requests and pending waits. */
  signal: AbortSignal;
}

/**
 * Runs a function. Fields whose values are unknown are omitted from the result, because the engine rejects unknown
 * values in the result of a function.
 */
export async function invoke(
  request: messages.InvokeRequest,
  { session, config, stack, log, signal }: InvokeOptions,
): Promise<messages.InvokeResponse> {
  const name = functionOf(request.getTok());
  const args = decode(request.getArgs());
  const { secretPaths } = args;
  const { inputs: schema } = functionShapes[name];
  const values = withSchemaNames(schema, args.values) as Props;
  const response = new proto.InvokeResponse();
  const keys = new KeyRing(config, session.env);
  const redact = displayRedactor([
    ...secretTextsIn(args),
    ...new Connections(session, keys).secrets(connectionsIn(values)),
  ]);
  const findings = shapeFindings(schema, values);
  if (findings.length > 0)
    return response.setFailuresList(checkFailures(findings.map((one) => redact(findingText(one)))));
  if (hasUnknown(values)) return response.setReturn(encode({}, () => false));
  const messagesOfRun = bestEffort(log);
  try {
    const result = await runFunction(name, values as FunctionArgs<typeof name>, {
      lookUps: lookUpsIn(session, keys, { signal, redact }),
      isPreview: request.getPreview(),
      // A plugin receives only the configuration keys of its own namespace.
      config: { get: (key) => config(qualifiedKey(key)), keyOf: qualifiedKey, stack },
      env: session.env,
      warn: (text) => void messagesOfRun.write("", "warning", redact(text)),
      inform: (text) => void messagesOfRun.write("", "info", redact(text)),
      redact,
      signal,
      isSecret: secretPaths.length > 0,
    });
    // A result may contain the arguments of the function.
    const isSecret = (path: string) => secretPaths.length > 0 || path === secretResults[name];
    return response.setReturn(encode(result ?? {}, isSecret));
  } catch (error) {
    throw new Error(redact(asError(error).message));
  } finally {
    await messagesOfRun.flush();
  }
}

function functionOf(token: string): FunctionName {
  const [, name = ""] = /^agentserver:index:(.*)$/s.exec(token) ?? [];
  if (Object.hasOwn(functionShapes, name)) return name as FunctionName;
  throw invalid(`The provider has no function ${token}.`);
}
