import { noPlainSecrets } from "../../../policies/rules/no-plain-secrets";
import { requiredSecrets } from "../../../policies/rules/required-secrets";
import { reservedSecretNames } from "../../../policies/rules/reserved-secret-names";
import { canaries } from "../../e2e/canaries";
import { compliant, said, unknown } from "../judging";

const random = "q7Rw2Kx9Lm4Pz8Vb1Nc6Td3Yh5";
const withSpec = (resourceSpec: object) => ({ ...compliant, sourceConfig: { resourceSpec } });

describe("no-plain-secrets", () => {
  test.each([
    ["a GitHub token", `ghp_${"a1B2".repeat(9)}`],
    ["an AWS access key", "AKIAABCDEFGHIJKLMNOP"],
    ["an Anthropic key", `sk-ant-${"a1".repeat(12)}`],
    ["a key of a model provider", `sk-proj-${"a1".repeat(12)}`],
    ["a LangSmith key", `lsv2_pt_${"0a".repeat(16)}_0a1b`],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nabc"],
    ["a JSON web token", `eyJ${"a".repeat(10)}.eyJ${"b".repeat(10)}.${"c".repeat(10)}`],
    ["a URL with a password or token", "postgres://agent:hunter2@db.example.com/agents"],
  ])("finds %s, and does not repeat it", (kind, token) => {
    const [message, ...others] = said(noPlainSecrets, withSpec({ annotations: { note: `use ${token}` } }));

    expect(others).toEqual([]);
    expect(message).toContain(`sourceConfig.resourceSpec.annotations.note contains ${kind}.`);
    expect(message).not.toContain(token);
  });

  test("finds a token in the repository's URL, and accepts a user name without a password", () => {
    const at = (repoUrl: string) => said(noPlainSecrets, { ...compliant, sourceConfig: { repoUrl } });
    expect(at("https://x-access-token@github.com/acme/agents")).toHaveLength(1);
    expect(at("ssh://git@github.com/acme/agents")).toEqual([]);
    expect(at("git@github.com:acme/agents")).toEqual([]);
  });

  test("finds random-looking strings at any position", () => {
    const inputs = {
      ...compliant,
      rollout: { verify: { run: { input: { deep: [{ password: random }] } } } },
    };
    expect(said(noPlainSecrets, inputs)).toEqual([
      expect.stringContaining(
        "rollout.verify.run.input.deep[0].password contains text that looks like a key",
      ),
    ]);
    expect(said(noPlainSecrets, inputs, { settings: { randomText: false } })).toEqual([]);
  });

  test.each([
    "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    `ghcr.io/acme/agent@sha256:${"0a1b".repeat(16)}`,
    "b7e23ec2-9f1c-4a43-9c3a-0f5a0e8f1a2b",
    "SupportAgentGraphConfiguration2026",
    "https://github.com/acme/a-rather-long-name-of-a-repository-2026",
    "src/agents/SupportAgent/graphConfiguration.v2.json",
  ])("accepts %s", (harmless) =>
    expect(said(noPlainSecrets, withSpec({ labels: { harmless } }))).toEqual([]),
  );

  test("recognizes credentials in container environments by the names of the variables", () => {
    const env = [
      { name: "DB_PASSWORD", value: "hunter2" },
      { name: "DB_TOKEN", value: "$(DB_PASSWORD)" },
      { name: "API_KEY", valueFrom: { secretKeyRef: { name: "keys", key: "api" } } },
      { name: "MAX_TOKENS", value: "100" },
      { name: "API_TOKEN", value: "" },
    ];
    expect(said(noPlainSecrets, withSpec({ sidecars: [{ name: "proxy", env }] }))).toEqual([
      expect.stringContaining("sidecars[0].env[0].value contains a credential, judging by its name"),
    ]);
  });

  test("recognizes credentials in environmentVariables by the names of the variables", () => {
    const environmentVariables = {
      DB_PASSWORD: "hunter2",
      MODEL_API_KEY: "abcd1234",
      "session-token": "x",
      API_KEY_2: "y",
      MAX_TOKENS: "100",
      TOKEN_URL: "https://auth.example.com/token",
      USE_API_KEY: "true",
      OTHER_KEY: "${MODEL_API_KEY}",
      SECRET_NAME: "MODEL_API_KEY",
      EMPTY_TOKEN: "",
    };
    const messages = said(noPlainSecrets, { ...compliant, environmentVariables });
    expect(messages.map((message) => /environmentVariables\S+/.exec(message)?.[0])).toEqual(
      ["DB_PASSWORD", "MODEL_API_KEY", "session-token", "API_KEY_2"].map(
        (name) => `environmentVariables.${name}`,
      ),
    );
    expect(messages[0]).toContain("contains a credential, judging by its name. Move it to `secrets`");
    expect(messages.join()).not.toContain("hunter2");
  });

  const namedIn = (environmentVariables: Record<string, string>) =>
    said(noPlainSecrets, { ...compliant, environmentVariables }).map(
      (message) => /environmentVariables\.(\S+)/.exec(message)?.[1],
    );

  test.each([
    ...[
      "DB_PASS",
      "MYSQL_PWD",
      "GITHUB_PAT",
      "ACCESSTOKEN",
      "API_KEYS",
      "BASIC_AUTH",
      "CLIENTSECRET",
      "PGPASSWORD",
    ],
    ...[
      "APIKEY",
      "APIKeys",
      "accessToken",
      "clientSecret",
      "DBPASS",
      "SMTP_PASS",
      "AUTH_TOKENS",
      "ACCESS_KEYS",
    ],
    ...[
      "SIGNINGKEY",
      "JWT",
      "SESSION_JWT",
      "BEARER",
      "DB_CREDS",
      "PASSCODE",
      "_auth_token",
      "NPM_AUTH",
      "S3_KEY",
    ],
    ...["SECRETS", "ADMIN_PASSWORDS", "TOKEN_2", "x-api-key", "PASS", "PAT", "ROOT_PWD", "XMLToken"],
  ])("treats %s as the name of a credential", (name) =>
    expect(namedIn({ [name]: "hunter2" })).toEqual([name]),
  );

  test.each([
    ...[
      "PASSENGER_COUNT",
      "TOKENIZER",
      "MAX_TOKENS",
      "KEYBOARD",
      "COMPASS",
      "BYPASS",
      "PASS_RATE",
      "PATH_PREFIX",
    ],
    ...[
      "PATTERN",
      "PWD",
      "OLDPWD",
      "MONKEY",
      "AUTHOR",
      "AUTH_MODE",
      "OAUTH",
      "KEYS",
      "KEYWORDS",
      "SECRETARY",
    ],
    ...[
      "COOKIES_POLICY",
      "TOKENS_PER_MINUTE",
      "maxTokens",
      "PUBLIC_KEY",
      "PRIMARY_KEY",
      "SORT_KEY",
      "EOS_TOKEN",
    ],
    ...[
      "TOKEN_LIMIT",
      "TOKEN_COUNT",
      "API_KEY_FILE",
      "SECRET_NAME",
      "KEY_ALGORITHM",
      "TOKEN_TTL",
      "PASSPORT",
    ],
    ...["NEXT_PAGE_TOKEN", "SIGNAL", "DESIGNATURES", "PATH", "HOST_KEYS", "CACHE_KEY", "MAX_TOKEN"],
  ])("does not treat %s as the name of a credential", (name) =>
    expect(namedIn({ [name]: "hunter2" })).toEqual([]),
  );

  test("finds credentials in maps of variables and in container arguments", () => {
    const sidecars = [
      { name: "a", env: { API_TOKEN: "hunter2", MAX_TOKENS: "5", DB_PASS: "$(DB_PASSWORD)" } },
      {
        name: "b",
        args: ["--password=hunter2", "--token", "hunter2", "--token", "$(TOKEN)", "--max-tokens=5"],
      },
      {
        name: "c",
        command: ["sh", "-c", "DB_PASS='hunter2' run --verbose"],
        args: ["run --api-key hunter2"],
      },
      {
        name: "d",
        args: ["--api-key", "--verbose", "--api-key=$KEY", "PASSWORD=${PASSWORD}", "--key-file=a.txt"],
      },
    ];
    const initContainers = [{ name: "e", env: { API_TOKEN: "hunter2" } }];
    const messages = said(noPlainSecrets, {
      ...compliant,
      sourceConfig: { buildCommand: "NPM_TOKEN=hunter2 npm ci", resourceSpec: { sidecars, initContainers } },
    });
    expect(messages.map((message) => /sourceConfig\.(?:resourceSpec\.)?(\S+)/.exec(message)?.[1])).toEqual([
      "buildCommand",
      "sidecars[0].env.API_TOKEN",
      "sidecars[1].args[0]",
      "sidecars[1].args[2]",
      "sidecars[2].command[2]",
      "sidecars[2].args[0]",
      "initContainers[0].env.API_TOKEN",
    ]);
    expect(messages.join()).not.toContain("hunter2");
  });

  test("finds a credential in a URL's query string", () => {
    const at = (customUrl: string) => said(noPlainSecrets, { ...compliant, sourceConfig: { customUrl } });
    expect(at("https://agents.example.com/?access_token=abc")).toEqual([
      expect.stringContaining("sourceConfig.customUrl has a credential in its query"),
    ]);
    expect(at("https://agents.example.com/?page=2&token=")).toEqual([]);
  });

  test("finds a credential in the headers of a container probe", () => {
    const httpHeaders = [{ name: "Authorization", value: "Bearer abc" }];
    const sidecars = [{ name: "proxy", livenessProbe: { httpGet: { httpHeaders } } }];
    expect(said(noPlainSecrets, withSpec({ sidecars }))).toEqual([
      expect.stringContaining("httpHeaders[0].value contains a credential, judging by its name"),
    ]);
  });

  test("does not check secrets and hidden inputs", () => {
    const inputs = {
      ...compliant,
      secrets: { MODEL_KEY: random, OTHER: canaries.modelKey },
      __provider: random,
    };
    expect(said(noPlainSecrets, inputs)).toEqual([]);
  });

  test("ignores fields that the configuration excludes, and does not evaluate unknown values", () => {
    const inputs = withSpec({ annotations: { a: random, b: unknown } });
    const settings = { ignore: ["sourceConfig/resourceSpec/annotations/a"] };
    expect(said(noPlainSecrets, inputs, { settings })).toEqual([
      expect.stringContaining("cannot be evaluated yet: sourceConfig.resourceSpec.annotations.b "),
    ]);
  });
});

