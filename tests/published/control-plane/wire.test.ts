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

/** Names of the schemas in the documents. */
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

/** Schemas that are in neither document, with their sources. */
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

test("states the source of every schema, such as a published document", () => {
  expect(Object.keys(schemas).sort()).toEqual([...Object.keys(places), ...Object.keys(elsewhere)].sort());
});

/** Fields that are not in any document, and documented values that are not accepted. */
const exceptions: Exceptions = [
  [
    /^(createRevisionBody|deployment|revision)\S* \S*\bgraph_config_path: not published$/,
    "listed for a create in the interface document, which does not specify records",
  ],
  [/^revisionLogs logs\[\]\.(id|timestamp|level|message): not published$/, "log lines as read by clients"],
  [
    /^(createDeploymentBody|deploymentRecord|deploymentList)\S* \S*\bagent(\.\w+)?: not published$/,
    "agent and environment as sent and read by clients",
  ],
  [/^revisionLogs: most of LogsResponse$/, "log lines as read by clients"],
  [
    /^createDeploymentBody: least of DeploymentRequest$/,
    "not specified, but all groups are required in practice",
  ],
  [
    /^(oauthProviderResponse|oauthTokenSummary): least/,
    "responses of the local control plane, which contain more",
  ],
  [/^validationFailure: least of HTTPValidationError$/, "a refusal without any detail is one without words"],
];

test("matches the published fields, types, and values", () => {
  const findings = Object.entries(places).flatMap(([name, among]) =>
    schemaFindings(name, schemas[name]!, among),
  );
  expect(unexplained(findings, exceptions)).toEqual([]);
});

/** All statuses of deployments. The compiler checks that the list is complete. */
const deploymentStatuses: Record<wire.DeploymentStatus, true> = {
  AWAITING_DATABASE: true,
  READY: true,
  UNUSED: true,
  AWAITING_DELETE: true,
  AWAITING_FINAL_DELETE: true,
  UNKNOWN: true,
};

test("lists the published statuses, tiers, and log types", () => {
  const words = (schema: string, field?: string): unknown => {
    const shape = resolved({ shape: { schema }, schemas: wide.schemas });
    return (field === undefined ? shape : shape.fields?.[field])?.enum;
  };
  expect([...wire.revisionStatuses].sort()).toEqual(words("Revision", "status"));
  expect(Object.keys(deploymentStatuses).sort()).toEqual(words("Deployment", "status"));
  expect([...wire.deploymentTiers].sort()).toEqual(words("DeploymentTier"));
});
