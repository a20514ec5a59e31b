import { z } from "zod";
import * as wire from "../../../provider/control-plane/wire";
import type { DocumentSchema } from "../../../tools/published-facts/document";
import type { Facts, Shape } from "../../../tools/published-facts/facts";
import { shapeOf } from "../../../tools/published-facts/shapes";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { resolved } from "../judge/differences";
import { sampleOf } from "../judge/samples";

const { interface: narrow, controlPlane: wide } = published;
const both = (name: string, other = name): Place[] => [
  [wide, name],
  [narrow, other],
];

/** A schema of a document. */
type Place = readonly [facts: Facts, schema: string];

/** What each schema is called in the documents that have it. */
const places: Record<string, readonly Place[]> = {
  agentConnectionListResponse: [[wide, "AgentConnectionListResponse"]],
  agentConnectionResponse: [[wide, "AgentConnectionResponse"]],
  authenticateRequest: [[narrow, "AuthAuthenticateRequest"]],
  authenticateResponse: [[narrow, "AuthAuthenticateResponse"]],
  authWaitResponse: [[wide, "AuthWaitResponse"]],
  checkedResourceSpec: [[wide, "ResourceSpec-Input"]],
  createAgentConnectionRequest: [[wide, "CreateAgentConnectionRequest"]],
  createDeploymentBody: both("DeploymentCreateRequest", "DeploymentRequest"),
  createRevisionBody: [[wide, "DeploymentRevisionCreateRequest"]],
  deploymentList: [[wide, "DeploymentsList"]],
  deploymentRecord: both("Deployment"),
  githubIntegration: [[wide, "GithubIntegration"]],
  githubRepository: [[wide, "GithubRepository"]],
  listenerComputeConfig: [[wide, "ListenerComputeConfig"]],
  listenerCreateRequest: [[wide, "ListenerCreateRequest"]],
  listenerPatchRequest: [[wide, "ListenerPatchRequest"]],
  listenerRecord: [[wide, "Listener"]],
  listenersList: [[wide, "ListenersList"]],
  mcpOAuthProviderCreateRequest: [[wide, "MCPOAuthProviderCreateRequest"]],
  oauthFinalizeRequest: [[wide, "OAuthFinalizeRequest"]],
  oauthProviderCreateRequest: [[wide, "OAuthProviderCreateRequest"]],
  oauthProviderResponse: [[wide, "OAuthProviderResponse"]],
  oauthProviderUpdateRequest: [[wide, "OAuthProviderUpdateRequest"]],
  oauthTokenStatusResponse: [[wide, "OAuthTokenStatusResponse"]],
  oauthTokenSummary: [[wide, "OAuthTokenSummary"]],
  oauthTokenUpdateRequest: [[wide, "OAuthTokenUpdateRequest"]],
  patchDeploymentBody: both("DeploymentPatchRequest", "DeploymentRequest"),
  revisionList: both("RevisionsList"),
  revisionLogs: [[wide, "LogsResponse"]],
  revisionRecord: both("Revision"),
  toldSourceRevisionConfig: both("SourceRevisionConfig"),
  validationFailure: both("HTTPValidationError"),
  validationItem: both("ValidationError"),
  widerAuthenticateRequest: [[wide, "AuthAuthenticateRequest"]],
  widerAuthenticateResponse: [[wide, "AuthAuthenticateResponse"]],
  wireSecret: both("Secret"),
  wireSecretReference: [[wide, "SecretReference"]],
  wireSourceConfig: both("SourceConfigRequest", "SourceConfig"),
  wireSourceRevisionConfig: both("SourceRevisionConfigRequest", "SourceRevisionConfig"),
};

/** Schemas that neither document has, and where they are from. */
const elsewhere: Record<string, string> = {
  engineInstallLink: "a page of the public service's documentation",
  failure: "the examples of the document",
  forgeGithubInstallationsList: "a page of the public service's documentation",
  forgeGithubIntegration: "a page of the public service's documentation",
  githubInstallationsList: "a page of the public service's documentation",
  githubInstallLink: "a page of the public service's documentation",
  githubInstallLinkRequest: "a page of the public service's documentation",
  githubRepositoriesList: "a page of the public service's documentation",
  revisionLogEntry: "clients; the document has an object of any fields",
  upsertAgentProviderTokenRequest: "a page of the public service's documentation",
};

const schemas = Object.fromEntries(
  Object.entries(wire).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [[name, value as z.ZodType]] : [],
  ),
);

