import * as ownWire from "../../../emulator/control-plane/wire";
import * as wire from "../../../wire";
import { published } from "../facts/published";
import { resolved } from "../judge/differences";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { type Place, schemaFindings, schemasAmong } from "../judge/schemas";

const { interface: narrow, controlPlane: wide } = published;
const both = (name: string, other = name): Place[] => [
  [wide, name],
  [narrow, other],
];

/** What each schema is called in the documents that have it. */
const places: Record<string, readonly Place[]> = {
  agentConnectionListResponse: [[wide, "AgentConnectionListResponse"]],
  agentConnectionResponse: [[wide, "AgentConnectionResponse"]],
  authenticateRequest: [[narrow, "AuthAuthenticateRequest"]],
  authenticateResponse: [[narrow, "AuthAuthenticateResponse"]],
  authWaitResponse: [[wide, "AuthWaitResponse"]],
  authenticateAnswer: both("AuthAuthenticateResponse"),
  authenticationWait: [[wide, "AuthWaitResponse"]],
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
  resourceTiersBody: [[wide, "DeploymentResourceTiersUpdateRequest"]],
  revisionList: both("RevisionsList"),
  revisionLogs: [[wide, "LogsResponse"]],
  revisionRecord: both("Revision"),
  recordedSourceRevisionConfig: both("SourceRevisionConfig"),
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
  identifier: "ids of deployments and revisions, for which the interface document allows any text",
  revisionLogEntry: "clients; the document has an object of any fields",
  wireAgent: "clients; the document has an object of any fields, and that in answers alone",
  uploadOffer: "clients' code",
  upsertAgentProviderTokenRequest: "a page of the public service's documentation",
};

const schemas = schemasAmong({ ...wire, ...ownWire });

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
  [
    /^(createDeploymentBody|deploymentRecord|deploymentList)\S* \S*\bagent(\.\w+)?: not published$/,
    "an agent and its environment, as clients send and read them",
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
  const findings = Object.entries(places).flatMap(([name, among]) =>
    schemaFindings(name, schemas[name]!, among),
  );
  expect(unexplained(findings, exceptions)).toEqual([]);
});

/** Each of them, which the compiler sees to. */
const deploymentStatuses: Record<wire.DeploymentStatus, true> = {
  AWAITING_DATABASE: true,
  READY: true,
  UNUSED: true,
  AWAITING_DELETE: true,
  AWAITING_FINAL_DELETE: true,
  UNKNOWN: true,
};

test("the words of statuses, tiers and logs are the published ones", () => {
  const words = (schema: string, field?: string): unknown => {
    const shape = resolved({ shape: { schema }, schemas: wide.schemas });
    return (field === undefined ? shape : shape.fields?.[field])?.enum;
  };
  expect([...wire.revisionStatuses].sort()).toEqual(words("Revision", "status"));
  expect(Object.keys(deploymentStatuses).sort()).toEqual(words("Deployment", "status"));
  expect([...wire.deploymentTiers].sort()).toEqual(words("DeploymentTier"));
});
