import type {
  CreateDeploymentBody,
  DialectTable,
  SourceRule,
  WireSecret,
  WireSourceConfig,
  WireSourceRevisionConfig,
} from "../../../wire";
import { refuse } from "../refusal";

/** Returns the dialect's rule for deployments with this source. */
export function ruleOf(dialect: DialectTable, source: string): SourceRule {
  return dialect.sourceRules[source] ?? dialect.sourceRules["*"]!;
}

/** Fields that specify the location of a deployment's source. */
const origins = [
  "source_config.repo_url",
  "source_revision_config.repo_ref",
  "source_revision_config.graph_config_path",
  "source_revision_config.image_uri",
];

/**
 * Rejects a create request that lacks fields that its source requires, or sets fields that its source does not allow.
 */
export function checkCreation(dialect: DialectTable, body: CreateDeploymentBody): void {
  const { required, forbidden } = ruleOf(dialect, body.source);
  for (const path of required)
    if (!isGiven(at(body, path))) throw refuse.source(`'${path}' is required for source '${body.source}'.`);
  checkEmptyTexts(dialect, body.source, body);
  for (const path of forbidden)
    if (isGiven(at(body, path)))
      throw refuse.source(`'${path}' must not be set for source '${body.source}'.`);
}

/**
 * Rejects empty strings in the fields that the source requires. If the dialect does not define required fields, rejects
 * empty strings in all fields that specify the location of the source. Fields that are missing from the body keep their
 * values.
 */
export function checkEmptyTexts(dialect: DialectTable, source: string, body: object): void {
  for (const path of dialect.sourceRules[source]?.required ?? origins)
    if (at(body, path) === "") throw refuse.source(`'${path}' must not be empty for source '${source}'.`);
}

/**
 * Rejects a URL that is not a web address, such as a `javascript:` URL. An empty string represents the URL of the
 * deployment itself.
 */
export function checkCustomUrl(source: WireSourceConfig | null | undefined): void {
  const url = source?.custom_url;
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return;
  throw refuse.source("'source_config.custom_url' must be an http or https URL.");
}

/** Rejects secret names that are reserved by the service. */
export function checkSecrets(dialect: DialectTable, secrets: readonly WireSecret[] | null | undefined): void {
  const reserved = secrets?.find(({ name }) => dialect.reservedSecrets?.test(name));
  if (reserved) throw refuse.reservedSecret(reserved.name);
}

/** Rejects a tag with `build_on_push`, because tags do not move. */
export function checkPushedRef(
  dialect: DialectTable,
  source: WireSourceConfig,
  revision: WireSourceRevisionConfig,
): void {
  if (dialect.refusesPushedTags && source.build_on_push && revision.repo_ref?.startsWith("refs/tags/"))
    throw refuse.source("'source_config.build_on_push' cannot be true for a tag.");
}

function at(body: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], body);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
