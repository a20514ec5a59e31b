import type { WireSecret } from "./deployment";

/** Name of the secret that contains a deployment's ownership tag. */
export const ownerSecretName = "AGENTSERVER_OWNER";

/** Pulumi resource that owns a deployment. */
export interface OwningResource {
  /** Name of the organization; empty if the backend has no organizations. */
  organization: string;
  project: string;
  stack: string;
  /** Name of the resource in the program. */
  resource: string;
}

/** Contents of a deployment's ownership tag. */
export interface OwnershipTag {
  /** Owner ID of the resource that owns the deployment. */
  ownerId: string;
  /**
   * Number of revisions that were created by interrupted creates of the owning resource. If a deployment has more
   * revisions, it was changed after it was created, so it is in the state of a stack.
   */
  revisions: number;
  /** Time at which the resource became the owner, in ISO 8601 format; missing in a tag with a different format. */
  since?: string;
  /** Resource that owns the deployment; missing in a tag with a different format. */
  holder?: OwningResource;
  /** The newest upload of the resource, if it has uploaded a source. */
  content?: UploadedContent;
  /** Hash of the `rollout.triggers` that were sent with the newest change. */
  triggers?: string;
  /**
   * Names of the plain variables that the resource has sent, so that it can remove them even if they are not in its
   * state. Missing if there are none, or too many for a tag.
   */
  variables?: readonly string[];
}

/**
 * Hashes of an upload. The hash of the path shows whether the newest revision was created from this upload. For
 * example, an earlier revision may have been redeployed since.
 */
interface UploadedContent {
  contentHash: string;
  objectPathHash: string;
}

/**
 * Formats a tag: `<owner id>/<revisions>/<since>/<organization>/<project>/<stack>/<resource>`, followed by `/<content
 * hash>.<hash of the path>` after an upload, by `/~<hash>` if there are triggers, and by `/=<name>,<name>` if there are
 * plain variables. It ends with `/.`, so that a tag that a server has shortened can be recognized. If the holder or the
 * time is missing, the tag is only the owner ID.
 */
export function formatTag(tag: OwnershipTag): string {
  const { ownerId, revisions, since, holder, content, triggers, variables } = tag;
  if (!holder || since === undefined) return ownerId;
  const { organization, project, stack, resource } = holder;
  return [
    ownerId,
    revisions,
    since,
    ...[organization, project, stack, resource].map(encodeURIComponent),
    ...(content ? [`${content.contentHash}.${content.objectPathHash}`] : []),
    ...(triggers ? [`~${triggers}`] : []),
    ...(variables ? [`=${variables.join(",")}`] : []),
    ".",
  ].join("/");
}

const whole =
  /^([^/]+)\/(\d{1,6})\/([^/]+)\/([^/]*)\/([^/]*)\/([^/]*)\/([^/]*)(?:\/([0-9a-f]{64})\.([0-9a-f]{16}))?(?:\/~([0-9a-f]{16}))?(?:\/=(\w+(?:,\w+)*))?\/\.$/;

/**
 * Pattern for a tag in a different format that still contains the owner ID. Any other value is a placeholder of the
 * server.
 */
const otherForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/;

/** Parses a tag; `undefined` if the text is not a tag. */
export function parseTag(text: string): OwnershipTag | undefined {
  const [, ownerId = "", revisions, since = "", ...others] = whole.exec(text) ?? [];
  const [contentHash, objectPathHash, triggers, variables] = others.slice(4);
  const moment = Date.parse(since);
  if (Number.isNaN(moment)) {
    const [owner] = otherForm.exec(text) ?? [];
    return owner === undefined ? undefined : { ownerId: owner, revisions: 1 };
  }
  const [organization = "", project = "", stack = "", resource = ""] = others.slice(0, 4).map(decodePart);
  return {
    ownerId,
    revisions: Number(revisions),
    since: new Date(moment).toISOString(),
    holder: { organization, project, stack, resource },
    ...(contentHash && objectPathHash && { content: { contentHash, objectPathHash } }),
    ...(triggers && { triggers }),
    ...(variables && { variables: variables.split(",") }),
  };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * True if a string is a complete tag. A server that shortens values also shortens the tag. A shortened tag may still
 * contain the owner.
 */
export function isCompleteTag(text: string): boolean {
  return whole.test(text);
}

/** Formats the name of a stack in the same way as the Pulumi CLI. */
export function stackOf({ organization, project, stack }: OwningResource): string {
  return [organization, project, stack].filter((name) => name !== "").join("/");
}

/**
 * Separates the environment of a deployment into plain variables and secrets. Only the ownership tag distinguishes
 * them: without a tag, every variable is a secret. A plain variable with the value of a secret is also a secret.
 */
export function environmentParts(environment: readonly WireSecret[]): {
  secrets: WireSecret[];
  variables: WireSecret[];
  owner: OwnershipTag | undefined;
} {
  const others = environment.filter(({ name }) => name !== ownerSecretName);
  const owner = parseTag(environment.find(({ name }) => name === ownerSecretName)?.value ?? "");
  const plainNames = new Set(owner?.variables);
  const secretValues = new Set(others.filter(({ name }) => !plainNames.has(name)).map(({ value }) => value));
  const isPlain = ({ name, value }: WireSecret) => plainNames.has(name) && !secretValues.has(value);
  return { secrets: others.filter((one) => !isPlain(one)), variables: others.filter(isPlain), owner };
}