describe("reserved-secret-names", () => {
  const withSecrets = (...names: string[]) => ({
    ...compliant,
    secrets: Object.fromEntries(names.map((name) => [name, canaries.modelKey])),
  });

  test("rejects names that the service reserves, including by pattern", () => {
    const messages = said(reservedSecretNames, withSecrets("MODEL_KEY", "POSTGRES_URI", "LSD_ENV", "PATHS"));
    const plain = { ...compliant, environmentVariables: { PORT: "80" } };
    expect(said(reservedSecretNames, plain)).toEqual([
      expect.stringContaining("environmentVariables.PORT has a reserved name"),
    ]);
    expect(messages).toEqual([
      'Deployment "agent": secrets.POSTGRES_URI has a reserved name. ' +
        "Rename it, and use the new name in the agent.",
      expect.stringContaining("secrets.LSD_ENV has a reserved name"),
    ]);
    expect(messages.join()).not.toContain(canaries.modelKey);
  });

  test("accepts some reserved names on self-hosted control planes", () => {
    const inputs = withSecrets("LANGSMITH_API_KEY");
    expect(said(reservedSecretNames, inputs)).toEqual([
      expect.stringContaining("secrets contain LANGSMITH_API_KEY, a name that is reserved in the cloud"),
    ]);
    expect(said(reservedSecretNames, { ...inputs, source: "external_docker" })).toEqual([]);
    expect(said(reservedSecretNames, inputs, { settings: { selfHosted: true } })).toEqual([]);
  });
});

describe("required-secrets", () => {
  const settings = { names: ["MODEL_KEY", "TRACING_KEY"] };

  test("lists the missing secrets", () => {
    expect(said(requiredSecrets, compliant, { settings })).toEqual([
      'Deployment "agent": secrets lack TRACING_KEY. ' +
        "Add it, for example with `pulumi config set --secret` and `config.requireSecret`.",
    ]);
    expect(said(requiredSecrets, { ...compliant, secrets: undefined }, { settings })).toHaveLength(2);
    expect(said(requiredSecrets, compliant)).toEqual([]);
  });

  test("requires secret names, but not secret values", () => {
    const known = { ...compliant, secrets: { MODEL_KEY: unknown, TRACING_KEY: unknown } };
    expect(said(requiredSecrets, known, { settings })).toEqual([]);
    expect(said(requiredSecrets, { ...compliant, secrets: unknown }, { settings })).toEqual([
      'advisory: Deployment "agent": cannot be evaluated yet: secrets will only be known during the update.',
    ]);
  });
});
