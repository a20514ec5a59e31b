import { formatFault } from "../../../sdk/manifests/fault";
import { resolveReferences } from "../../../sdk/manifests/resolve";
import { manifestText, overlayText, parsed } from "./manifest-text";

/** Resolves references with these variables and secrets. A secret is shown as `<NAME>`. */
function resolved(
  spec: string,
  values: { env?: Record<string, string>; readable?: string[]; secrets?: string[] } = {},
  overlay?: string,
) {
  const { deployments, faults } = parsed(manifestText(spec), overlay);
  expect(faults).toEqual([]);
  const result = resolveReferences<{ secret: string }>(deployments[0]!, {
    env: (name) => values.env?.[name],
    readableVariables: values.readable ?? ["STAGE", "USER", "ADOPT", "TIME", "NAME", "A", "MODEL_ENDPOINT"],
    hide: (value) => ({ secret: value }),
    secret: (name) => (values.secrets?.includes(name) ? { secret: `<${name}>` } : undefined),
    join: (parts) => ({
      secret: parts.map((part) => (typeof part === "string" ? part : part.secret)).join(""),
    }),
  });
  return { spec: result.spec as Record<string, unknown>, faults: result.faults.map(formatFault) };
}

test("replaces references in all strings, and marks values with secrets as secret", () => {
  const { spec, faults } = resolved(
    "name: agent-${env:STAGE}\nsecrets: { KEY: '${secret:key}', DB: 'pg://${env:USER}:${secret:password}@db' }\n" +
      "rollout: { triggers: ['$${env:STAGE}', ['${env:STAGE}'], { n: 1 }] }",
    { env: { STAGE: "prod", USER: "me" }, secrets: ["key", "password"] },
  );
  expect(faults).toEqual([]);
  expect(spec).toMatchObject({
    name: { secret: "agent-prod" },
    secrets: { KEY: { secret: "<key>" }, DB: { secret: "pg://me:<password>@db" } },
    rollout: { triggers: ["${env:STAGE}", [{ secret: "prod" }], { n: 1 }] },
  });
});

test("reports all missing values at once, with their locations and how to set them", () => {
  const { faults } = resolved(
    "name: ${env:STAGE}\nsecrets: { KEY: 'a${secret:one}b${secret:two}' }",
    {},
    overlayText("adopt: ${env:ADOPT}"),
  );
  expect(faults).toEqual([
    "a.yaml:8:9: spec.name: the environment has no variable STAGE",
    "a.yaml:9:19: spec.secrets.KEY: the stack's configuration has no one; run `pulumi config set --secret one`",
    "a.yaml:9:19: spec.secrets.KEY: the stack's configuration has no two; run `pulumi config set --secret two`",
    "overlays/prod/a.yaml:5:10: spec.adopt: the environment has no variable ADOPT",
  ]);
});

test("checks values of variables in the same way as literal values, without repeating them", () => {
  const { faults } = resolved(
    "adopt: ${env:ADOPT}\nrollout: { timeout: '${env:TIME}' }\nname: '${env:NAME}'",
    { env: { ADOPT: "canary", TIME: "1h", NAME: "" } },
  );
  expect(faults).toEqual([
    expect.stringMatching(/^a\.yaml:8:10: spec\.adopt: invalid option/),
    "a.yaml:10:9: spec.name: must not be empty",
  ]);
  expect(faults.join()).not.toContain("canary");
});

test("does not resolve references in values", () => {
  const { spec, faults } = resolved("name: ${env:A}", { env: { A: "${secret:key}$${env:B}${" } });
  expect(faults).toEqual([]);
  expect(spec["name"]).toEqual({ secret: "${secret:key}$${env:B}${" });
});

test("does not escape a secret after a variable that ends in $", () => {
  const { spec } = resolved("secrets: { KEY: '${env:A}${secret:b}' }", { env: { A: "x$" }, secrets: ["b"] });
  expect(spec["secrets"]).toEqual({ KEY: { secret: "x$<b>" } });
});

test("accepts an environment variable as the value of a secret", () => {
  const { spec, faults } = resolved("secrets: { KEY: '${env:MODEL_ENDPOINT}' }", {
    env: { MODEL_ENDPOINT: "from CI" },
  });
  expect(faults).toEqual([]);
  expect(spec["secrets"]).toEqual({ KEY: { secret: "from CI" } });
});

test("does not read a variable that the program does not list", () => {
  const { spec, faults } = resolved("name: ${env:STAGE}", { env: { STAGE: "canary" }, readable: [] });
  expect(spec).toBeUndefined();
  expect(faults).toEqual([
    "a.yaml:8:9: spec.name: the program does not let manifests read STAGE; add it to `environmentVariables` of the Workspace",
  ]);
});

test.each([
  "AGENTSERVER_API_KEY",
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CONFIG_PASSPHRASE",
  "AWS_SECRET_ACCESS_KEY",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "CI_JOB_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "NPM_TOKEN",
  "NODE_AUTH_TOKEN",
  "ANTHROPIC_API_KEY",
  "pulumi_access_token",
  "HF_TOKEN",
  "STRIPE_API_KEY",
  "PGPASSWORD",
  "MYSQL_PWD",
  "CI_JOB_JWT_V2",
  "CODECOV_TOKEN2",
  "SLACK_BOT_TOKEN",
  "GPG_PASSPHRASE",
  "TF_TOKEN_app_terraform_io",
  "REDIS_URL",
  "STAGING_DATABASE_URL",
  "CI_REPOSITORY_URL",
  "https_proxy",
  "SSH_PRIVATE_KEY_BASE64",
])("does not read %s, regardless of the field that refers to it", (name) => {
  const { deployments, faults } = parsed(manifestText(`name: "a-\${env:${name}}"`));
  expect(deployments).toEqual([]);
  expect(faults).toEqual([
    `a.yaml:8:9: spec.name: manifests cannot read ${name}, because it may contain credentials; use \${secret:NAME} for secrets`,
  ]);
});

test.each([
  "STAGE",
  "AGENTS_REPOSITORY",
  "MAX_TOKENS",
  "AUTH_URL",
  "KEYCLOAK_URL",
  "PASSENGERS",
  "CI_COMMIT_SHA",
])("reads %s if the program lists it", (name) => {
  const { spec, faults } = resolved(`name: "\${env:${name}}"`, { env: { [name]: "a" }, readable: [name] });
  expect(faults).toEqual([]);
  expect(spec["name"]).toEqual({ secret: "a" });
});
