import type { Props } from "../../deployment/state";

/** The engine's own mark of a secret value, `pulumi.secret` as it travels. */
const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * Marks each entry of `secrets`. The engine knows by itself only those that the program names, and a refresh may
 * find others.
 */
export function withSecretValues(outputs: Props): Props {
  const { secrets } = outputs;
  return secrets ? { ...outputs, secrets: mapValues(secrets as Props, marked) } : outputs;
}

/** Marks the digests of inputs that a state was too large for: those of secrets are among them. */
export function withSecretDigests(outputs: Props): Props {
  const { omitted } = outputs;
  return omitted ? { ...outputs, omitted: mapValues(omitted as Props, marked) } : outputs;
}

/**
 * Marks outputs that repeat a secret input under another name; the engine carries the mark over to the same name
 * only.
 */
export function withSecretCopies(outputs: Props, isSecret: (path: string) => boolean): Props {
  const { url, serving } = outputs as { url?: string; serving?: { sourceRevisionConfig: Props } };
  return {
    ...outputs,
    ...(url !== undefined && isSecret("sourceConfig.customUrl") && { url: marked(url) }),
    ...(serving && {
      serving: {
        ...serving,
        sourceRevisionConfig: mapValues(serving.sourceRevisionConfig, (value, field) =>
          isSecret(`sourceRevisionConfig.${field}`) ? marked(value) : value,
        ),
      },
    }),
  };
}

function marked(value: unknown): Props {
  return { ...secretMark, value };
}

function mapValues(from: Props, change: (value: unknown, key: string) => unknown): Props {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
}