test("every schema is of something published, or says where it is from", () => {
  expect(Object.keys(schemas).sort()).toEqual([...Object.keys(places), ...Object.keys(elsewhere)].sort());
});

/** Fields that no document has, and values that it allows and that are not taken. */
const exceptions: Exceptions = [
  [
    /^(createRevisionBody|deployment|revision)\S* \S*\bgraph_config_path: not published$/,
    "the interface document names it in a create, and leaves open what records hold",
  ],
  [
    /^revisionLogs logs\[\]\.(id|timestamp|level|message): not published$/,
    "lines of a log, as clients read them",
  ],
  [/^revisionLogs: most of LogsResponse$/, "lines of a log, as clients read them"],
  [
    /^createDeploymentBody: least of DeploymentRequest$/,
    "left open; nothing can be made of less than all groups",
  ],
  [
    /^(oauthProviderResponse|oauthTokenSummary): least/,
    "answers of the local control plane, which says more",
  ],
  [/^validationFailure: least of HTTPValidationError$/, "a refusal without any detail is one without words"],
];

test("schemas have only published fields, with the published types and words, and take every published value", () => {
  const findings = Object.entries(places).flatMap(([name, among]) => [
    ...fieldFindings(name, among),
    ...among.flatMap((place) => valueFindings(name, place)),
  ]);
  expect(unexplained(findings, exceptions)).toEqual([]);
});

function fieldFindings(name: string, among: readonly Place[]): string[] {
  const known = among.map(([{ schemas: named }, schema]) => fieldsOf({ schema }, named));
  return [...fieldsOf(shapeOfSchema(schemas[name]!), {})].flatMap(([path, shape]) => {
    const at = `${name} ${path}`;
    const there = known.flatMap((fields) => fields.get(path) ?? []);
    if (there.length === 0) return [`${at}: not published`];
    const [type, types] = [typeOf(shape), there.map(typeOf)];
    const words = there.map((one) => JSON.stringify(one.enum));
    return [
      ...(type && types.every(Boolean) && !types.includes(type)
        ? [`${at}: ${type}, not ${types.join(" or ")}`]
        : []),
      ...(shape.enum && !words.includes(JSON.stringify(shape.enum))
        ? [`${at}: ${shape.enum.join(", ")}`]
        : []),
    ];
  });
}

function valueFindings(name: string, [{ schemas: named }, schema]: Place): string[] {
  return (["most", "least"] as const).flatMap((measure) => {
    const sample = sampleOf({ shape: { schema }, schemas: named }, measure);
    const { data, success } = schemas[name]!.safeParse(sample);
    // What is not known is left out; what is known stays as it is.
    return success && isPartOf(data, sample) ? [] : [`${name}: ${measure} of ${schema}`];
  });
}

test("the words of statuses, tiers and logs are the published ones", () => {
  const words = (schema: string, field?: string): unknown => {
    const shape = resolved({ shape: { schema }, schemas: wide.schemas });
    return (field === undefined ? shape : shape.fields?.[field])?.enum;
  };
  expect([...wire.revisionStatuses].sort()).toEqual(words("Revision", "status"));
  expect([...wire.deploymentStatuses].sort()).toEqual(words("Deployment", "status"));
  expect([...wire.deploymentTiers].sort()).toEqual(words("DeploymentTier"));
});

function shapeOfSchema(schema: z.ZodType): Shape {
  return shapeOf(
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as DocumentSchema,
  );
}

/** All fields inside of a shape by their paths. */
function fieldsOf(shape: Shape, named: Facts["schemas"], at = "", inside: string[] = []): Map<string, Shape> {
  if (shape.schema !== undefined && inside.includes(shape.schema)) return new Map();
  const path = shape.schema === undefined ? inside : [...inside, shape.schema];
  const { fields = {}, items } = resolved({ shape, schemas: named });
  return new Map([
    ...Object.entries(fields).flatMap(([name, field]) => {
      const place = at === "" ? name : `${at}.${name}`;
      const whole = resolved({ shape: field, schemas: named });
      return [[place, whole] as const, ...fieldsOf(field, named, place, path)];
    }),
    ...(items ? fieldsOf(items, named, `${at}[]`, path) : []),
  ]);
}

function typeOf({ type, oneOf, fields }: Shape): string | undefined {
  return oneOf ? undefined : (type ?? (fields ? "object" : undefined));
}

/** Whether everything in `part` that `whole` has too is equal there. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null)
    return part === whole;
  return Object.entries(part).every(
    ([key, value]) => !(key in whole) || isPartOf(value, (whole as Record<string, unknown>)[key]),
  );
}
